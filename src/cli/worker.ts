import { parentPort, workerData } from 'node:worker_threads';
import { keepExistingFiles, outputsAreIncomplete } from '../base/files/output-file.ts';
import { filesRead, rememberReads } from '../base/files/reads.ts';
import {
  type Answered,
  type Job,
  Shared,
  type SpaceProgress,
  type StudyProgress,
} from '../commands/command-line/job.ts';
import { pathFacts } from '../commands/inputs/path-kinds.ts';
import { answer, guardedAnswer, load } from './answer.ts';
import { type AnswerMessage, asMessage } from './answer-message.ts';
import { type OffloadedStatesEnd, offloadedRanks } from './states-offload.ts';

/** Message that starts the thread: its job, and for a long trace the connection to the rank follower. */
export interface Given {
  readonly job: Job;
  readonly offloaded?: OffloadedStatesEnd;
  /** True with `--no-clobber`. */
  readonly keepsExisting: boolean;
}

/*
 * Worker thread of the command line: receives one job, answers once, and ends. Its reasons are in run-job.ts.
 */
const { command, buffer } = workerData as { readonly command: Job['command']; readonly buffer: SharedArrayBuffer };
load(command);
parentPort!.once('message', async ({ job, offloaded, keepsExisting }: Given) => {
  rememberReads();
  if (keepsExisting) keepExistingFiles();
  const shared = new Shared(buffer);
  const progress = (p: { readonly time: number; readonly share: number }): void => shared.report(p.time, p.share);
  const explored = (p: SpaceProgress): void => shared.reportSpace(p);
  const digestOf = (path: string): string | undefined => (path === job.input ? shared.digest() : undefined);
  const cancelled = (): boolean => {
    if (shared.cancelled) outputsAreIncomplete();
    return shared.cancelled;
  };
  const ranks = offloaded === undefined ? {} : { offloadedRanks: offloadedRanks(offloaded) };
  const studied = (p: StudyProgress): void => shared.reportStudy(p);
  const analysing = (): void => shared.reportStructure();
  const building = (now: boolean): void => shared.reportBuild(now);
  const following = { progress, explored, studied, analysing, building, cancelled, digestOf, ...ranks };
  const answered = (answered: Answered): void =>
    parentPort!.postMessage({ ...asMessage(answered, job.command), read: filesRead() } satisfies AnswerMessage);
  if (pathFacts(job.input).isCode) await guardedAnswer(job, following, answered);
  else answered({ answer: await answer(job, following), warnings: [] });
});
