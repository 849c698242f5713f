import { parentPort, workerData } from 'node:worker_threads';
import { fail, InputError } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';
import { importNet } from './net-module.ts';
import { type Job, Replicator, type Share, type ShareAnswer } from './replication.ts';

/*
 * A worker thread of replicate.ts: computes the shares it receives, one after the other.
 */
const { net, options } = workerData as Job;
let replicator: Promise<Replicator> | undefined;

parentPort!.on('message', (share: Share) => {
  replicator ??= netOf(net).then((own) => new Replicator(own, options));
  replicator
    .then((r): ShareAnswer => ({ results: numbers(share).map((k) => r.run(k)) }))
    .catch(failed)
    .then((answer) => parentPort!.postMessage(answer));
});

const numbers = ({ from, to }: Share): number[] => Array.from({ length: to - from }, (_, k) => from + k);

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

function failed(error: unknown): ShareAnswer {
  if (error instanceof InputError) return { problems: error.problems };
  return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
