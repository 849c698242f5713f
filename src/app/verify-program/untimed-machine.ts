import type { MessagePassingMachine } from '../../models/message-passing-parts.ts';
import { NO_COSTS } from '../../models/threads/costs.ts';

/**
 * Assumed protocol of standard-mode sends. `eager`: every send is buffered and its sender continues immediately.
 * `rendezvous`: every send waits for its receive. The behaviours that MPI allows lie between the two. Sends with an explicit
 * mode (synchronous, buffered) keep it under both protocols.
 */
export type SendProtocol = 'eager' | 'rendezvous';

/** Protocol of a machine: sends of fewer than `detachedBelow` bytes are buffered, others wait for their receives. */
export interface SizedProtocol {
  readonly detachedBelow: number;
}

/**
 * A machine without timing: all ranks have a core of the same speed, messages share no links, and sends use the protocol
 * `sends`.
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
    threadCosts: NO_COSTS,
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
