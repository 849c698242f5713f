import { GrowingColumns } from '../../trace/run/batch.ts';
import type { CollectiveParts } from './collective-parts.ts';
import { executionOrder, type PartColumns } from './execution-order.ts';

/** Synchronization loss in one interval that is caused by a delay in another interval. */
export interface Delay {
  readonly lostIn: number;
  readonly arisesIn: number;
  seconds: number;
}

/** Busy seconds of one process in one interval. */
interface Busy {
  readonly interval: number;
  seconds: number;
}

/** Entries of an account that are kept over operations of some processes only; delays in smaller ones are not attributed. */
const MAX_ENTRIES = 64;

/**
 * Attributes synchronization to the intervals in which the delay arose. Before a collective operation, the process that
 * arrives last was busy longer than the mean of the processes in some intervals: its delay arose there, in proportion to
 * the excess. A process that leaves an operation later than others (because the operation does not synchronize, such as
 * the start of an asynchronous one) keeps that much of its delay, with its intervals, for the next operation. Where it
 * leaves later than it came, the difference arose in the interval of the operation. After an operation of some processes
 * only, those that waited have the delay of the late one.
 *
 * A delay that no interval explains (the late process waited for a message, say) is not attributed.
 * O(rows + parts × intervals between two operations) time; memory O(parts).
 */
export class DelayOrigins {
  /** Busy seconds since the latest part of each process. */
  readonly #busy: Busy[][];
  /** Busy seconds before each part: entries of the part `k` are those from `from[k]` to `from[k + 1]`. */
  readonly #entries = new GrowingColumns([
    { name: 'interval', type: 'count' },
    { name: 'seconds', type: 'seconds' },
  ]);
  readonly #from = new GrowingColumns([{ name: 'from', type: 'count' }]);

  constructor(processes: number) {
    this.#busy = Array.from({ length: processes }, () => []);
  }

  /** A process was busy (computing, input/output, overhead) in an interval. */
  busy(process: number, interval: number, seconds: number): void {
    addTo(this.#busy[process]!, interval, seconds);
  }

  /** A process starts its next part. To be called for all parts in their order. */
  starts(process: number): void {
    const part = this.#from.row();
    this.#from.column('from')[part] = this.#entries.count;
    const busy = this.#busy[process]!;
    for (const { interval, seconds } of busy) {
      const row = this.#entries.row();
      this.#entries.column('interval')[row] = interval;
      this.#entries.column('seconds')[row] = seconds;
    }
    busy.length = 0;
  }

  /** All delays, the largest first. */
  finish(parts: CollectiveParts, intervals: number): Delay[] {
    const delays = new Map<number, Delay>();
    const columns = parts.columns();
    const excess = new Excess(intervals);
    const carried = this.#busy.map((): Busy[] => []);
    for (const of of executionOrder(columns, this.#busy.length))
      this.#execution(of, columns, carried, excess, (lostIn, arisesIn, seconds) => {
        const key = lostIn * intervals + arisesIn;
        const delay = delays.get(key);
        if (delay === undefined) delays.set(key, { lostIn, arisesIn, seconds });
        else delay.seconds += seconds;
      });
    return [...delays.values()].sort((a, b) => b.seconds - a.seconds || a.arisesIn - b.arisesIn);
  }

  /** @param of parts of the execution */
  #execution(
    of: readonly number[],
    { process, start, end, startInterval, endInterval }: PartColumns,
    carried: Busy[][],
    excess: Excess,
    lost: (lostIn: number, arisesIn: number, seconds: number) => void,
  ): void {
    excess.clear();
    let late = of[0]!;
    let [firstStart, firstEnd] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let sum = 0;
    for (const part of of) {
      const account = carried[process[part]!]!;
      this.#addEntries(part, account);
      excess.add(account);
      if (start[part]! > start[late]!) late = part;
      firstStart = Math.min(firstStart, start[part]!);
      firstEnd = Math.min(firstEnd, end[part]!);
      sum += start[part]!;
    }
    const lastStart = start[late]!;
    const lateness = lastStart - sum / of.length;
    if (lateness > 0) {
      const account = carried[process[late]!]!;
      let explained = 0;
      for (const { interval, seconds } of account)
        explained += Math.max(0, seconds - excess.total(interval) / of.length);
      const scale = 1 / Math.max(explained, lateness);
      for (const { interval, seconds } of account) {
        const share = (seconds - excess.total(interval) / of.length) * scale;
        if (!(share > 0)) continue;
        for (const part of of) {
          const waited = lastStart - start[part]!;
          if (waited > 0) lost(startInterval[part]!, interval, share * waited);
        }
      }
    }
    const all = of.length === this.#busy.length;
    const ofLate = carried[process[late]!]!;
    for (const part of of) {
      const own = carried[process[part]!]!;
      const delay = end[part]! - firstEnd;
      const waited = start[part]! < lastStart && end[part]! >= lastStart;
      const kept = all ? excess.kept(own, of.length, delay) : largest(waited ? ofLate : own);
      // The operation takes longer on this process than on others.
      const variation = delay - (start[part]! - firstStart);
      if (variation > 0 && (all || !waited)) addTo(kept, endInterval[part]!, variation);
      carried[process[part]!] = kept;
    }
  }

  #addEntries(part: number, account: Busy[]): void {
    const from = this.#from.column('from')[part]!;
    const to = part + 1 < this.#from.count ? this.#from.column('from')[part + 1]! : this.#entries.count;
    const interval = this.#entries.column('interval');
    const seconds = this.#entries.column('seconds');
    for (let k = from; k < to; k++) addTo(account, interval[k]!, seconds[k]!);
  }
}

