import { BATCH_ROWS, BatchBuffer, type Cells, type RunConsumer } from './batch.ts';
import { type Column, type IntervalPath, TABLES, type TableName } from './run-schema.ts';

/** Rows of one table on their way to a consumer: passed on in batches of {@link BATCH_ROWS}. */
export class TableRows {
  readonly #consumer: RunConsumer;
  readonly #batch: BatchBuffer;
  readonly #columns: readonly Cells[];

  constructor(table: TableName, consumer: RunConsumer) {
    this.#consumer = consumer;
    this.#batch = new BatchBuffer(table);
    this.#columns = (TABLES[table] as readonly Column[]).map(({ name }) => this.#batch.columns[name]!);
  }

  /** Index of an interval path in the batch that the next row goes to. `key` identifies the path. */
  path(key: string, path: IntervalPath): number {
    return this.#batch.path(key, () => path);
  }

  /** Adds a row: its cells in the order of the table's columns. */
  add(cells: readonly number[]): void {
    const at = this.#batch.count++;
    for (let k = 0; k < cells.length; k++) this.#columns[k]![at] = cells[k]!;
    if (this.#batch.count === BATCH_ROWS) this.flush();
  }

  /** Passes on the rows that are left. */
  flush(): void {
    if (this.#batch.count > 0) this.#consumer.batch(this.#batch);
    this.#batch.clear();
  }
}
