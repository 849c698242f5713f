/** Busy seconds by interval since the last collective operation of a process. */
type Busy = Map<number, number>;

/** Starts of one execution so far. */
interface Execution {
  processes: number;
  lastStart: number;
  /** Busy seconds of the process that starts last, and of all processes. */
  late: Busy;
  readonly total: Busy;
  /** Number and sum of starts, by the interval of the start. */
  readonly starts: Map<number, { count: number; sum: number }>;
}

/** Synchronization loss in one interval that is caused by a delay in another interval. */
export interface Delay {
  readonly lostIn: number;
  readonly arisesIn: number;
  seconds: number;
}

/**
 * Attributes synchronization to the interval in which the delay arose: between two collective operations, the process
 * that arrives last was busy longer than the mean of the processes; the interval with the largest excess counts.
 *
 * O(rows × intervals between two operations) time; memory for executions that not all processes have reached.
 */
export class DelayOrigins {
  readonly #processes: number;
  readonly #busy: Busy[];
  readonly #open = new Map<string, Execution>();
  readonly #delays = new Map<string, Delay>();

  constructor(processes: number) {
    this.#processes = processes;
    this.#busy = Array.from({ length: processes }, () => new Map());
  }

  /** A process was busy (computing, input/output, overhead) in an interval. */
  busy(process: number, interval: number, seconds: number): void {
    const busy = this.#busy[process]!;
    busy.set(interval, (busy.get(interval) ?? 0) + seconds);
  }

  /** A process starts its part in an execution. */
  starts(operation: number, execution: number, process: number, time: number, interval: number): void {
    const key = `${operation} ${execution}`;
    let found = this.#open.get(key);
    if (found === undefined) {
      found = {
        processes: 0,
        lastStart: Number.NEGATIVE_INFINITY,
        late: new Map(),
        total: new Map(),
        starts: new Map(),
      };
      this.#open.set(key, found);
    }
    const busy = this.#busy[process]!;
    this.#busy[process] = new Map();
    for (const [where, seconds] of busy) found.total.set(where, (found.total.get(where) ?? 0) + seconds);
    if (time > found.lastStart) {
      found.lastStart = time;
      found.late = busy;
    }
    found.processes++;
    const starts = found.starts.get(interval);
    if (starts === undefined) found.starts.set(interval, { count: 1, sum: time });
    else {
      starts.count++;
      starts.sum += time;
    }
    if (found.processes === this.#processes) this.#close(key, found);
  }

  /** Closes executions that some processes did not take part in; returns all delays, the largest first. */
  finish(): Delay[] {
    for (const [key, execution] of this.#open) this.#close(key, execution);
    return [...this.#delays.values()].sort((a, b) => b.seconds - a.seconds || a.arisesIn - b.arisesIn);
  }

  #close(key: string, { processes, lastStart, late, total, starts }: Execution): void {
    this.#open.delete(key);
    let arisesIn = -1;
    let excess = 0;
    for (const [where, seconds] of late) {
      const more = seconds - total.get(where)! / processes;
      if (more > excess) {
        excess = more;
        arisesIn = where;
      }
    }
    if (arisesIn < 0) return;
    for (const [lostIn, { count, sum }] of starts) {
      const seconds = count * lastStart - sum;
      if (!(seconds > 0)) continue;
      const pair = `${lostIn} ${arisesIn}`;
      const delay = this.#delays.get(pair);
      if (delay === undefined) this.#delays.set(pair, { lostIn, arisesIn, seconds });
      else delay.seconds += seconds;
    }
  }
}
