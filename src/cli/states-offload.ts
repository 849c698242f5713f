import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import {
  type FollowedRanks,
  type FollowRanks,
  type OffloadedRanks,
  RankFollower,
} from '../app/predict/rank-follower.ts';
import { LogRing } from './log-ring.ts';

/** So many pieces of the log come with one message, which costs some 10 µs; the ring has room for more. */
const TOLD = 16;

/** What the worker needs to have its ranks followed by the main thread. */
export interface OffloadedStatesEnd {
  readonly port: MessagePort;
  readonly buffer: SharedArrayBuffer;
}

/** A message of the worker: what is to be followed, that there is more, that there is no more. */
type Message = FollowRanks | 'more' | 'end';

/**
 * Follows the ranks of a long trace in this thread, which has nothing else to do while the job runs: it takes a tenth of
 * the time. Returns what the worker needs, and what ends it.
 */
export function offloadStates(): { readonly end: OffloadedStatesEnd; close(): void } {
  const { port1: port, port2 } = new MessageChannel();
  const ring = new LogRing();
  let follower: RankFollower | undefined;
  port.on('message', (message: Message) => {
    try {
      if (typeof message === 'object') follower = new RankFollower(message);
      else if (message === 'more') ring.take((log, length) => follower!.read(log, length));
      else {
        ring.take((log, length) => follower!.read(log, length));
        port.postMessage(follower!.state());
        ring.end(false);
      }
    } catch (error) {
      ring.end(true);
      throw error;
    }
  });
  return { end: { port: port2, buffer: ring.buffer }, close: () => port.close() };
}

/** The worker's side. */
export function offloadedRanks({ port, buffer }: OffloadedStatesEnd): OffloadedRanks {
  const ring = new LogRing(buffer);
  return {
    begin: (what) => port.postMessage(what),
    read: (log, length) => {
      if (ring.add(log.numbers, length) % TOLD === 0) port.postMessage('more');
    },
    end: () => {
      port.postMessage('end');
      ring.awaitEnd();
      return (receiveMessageOnPort(port) as { readonly message: FollowedRanks }).message;
    },
  };
}
