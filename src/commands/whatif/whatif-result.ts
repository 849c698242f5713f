import type { Problem } from '../../base/problem.ts';
import type {
  EstimatedFigure,
  FigureError,
  InputFile,
  MachineRole,
  MachineSettings,
  ParameterSettings,
  PlacementSettings,
  PoolSettings,
  RunSettings,
  SearchSettings,
} from '../inputs/document-parts.ts';

/** Settings that all scenarios of a study have. */
export interface StudySettings
  extends MachineSettings,
    PlacementSettings,
    PoolSettings,
    Pick<RunSettings, 'until' | 'maxSteps' | 'replications' | 'precision' | 'confidence'>,
    Pick<SearchSettings, 'maxStates'>,
    ParameterSettings {
  /** Name of the model. */
  readonly model?: string;
  /** Name of the net. */
  readonly net?: string;
  /** Name or path of the machine. */
  readonly machine?: string;
  /** Path of the hostfile. */
  readonly hostfile?: string;
  /** Several programs: when jobs start, in seconds, and hostfiles of single jobs, each as `JOB=VALUE`, with commas. */
  readonly start?: string;
  readonly jobHostfiles?: string;
  /** Members of a listing had to lie in its folder. */
  readonly confine?: boolean;
  /** How the work depends on the number of ranks. */
  readonly scaling?: ScalingKind;
  /** Names of the long-run figures of a net, with commas; of a program, the figure by which scenarios are compared: absent if that is the run time. */
  readonly figures?: string;
  /** Rewards, as `NAME = EXPRESSION`, with semicolons. */
  readonly rewards?: string;
}

/** A figure by which a study of a program compares its scenarios, searches, and takes elasticities. */
export type StudyFigure = 'runTime' | 'energy';

/** One value of an axis. Changes (`x0.5`, `+10%`) and values with a unit are strings. */
export type AxisValue = number | string | boolean;

/**
 * A figure of a scenario; an error, if it is a mean over replications. A program with a custom predictor chooses the
 * names and units of its figures.
 */
export interface ScenarioFigure extends Partial<FigureError> {
  /** The value, in `unit`. */
  readonly value: number;
  /** The unit, as in predictions; `1` for numbers and shares. */
  readonly unit: string;
  /** Long-run figures of a net: derivatives by each rate or mean delay that is varied. */
  readonly derivatives?: readonly FigureDerivative[];
}

/** The derivative of a figure by a rate or mean delay, with its proved interval. */
export interface FigureDerivative extends FigureError {
  /** The axis. */
  readonly by: string;
  /** Change of the figure per unit of the axis. */
  readonly value: number;
  /** Relative change of the figure per relative change of the axis; null if the figure is 0. */
  readonly elasticity: number | null;
}

/**
 * Mean difference of run times to the baseline, or of the figure by which scenarios are compared: a figure, and the same numbers
 * under their former names. The 95 % interval needs a second replication.
 */
export type Difference = EstimatedFigure & DifferenceSummary;

/** The mean difference in seconds (energy: joules), its interval, and its share of the baseline's value. */
export interface DifferenceSummary {
  /** Mean difference, in seconds or joules. */
  readonly mean: number;
  /** Lower end of the confidence interval, in seconds or joules; null for a single value. */
  readonly low: number | null;
  /** Upper end of the confidence interval, in seconds or joules; null for a single value. */
  readonly high: number | null;
  /** The mean as a share of the baseline's value; null if that is 0, or the ratio exceeds the range of a double. */
  readonly relative: number | null;
}

/** One scenario and its result. */
export interface WhatIfScenario {
  /** Number of the scenario, from 0. */
  readonly index: number;
  /** The value of every axis. Open: names of parameters of the machine, the model or the net. */
  readonly values: Readonly<Record<string, AxisValue>>;
  /** The idealised part of the system, if any: a perfect network or a perfect load balance. */
  readonly ideal?: 'network' | 'balance';
  /** Outcome of the scenario. */
  readonly status: 'done' | 'deadlock' | 'incomplete' | 'failed' | 'cancelled';
  /**
   * The run time (`s`) first, unless figures are those of the long run. Absent unless the status is `done`. Open: names of figures, the
   * same in every scenario.
   */
  readonly figures?: Readonly<Record<string, ScenarioFigure>>;
  /** The run time of each replication in seconds. */
  readonly replications?: readonly number[];
  /**
   * Difference to the baseline: the first scenario with status `done` that is not idealised. Absent for the baseline and for
   * every scenario with another status.
   */
  readonly difference?: Difference;
  /**
   * With replications: mean differences of the further figures to those of the baseline, paired as the run times are, each with its 95 %
   * interval. If it contains 0, no difference is seen. Open: names of figures.
   */
  readonly differences?: Readonly<Record<string, ScenarioFigure>>;
  /** Why it failed. */
  readonly problems?: readonly Problem[];
}

