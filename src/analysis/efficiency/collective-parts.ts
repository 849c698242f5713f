import { GrowingColumns } from '../../trace/run/batch.ts';
import { ABSENT } from '../../trace/run/run-schema.ts';
import type { PartColumns } from './execution-order.ts';

/** One execution of a collective operation on one process; see {@link CollectiveParts.each}. */
export interface CollectivePart {
  readonly operation: number;
  readonly process: number;
  /** Interval of the first row, and of the last one. */
  readonly startInterval: number;
  readonly endInterval: number;
  readonly start: number;
  readonly end: number;
  /** Delay until the last process starts, and until the last process ends, in seconds. */
  readonly synchronization: number;
  readonly timeVariation: number;
}

/** Starts that determine the wait states of an execution; NaN if unknown. */
export interface Starts {
  /** The root of the record, or the one that follows from starts and ends; see {@link CollectiveParts.starts}. */
  root: number;
  rootStart: number;
  /** Earliest start of a process other than the root. */
  firstOther: number;
  /** Latest start of all processes, in seconds. */
  readonly lastStart: number;
}

/**
 * Starts and ends of collective operations on every process. Rows with the same operation and execution form one execution,
 * from each process's first start to its last end. Rows of one process come in the order of time.
 *
 * Memory: O(executions × processes), 40 bytes per part.
 */
