import type { Cause, Evidence } from '../../analysis/diagnosis/causes.ts';
import type { Problem } from '../../base/problem.ts';
import type { InputFile } from '../../report/prediction.ts';
import type { Counter } from '../../trace/workers/worker-states.ts';

/** A cause of lost time in a region, with a remedy. */
export interface DiagnosisFinding {
  readonly cause: Cause;
  /** Figures above (for `excessive-waiting`: the search rate not above) their thresholds. */
  readonly evidence: readonly Evidence[];
  /** Worker-seconds of active overhead (fine grain, linear spawning) or inactive overhead (the other causes). */
  readonly secondsLost: number;
  readonly advice: string;
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
  readonly from: number;
  readonly to: number;
  readonly workersCount: number;
  /** LOCAL and GLOBAL, and WAIT, as shares of workers × (to − from). */
  readonly activeShare: number;
  readonly inactiveShare: number;
  /** Tasks from the worker's own queue and from elsewhere, counted by the selected rule. */
  readonly ownTasks: number;
  readonly otherTasks: number;
  /** Absent if the document would list more than 100,000 workers. */
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
  readonly origin: 'recorded';
  readonly regions: readonly DiagnosedRegion[];
  readonly warnings: readonly Problem[];
}
