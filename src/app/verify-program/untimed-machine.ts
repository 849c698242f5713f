import type { MessagePassingMachine } from '../../models/message-passing-parts.ts';

/**
 * How sends are taken to behave. `eager`: every send is buffered, its sender goes on at once. `rendezvous`: every send
 * waits for its receive. What MPI leaves to the library lies between the two. A send of a model that says itself how it ends
 * (synchronous, buffered) does so under both.
 */
export type SendProtocol = 'eager' | 'rendezvous';

/** Sends of fewer bytes are buffered, others wait for their receives: the protocol of a machine. */
export interface SizedProtocol {
  readonly detachedBelow: number;
}

/**
 * A machine on which only the order of things counts: all ranks have a core of the same speed, no two messages share a
 * link, and the protocol is that of `sends`.
 */
export function untimedMachine(
  ranks: number,
  pairs: number,
  sends: SendProtocol | SizedProtocol,
): MessagePassingMachine {
  const limits = { eager: Number.MAX_VALUE, rendezvous: 0 };
  const one = { from: Float64Array.of(Number.NEGATIVE_INFINITY), values: Float64Array.of(1) };
  return {
    speed: new Float64Array(ranks).fill(1),
    links: [],
    latency: new Float64Array(pairs),
    weight: new Float64Array(pairs).fill(1),
    bound: new Float64Array(pairs).fill(1),
    routes: { start: new Int32Array(pairs + 1), link: new Int32Array(0), coefficient: new Float64Array(0) },
    protocol: {
      envelope: 0,
      detachedBelow: typeof sends === 'string' ? limits[sends] : sends.detachedBelow,
      eagerBelow: 0,
      latencyFactor: one,
      bandwidthFactor: one,
      testSleep: 0,
    },
  };
}
