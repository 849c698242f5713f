import type { MessagePassingMachine, StepFunction } from './message-passing-parts.ts';

/** Latency of messages by pair of ranks and size. */
export interface MessageLatency {
  /** By pair of ranks, in seconds. */
  readonly latency: Float64Array;
  /** Bytes added to each message on the wire. */
  readonly envelope: number;
  /** Factors on the latency by number of bytes on the wire. */
  readonly latencyFactor: StepFunction;
}

/** Latency data of a machine. */
export function messageLatency({ latency, protocol }: MessagePassingMachine): MessageLatency {
  return { latency, envelope: protocol.envelope, latencyFactor: protocol.latencyFactor };
}

/** Columns of {@link TransferParts}, by rank. */
export type TransferPartsState = readonly [latency: Float64Array, last: Float64Array, until: Float64Array];

/**
 * Splits the time that ranks are blocked by transfers into latency and data movement. A message starts with its
 * latency. The latency part of a blocked time is the remaining latency of the rank's latest transfer, at most one
 * latency, since the latencies of simultaneous transfers overlap; the rest is data movement. O(1) per message and per
 * blocked time.
 */
export class TransferParts {
  /** Seconds of latency, by rank. */
  readonly latency: Float64Array;
  /** Latency of each rank's latest transfer (s), and (`#until`) its end time. */
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

  /** A rank was blocked from `start` to `end` while a transfer was in progress. */
  blocked(rank: number, start: number, end: number): void {
    const left = Math.min(end, this.#until[rank]!) - start;
    if (left > 0) this.latency[rank]! += Math.min(left, this.#last[rank]!);
  }
}

/** Value of a step function. O(steps). */
export function stepAt({ from, values }: StepFunction, x: number): number {
  for (let k = from.length - 1; k > 0; k--) if (x >= from[k]!) return values[k]!;
  return values[0] ?? 1;
}

/** Maximum number of keys in one array: 256 MiB of address space, of which only written pages use memory. */
const MAX_KEYS = 1 << 25;

/** Start time in seconds of the last transfer of each key; 0 without a transfer. O(1) per call. */
export interface TransferStarts {
  get(key: number): number;
  set(key: number, time: number): void;
}

/** Start times for the keys 0 … `keys` − 1: an array, or a map if the array would be too large. */
export function transferStarts(keys: number): TransferStarts {
  if (keys > MAX_KEYS) {
    const times = new Map<number, number>();
    return {
      get: (key) => times.get(key) ?? 0,
      set: (key, time) => {
        times.set(key, time);
      },
    };
  }
  const times = new Float64Array(keys);
  return {
    get: (key) => times[key]!,
    set: (key, time) => {
      times[key] = time;
    },
  };
}
