import type { MessagePassingMachine, StepFunction } from './message-passing-parts.ts';

/** The latency of messages, by the pair of ranks and the size. */
export interface MessageLatency {
  /** By pair of ranks, in seconds. */
  readonly latency: Float64Array;
  readonly envelope: number;
  /** Factors on the latency, by the wire bytes. */
  readonly latencyFactor: StepFunction;
}

/** The latency of messages on a machine. */
export function messageLatency({ latency, protocol }: MessagePassingMachine): MessageLatency {
  return { latency, envelope: protocol.envelope, latencyFactor: protocol.latencyFactor };
}

/** The columns of {@link TransferParts}, by rank. */
export type TransferPartsState = readonly [latency: Float64Array, last: Float64Array, until: Float64Array];

/**
 * Splits the time that ranks are blocked by transfers into latency and movement of bytes. A message takes its latency
 * first. Of a blocked time the latency part is what is left of the latency of the rank's latest transfer, at most one
 * latency: those of transfers at the same time overlap. The rest moves bytes. O(1) per message and blocked time.
 */
export class TransferParts {
  /** Seconds of latency, by rank. */
  readonly latency: Float64Array;
  /** Latency of the latest transfer of each rank (s), and when it ends. */
  readonly #last: Float64Array;
  readonly #until: Float64Array;
  readonly #of: MessageLatency;

  constructor(ranks: number, of: MessageLatency) {
    this.latency = new Float64Array(ranks);
    this.#last = new Float64Array(ranks);
    this.#until = new Float64Array(ranks);
    this.#of = of;
  }

  get columns(): TransferPartsState {
    return [this.latency, this.#last, this.#until];
  }

  /** A transfer between two ranks begins at `time`. */
  begins(time: number, pair: number, bytes: number, sender: number, receiver: number): void {
    const { latency, envelope, latencyFactor } = this.#of;
    const seconds = latency[pair]! * stepAt(latencyFactor, bytes + envelope);
    this.#last[sender] = seconds;
    this.#until[sender] = time + seconds;
    this.#last[receiver] = seconds;
    this.#until[receiver] = time + seconds;
  }

  /** A rank was blocked from `start` to `end` while a transfer was under way. */
  blocked(rank: number, start: number, end: number): void {
    const left = Math.min(end, this.#until[rank]!) - start;
    if (left > 0) this.latency[rank]! += Math.min(left, this.#last[rank]!);
  }
}

/** The value of a step function; O(steps). */
function stepAt({ from, values }: StepFunction, x: number): number {
  for (let k = from.length - 1; k > 0; k--) if (x >= from[k]!) return values[k]!;
  return values[0] ?? 1;
}
