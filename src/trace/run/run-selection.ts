import { type Batch, BatchBuffer, type LeftOut, type RunConsumer } from './batch.ts';
import type { IntervalPath, RunEnd, RunHead } from './run-schema.ts';

/** Columns that name the processes of a row, for tables whose rows are of processes. */
const PROCESSES: Readonly<Partial<Record<Batch['table'], readonly string[]>>> = {
  states: ['process'],
  messages: ['source', 'destination'],
  calls: ['process'],
  intervals: ['process'],
  overlaps: ['process'],
};

/** Passes on the rows of some processes, with the messages that they send or receive. Processes keep their numbers. */
export class RunSelection implements RunConsumer {
  readonly #next: RunConsumer;
  readonly #processes: ReadonlySet<number>;
  readonly #buffers = new Map<Batch['table'], BatchBuffer>();
  readonly #others: Partial<Record<Batch['table'], number>> = {};

  constructor(next: RunConsumer, processes: Iterable<number>) {
    this.#next = next;
    this.#processes = new Set(processes);
  }

  head(head: RunHead): void {
    this.#next.head(head);
  }

  name(name: string): void {
    this.#next.name(name);
  }

  batch(batch: Batch): void {
    const names = PROCESSES[batch.table];
    if (names === undefined) {
      this.#next.batch(batch);
      return;
    }
    const buffer = this.#buffers.get(batch.table) ?? new BatchBuffer(batch.table);
    this.#buffers.set(batch.table, buffer);
    buffer.clear();
    for (let row = 0; row < batch.count; row++)
      if (names.some((name) => this.#processes.has(batch.columns[name]![row]!))) buffer.copy(batch, row);
    this.#others[batch.table] = (this.#others[batch.table] ?? 0) + batch.count - buffer.count;
    if (buffer.count > 0) this.#next.batch(buffer);
  }

  goesOn(process: number, path: IntervalPath): void {
    if (this.#processes.has(process)) this.#next.goesOn?.(process, path);
  }

  leftOut(rows: LeftOut): void {
    this.#next.leftOut?.(rows);
  }

  end(end: RunEnd): void {
    this.#next.leftOut?.({ because: 'process', rows: this.#others, cut: {} });
    this.#next.end(end);
  }
}
