/**
 * Sums of one interval on one process, in seconds except `iterations`.
 * `repeated` and `repeatedSequential` are the parts of parallel and sequential computing that other processes do, too; `innerIdle` is idle time before the end of
 * the process.
 */
export const SUMS = [
  'computingSequential',
  'computingParallel',
  'repeated',
  'repeatedSequential',
  'io',
  'communicating',
  'waiting',
  'overhead',
  'innerIdle',
  'synchronization',
  'timeVariation',
  'overlap',
  'iterations',
] as const;
export type Sum = (typeof SUMS)[number];
export const SUM_COUNT: number = SUMS.length;
/** Index of a sum in the columns of an interval. */
export const SUM = Object.fromEntries(SUMS.map((name, k) => [name, k])) as Readonly<Record<Sum, number>>;

/** Sums of every interval and process. Memory: O(intervals × processes). */
export class TimeColumns {
  readonly processes: number;
  readonly #columns: (Float64Array | undefined)[] = [];

  constructor(processes: number) {
    this.processes = processes;
  }

  /** Adds to a sum of an interval only, not to enclosing intervals. */
  add(interval: number, process: number, sum: number, value: number): void {
    let columns = this.#columns[interval];
    if (columns === undefined) {
      columns = new Float64Array(this.processes * SUM_COUNT);
      this.#columns[interval] = columns;
    }
    columns[process * SUM_COUNT + sum]! += value;
  }

  /** Sums of an interval by process, {@link SUM_COUNT} numbers each; undefined if all are 0. */
  of(interval: number): Float64Array | undefined {
    return this.#columns[interval];
  }

  /** Adds the sums of an interval to those of the enclosing interval. */
  fold(interval: number, parent: number): void {
    const columns = this.#columns[interval];
    if (columns === undefined) return;
    let into = this.#columns[parent];
    if (into === undefined) {
      into = new Float64Array(columns.length);
      this.#columns[parent] = into;
    }
    for (let k = 0; k < columns.length; k++) into[k]! += columns[k]!;
  }
}
