import type { Phase } from './run-schema.ts';

/** A process's part in an execution of a collective operation. */
export interface RecordedCollective {
  readonly operation: string;
  readonly execution: number;
  /** Start or wait of an asynchronous operation. */
  readonly phase?: Phase;
  /** Number of processes that take part. */
  readonly processes: number;
  readonly communicator?: number;
}

/** Ends of the parts of one execution so far. */
interface Open {
  readonly collective: RecordedCollective;
  start: number;
  end: number;
  left: number;
}

/**
 * Combines the parts of processes in a collective operation into executions, from the first start to the last end. Memory:
 * O(executions that not all processes have ended).
 */
export class CollectiveSpans {
  readonly #open = new Map<string, Open>();
  readonly #done: (collective: RecordedCollective, start: number, end: number) => void;

  constructor(done: (collective: RecordedCollective, start: number, end: number) => void) {
    this.#done = done;
  }

  part(collective: RecordedCollective, start: number, end: number): void {
    const { operation, execution, phase, processes } = collective;
    const key = `${operation}#${execution} ${phase}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = { collective, start, end, left: processes };
      this.#open.set(key, open);
    }
    open.start = Math.min(open.start, start);
    open.end = Math.max(open.end, end);
    if (--open.left > 0) return;
    this.#open.delete(key);
    this.#done(collective, open.start, open.end);
  }

  /** Passes on executions that some processes have not ended. */
  finish(): void {
    for (const { collective, start, end } of this.#open.values()) this.#done(collective, start, end);
    this.#open.clear();
  }
}

/**
 * Numbers executions of collective operations: the k-th calls of the processes of a group are one execution. Numbers of
 * an operation count from 1 over all groups.
 * Memory: O(processes × groups + executions that not all processes have begun).
 */
export class ExecutionNumbers {
  /** Calls that each process has made, by group. */
  readonly #made: Map<string, number>[] = [];
  /** Executions of each operation. */
  readonly #count = new Map<string, number>();
  readonly #open = new Map<string, { readonly number: number; left: number }>();

  /** The execution that the next call of a process in a group belongs to. */
  next(process: number, operation: string, group: string, processes: number): number {
    this.#made[process] ??= new Map();
    const made = this.#made[process]!;
    const call = (made.get(group) ?? 0) + 1;
    made.set(group, call);
    const key = `${group} ${call}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      const number = (this.#count.get(operation) ?? 0) + 1;
      this.#count.set(operation, number);
      open = { number, left: processes };
      this.#open.set(key, open);
    }
    if (--open.left === 0) this.#open.delete(key);
    return open.number;
  }
}
