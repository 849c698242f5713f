import type { Following } from '../commands/command-line/following.ts';

/** What a command does in the worker thread: the function `run` of its `job.ts`. */
interface JobModule {
  readonly run: (job: never, following: Following) => unknown;
}

/** The commands with jobs; each line loads the modules of its command. */
export const JOBS: Readonly<Record<string, () => Promise<JobModule>>> = {
  predict: () => import('../commands/predict/job.ts'),
  profile: () => import('../commands/profile/job.ts'),
  convert: () => import('../commands/convert/job.ts'),
  explore: () => import('../commands/explore/job.ts'),
  verify: () => import('../commands/verify/job.ts'),
  structure: () => import('../commands/structure/job.ts'),
  whatif: () => import('../commands/whatif/job.ts'),
};
