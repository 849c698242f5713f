import { MessageMeter, type PairTraffic } from '../../analysis/efficiency/messages.ts';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import type { RunConsumer } from '../../trace/run/batch.ts';
import { TABLES } from '../../trace/run/run-schema.ts';
import { RunWindow } from '../../trace/run/run-window.ts';
import type { PageRecord, Range } from './page-record.ts';

export type Pairs = MeasuredProfile['messages']['pairs'];
export type By = 'bytes' | 'messages';

/** How processes follow each other in rows and columns. */
export const ORDERS = { process: 'process', node: 'node', volume: 'volume, the largest first' } as const;
export type Order = keyof typeof ORDERS;

/** Messages by pair of processes, of a part of the run or the whole: a document lists the largest only. O(messages). */
export function pairsOf(record: PageRecord, range: Range | undefined): PairTraffic[] {
  const meter = new MessageMeter(record.head.nodeOf);
  const none = (): void => {};
  const sink: RunConsumer = { head: none, name: none, end: none, batch: (rows) => meter.batch(rows) };
  const part = range === undefined ? sink : new RunWindow(sink, { ...range, isLast: range.to === record.end.time });
  const columns = TABLES.messages.map(({ name }) => name);
  record.rowsOf('messages', columns, (rows) => part.batch(rows));
  return meter.pairs();
}

/** Messages by pair of processes that have been received by an instant, which moves forwards and back. */
export class PairsUntil {
  readonly #record: PageRecord;
  readonly #from: number;
  readonly #pairs = new Map<number, PairTraffic>();
  /** Rows of messages by the instants of their receipts. */
  readonly #order: Int32Array;
  /** Number of messages in `#order` that have been received. */
  #count = 0;

  /** @param from messages that are received before it do not count */
  constructor(record: PageRecord, from: number) {
    this.#record = record;
    this.#from = from;
    const received = record.messages.column('received');
    this.#order = Int32Array.from({ length: record.messages.count }, (_, row) => row).filter(
      (row) => received[row]! >= from,
    );
    this.#order.sort((a, b) => received[a]! - received[b]! || a - b);
  }

  /** Pairs with messages. O(messages between this instant and the last one + pairs). */
  at(time: number): PairTraffic[] {
    const received = this.#record.messages.column('received');
    const isBy = (row: number): boolean => time >= this.#from && received[row]! <= time;
    while (this.#count < this.#order.length && isBy(this.#order[this.#count]!))
      this.#add(this.#order[this.#count++]!, 1);
    while (this.#count > 0 && !isBy(this.#order[this.#count - 1]!)) this.#add(this.#order[--this.#count]!, -1);
    return [...this.#pairs.values()].filter(({ messages }) => messages > 0);
  }

  #add(row: number, sign: 1 | -1): void {
    const { messages, head } = this.#record;
    const [source, destination, bytes] = ['source', 'destination', 'bytes'].map((name) => messages.column(name)[row]!);
    const key = source! * head.processes + destination!;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { source: source!, destination: destination!, messages: 0, bytes: 0 };
      this.#pairs.set(key, pair);
    }
    pair.messages += sign;
    pair.bytes += sign * bytes!;
  }
}

/** Processes by their positions, and positions by processes. */
export interface Sorted {
  readonly axis: readonly number[];
  readonly position: Int32Array;
}

/** The order of processes in rows and columns. */
export function orderOf(
  order: Order,
  pairs: Pairs,
  by: By,
  processes: number,
  nodeOf: readonly number[] | undefined,
): Sorted {
  const axis = Array.from({ length: processes }, (_, process) => process);
  if (order === 'node') axis.sort((a, b) => nodeOf![a]! - nodeOf![b]! || a - b);
  if (order === 'volume') {
    const volume = new Float64Array(processes);
    for (const pair of pairs) {
      volume[pair.source]! += pair[by];
      volume[pair.destination]! += pair[by];
    }
    axis.sort((a, b) => volume[b]! - volume[a]! || a - b);
  }
  const position = new Int32Array(processes);
  axis.forEach((process, at) => {
    position[process] = at;
  });
  return { axis, position };
}
