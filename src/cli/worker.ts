import { parentPort, workerData } from 'node:worker_threads';
import { InputError } from '../base/problem.ts';
import { type Answer, type Job, Shared } from './job.ts';

/*
 * The worker thread of the command line: is given one job, answers once, ends. See run-job.ts for why it is a thread.
 */
const { command, buffer } = workerData as { readonly command: Job['command']; readonly buffer: SharedArrayBuffer };
// Loaded before the job comes; whoever imports it again finds it, or what is wrong with it.
(command === 'predict' ? import('../app/predict.ts') : import('../app/convert.ts')).catch(() => {});
parentPort!.once('message', async (job: Job) => parentPort!.postMessage(await answer(job, new Shared(buffer))));

async function answer(job: Job, shared: Shared): Promise<Answer> {
  try {
    const options = {
      ...job.options,
      progress: (p: { readonly time: number; readonly share: number }) => shared.report(p.time, p.share),
      cancelled: () => shared.cancelled,
    };
    if (job.command === 'predict') {
      const { predict } = await import('../app/predict.ts');
      return { kind: 'prediction', document: predict(job.input, options) };
    }
    const { convert } = await import('../app/convert.ts');
    return { kind: 'conversion', result: convert(job.input, job.output, options) };
  } catch (error) {
    if (error instanceof InputError) return { kind: 'problems', problems: error.problems };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'crash', crash: { message, stack: stack ?? message } };
  }
}
