import type { Batch, RunSink } from '../../trace/run/batch.ts';
import { GrowingColumns } from '../../trace/run/batch.ts';
import { RunBlockReader } from '../../trace/run/run-block-reader.ts';
import { ABSENT, formatPath, RUN_STATES, type RunEnd, type RunHead, TABLES } from '../../trace/run/run-schema.ts';

/** Rows of the states of one process, in the order of time. */
export interface Spans {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Index into RUN_STATES. */
  readonly state: Uint8Array;
  /** Number of each row in the table `states`. */
  readonly row: Int32Array;
}

/** What a page tells about one row of the states. */
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

/** A time in which a node takes part. */
export interface Stay {
  readonly joined: number;
  readonly left: number;
}

/**
 * A run record as a page needs it: spans by process, messages, stays of nodes. Other cells of a row are decoded again when a
 * user selects it, so that memory per row is 21 bytes for the spans beside the bytes of the record.
 */
export class PageRecord {
  readonly #bytes: Uint8Array;
  readonly names: string[] = [];
  head!: RunHead;
  end!: RunEnd;
  spans: readonly Spans[] = [];
  readonly messages: GrowingColumns = new GrowingColumns(TABLES.messages);
  readonly calls: GrowingColumns = new GrowingColumns(TABLES.calls);
  /** Stays by node index; nodes without an entry take part in the whole run. */
  readonly stays: Map<number, Stay[]> = new Map();
  /** Start of the first row, in seconds. */
  begin = 0;
  rows = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const collector = new Collector(this);
    this.#read(collector);
    this.spans = collector.spans();
    this.begin = Number.isFinite(collector.begin) ? collector.begin : 0;
    this.rows = collector.rows;
  }

  /** Passes the record on, row by row as it was written. */
  replay(sink: RunSink): void {
    this.#read(sink);
  }

  /** All that the record knows of a row of the states. O(rows). */
  facts(row: number): SpanFacts | undefined {
    const finder = new Finder(row, this.names);
    this.#read(finder);
    return finder.found;
  }

  #read(sink: RunSink): void {
    const bytes = this.#bytes;
    new RunBlockReader(
      {
        name: 'record',
        size: bytes.length,
        bytes: (at, length) => (at + length > bytes.length ? undefined : bytes.subarray(at, at + length)),
      },
      sink,
    ).read();
  }
}

/** Columns of rows of states in the order of the record, from which spans of each process are made. */
class Collector implements RunSink {
  readonly #record: PageRecord;
  readonly #process: Int32Array[] = [];
  readonly #start: Float64Array[] = [];
  readonly #end: Float64Array[] = [];
  readonly #state: Uint8Array[] = [];
  #counts = new Int32Array(0);
  begin = Number.POSITIVE_INFINITY;
  rows = 0;

  constructor(record: PageRecord) {
    this.#record = record;
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
    if (table === 'states') {
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
    } else if (table === 'messages') append(this.#record.messages, batch);
    else if (table === 'calls') append(this.#record.calls, batch);
    else if (table === 'nodes') this.#stays(batch);
  }

  end(end: RunEnd): void {
    this.#record.end = end;
  }

  #stays({ columns, count }: Batch): void {
    const index = new Map(this.#record.head.nodes.map(({ name }, k) => [name, k]));
    for (let row = 0; row < count; row++) {
      const node = index.get(this.#record.names[columns['node']![row]!]!);
      if (node === undefined) continue;
      const stays = this.#record.stays.get(node) ?? [];
      stays.push({ joined: columns['joined']![row]!, left: columns['left']![row]! });
      stays.sort((a, b) => a.joined - b.joined);
      this.#record.stays.set(node, stays);
    }
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

/** Copies the rows of a batch. */
function append(to: GrowingColumns, { columns, count, table }: Batch): void {
  for (let row = 0; row < count; row++) {
    const at = to.row();
    for (const { name } of TABLES[table]) to.column(name)[at] = columns[name]![row]!;
  }
}

/** Finds one row of the states. */
class Finder implements RunSink {
  readonly #row: number;
  readonly #names: readonly string[];
  #before = 0;
  found: SpanFacts | undefined;

  constructor(row: number, names: readonly string[]) {
    this.#row = row;
    this.#names = names;
  }

  at(): void {}
  head(): void {}
  name(): void {}
  end(): void {}

  batch({ table, columns, count, paths }: Batch): void {
    if (table !== 'states') return;
    const at = this.#row - this.#before;
    this.#before += count;
    if (at < 0 || at >= count) return;
    const cell = (name: string): number | undefined => {
      const value = columns[name]![at]!;
      return value === ABSENT || Number.isNaN(value) ? undefined : value;
    };
    const [call, collective, interval] = ['call', 'collective', 'interval'].map(cell);
    const [peer, bytes] = ['peer', 'bytes'].map(cell);
    this.found = {
      process: columns['process']![at]!,
      start: columns['start']![at]!,
      end: columns['end']![at]!,
      state: RUN_STATES[columns['state']![at]!]!,
      ...(call === undefined ? {} : { call: this.#names[call]! }),
      ...(collective === undefined ? {} : { collective: this.#names[collective]! }),
      ...(interval === undefined ? {} : { interval: formatPath(paths[interval]!) }),
      ...(peer === undefined ? {} : { peer }),
      ...(bytes === undefined ? {} : { bytes }),
    };
  }
}

/** Index of the last row that starts at or before an instant; −1 if there is none. O(log rows). */
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
