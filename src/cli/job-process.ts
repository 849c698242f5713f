import { filesRead, rememberReads } from '../base/files/reads.ts';
import { crashOf } from '../base/thrown.ts';
import type { ForkedEnd, Job, JobEnd } from '../commands/command-line/job.ts';
import { runJob } from './run-job.ts';

/*
 * Process of the command line: receives one job, answers once, and ends. It ends at once when the process that started it is gone.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', async (job: Job) => {
  rememberReads();
  const read = (): string[] => filesRead().map(([, path]) => path);
  const end = await runJob(job).catch(
    (error: unknown): JobEnd => ({ answer: { kind: 'crash', crash: crashOf(error) } }),
  );
  process.send!({ ...end, read: read() } satisfies ForkedEnd, () => process.exit(0));
});
