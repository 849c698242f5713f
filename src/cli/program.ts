import type { ForkedJob, Job, JobEnd } from '../commands/command-line/job.ts';
import { compareCommand } from '../commands/compare/command.ts';
import { convertCommand } from '../commands/convert/command.ts';
import { diagnoseCommand } from '../commands/diagnose/command.ts';
import { exploreCommand } from '../commands/explore/command.ts';
import { initCommand } from '../commands/init/command.ts';
import { predictCommand } from '../commands/predict/command.ts';
import { profileCommand } from '../commands/profile/command.ts';
import { rerunCommand } from '../commands/rerun/command.ts';
import { schemaCommand } from '../commands/schema/command.ts';
import { steadyCommand } from '../commands/steady/command.ts';
import { structureCommand } from '../commands/structure/command.ts';
import { verifyCommand } from '../commands/verify/command.ts';
import { viewCommand } from '../commands/view/command.ts';
import { whatIfCommand } from '../commands/whatif/command.ts';
import { type AddCommand, type RunsJobs, runCommandLine } from './command-line.ts';

/** The commands, in the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  predictCommand,
  whatIfCommand,
  compareCommand,
  verifyCommand,
  profileCommand,
  viewCommand,
  diagnoseCommand,
  rerunCommand,
  exploreCommand,
  structureCommand,
  steadyCommand,
  convertCommand,
  schemaCommand,
  initCommand,
];

/** Jobs run in a worker thread, or in a separate process; the modules for this are loaded with the first job. */
const jobsInThreads: RunsJobs = {
  runJob: async <Result>(job: Job, onKilled?: () => void) =>
    (await import('./run-job.ts')).runJob(job, onKilled) as Promise<JobEnd<Result>>,
  forkJob: async <Result>(job: Job) => (await import('./fork-job.ts')).forkJob(job) as ForkedJob<Result>,
};

/** Runs the command line and returns its exit code. */
export const run = (argv: readonly string[], own: Partial<RunsJobs> = {}): Promise<number> =>
  runCommandLine(COMMANDS, argv, { ...jobsInThreads, ...own });
