/** Parts of executions of collective operations, as columns; of one process in the order of time. */
export interface PartColumns {
  readonly count: number;
  readonly execution: ArrayLike<number>;
  readonly executions: number;
  readonly process: ArrayLike<number>;
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly startInterval: ArrayLike<number>;
  readonly endInterval: ArrayLike<number>;
  /** By execution: the latest start of its parts, in seconds. */
  readonly lastStart: ArrayLike<number>;
}

/**
 * Executions as lists of their parts, each after all executions that precede it on one of its processes. Where processes
 * disagree on the order (in damaged or nested records), the execution with the earliest last start is next.
 *
 * Kahn's algorithm: O(parts + executions log executions) time and memory.
 */
export function* executionOrder(parts: PartColumns, processes: number): Generator<number[]> {
  const { count, execution, executions, process, lastStart } = parts;
  const byProcess = grouped(process, count, processes);
  const byExecution = grouped(execution, count, executions);
  const next = byProcess.begin.slice(0, processes);
  const missing = Int32Array.from({ length: executions }, (_, e) => byExecution.begin[e + 1]! - byExecution.begin[e]!);
  const isDone = new Uint8Array(executions);
  const ready: number[] = [];
  /** The first part of a process whose execution is to come is there. */
  const arrive = (p: number): void => {
    while (next[p]! < byProcess.begin[p + 1]! && isDone[execution[byProcess.order[next[p]!]!]!]! === 1) next[p]!++;
    if (next[p] === byProcess.begin[p + 1]) return;
    const e = execution[byProcess.order[next[p]!]!]!;
    if (--missing[e]! === 0) ready.push(e);
  };
  for (let p = 0; p < processes; p++) arrive(p);
  const byTime = Int32Array.from({ length: executions }, (_, e) => e);
  byTime.sort((a, b) => lastStart[a]! - lastStart[b]! || a - b);
  for (let earliest = 0; ; ) {
    let e = ready.pop();
    if (e === undefined) {
      while (earliest < executions && isDone[byTime[earliest]!] === 1) earliest++;
      if (earliest === executions) return;
      e = byTime[earliest]!;
    }
    isDone[e] = 1;
    const own = Array.from(byExecution.order.subarray(byExecution.begin[e]!, byExecution.begin[e + 1]!));
    yield own;
    for (const part of own) {
      const p = process[part]!;
      // Of an execution taken out of order, some processes are not at its part: they are counted elsewhere.
      if (byProcess.order[next[p]!] === part) arrive(p);
    }
  }
}

/** Indices by key; see {@link grouped}. */
export interface Grouped {
  readonly order: Int32Array;
  readonly begin: Int32Array;
}

/** Indices by key, in ascending order within a key: those of key `k` are `order[begin[k]]` up to `order[begin[k + 1]]`. */
export function grouped(key: ArrayLike<number>, count: number, keys: number): Grouped {
  const begin = new Int32Array(keys + 1);
  for (let k = 0; k < count; k++) begin[key[k]! + 1]!++;
  for (let k = 0; k < keys; k++) begin[k + 1]! += begin[k]!;
  const next = begin.slice();
  const order = new Int32Array(count);
  for (let k = 0; k < count; k++) order[next[key[k]!]!++] = k;
  return { order, begin };
}
