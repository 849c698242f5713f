import { parentPort, workerData } from 'node:worker_threads';
import { answer, load } from './answer.ts';
import { type Job, Shared, type SpaceProgress } from './job.ts';
import { ranksAside, type StatesAsideEnd } from './states-aside.ts';

/** What the thread is given: its job, and of a long trace how it reaches who follows the ranks. */
export interface Given {
  readonly job: Job;
  readonly aside?: StatesAsideEnd;
}

/*
 * The worker thread of the command line: is given one job, answers once, ends. See run-job.ts for why it is a thread.
 */
const { command, buffer } = workerData as { readonly command: Job['command']; readonly buffer: SharedArrayBuffer };
load(command);
parentPort!.once('message', async ({ job, aside }: Given) => {
  const shared = new Shared(buffer);
  const progress = (p: { readonly time: number; readonly share: number }): void => shared.report(p.time, p.share);
  const explored = (p: SpaceProgress): void => shared.reportSpace(p);
  const digestOf = (path: string): string | undefined => (path === job.input ? shared.digest() : undefined);
  const cancelled = (): boolean => shared.cancelled;
  const ranks = aside === undefined ? {} : { ranksAside: ranksAside(aside) };
  parentPort!.postMessage(await answer(job, { progress, explored, cancelled, digestOf, ...ranks }));
});
