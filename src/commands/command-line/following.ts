import type { OffloadedRanks } from '../subjects/rank-follower.ts';
import type { SimulationProgress, SpaceProgress, StudyProgress } from './job.ts';

/** Callbacks through which a caller follows a job and cancels it. */
export interface Following {
  readonly progress?: (p: SimulationProgress) => void;
  readonly explored?: (p: SpaceProgress) => void;
  readonly studied?: (p: StudyProgress) => void;
  /** Called once the analysis of a structure begins. */
  readonly analysing?: () => void;
  /** Called when model code with a time limit begins (`true`) and ends (`false`). */
  readonly building?: (building: boolean) => void;
  /** Polled during the work; once it returns `true`, the job ends with its results so far. */
  readonly cancelled: () => boolean;
  /** SHA-256 of an input in hexadecimal if another thread computes it, else `undefined`; blocks until it is ready. */
  readonly digestOf?: (path: string) => string | undefined;
  /** Connection to another thread that follows the ranks of a trace. */
  readonly offloadedRanks?: OffloadedRanks;
}

/** Start of the process on the `performance.now()` clock, whose origin all threads share. */
export const BEGUN = 0;
