import { type Batch, GrowingColumns } from '../../trace/run/batch.ts';
import { formatPath, TABLES } from '../../trace/run/run-schema.ts';
import type { PageRecord } from './page-record.ts';

/** Executions of intervals on one process, ordered by start; outer ones before those inside. */
export interface IntervalRow {
  readonly start: number;
  readonly end: number;
  /** Depth: 0 for the outermost. */
  readonly depth: number;
  /** Name of the innermost step, and the whole path. */
  readonly name: string;
  readonly path: string;
}

/** Executions of intervals of all processes, read from the record when they are asked for. */
export class IntervalRows {
  readonly #record: PageRecord;
  #columns: GrowingColumns | undefined;
  readonly #paths: { readonly path: string; readonly name: string; readonly depth: number }[] = [];
  #of = -1;
  #rows: readonly IntervalRow[] = [];

  constructor(record: PageRecord) {
    this.#record = record;
  }

  /** Rows of a process. O(rows of all processes) for another process than before. */
  of(process: number): readonly IntervalRow[] {
    if (this.#of === process) return this.#rows;
    this.#columns ??= this.#read();
    const columns = this.#columns;
    const [processes, starts, ends, paths] = ['process', 'start', 'end', 'interval'].map((name) =>
      columns.column(name),
    );
    const rows: IntervalRow[] = [];
    for (let k = 0; k < columns.count; k++) {
      if (processes![k] !== process) continue;
      rows.push({ start: starts![k]!, end: ends![k]!, ...this.#paths[paths![k]!]! });
    }
    rows.sort((a, b) => a.start - b.start || a.depth - b.depth);
    this.#of = process;
    this.#rows = rows;
    return rows;
  }

  /** Paths are numbered anew, because each batch has its own. */
  #read(): GrowingColumns {
    const columns = new GrowingColumns(TABLES.intervals);
    const index = new Map<string, number>();
    const renumbered = ({ paths }: Batch): number[] =>
      paths.map((path) => {
        const text = formatPath(path);
        let at = index.get(text);
        if (at === undefined) {
          at = this.#paths.push({ path: text, name: formatPath(path.slice(-1)), depth: path.length - 1 }) - 1;
          index.set(text, at);
        }
        return at;
      });
    this.#record.rowsOf(
      'intervals',
      TABLES.intervals.map(({ name }) => name),
      (batch) => {
        const numbers = renumbered(batch);
        const from = columns.count;
        columns.append(batch);
        const cells = columns.column('interval');
        for (let k = from; k < columns.count; k++) cells[k] = numbers[cells[k]!]!;
      },
    );
    return columns;
  }
}
