import { type Batch, BatchBuffer, type LeftOut, type RunConsumer } from './batch.ts';
import { ABSENT, type IntervalPath, RUN_STATES, type RunEnd, type RunHead } from './run-schema.ts';

const IDLE = RUN_STATES.indexOf('idle');
const NO_PATH = [] as const;

/** Part of a run, in seconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
  /** The part ends with the run. */
  readonly isLast?: boolean;
}

/** Columns of the start and the end of a row, for tables whose rows are cut. */
const SPANS: Readonly<Partial<Record<Batch['table'], readonly [string, string]>>> = {
  states: ['start', 'end'],
  messages: ['sent', 'received'],
  calls: ['start', 'end'],
  intervals: ['start', 'end'],
  collectives: ['start', 'end'],
  overlaps: ['start', 'end'],
};

/**
 * Passes on the part of a run from one instant to another: rows are cut at its edges, rows outside are left out. Of rows of no
 * length, those at the end of the window are left out, unless the run ends there. Volumes and iterations count where the row
 * starts, messages where they are received.
 */
export class RunWindow implements RunConsumer {
  readonly #next: RunConsumer;
  readonly #window: Window;
  readonly #buffers = new Map<Batch['table'], BatchBuffer>();
  /** Processes that are known to go on after the window. */
  readonly #goingOn = new Set<number>();
  readonly #outside: Partial<Record<Batch['table'], number>> = {};
  readonly #cut: Partial<Record<Batch['table'], number>> = {};

  constructor(next: RunConsumer, window: Window) {
    this.#next = next;
    this.#window = window;
  }

  head(head: RunHead): void {
    this.#next.head(head);
  }

  name(name: string): void {
    this.#next.name(name);
  }

  batch(batch: Batch): void {
    const span = SPANS[batch.table];
    if (span === undefined) {
      this.#next.batch(batch);
      return;
    }
    const { from, to } = this.#window;
    let buffer = this.#buffers.get(batch.table);
    if (buffer === undefined) {
      buffer = new BatchBuffer(batch.table);
      this.#buffers.set(batch.table, buffer);
    }
    buffer.clear();
    const start = batch.columns[span[0]]!;
    const end = batch.columns[span[1]]!;
    for (let row = 0; row < batch.count; row++) {
      const isInside = this.#isInside(batch.table, start[row]!, end[row]!);
      if (!isInside) {
        this.#outside[batch.table] = (this.#outside[batch.table] ?? 0) + 1;
        continue;
      }
      if (start[row]! < from || end[row]! > to) this.#cut[batch.table] = (this.#cut[batch.table] ?? 0) + 1;
      // Only paths of rows inside: readers count the executions of intervals by the paths.
      const at = buffer.copy(batch, row);
      buffer.columns[span[0]]![at] = Math.max(from, start[row]!);
      buffer.columns[span[1]]![at] = Math.min(to, end[row]!);
      if (batch.table === 'states' && start[row]! < from)
        for (const name of ['bytes', 'iterations']) buffer.columns[name]![at] = Number.NaN;
    }
    if (buffer.count > 0) this.#next.batch(buffer);
    if (batch.table === 'states' && this.#next.goesOn !== undefined) this.#reportGoingOn(batch);
  }

  #reportGoingOn({ columns, count, paths }: Batch): void {
    const { to } = this.#window;
    const [process, start, state, interval] = [
      columns['process']!,
      columns['start']!,
      columns['state']!,
      columns['interval']!,
    ];
    for (let row = 0; row < count; row++) {
      if (start[row]! < to || state[row] === IDLE || this.#goingOn.has(process[row]!)) continue;
      this.goesOn(process[row]!, interval[row] === ABSENT ? NO_PATH : paths[interval[row]!]!);
    }
  }

  goesOn(process: number, path: IntervalPath): void {
    if (this.#goingOn.has(process)) return;
    this.#goingOn.add(process);
    this.#next.goesOn?.(process, path);
  }

  leftOut(rows: LeftOut): void {
    this.#next.leftOut?.(rows);
  }

  end(end: RunEnd): void {
    this.#next.leftOut?.({ because: 'time', rows: this.#outside, cut: this.#cut });
    this.#next.end({ ...end, time: Math.min(end.time, this.#window.to) });
  }

  #isInside(table: Batch['table'], start: number, end: number): boolean {
    const { from, to, isLast = false } = this.#window;
    const contains = (time: number): boolean => time >= from && (time < to || (time === to && isLast));
    return table === 'messages' || start === end ? contains(end) : end > from && start < to;
  }
}

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
