import { parentPort, workerData } from 'node:worker_threads';
import { answer, load } from './answer.ts';
import { type Job, Shared, type SpaceProgress } from './job.ts';

/*
 * The worker thread of the command line: is given one job, answers once, ends. See run-job.ts for why it is a thread.
 */
const { command, buffer } = workerData as { readonly command: Job['command']; readonly buffer: SharedArrayBuffer };
load(command);
parentPort!.once('message', async (job: Job) => {
  const shared = new Shared(buffer);
  const progress = (p: { readonly time: number; readonly share: number }): void => shared.report(p.time, p.share);
  const explored = (p: SpaceProgress): void => shared.reportSpace(p);
  const digestOf = (path: string): string | undefined => (path === job.input ? shared.digest() : undefined);
  parentPort!.postMessage(await answer(job, { progress, explored, cancelled: () => shared.cancelled, digestOf }));
});