/**
 * A run time (s) on a number of ranks. Speed-up and efficiency are relative to p₀, the smallest number of ranks that ran.
 * Strong scaling: speed-up T(p₀) / T(p), efficiency that times p₀ / p. Weak scaling: efficiency T(p₀) / T(p), scaled
 * speed-up that times p / p₀. Both are null if a run time is 0, or the ratio exceeds the range of a double.
 */
export interface ScalingPoint {
  /** Number of ranks. */
  readonly ranks: number;
  /** Run time, in seconds. */
  readonly runTime: number;
  /** Speed-up relative to the fewest ranks; null if undefined. */
  readonly speedUp: number | null;
  /** Efficiency relative to the fewest ranks, 1 = ideal; null if undefined. */
  readonly efficiency: number | null;
  /** Thread models: seconds of the workers by activity. */
  readonly times?: WorkerTimes;
  /** With replications: the 95 % intervals; those of ratios are paired. */
  readonly errors?: Readonly<Record<'runTime' | 'speedUp' | 'efficiency', FigureError>>;
}

/**
 * Thread models: seconds of all workers, or threads, by activity. The sum is their number times the run time. Means over the
 * replications.
 */
export interface WorkerTimes {
  /** Computing on a core. */
  readonly computing: number;
  /** Loading and storing. */
  readonly memory: number;
  /** Computing while others use the core: threads beyond the number of cores. */
  readonly preempted: number;
  /** Looking into the own queue. */
  readonly ownQueue: number;
  /** Searching other queues and stealing, or using the central queue. */
  readonly searching: number;
  /** Spinning for locks. */
  readonly spinning: number;
  /** Other operations of the scheduler, of locks and of other objects; making tasks and threads. */
  readonly operations: number;
  /** Parked until a lock is released. */
  readonly locks: number;
  /** Waiting at barriers and at the ends of loops. */
  readonly barriers: number;
  /** Other waits: joins, conditions, events, sleeping, and the wake-ups after all waits. */
  readonly waiting: number;
  /** Without work; threads also before their creation and after their end. */
  readonly idle: number;
}

/** How work depends on the ranks: `strong`, a constant total; `weak`, a constant amount per rank. */
export type ScalingKind = 'strong' | 'weak';

/** Amdahl's law: T(p) = serialTime × (serialShare + (1 − serialShare) / p), in seconds. */
export interface AmdahlFit {
  /** Fitted run time on one rank, in seconds. */
  readonly serialTime: number;
  /** Serial share of the work on one rank, 0 … 1. */
  readonly serialShare: number;
  /** Coefficient of determination of the fit; 1 for a perfect fit. */
  readonly rSquared: number;
  /** With replications: 95 % intervals, which come from the runs alone and not from the misfit of the law. */
  readonly errors?: Readonly<Record<'serialTime' | 'serialShare', FigureError>>;
}

/** Gustafson's law: the mean number of ranks at work, which is the scaled speed-up, is p − serialShare × (p − 1). */
export interface GustafsonFit {
  /** Run time on the fewest ranks, in seconds. */
  readonly serialTime: number;
  /**
   * Share of the run time without parallel work, 0 … 1: serial work, imbalance, communication and waiting. From the measured
   * parallelism.
   */
  readonly serialShare: number;
  /** Coefficient of determination of the fit; 1 for a perfect fit. */
  readonly rSquared: number;
  /** With replications: 95 % intervals, which come from the runs alone and not from the misfit of the law. */
  readonly errors?: Readonly<Record<'serialTime' | 'serialShare', FigureError>>;
}

/** The universal scalability law: T(N) = serialTime × (1 + contention (N − 1) + coherence N (N − 1)) / N, in seconds. */
export interface ScalabilityFit {
  /** Fitted run time on one rank, in seconds. */
  readonly serialTime: number;
  /** Coefficient of the linear term, σ: contention for shared resources. */
  readonly contention: number;
  /** Coefficient of the quadratic term, κ: cost of keeping ranks consistent. */
  readonly coherence: number;
  /** The number of ranks with the minimum run time; null if the run time falls indefinitely. */
  readonly peak: number | null;
  /** Coefficient of determination of the fit; 1 for a perfect fit. */
  readonly rSquared: number;
  /** With replications: 95 % intervals, which come from the runs alone and not from the misfit of the law. */
  readonly errors?: Readonly<Record<'serialTime' | 'contention' | 'coherence', FigureError>>;
}