export class CollectiveParts {
  readonly #parts = new GrowingColumns([
    { name: 'execution', type: 'count' },
    { name: 'process', type: 'process' },
    { name: 'start', type: 'seconds' },
    { name: 'end', type: 'seconds' },
    { name: 'startInterval', type: 'count' },
    { name: 'endInterval', type: 'count' },
  ]);
  readonly #executions = new GrowingColumns([
    { name: 'operation', type: 'count' },
    { name: 'lastStart', type: 'seconds' },
    { name: 'lastEnd', type: 'seconds' },
    { name: 'processes', type: 'count' },
    { name: 'root', type: 'integer' },
  ]);
  /** Executions by operation and number. */
  readonly #index: Map<number, number>[] = [];
  /** The latest part of each operation and process, and its number. */
  readonly #latest = new Map<number, { part: number; execution: number }>();
  /** All parts by execution and process; created when a row first belongs to an older execution. */
  #all: Map<number, number> | undefined;
  readonly #processes: number;

  constructor(processes: number) {
    this.#processes = processes;
  }

  /**
   * Adds a row.
   *
   * @param operation number of the operation and phase
   * @param root of the operation, or {@link ABSENT}
   * @returns whether it is the first row of the execution on this process
   */
  row(
    operation: number,
    execution: number,
    process: number,
    start: number,
    end: number,
    interval: number,
    root: number,
  ): boolean {
    const key = operation * this.#processes + process;
    const latest = this.#latest.get(key);
    const index = this.#execution(operation, execution);
    if (latest !== undefined && execution < latest.execution) this.#all ??= this.#indexed();
    let part = latest?.execution === execution ? latest.part : this.#all?.get(index * this.#processes + process);
    const parts = this.#parts;
    const isFirst = part === undefined;
    if (part === undefined) {
      part = parts.row();
      parts.column('execution')[part] = index;
      parts.column('process')[part] = process;
      parts.column('start')[part] = start;
      parts.column('end')[part] = end;
      parts.column('startInterval')[part] = interval;
      const executions = this.#executions;
      if (++executions.column('processes')[index]! === 1 || start > executions.column('lastStart')[index]!)
        executions.column('lastStart')[index] = start;
      executions.column('root')[index] = root;
      this.#all?.set(index * this.#processes + process, part);
      this.#latest.set(key, { part, execution });
    }
    parts.column('end')[part] = Math.max(end, parts.column('end')[part]!);
    parts.column('endInterval')[part] = interval;
    this.#executions.column('lastEnd')[index] = Math.max(end, this.#executions.column('lastEnd')[index]!);
    return isFirst;
  }

  count(operation: number): number {
    return this.#index[operation]?.size ?? 0;
  }

  /** Parts as columns; valid until the next row. */
  columns(): PartColumns {
    const column = (name: string): Int32Array | Float64Array => this.#parts.column(name);
    return {
      count: this.#parts.count,
      execution: column('execution'),
      executions: this.#executions.count,
      process: column('process'),
      start: column('start'),
      end: column('end'),
      startInterval: column('startInterval'),
      endInterval: column('endInterval'),
      lastStart: this.#executions.column('lastStart'),
    };
  }

  /** Calls `use` for every part, with the index of its execution. */
  each(use: (part: CollectivePart, execution: number) => void): void {
    const { count } = this.#parts;
    const column = (name: string): Int32Array | Float64Array => this.#parts.column(name);
    const [execution, process, start, end] = ['execution', 'process', 'start', 'end'].map(column);
    const [startInterval, endInterval] = ['startInterval', 'endInterval'].map(column);
    const operation = this.#executions.column('operation');
    const lastStart = this.#executions.column('lastStart');
    const lastEnd = this.#executions.column('lastEnd');
    for (let k = 0; k < count; k++) {
      const e = execution![k]!;
      use(
        {
          operation: operation[e]!,
          process: process![k]!,
          startInterval: startInterval![k]!,
          endInterval: endInterval![k]!,
          start: start![k]!,
          end: end![k]!,
          synchronization: lastStart[e]! - start![k]!,
          timeVariation: lastEnd[e]! - end![k]!,
        },
        e,
      );
    }
  }

  /**
   * Starts of each execution, by its index. If the record does not name the root, it follows from the semantics of the
   * operation: a process leaves a broadcast or scatter only after the root has come, so that the root is at the latest the last
   * process that comes before another one leaves; it leaves a reduction or gather last (of several, the first to come).
   * O(parts).
   *
   * @param rootOf whether the root of an operation without a named root is found as the one that sends, or that receives
   */
  starts(rootOf: (operation: number) => 'sends' | 'receives' | undefined): Starts[] {
    const root = this.#executions.column('root');
    const lastStart = this.#executions.column('lastStart');
    const found = Array.from(
      { length: this.#executions.count },
      (_, e): Starts & { firstEnd: number; end: number } => ({
        root: root[e] === ABSENT ? Number.NaN : root[e]!,
        rootStart: Number.NaN,
        firstOther: Number.NaN,
        lastStart: lastStart[e]!,
        firstEnd: Number.POSITIVE_INFINITY,
        end: Number.NEGATIVE_INFINITY,
      }),
    );
    this.each(({ end }, e) => {
      found[e]!.firstEnd = Math.min(found[e]!.firstEnd, end);
    });
    this.each(({ operation, process, start, end }, e) => {
      const role = root[e] === ABSENT ? rootOf(operation) : undefined;
      if (role === undefined) return;
      const starts = found[e]!;
      const isBetter =
        role === 'receives'
          ? end > starts.end || (end === starts.end && start < starts.rootStart)
          : start <= starts.firstEnd && !(start <= starts.rootStart);
      if (!isBetter) return;
      starts.root = process;
      starts.rootStart = start;
      starts.end = end;
    });
    this.each(({ process, start }, e) => {
      const starts = found[e]!;
      if (process === starts.root) starts.rootStart = start;
      else if (!(start >= starts.firstOther)) starts.firstOther = start;
    });
    return found;
  }

  /** For each execution, by index: the execution of the same number of the operation that another one names, or itself. */
  counterparts(of: (operation: number) => number): number[] {
    const found = Array.from({ length: this.#executions.count }, (_, e) => e);
    this.#index.forEach((executions, operation) => {
      const other = this.#index[of(operation)];
      if (other !== undefined && other !== executions)
        for (const [execution, index] of executions) found[index] = other.get(execution) ?? index;
    });
    return found;
  }

  #indexed(): Map<number, number> {
    const execution = this.#parts.column('execution');
    const process = this.#parts.column('process');
    const all = new Map<number, number>();
    for (let k = 0; k < this.#parts.count; k++) all.set(execution[k]! * this.#processes + process[k]!, k);
    return all;
  }

  #execution(operation: number, execution: number): number {
    let index = this.#index[operation];
    if (index === undefined) {
      index = new Map();
      this.#index[operation] = index;
    }
    let found = index.get(execution);
    if (found === undefined) {
      found = this.#executions.row();
      index.set(execution, found);
      this.#executions.column('operation')[found] = operation;
      this.#executions.column('lastEnd')[found] = Number.NEGATIVE_INFINITY;
    }
    return found;
  }
}
