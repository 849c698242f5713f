import { parentPort } from 'node:worker_threads';
import { InputError } from '../base/problem.ts';
import { runShare, type Share, type ShareAnswer } from './replicate.ts';

/*
 * A worker thread of replicate.ts: computes the shares it is sent, one after the other.
 */
parentPort!.on('message', (share: Share) => {
  parentPort!.postMessage(answer(share));
});

function answer(share: Share): ShareAnswer {
  try {
    return { results: runShare(share) };
  } catch (error) {
    if (error instanceof InputError) return { problems: error.problems };
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
