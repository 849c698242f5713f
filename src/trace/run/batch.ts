import type { Place } from '../../base/problem.ts';
import {
  ABSENT,
  type Column,
  type IntervalPath,
  isDouble,
  type RunEnd,
  type RunHead,
  TABLES,
  type TableName,
} from './run-schema.ts';

/** Rows per batch: few enough for the cache, enough to make the cost per batch negligible. */
export const BATCH_ROWS = 4096;

export type Cells = Int32Array | Float64Array;

/** Rows of one table as columns of {@link BATCH_ROWS} cells, of which the first `count` are in use. */
export interface Batch {
  readonly table: TableName;
  readonly count: number;
  readonly columns: Readonly<Record<string, Cells>>;
  /** Interval paths that cells of type `path` refer to. */
  readonly paths: readonly IntervalPath[];
}

/**
 * Receives a run as it becomes known: the head, then batches, then the end. Names are passed before the batch that uses
 * them. A batch and its columns are valid only during the call.
 */
export interface RunConsumer {
  head(head: RunHead): void;
  /** The consumer asks for the loops of a model as intervals. */
  readonly loopIntervals?: boolean;
  /** The next name; the first has index 0. */
  name(name: string): void;
  batch(batch: Batch): void;
  /**
   * A part of a run is passed on, and a process is not idle at some time after it: the process has not ended. Called once for each such
   * process, after its rows, with the intervals of its first row after the part.
   */
  goesOn?(process: number, path: IntervalPath): void;
  /** A part of a run is passed on: the rows that it does not have. Called before the end. */
  leftOut?(rows: LeftOut): void;
  end(end: RunEnd): void;
}

/** Rows that a part of a run does not have. */
export interface LeftOut {
  /** They are outside a part of the time, or of processes that were not asked for. */
  readonly because: 'time' | 'process';
  /** Number of these rows, by table. */
  readonly rows: Readonly<Partial<Record<TableName, number>>>;
  /** Number of rows that are passed on, but cut at an edge of the part. */
  readonly cut: Readonly<Partial<Record<TableName, number>>>;
}

/** Place of a row of the current batch, for messages. */
export type RowPlace = (row: number) => Place;

/** Receives the rows that a reader reads, with their places. */
export interface RunSink extends RunConsumer {
  /** Sets the places of rows for the following batches. */
  at(place: RowPlace): void;
  /**
   * The record is still being written: it stops here, maybe inside its last block or line, and has no end yet. Called in place of
   * `end`. Where the function is absent, such a record is refused as truncated.
   */
  readonly cut?: () => void;
}

/** Columns of one table that are filled row by row. */
export class BatchBuffer implements Batch {
  readonly table: TableName;
  readonly columns: Readonly<Record<string, Cells>>;
  readonly paths: IntervalPath[] = [];
  count = 0;
  readonly #pathIndex = new Map<string, number>();

  constructor(table: TableName) {
    this.table = table;
    this.columns = Object.fromEntries(
      (TABLES[table] as readonly Column[]).map(({ name, type }) => [
        name,
        isDouble(type) ? new Float64Array(BATCH_ROWS) : new Int32Array(BATCH_ROWS),
      ]),
    );
  }

  /** Index of a path in this batch. `key` identifies the path. */
  path(key: string, path: () => IntervalPath): number {
    let index = this.#pathIndex.get(key);
    if (index === undefined) {
      index = this.paths.push(path()) - 1;
      this.#pathIndex.set(key, index);
    }
    return index;
  }

  /** Adds a row whose cells are all absent and returns its index; the caller sets the required cells. */
  row(): number {
    const at = this.count++;
    for (const cells of Object.values(this.columns)) cells[at] = cells instanceof Float64Array ? Number.NaN : ABSENT;
    return at;
  }

  /** Adds a row of another batch of this table and returns its index. Of the paths only those of copied rows are kept. */
  copy({ columns, paths }: Batch, row: number): number {
    const at = this.count++;
    for (const { name, type } of TABLES[this.table] as readonly Column[]) {
      const value = columns[name]![row]!;
      this.columns[name]![at] =
        type === 'path' && value !== ABSENT ? this.path(String(value), () => paths[value]!) : value;
    }
    return at;
  }

  clear(): void {
    this.count = 0;
    this.paths.length = 0;
    this.#pathIndex.clear();
  }
}

/** Columns of any number of rows: typed arrays that double when they are full. */
export class GrowingColumns {
  readonly #columns: readonly Column[];
  #cells: Record<string, Cells>;
  #room = 1024;
  count = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#cells = this.#allocate(undefined);
  }

  /** Cells of a column; the array is replaced when rows are added. */
  column(name: string): Cells {
    return this.#cells[name]!;
  }

  /** Adds a row of zeros and returns its index. */
  row(): number {
    if (this.count === this.#room) {
      this.#room *= 2;
      this.#cells = this.#allocate(this.#cells);
    }
    return this.count++;
  }

  /** Adds the rows of a batch with these columns. */
  append({ columns, count }: Batch): void {
    while (this.count + count > this.#room) {
      this.#room *= 2;
      this.#cells = this.#allocate(this.#cells);
    }
    for (const { name } of this.#columns)
      this.#cells[name]!.set(columns[name]!.subarray(0, count) as never, this.count);
    this.count += count;
  }

  #allocate(old: Record<string, Cells> | undefined): Record<string, Cells> {
    return Object.fromEntries(
      this.#columns.map(({ name, type }) => {
        const cells = isDouble(type) ? new Float64Array(this.#room) : new Int32Array(this.#room);
        if (old !== undefined) cells.set(old[name]! as never);
        return [name, cells];
      }),
    );
  }
}
