import type { Problem } from '../base/problem.ts';
import type { Figure, InputFile } from './prediction.ts';

/** One value of an axis; a change (`x0.5`, `+10%`) and a value with a unit are texts. */
export type AxisValue = number | string | boolean;

/** A difference of run times to the baseline, in seconds; the interval (95 %) is null without a second replication. */
export interface Difference {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The mean as a share of the baseline's run time; null where that is 0, or the ratio exceeds the range of a double. */
  readonly relative: number | null;
}

/** One scenario and what came of it. */
export interface WhatIfScenario {
  readonly index: number;
  /** The value of every axis. */
  readonly values: Readonly<Record<string, AxisValue>>;
  /** What it takes as perfect, if anything. */
  readonly ideal?: 'network' | 'balance';
  readonly status: 'done' | 'deadlock' | 'incomplete' | 'failed' | 'cancelled';
  /** The run time (`s`) first; then the same names in every scenario. Absent unless the status is `done`. */
  readonly figures?: Readonly<Record<string, Figure>>;
  /** The run time of each replication, in seconds. */
  readonly replications?: readonly number[];
  /**
   * To the baseline: the first scenario with status `done` that is not idealised. Absent for the baseline itself and for
   * every scenario with another status.
   */
  readonly difference?: Difference;
  /** Why it failed. */
  readonly problems?: readonly Problem[];
}

/**
 * A run time (s) on a number of ranks; speed-up and efficiency are relative to the smallest number of ranks p₀ that ran.
 * Strong scaling: speed-up T(p₀) / T(p), efficiency that times p₀ / p. Weak scaling: efficiency T(p₀) / T(p), scaled
 * speed-up that times p / p₀. Both are null where a run time is 0, or the ratio exceeds the range of a double.
 */
export interface ScalingPoint {
  readonly ranks: number;
  readonly runTime: number;
  readonly speedUp: number | null;
  readonly efficiency: number | null;
}

/** How work depends on the ranks: `strong`, a constant total; `weak`, a constant amount per rank. */
export type ScalingKind = 'strong' | 'weak';

/** Amdahl's law: T(p) = serialTime × (serialShare + (1 − serialShare) / p), in seconds. */
export interface AmdahlFit {
  readonly serialTime: number;
  readonly serialShare: number;
  readonly rSquared: number;
}

/**
 * Gustafson's law: scaled speed-up p − serialShare × (p − 1) relative to one rank, so that
 * T(p) = serialTime × p / (p − serialShare × (p − 1)), in seconds.
 */
export interface GustafsonFit {
  readonly serialTime: number;
  readonly serialShare: number;
  readonly rSquared: number;
}

/** The universal scalability law: T(N) = serialTime × (1 + contention (N − 1) + coherence N (N − 1)) / N, in seconds. */
export interface ScalabilityFit {
  readonly serialTime: number;
  readonly contention: number;
  readonly coherence: number;
  /** The number of ranks of the least run time; null where it falls for ever. */
  readonly peak: number | null;
  readonly rSquared: number;
}

/** How run time scales with ranks where all other axes stay: one for each combination of their values. */
export interface Scaling {
  readonly values: Readonly<Record<string, AxisValue>>;
  readonly ideal?: 'network' | 'balance';
  /** Present for weak scaling only. */
  readonly kind?: 'weak';
  readonly points: readonly ScalingPoint[];
  /** Of strong scaling; absent where there are too few points. */
  readonly amdahl?: AmdahlFit;
  readonly scalability?: ScalabilityFit;
  /** Of weak scaling; absent where there are too few points. */
  readonly gustafson?: GustafsonFit;
}

/** d log run time / d log parameter at what is given; null where it could not be found. */
export interface ElasticityFigures {
  readonly parameter: string;
  readonly elasticity: number | null;
  /** Its 95 % interval, where there are replications. */
  readonly low?: number;
  readonly high?: number;
}

/** The least value of an axis that meets a target. */
export interface FoundValue {
  /** The values of the other axes. */
  readonly values: Readonly<Record<string, AxisValue>>;
  readonly ideal?: 'network' | 'balance';
  readonly axis: string;
  /** Run time of at most this, in seconds. */
  readonly target: number;
  readonly met: boolean;
  /** The value; where none that was tried meets the target, the one of the least run time. Absent where all failed. */
  readonly value?: AxisValue;
  readonly runTime?: number;
  /**
   * If met: no smaller value meets the target, as far as run times fall along the axis: all values between this one and
   * the next smaller one that ran were tried. If not met: no value was left out.
   */
  readonly verified: boolean;
}

/**
 * The result of `foretoken whatif`, version 1: what `--json` prints and what every view reads. Times are in seconds.
 * Nothing in it depends on the clock, on the machine it was computed on, or on the number of threads.
 */
export interface WhatIfDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'what-if';
  readonly product: string;
  /** Of all scenarios: they share their random numbers. */
  readonly seed: string;
  /** False where the study was ended before its end, or a scenario's run was. */
  readonly complete: boolean;
  readonly inputs: readonly (InputFile & { readonly role: 'trace' | 'machine' | 'hostfile' | 'model' })[];
  /** What all scenarios have in common, where it was given. */
  readonly options: Readonly<Record<string, string | number>>;
  /** In their order; the values of one that is searched along are those that were tried. */
  readonly axes: readonly { readonly name: string; readonly values: readonly AxisValue[] }[];
  readonly scenarios: readonly WhatIfScenario[];
  readonly scaling: readonly Scaling[];
  readonly elasticity: readonly ElasticityFigures[];
  readonly found: readonly FoundValue[];
  readonly warnings: readonly Problem[];
  /** What holds of every scenario from such input, as in a prediction. Absent: none. */
  readonly notes?: readonly Problem[];
}
