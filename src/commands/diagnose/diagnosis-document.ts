import type { Evidence, FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { LossSubject, SlowHost } from '../../analysis/diagnosis/known-losses.ts';
import type { Problem } from '../../base/problem.ts';
import type { Counter } from '../../trace/workers/worker-states.ts';
import type { BlockedRank, InputFile } from '../inputs/document-parts.ts';
import type { CheaperParts } from './cheaper-parts.ts';
import type { DiagnosisSettings } from './diagnosis-options.ts';
import type { DiagnosedLine, DiagnosedLock } from './ledger-losses.ts';
import type { Speedup } from './speedup.ts';
import type { ThresholdSource } from './threshold-sources.ts';

/** A cause of lost time in a region, with a remedy. */
export interface DiagnosisFinding {
  /** The cause of lost time; `unknown`: overhead above its threshold that no rule explains. */
  readonly cause: FindingCause;
  /** Figures on which the finding is based, with their thresholds. */
  readonly evidence: readonly Evidence[];
  /**
   * Worker-seconds of active overhead (fine grain, linear spawning), of inactive overhead (too few tasks, excessive waiting), of
   * those that are in `evidence` (unknown), or of the cause itself; seconds of the region for forks and thread creation.
   */
  readonly secondsLost: number;
  /** `secondsLost` as a share of the workers' time, or of the region's. */
  readonly share: number;
  /** Speed-up of the region if the lost time were spent on computing: its `speedup` / (1 − share), at most its workers or cores. */
  readonly speedupWithout: number;
  /** The object or line that loses the time; only for models. */
  readonly subject?: LossSubject;
  /** The slower hosts of a finding `slower-host`, the slowest first. */
  readonly hosts?: readonly SlowHost[];
  /** Number of objects or lines with the cause, if only together they exceed the threshold. */
  readonly subjects?: number;
  /** A remedy, as a sentence. */
  readonly advice: string;
  /** Of a model: the change that shortens the run most, among those tried. */
  readonly change?: string;
  /** Of a model: seconds by which that change shortens the run, found by running the changed model. */
  readonly predictedGain?: number;
  /** True if the change removes a cost without saying how: no rewriting of the program gains more in this way. */
  readonly gainIsBound?: true;
  /** Of a model, without a predicted gain: the reason. */
  readonly noGain?: string;
}

/** One worker in a region: seconds by state, and its transitions. */
export interface DiagnosedWorker {
  /** Name of the worker. */
  readonly worker: string;
  /** Seconds of computing, with memory. It adds up to the region's `seconds` with the next three. */
  readonly computing: number;
  /** Seconds of operations of the scheduler and of objects, and of looking for tasks. */
  readonly overhead: number;
  /** Seconds blocked or asleep within a task. */
  readonly waiting: number;
  /** Seconds without a task, also before the worker begins and after it has ended in the region. */
  readonly idle: number;
  /** Tasks of the worker from its own queue, counted by the selected rule. */
  readonly ownTasks: number;
  /** Tasks of the worker from elsewhere, counted by the selected rule. */
  readonly otherTasks: number;
  /** Seconds by state of the life-cycle: operations of a task are EXEC, and blocked workers are in WAIT. */
  readonly seconds: { readonly exec: number; readonly local: number; readonly global: number; readonly wait: number };
  /** Seconds in each of the user's own states; absent without such states. Open: names of these states. */
  readonly own?: Readonly<Record<string, number>>;
  /** Numbers of transitions between states. */
  readonly counters: Readonly<Record<Counter, number>>;
}

/** A parallel region in one monitoring period. Times are in seconds. */
export interface DiagnosedRegion {
  /** Name of the region; of a region in one rank, `NAME, rank R`. */
  readonly name: string;
  /** The rank, for a region in one rank of a program whose ranks have threads. */
  readonly rank?: number;
  /** First instant at which a worker is in the region, in seconds. */
  readonly from: number;
  /** Last instant at which a worker is in the region, in seconds. */
  readonly to: number;
  /** T: the time in which workers are in the region, without the time between its executions. */
  readonly seconds: number;
  /** Seconds of the region's work on one worker, without overhead; only for thread models. */
  readonly serialTime?: number;
  /** Number of workers in the region. */
  readonly workersCount: number;
  /** Cores of the machine, if they are fewer than its workers; only for thread models. */
  readonly cores?: number;
  /** Number of workers that compute on the mean; of models without computing beyond the work, such as transfers of shared cache lines. */
  readonly speedup: number;
  /** Overhead of all workers as a share of workers × T; of threads of the operating system, of the time in which they exist. */
  readonly activeShare: number;
  /** Time waiting and idle, as such a share. */
  readonly inactiveShare: number;
  /** Number of tasks, with those that workers execute when the region or period begins. */
  readonly tasks: number;
  /** Tasks from the worker's own queue and from elsewhere, counted by the selected rule. */
  readonly ownTasks: number;
  /** Tasks from elsewhere, counted by the selected rule. */
  readonly otherTasks: number;
  /** Absent if the document would list more than 100,000 workers. */
  readonly workers?: readonly DiagnosedWorker[];
  /** Causes of lost time; empty if no threshold is exceeded. */
  readonly findings: readonly DiagnosisFinding[];
}

/** The result of `foretoken diagnose`. */
export interface DiagnosisDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'diagnosis';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** True if the whole run was diagnosed. */
  readonly complete: true;
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'run' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile };
  /** Thresholds and other options of the diagnosis. */
  readonly options: DiagnosisSettings;
  /** Origin of the run: recorded, or simulated from a model. */
  readonly origin: 'recorded' | 'simulated';
  /** Part of the run to which all figures refer, in seconds; absent for the whole run. */
  readonly window?: { readonly from: number; readonly to: number };
  /** Thresholds and where they come from. */
  readonly thresholds: readonly ThresholdSource[];
  /** Of a model: its parameters, workers, scheduler, and run time in seconds. */
  readonly model?: {
    /** Its name. */
    readonly name: string;
    /** Its parameters. Open: names of the model. */
    readonly params: Readonly<Record<string, number | string | boolean>>;
    /** Number of ranks; absent for a thread model. */
    readonly ranks?: number;
    /** Workers of the pool; with ranks, of the rank's largest pool. */
    readonly workers: number;
    /** Scheduler of the workers. */
    readonly scheduler: string;
    /** Run time, in seconds. */
    readonly runTime: number;
    /** Seconds of all work on one worker, without overhead; absent with ranks. */
    readonly serialTime?: number;
  };
  /** The strands or ranks that cannot continue, if the model deadlocks. The diagnosis covers the run up to the deadlock. */
  readonly deadlock?: readonly BlockedRank[];
  /** Seconds and counts by source line, the longest first; only for models. */
  readonly lines?: readonly DiagnosedLine[];
  /** Synchronisation objects, the one with most waiting first; only for models. */
  readonly locks?: readonly DiagnosedLock[];
  /** The regions, in the order of their first instant. */
  readonly regions: readonly DiagnosedRegion[];
  /** Of a model, on request. */
  readonly speedup?: Speedup;
  /** Of a model, with the speed-up: what 10 % cheaper lines and locks would gain. */
  readonly cheaper?: CheaperParts;
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly Problem[];
}
