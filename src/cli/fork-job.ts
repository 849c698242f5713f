import { fork } from 'node:child_process';
import type { ForkedEnd, ForkedJob, Job } from '../commands/command-line/job.ts';

/**
 * Runs a job in a separate process. A model that ends its process, exhausts its memory or runs forever does not affect this process,
 * and its modules are read again for each job.
 */
export function forkJob(job: Job): ForkedJob {
  const here = import.meta.url;
  const child = fork(new URL(here.endsWith('.ts') ? './job-process.ts' : './job-process.js', here), {
    // Numbers and bytes of results pass as they are.
    serialization: 'advanced',
    // Standard output is reserved for the result of this process.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C is for this process, which ends the other.
    detached: true,
  });
  const ended = new Promise<ForkedEnd>((resolve) => {
    const crash = (message: string): void =>
      resolve({ answer: { kind: 'crash', crash: { message, stack: message } }, read: [] });
    child.once('message', (end) => resolve(end as ForkedEnd));
    child.once('error', ({ message }) => crash(message));
    child.once('exit', (code, signal) => {
      if (signal === null) crash(`the process of the job ended without an answer, with code ${code}`);
      else resolve({ answer: { kind: 'ended' }, read: [], ...(signal === 'SIGKILL' ? {} : { by: signal }) });
    });
  });
  child.send(job);
  return { ended, kill: () => void child.kill('SIGKILL') };
}
