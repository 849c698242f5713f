import type { ForkedJob, Job, JobEnd } from '../commands/command-line/job.ts';
import type { RunsJobs } from './command-line.ts';

/** Jobs run in a worker thread, or in a process of their own; the modules for this are loaded with the first job. */
export const jobsInThreads: RunsJobs = {
  runJob: async <Result>(job: Job, onKilled?: () => void) =>
    (await import('./run-job.ts')).runJob(job, onKilled) as Promise<JobEnd<Result>>,
  forkJob: async <Result>(job: Job) => (await import('./fork-job.ts')).forkJob(job) as ForkedJob<Result>,
};
