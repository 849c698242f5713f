import { fail } from '../../base/problem.ts';
import { COUNTERS, WORKER_STATES, type WorkerConsumer } from '../../trace/workers/worker-states.ts';

/** Maximum number of monitoring periods of a run, over all regions. */
const MAX_PERIODS = 10_000;

/** Sums over one worker in one region and monitoring period. */
export interface WorkerTotals {
  /** Seconds by state, in the order of `WORKER_STATES`. */
  readonly seconds: Float64Array;
  /** Transitions, in the order of `COUNTERS`. */
  readonly counters: Float64Array;
}

/** A region in one monitoring period. */
export interface MeasuredRegion {
  readonly name: string;
  /** First and last instant at which a worker is in it, in seconds. */
  from: number;
  to: number;
  /** By the number of the worker. */
  readonly workers: Map<number, WorkerTotals>;
}

/**
 * Adds up states and transitions of workers by region and monitoring period. Takes O(1) time per span and period, and
 * O(workers × regions × periods) memory.
 */
export class WorkerMeter implements WorkerConsumer {
  readonly #period: number | undefined;
  readonly #regions = new Map<string, Map<number, MeasuredRegion>>();
  #count = 0;

  /** @param period seconds of a monitoring period; periods begin at its multiples. Default: one period, the whole run */
  constructor(period?: number) {
    this.#period = period;
  }

  /** Regions in the order of their first instant; the periods of a region in the order of time. */
  regions(): readonly MeasuredRegion[] {
    const begin = (parts: readonly MeasuredRegion[]): number =>
      parts.reduce((at, { from }) => Math.min(at, from), Infinity);
    return [...this.#regions.values()]
      .map((parts) => withTime([...parts.values()].sort((a, b) => a.from - b.from)))
      .sort((a, b) => begin(a) - begin(b))
      .flat();
  }

  /** @throws InputError DIAG003 for too many periods */
  span(worker: number, region: string, state: number, start: number, end: number): void {
    const period = this.#period;
    if (period === undefined) {
      this.#add(worker, this.#part(region, 0), state, start, end);
      return;
    }
    const last = Math.max(Math.floor(start / period), Math.ceil(end / period) - 1);
    for (let k = Math.floor(start / period); k <= last; k++)
      this.#add(worker, this.#part(region, k), state, Math.max(start, k * period), Math.min(end, (k + 1) * period));
  }

  transition(worker: number, region: string, counter: number, time: number): void {
    const part = this.#part(region, this.#period === undefined ? 0 : Math.floor(time / this.#period));
    totalsOf(part, worker).counters[counter]!++;
  }

  #add(worker: number, part: MeasuredRegion, state: number, start: number, end: number): void {
    part.from = Math.min(part.from, start);
    part.to = Math.max(part.to, end);
    totalsOf(part, worker).seconds[state]! += Math.max(0, end - start);
  }

  #part(name: string, period: number): MeasuredRegion {
    let parts = this.#regions.get(name);
    if (parts === undefined) {
      parts = new Map();
      this.#regions.set(name, parts);
    }
    let part = parts.get(period);
    if (part === undefined) {
      if (this.#period !== undefined && ++this.#count > MAX_PERIODS)
        fail(
          'DIAG003',
          `period: ${this.#period} s gives more than ${MAX_PERIODS} monitoring periods: expected a longer one`,
        );
      part = { name, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, workers: new Map() };
      parts.set(period, part);
    }
    return part;
  }
}

/** The periods of a region, ordered by time; a period of length 0 is merged into its predecessor. */
function withTime(parts: readonly MeasuredRegion[]): MeasuredRegion[] {
  const kept: MeasuredRegion[] = [];
  for (const part of parts) {
    const before = kept.at(-1);
    if (part.to > part.from || before === undefined) kept.push(part);
    else
      for (const [worker, { counters }] of part.workers) {
        const totals = totalsOf(before, worker);
        counters.forEach((count, k) => {
          totals.counters[k]! += count;
        });
      }
  }
  return kept;
}

function totalsOf({ workers }: MeasuredRegion, worker: number): WorkerTotals {
  let totals = workers.get(worker);
  if (totals === undefined) {
    totals = { seconds: new Float64Array(WORKER_STATES.length), counters: new Float64Array(COUNTERS.length) };
    workers.set(worker, totals);
  }
  return totals;
}
