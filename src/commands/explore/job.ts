import { BEGUN, type Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions, SpaceFlags } from '../command-line/job.ts';
import { exploreFile } from './explore.ts';
import type { SpaceDocument } from './space.ts';

/** Options of `foretoken explore`; machine, ranks and parameters apply to models only. */
export interface SpaceJobOptions extends JobOptions, SpaceFlags {
  /** Groups of places whose joint bounds are reported, as in `p1,p2;p3`. */
  readonly bounds?: string;
  /** Also determines the liveness level of each transition. */
  readonly liveness?: boolean;
  /** Also searches for the run times over all orders. */
  readonly runTime?: boolean;
  /** Output file for a drawing of the state space. */
  readonly graph?: string;
}

export type ExploreJob = Job<SpaceJobOptions>;

export function run({ input, options }: ExploreJob, { cancelled, explored }: Following): Promise<SpaceDocument> {
  const own = { ...options, begun: BEGUN, cancelled, ...(explored === undefined ? {} : { progress: explored }) };
  return exploreFile(input, own, importModule);
}
