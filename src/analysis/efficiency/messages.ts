import type { Batch } from '../../trace/run/batch.ts';
import { GrowingColumns } from '../../trace/run/batch.ts';
import { ABSENT } from '../../trace/run/run-schema.ts';

export interface PairTraffic {
  readonly source: number;
  readonly destination: number;
  messages: number;
  bytes: number;
}

/** Messages whose ends are on one node, or on two. */
export interface NodeTraffic {
  messages: number;
  bytes: number;
  /** From sending to receiving, over all of them. */
  seconds: number;
}

/** Messages with at least `from` bytes and fewer than `to`. */
export interface SizeBin {
  readonly from: number;
  readonly to: number;
  messages: number;
  bytes: number;
}

/**
 * Adds up messages by pair of processes, within and between nodes, by size (bins of powers of two) and by the sender's call, and
 * keeps their times for wait states. O(messages) time and memory.
 */
export class MessageMeter {
  readonly times: GrowingColumns = new GrowingColumns([
    { name: 'source', type: 'process' },
    { name: 'destination', type: 'process' },
    { name: 'sent', type: 'seconds' },
    { name: 'received', type: 'seconds' },
    { name: 'call', type: 'integer' },
    { name: 'instant', type: 'integer' },
  ]);
  /** Seconds from sending to receiving, by the name of the sender's call. */
  readonly secondsByCall: Map<number, number> = new Map();
  readonly withinNodes: NodeTraffic = { messages: 0, bytes: 0, seconds: 0 };
  readonly betweenNodes: NodeTraffic = { messages: 0, bytes: 0, seconds: 0 };
  readonly #pairs = new Map<number, PairTraffic>();
  readonly #bins = new Map<number, SizeBin>();
  readonly #nodeOf: readonly number[];

  /** @param nodeOf node of each process */
  constructor(nodeOf: readonly number[]) {
    this.#nodeOf = nodeOf;
  }

  /** Adds rows of the table `messages`. */
  batch({ columns, count }: Batch): void {
    for (let row = 0; row < count; row++) {
      const source = columns['source']![row]!;
      const destination = columns['destination']![row]!;
      const sent = columns['sent']![row]!;
      const received = columns['received']![row]!;
      const bytes = columns['bytes']![row]!;
      const call = columns['call']![row]!;
      const at = this.times.row();
      this.times.column('source')[at] = source;
      this.times.column('destination')[at] = destination;
      this.times.column('sent')[at] = sent;
      this.times.column('received')[at] = received;
      this.times.column('call')[at] = call;
      this.times.column('instant')[at] = columns['instant']![row]!;
      if (call !== ABSENT) this.secondsByCall.set(call, (this.secondsByCall.get(call) ?? 0) + received - sent);
      const of = this.#nodeOf[source] === this.#nodeOf[destination] ? this.withinNodes : this.betweenNodes;
      of.messages++;
      of.bytes += bytes;
      of.seconds += received - sent;
      this.#pair(source, destination, bytes);
      this.#size(bytes);
    }
  }

  /** Pairs with messages, by source, then destination. */
  pairs(): PairTraffic[] {
    return [...this.#pairs.values()].sort((a, b) => a.source - b.source || a.destination - b.destination);
  }

  /** Bins with messages, by size. */
  sizes(): SizeBin[] {
    return [...this.#bins.values()].sort((a, b) => a.from - b.from);
  }

  #pair(source: number, destination: number, bytes: number): void {
    const key = source * this.#nodeOf.length + destination;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { source, destination, messages: 0, bytes: 0 };
      this.#pairs.set(key, pair);
    }
    pair.messages++;
    pair.bytes += bytes;
  }

  #size(bytes: number): void {
    const power = bytes < 1 ? -1 : Math.floor(Math.log2(bytes));
    let bin = this.#bins.get(power);
    if (bin === undefined) {
      bin =
        power < 0
          ? { from: 0, to: 1, messages: 0, bytes: 0 }
          : { from: 2 ** power, to: 2 ** (power + 1), messages: 0, bytes: 0 };
      this.#bins.set(power, bin);
    }
    bin.messages++;
    bin.bytes += bytes;
  }
}