function addTo(account: Busy[], interval: number, seconds: number): void {
  for (let k = account.length - 1; k >= 0; k--)
    if (account[k]!.interval === interval) {
      account[k]!.seconds += seconds;
      return;
    }
  account.push({ interval, seconds });
}

/** A copy of the largest entries of an account. */
const largest = (account: readonly Busy[]): Busy[] =>
  (account.length <= MAX_ENTRIES
    ? account
    : [...account].sort((a, b) => b.seconds - a.seconds).slice(0, MAX_ENTRIES)
  ).map((busy) => ({ ...busy }));

/** Busy seconds of the processes of one execution by interval: total, and minimum. */
class Excess {
  readonly #total: Float64Array;
  readonly #min: Float64Array;
  readonly #count: Int32Array;
  readonly #used: number[] = [];

  constructor(intervals: number) {
    this.#total = new Float64Array(intervals);
    this.#min = new Float64Array(intervals);
    this.#count = new Int32Array(intervals);
  }

  clear(): void {
    for (const interval of this.#used) this.#count[interval] = 0;
    this.#used.length = 0;
  }

  add(account: readonly Busy[]): void {
    for (const { interval, seconds } of account) {
      if (this.#count[interval]!++ === 0) {
        this.#used.push(interval);
        this.#total[interval] = seconds;
        this.#min[interval] = seconds;
      } else {
        this.#total[interval]! += seconds;
        this.#min[interval] = Math.min(seconds, this.#min[interval]!);
      }
    }
  }

  total(interval: number): number {
    return this.#total[interval]!;
  }

  /** The part of an account above the minimum of all processes, at most `seconds` in total. */
  kept(account: readonly Busy[], processes: number, seconds: number): Busy[] {
    if (!(seconds > 0)) return [];
    const kept = account
      .map(({ interval, seconds: busy }) => ({
        interval,
        seconds: busy - (this.#count[interval] === processes ? this.#min[interval]! : 0),
      }))
      .filter((busy) => busy.seconds > 0);
    const sum = kept.reduce((total, busy) => total + busy.seconds, 0);
    if (sum > seconds) for (const busy of kept) busy.seconds *= seconds / sum;
    return kept;
  }
}
