import { workerData } from 'node:worker_threads';
import { fail } from '../base/problem.ts';
import { answerTasks } from '../base/workers/answer-tasks.ts';
import type { Net } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';
import { importNet } from './net-module.ts';
import { type Job, type Replication, Replicator, type Share } from './replication.ts';

/*
 * A worker thread of replicate.ts: computes the shares it receives, one after the other.
 */
const { net, options } = workerData as Job;

answerTasks(async () => {
  const replicator = new Replicator(await netOf(net), options);
  return ({ from, to }: Share): Replication[] => Array.from({ length: to - from }, (_, k) => replicator.run(from + k));
});

/** Imports the net and compares its hash: a module that reads the clock, for example, could export a different net here. */
async function netOf(given: Job['net']): Promise<Net> {
  if (!('href' in given)) return given;
  const own = await importNet(given.href, given.export);
  if (netHash(own) !== given.hash)
    fail('SIM008', `"${given.export}" is a different net in a worker thread than in the thread that started it`, {
      part: `module ${given.href}`,
    });
  return own;
}
