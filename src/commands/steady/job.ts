import { BEGUN, type Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job } from '../command-line/job.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import { steadyFile } from './steady.ts';
import type { SteadyMethod } from './steady-options.ts';
import type { SteadyDocument } from './steady-result.ts';

/** Options of `foretoken steady`. */
export interface SteadyJobOptions extends ThreadOptions {
  readonly method?: SteadyMethod;
  readonly precision?: `${number}%`;
  readonly confidence?: `${number}%`;
  readonly replications?: number;
  readonly maxFirings?: number;
  readonly seed?: string;
  readonly maxStates?: number;
  /** Bytes. */
  readonly memory?: number;
  readonly seconds?: number;
  readonly at?: number;
  readonly absorption?: boolean;
  readonly erlang?: number;
  readonly capacity?: number;
  readonly restart?: boolean;
  readonly ranks?: number;
  readonly oversubscribe?: boolean;
  readonly machine?: string;
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  readonly reach?: string;
  readonly rewards?: Readonly<Record<string, string>>;
}

export type SteadyJob = Job<SteadyJobOptions>;

export function run({ input, options }: SteadyJob, following: Following): Promise<SteadyDocument> {
  const { cancelled, explored, progress } = following;
  const own = {
    ...options,
    begun: BEGUN,
    cancelled,
    ...(explored === undefined ? {} : { progress: explored }),
    ...(progress === undefined ? {} : { simulated: (time: number, share: number) => progress({ time, share }) }),
  };
  return steadyFile(input, own, importModule);
}
