import type { Cells } from './batch.ts';
import { type Column, isDouble } from './run-schema.ts';

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
