import type { PagePart } from '../../report/page-parts.ts';
import { type Batch, GrowingColumns, type RunConsumer, type RunSink } from '../../trace/run/batch.ts';
import { addStays, type NodeStay } from '../../trace/run/checks/node-stays.ts';
import { type RecordBytes, RunBlockReader } from '../../trace/run/run-block-reader.ts';
import {
  ABSENT,
  BLOCK,
  BLOCK_HEAD_BYTES,
  formatPath,
  MAGIC,
  RUN_STATES,
  type RunEnd,
  type RunHead,
  TABLES,
  type TableName,
} from '../../trace/run/run-schema.ts';

/** A part of the time axis, in seconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A row of the states that the user has chosen. */
export interface Chosen {
  readonly process: number;
  readonly row: number;
}

/** Rows of the states of one process, in the order of time. */
export interface Spans {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Index into RUN_STATES. */
  readonly state: Uint8Array;
  /** Number of each row in the table `states`. */
  readonly row: Int32Array;
}

/** Details of one row of the states. */
export interface SpanFacts {
  readonly process: number;
  readonly start: number;
  readonly end: number;
  readonly state: string;
  readonly call?: string;
  readonly interval?: string;
  readonly collective?: string;
  readonly peer?: number;
  readonly bytes?: number;
}

/** Columns that a page needs of all rows. */
const ONLY = { states: ['process', 'start', 'end', 'state'], nodes: ['node', 'joined', 'left'] } as const;

/**
 * A run record as a page needs it: spans by process, and stays of nodes. Messages and calls come later, because the first picture
 * does not need them. Other cells of a row are decoded when a user selects it, so that memory per row is 21 bytes plus the bytes
 * of the record.
 */
export class PageRecord {
  /** The record; without messages and calls until they are added. */
  #bytes: Uint8Array;
  readonly #reader: RunBlockReader;
  #calls: Int32Array | undefined;
  readonly names: string[] = [];
  head!: RunHead;
  end!: RunEnd;
  spans: readonly Spans[] = [];
  readonly messages: GrowingColumns = new GrowingColumns(TABLES.messages);
  readonly calls: GrowingColumns = new GrowingColumns(TABLES.calls);
  /** Stays by node index; nodes without an entry take part in the whole run. */
  readonly stays: Map<number, NodeStay[]> = new Map();
  /** Start of the first row, in seconds. */
  begin = 0;
  rows = 0;
  /** Offset of each block of states, and the number of its first row. */
  readonly #blocks: { readonly offset: number; readonly first: number }[] = [];

  /** The processes that have rows if those of others were left out; undefined: all. */
  readonly processes: ReadonlySet<number> | undefined;
  readonly #goesOn: PagePart['goesOn'];

