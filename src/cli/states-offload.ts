import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import {
  type FollowedRanks,
  type FollowRanks,
  type OffloadedRanks,
  RankFollower,
} from '../commands/subjects/rank-follower.ts';
import { LogRing } from './log-ring.ts';

/** Log pieces per message; a message costs about 10 µs. Must be less than the capacity of the ring. */
const BATCH = 16;

/** The worker's end of the connection to the rank follower in the main thread. */
export interface OffloadedStatesEnd {
  readonly port: MessagePort;
  readonly buffer: SharedArrayBuffer;
}

/** Messages of the worker: start with these ranks, more log pieces available, end of the log. */
type Message = FollowRanks | 'more' | 'end';

/**
 * Follows the ranks of a long trace in the main thread, which is idle while the job runs; this is about a tenth of the
 * job's work. Returns the worker's end of the connection and a function that closes it.
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

/** Adapter for the worker's end of the connection. */
export function offloadedRanks({ port, buffer }: OffloadedStatesEnd): OffloadedRanks {
  const ring = new LogRing(buffer);
  return {
    begin: (what) => port.postMessage(what),
    read: (log, length) => {
      if (ring.add(log.numbers, length) % BATCH === 0) port.postMessage('more');
    },
    end: () => {
      port.postMessage('end');
      ring.awaitEnd();
      return (receiveMessageOnPort(port) as { readonly message: FollowedRanks }).message;
    },
  };
}
