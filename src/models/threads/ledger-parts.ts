import type { Window } from '../../trace/run/run-window.ts';
import { isInWindow } from '../../trace/workers/worker-window.ts';

/** Sums over the rows of one source line that do the same to the same objects. Times are carrier-seconds. */
export interface LineTotals {
  /** Computing, loading and storing. The next three are parts of it. */
  executing: number;
  /** Transfers of cache lines that other threads have changed (`shared` bytes). */
  sharing: number;
  /** Loads and stores beyond the time at a core's full rate: other threads use the memory. */
  crowded: number;
  /** Computing beyond the time of the row, and waiting for a processor: threads share cores. */
  preempted: number;
  /** On the processor, before an operation can begin: other threads operate on the object. */
  spinning: number;
  /** Blocked or asleep, until the strand runs again. */
  waiting: number;
  /** In operations of objects and of the scheduler. */
  overhead: number;
  /** Executions of rows, and those of them that wait. */
  count: number;
  waits: number;
  /** The part of waiting in which less urgent threads keep the holder of the lock from a processor. */
  inverted: number;
}

/** Order of the figures of a line in {@link LedgerPart.figures}. */
const FIGURES = [
  ...['executing', 'sharing', 'crowded', 'preempted', 'spinning', 'waiting', 'overhead', 'count', 'waits', 'inverted'],
] as readonly (keyof LineTotals)[];
/** Indices in this order. */
export const [EXECUTING, SHARING, CROWDED, PREEMPTED, SPINNING, WAITED, OPERATING, COUNT, WAITS, INVERTED] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;
/** Times of a region in one monitoring period, or of the whole run. */
export interface LedgerPart {
  /** By line of `TimeLedger.lines`: its figures in the order of {@link LineTotals}. */
  readonly figures: Float64Array;
  /** Seconds in which the main strand is in the region. */
  elapsed: number;
  /** Joined groups of strands that the main strand has opened: loops, sections, tasks up to a `sync`. */
  forks: number;
  /** Seconds of these before another carrier has begun, and after the last one has computed, in which no carrier computes. */
  forking: number;
  /** Source of the first of them; −1: none. */
  forkSite: number;
  /** Threads created, and the seconds in which at least one is being created. */
  created: number;
  creating: number;
  /** Maximum number of threads that compute, or wait for a core, at the same time. */
  crowd: number;
}

/** The figures of a line in a part. */
export function totalsOf({ figures }: LedgerPart, line: number): LineTotals {
  return Object.fromEntries(
    FIGURES.map((name, k) => [name, figures[FIGURES.length * line + k]!]),
  ) as never as LineTotals;
}

/** Adds to a figure of a line. */
export function addFigure({ figures }: LedgerPart, line: number, figure: number, amount: number): void {
  figures[FIGURES.length * line + figure]! += amount;
}

/**
 * The parts in which time is accounted: the whole run, and each region, by monitoring period if there is one. Outside the window
 * nothing is.
 */
export class LedgerParts {
  readonly whole: LedgerPart;
  readonly #lines: number;
  readonly #period: number | undefined;
  readonly #window: Window | undefined;
  readonly #parts = new Map<string, LedgerPart>();

  constructor(lines: number, period: number | undefined, window: Window | undefined) {
    this.#lines = lines;
    this.#period = period;
    this.#window = window;
    this.whole = this.#empty();
  }

  /** The times of a region in the period that contains an instant; undefined without times. */
  of(region: string, from: number): LedgerPart | undefined {
    return this.#parts.get(this.#key(region, from));
  }

  /** The parts of an instant: the whole run, and the open regions. */
  open(regions: readonly string[], time: number): LedgerPart[] {
    if (this.#window !== undefined && !isInWindow(this.#window, time)) return [];
    return [this.whole, ...regions.map((name) => this.#partAt(name, time))];
  }

  /** Hands out a span to the whole run, and to the open regions by period. */
  split(
    regions: readonly string[],
    first: number,
    last: number,
    add: (part: LedgerPart, seconds: number) => void,
  ): void {
    const start = Math.max(first, this.#window?.from ?? first);
    const end = Math.min(last, this.#window?.to ?? last);
    if (end <= start) return;
    add(this.whole, end - start);
    for (const name of regions) {
      const period = this.#period;
      if (period === undefined) {
        add(this.#partAt(name, start), end - start);
        continue;
      }
      for (let from = start; from < end; ) {
        // Rounding must not end the loop in place.
        const to = Math.max(Math.min(end, (Math.floor(from / period) + 1) * period), Number.EPSILON * end + from);
        add(this.#partAt(name, from), Math.min(to, end) - from);
        from = to;
      }
    }
  }

  #key(name: string, time: number): string {
    return this.#period === undefined ? name : `${Math.floor(time / this.#period)} ${name}`;
  }

  #partAt(name: string, time: number): LedgerPart {
    const key = this.#key(name, time);
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = this.#empty();
      this.#parts.set(key, part);
    }
    return part;
  }

  #empty(): LedgerPart {
    const figures = new Float64Array(FIGURES.length * this.#lines);
    return { figures, elapsed: 0, forks: 0, forking: 0, forkSite: -1, created: 0, creating: 0, crowd: 0 };
  }
}
