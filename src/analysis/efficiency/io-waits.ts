/** Calls and operations that are input/output by their names: MPI-IO, POSIX, streams of C. */
const IO_NAME =
  /^(p?mpi_file_\w+|[pf]?(read|write)(v|64)?|f?(open|close|sync|flush|seek)|i\/?o|input|output|input\/output)$/i;

/**
 * Adds up the time that processes wait in input/output: communicating, waiting and overhead in calls or collective operations
 * that are input/output by their name, or in which any process is in state io. O(rows) time; memory O(names × intervals).
 */
export class IoWaits {
  readonly #seconds = new Map<number, Map<number, number>>();
  readonly #withIo = new Set<number>();

  /** A process does input/output in a call or operation, by the index of its name. */
  io(name: number): void {
    this.#withIo.add(name);
  }

  /** A process waits in a call or operation. */
  waits(name: number, interval: number, seconds: number): void {
    let byInterval = this.#seconds.get(name);
    if (byInterval === undefined) {
      byInterval = new Map();
      this.#seconds.set(name, byInterval);
    }
    byInterval.set(interval, (byInterval.get(interval) ?? 0) + seconds);
  }

  /** Seconds by interval, without those of enclosed intervals. */
  seconds(nameOf: (index: number) => string): Map<number, number> {
    const sums = new Map<number, number>();
    for (const [name, byInterval] of this.#seconds)
      if (this.#withIo.has(name) || IO_NAME.test(nameOf(name)))
        for (const [interval, seconds] of byInterval) sums.set(interval, (sums.get(interval) ?? 0) + seconds);
    return sums;
  }
}