  /**
   * @param bytes the record without messages and calls
   * @param part what the record has of the run; undefined: all of it
   */
  constructor(bytes: Uint8Array, part?: PagePart) {
    this.#bytes = bytes;
    this.processes = part?.processes === undefined ? undefined : new Set(part.processes);
    this.#goesOn = part?.goesOn ?? [];
    const collector = new Collector(this, (first) => this.#blocks.push({ offset: this.#reader.offset, first }));
    this.#reader = new RunBlockReader(this.#source(ONLY), collector);
    this.#reader.read();
    this.spans = collector.spans();
    this.begin = Number.isFinite(collector.begin) ? collector.begin : 0;
    this.rows = collector.rows;
  }

  /** Adds the blocks of messages and calls. */
  complete(later: Uint8Array): void {
    const before = this.#bytes;
    const end = endOffset(before);
    const bytes = new Uint8Array(before.length + later.length);
    bytes.set(before.subarray(0, end));
    bytes.set(later, end);
    bytes.set(before.subarray(end), end + later.length);
    this.#bytes = bytes;
    const all = (table: TableName): string[] => TABLES[table].map(({ name }) => name);
    this.rowsOf('messages', all('messages'), (batch) => this.messages.append(batch));
    this.rowsOf('calls', all('calls'), (batch) => this.calls.append(batch));
  }

  /** Passes on the rows of a table with some of its columns. */
  rowsOf(table: TableName, columns: readonly string[], batch: (batch: Batch) => void): void {
    const none = (): void => {};
    const sink = { at: none, head: none, name: none, end: none, batch };
    new RunBlockReader(this.#source({ [table]: columns }), sink).read();
  }

  /** Index of the call's name of each row of the states; ABSENT outside calls. Read when it is asked for. */
  get callOf(): Int32Array {
    if (this.#calls === undefined) {
      const calls = new Int32Array(this.rows);
      let at = 0;
      this.rowsOf('states', ['process', 'end', 'call'], ({ columns, count }) => {
        calls.set(columns['call']!.subarray(0, count), at);
        at += count;
      });
      this.#calls = calls;
    }
    return this.#calls;
  }

  /** Passes the record on, row by row as it was written. */
  replay(consumer: RunConsumer): void {
    new RunBlockReader(this.#source(), {
      at: () => {},
      head: (head) => consumer.head(head),
      name: (name) => consumer.name(name),
      batch: (batch) => consumer.batch(batch),
      end: (end) => {
        for (const [process, path] of this.#goesOn) consumer.goesOn?.(process, path);
        consumer.end(end);
      },
    }).read();
  }

  /** True if the record has the rows of a process. */
  has(process: number): boolean {
    return this.processes?.has(process) ?? true;
  }

  /** All details of a row of the states. O(rows of a block + log blocks). */
  facts(row: number): SpanFacts {
    const block = this.#blocks.findLast(({ first }) => first <= row)!;
    const { columns, paths } = this.#reader.batchAt(block.offset);
    const at = row - block.first;
    const cell = (name: string): number | undefined => {
      const value = columns[name]![at]!;
      return value === ABSENT || Number.isNaN(value) ? undefined : value;
    };
    const [call, collective, interval] = ['call', 'collective', 'interval'].map(cell);
    const [peer, bytes] = ['peer', 'bytes'].map(cell);
    return {
      process: columns['process']![at]!,
      start: columns['start']![at]!,
      end: columns['end']![at]!,
      state: RUN_STATES[columns['state']![at]!]!,
      ...(call === undefined ? {} : { call: this.names[call]! }),
      ...(collective === undefined ? {} : { collective: this.names[collective]! }),
      ...(interval === undefined ? {} : { interval: formatPath(paths[interval]!) }),
      ...(peer === undefined ? {} : { peer }),
      ...(bytes === undefined ? {} : { bytes }),
    };
  }

  #source(only?: RecordBytes['only']): RecordBytes {
    const bytes = this.#bytes;
    return {
      name: 'record',
      size: bytes.length,
      bytes: (at, length) => (at + length > bytes.length ? undefined : bytes.subarray(at, at + length)),
      ...(only === undefined ? {} : { only }),
    };
  }
}

/** Offset of the last block, the end of the record. */
function endOffset(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = MAGIC.length;
  while (view.getUint8(at) !== BLOCK.end) at += BLOCK_HEAD_BYTES + view.getUint32(at + 1, true);
  return at;
}

/** Columns of rows of states in the order of the record, from which spans of each process are made. */
class Collector implements RunSink {
  readonly #record: PageRecord;
  readonly #block: (first: number) => void;
  readonly #process: Int32Array[] = [];
  readonly #start: Float64Array[] = [];
  readonly #end: Float64Array[] = [];
  readonly #state: Uint8Array[] = [];
  #counts = new Int32Array(0);
  begin = Number.POSITIVE_INFINITY;
  rows = 0;

  /** @param block receives the number of the first row of each block */
  constructor(record: PageRecord, block: (first: number) => void) {
    this.#record = record;
    this.#block = block;
  }

  at(): void {}

  head(head: RunHead): void {
    this.#record.head = head;
    this.#counts = new Int32Array(head.processes);
  }

  name(name: string): void {
    this.#record.names.push(name);
  }

  batch(batch: Batch): void {
    const { table, columns, count } = batch;
    const record = this.#record;
    if (table === 'nodes') addStays(record.stays, batch, record.names, record.head.nodes);
    if (table !== 'states') return;
    this.#block(this.rows);
    const process = (columns['process'] as Int32Array).slice(0, count);
    const start = (columns['start'] as Float64Array).slice(0, count);
    for (let k = 0; k < count; k++) {
      this.#counts[process[k]!]!++;
      if (start[k]! < this.begin) this.begin = start[k]!;
    }
    this.#process.push(process);
    this.#start.push(start);
    this.#end.push((columns['end'] as Float64Array).slice(0, count));
    this.#state.push(Uint8Array.from((columns['state'] as Int32Array).subarray(0, count)));
    this.rows += count;
  }

  end(end: RunEnd): void {
    this.#record.end = end;
  }

  spans(): Spans[] {
    const spans = Array.from(this.#counts, (count) => ({
      start: new Float64Array(count),
      end: new Float64Array(count),
      state: new Uint8Array(count),
      row: new Int32Array(count),
    }));
    const next = new Int32Array(spans.length);
    let row = 0;
    this.#process.forEach((process, k) => {
      const start = this.#start[k]!;
      const end = this.#end[k]!;
      const state = this.#state[k]!;
      for (let at = 0; at < process.length; at++, row++) {
        const of = spans[process[at]!]!;
        const to = next[process[at]!]!++;
        of.start[to] = start[at]!;
        of.end[to] = end[at]!;
        of.state[to] = state[at]!;
        of.row[to] = row;
      }
    });
    return spans;
  }
}

/** Index of the last row that starts at or before an instant, or −1. O(log rows). */
export function rowAt({ start }: Spans, time: number): number {
  let low = 0;
  let high = start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