/** Run time as a function of the ranks, with all other axes fixed: one series for each combination of their values. */
export interface Scaling {
  /** Values of the other axes. Open: names of axes. */
  readonly values: Readonly<Record<string, AxisValue>>;
  /** The idealisation of the series, if any. */
  readonly ideal?: 'network' | 'balance';
  /** Present for thread models: `ranks` of the points, and in the laws, are workers. */
  readonly axis?: 'workers';
  /** Present for weak scaling only. */
  readonly kind?: 'weak';
  /** Measured points, by ascending number of ranks. */
  readonly points: readonly ScalingPoint[];
  /** Strong scaling only; absent if there are too few points. */
  readonly amdahl?: AmdahlFit;
  /** Fit of the universal scalability law, if there are enough points. */
  readonly scalability?: ScalabilityFit;
  /** Weak scaling only; absent if there are too few points. */
  readonly gustafson?: GustafsonFit;
  /** Weak scaling only: relative growth of the run time from the fewest to the most ranks. */
  readonly growth?: number;
  /** With replications: the 95 % interval of the growth. */
  readonly growthError?: FigureError;
}

/** d log run time / d log parameter at the given parameters: a figure if it could be determined. */
export type ElasticityFigures = ElasticitySummary | (ElasticitySummary & EstimatedFigure);

/** The elasticity of a parameter and its interval; null if it could not be determined. */
export interface ElasticitySummary {
  /** Name of the varied machine or model parameter. */
  readonly parameter: string;
  /** Relative change of the run time per relative change of the parameter; null if it cannot be determined. */
  readonly elasticity: number | null;
  /** Its 95 % interval, if there are replications. */
  readonly low?: number;
  /** Upper end of the confidence interval. */
  readonly high?: number;
}

/** The smallest value of an axis that meets a target. */
export interface FoundValue {
  /** The values of the other axes. Open: names of axes. */
  readonly values: Readonly<Record<string, AxisValue>>;
  /** The idealisation of the scenarios, if any. */
  readonly ideal?: 'network' | 'balance';
  /** The axis that was searched. */
  readonly axis: string;
  /** Maximum run time, in seconds; maximum energy, in joules, if scenarios are compared by it. */
  readonly target: number;
  /** True if a tried value meets the target. */
  readonly met: boolean;
  /** False if no tried value meets the target, but one that was not tried might: run times do not fall all along the axis. */
  readonly decided: boolean;
  /** Number of values tried, and of all values of the axis. */
  readonly tried: number;
  readonly of: number;
  /** The value; if no tried value meets the target, the one with the minimum run time, or energy. Absent if all failed. */
  readonly value?: AxisValue;
  /** Run time at the found value, in seconds. */
  readonly runTime?: number;
  /** Energy at the found value, in joules, if scenarios are compared by it. */
  readonly energy?: number;
  /**
   * If met: no smaller value meets the target, provided that run times fall along the axis up to it; all values between this one and
   * the next smaller one that ran were tried. If not met: no value was left out.
   */
  readonly verified: boolean;
}

/**
 * The result of `foretoken whatif`, version 1. `--json` prints it and all views read it. Times are in seconds. Nothing in it
 * depends on the clock, the computer, or the number of threads.
 */
export interface WhatIfDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'what-if';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** Shared by all scenarios: they use common random numbers. */
  readonly seed: string;
  /** False if the study, or the run of a scenario, was stopped early. */
  readonly complete: boolean;
  /** Input files with their digests. */
  readonly inputs: readonly (InputFile & { readonly role: 'trace' | 'net' | 'model' | MachineRole })[];
  /** Settings given for all scenarios. */
  readonly options: StudySettings;
  /** In the order given. For an axis that is searched, the values tried. */
  readonly axes: readonly { readonly name: string; readonly values: readonly AxisValue[] }[];
  /** All scenarios, by number. */
  readonly scenarios: readonly WhatIfScenario[];
  /** Speed-ups and scaling laws, one series per combination of other axes. */
  readonly scaling: readonly Scaling[];
  /** Influence of each parameter on the run time of the baseline. */
  readonly elasticity: readonly ElasticityFigures[];
  /** Results of searches. */
  readonly found: readonly FoundValue[];
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly Problem[];
  /** Limitations of all scenarios from such input, as in a prediction. Absent if empty. */
  readonly notes?: readonly Problem[];
}
