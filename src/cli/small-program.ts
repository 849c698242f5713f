import { predictCommand } from '../commands/predict/command.ts';
import { type RunsJobs, runCommandLine } from './command-line.ts';

/**
 * Runs a command line that `looksSmall` accepts, and returns its exit code. `scripts/bundle.mjs` makes one script of this module,
 * because finding, reading and linking the files of the whole program takes longer than a small prediction.
 *
 * @param jobs runs a job that proves not to be small, with the files of the whole program
 */
export const run = (argv: readonly string[], jobs: RunsJobs): Promise<number> =>
  runCommandLine([predictCommand], argv, jobs);
