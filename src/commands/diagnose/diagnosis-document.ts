import type { Cause, Evidence } from '../../analysis/diagnosis/causes.ts';
import type { Speedup } from '../../app/threads/speedup.ts';
import type { Problem } from '../../base/problem.ts';
import type { BlockedRank, InputFile } from '../../report/prediction.ts';
import type { Counter } from '../../trace/workers/worker-states.ts';

/** Why a region loses time, and what to change. */
export interface DiagnosisFinding {
  readonly cause: Cause;
  /** Figures above (for `excessive-waiting`: the search rate not above) their thresholds. */
  readonly evidence: readonly Evidence[];
  /** Worker-seconds of active overhead (fine grain, linear spawning) or inactive overhead (the other causes). */
  readonly secondsLost: number;
  readonly advice: string;
  /** Of a model: the change that shortens the run most, among those tried. */
  readonly change?: string;
  /** Of a model: seconds by which that change shortens the run, found by running the changed model. */
  readonly predictedGain?: number;
  /** Of a model, without a predicted gain: the reason. */
  readonly noGain?: string;
}

/** One worker in a region: seconds by state, and its transitions. */
export interface DiagnosedWorker {
  readonly worker: string;
  readonly seconds: { readonly exec: number; readonly local: number; readonly global: number; readonly wait: number };
  readonly counters: Readonly<Record<Counter, number>>;
}

/** A parallel region in one monitoring period. Times are in seconds. */
export interface DiagnosedRegion {
  readonly name: string;
  /** First and last instant. */
  readonly from: number;
  readonly to: number;
  /** T: the time in which workers are in the region, without the time between its executions. */
  readonly seconds: number;
  readonly workersCount: number;
  /** LOCAL and GLOBAL, and WAIT, as shares of workers × T. */
  readonly activeShare: number;
  readonly inactiveShare: number;
  /** Tasks from the own queue and from elsewhere, by the chosen way of counting. */
  readonly ownTasks: number;
  readonly otherTasks: number;
  /** Absent where the document would list more than 100,000 workers. */
  readonly workers?: readonly DiagnosedWorker[];
  readonly findings: readonly DiagnosisFinding[];
}

/** The result of `foretoken diagnose`. */
export interface DiagnosisDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'diagnosis';
  readonly product: string;
  readonly complete: true;
  readonly inputs: Readonly<Record<string, InputFile>>;
  readonly options: Readonly<Record<string, string | number>>;
  readonly origin: 'recorded' | 'simulated';
  /** Of a model: its parameters, workers, scheduler, and run time in seconds. */
  readonly model?: {
    readonly name: string;
    readonly params: Readonly<Record<string, number | string | boolean>>;
    readonly workers: number;
    readonly scheduler: string;
    readonly runTime: number;
  };
  /** Of a model that deadlocks: the strands that cannot continue. The run was diagnosed up to the deadlock. */
  readonly deadlock?: readonly BlockedRank[];
  readonly regions: readonly DiagnosedRegion[];
  /** Of a model, on request. */
  readonly speedup?: Speedup;
  readonly warnings: readonly Problem[];
}
