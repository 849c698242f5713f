import { fail } from '../../base/problem.ts';
import {
  ACTIVITIES,
  ACTIVITY_OF,
  CARRIED,
  COUNTERS,
  ORIGINS,
  WORKER_STATES,
  type WorkerConsumer,
} from '../../trace/workers/worker-states.ts';

const EXEC = WORKER_STATES.indexOf('EXEC');
/** Maximum number of monitoring periods of a run, over all regions. */
const MAX_PERIODS = 10_000;
/** Periods are numbered exactly below this. */
const MAX_NUMBER = 2 ** 52;

/** Sums over one worker in one region and monitoring period. */
export interface WorkerTotals {
  /** Seconds by state, in the order of `WORKER_STATES`. */
  readonly seconds: Float64Array;
  /** Transitions, in the order of `COUNTERS`. */
  readonly counters: Float64Array;
  /** Seconds by activity, in the order of `ACTIVITIES`. */
  readonly activities: Float64Array;
  /** Tasks by origin, in the order of `ORIGINS`. */
  readonly tasks: Float64Array;
  /** Seconds by the user's own states. */
  readonly own: Map<string, number>;
  /** Executions of the region, or stays, in which the worker takes part. */
  stays: number;
}

/** A region in one monitoring period. */
export interface MeasuredRegion {
  readonly name: string;
  /** First and last instant at which a worker is in it, in seconds. */
  from: number;
  to: number;
  /** Time in which at least one worker is in the region: without the time between its executions. */
  seconds: number;
  readonly workers: Map<number, WorkerTotals>;
}

/**
 * Adds up states and transitions of workers by region and monitoring period. Takes O(1) time per span and period, and
 * O(workers × regions × periods) memory, and O(1) for each time that a worker comes back to a region.
 */
export class WorkerMeter implements WorkerConsumer {
  readonly #period: number | undefined;
  readonly #regions = new Map<string, Map<number, Part>>();
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
      .map((parts) => withTime([...parts.values()].map(measured).sort((a, b) => a.from - b.from)))
      .sort((a, b) => begin(a) - begin(b))
      .flat();
  }

  /** @throws InputError DIAG003 for too many periods */
  span(
    worker: number,
    region: string,
    state: number,
    start: number,
    end: number,
    activity: number = ACTIVITY_OF[state]!,
  ): void {
    const period = this.#period;
    if (period === undefined) {
      this.#add(worker, this.#part(region, 0), state, activity, start, end);
      return;
    }
    const first = Math.floor(start / period);
    const last = Math.max(first, Math.ceil(end / period) - 1);
    // Beyond 2^53, k + 1 may equal k.
    if (!(last - first < MAX_PERIODS && Math.abs(first) < MAX_NUMBER && Math.abs(last) < MAX_NUMBER)) this.#tooMany();
    for (let k = first; k <= last; k++) {
      const part = this.#part(region, k);
      this.#add(worker, part, state, activity, Math.max(start, k * period), Math.min(end, (k + 1) * period));
      if (k === first) continue;
      // The worker, and a task that it executes, come from the period before.
      const totals = totalsOf(part, worker);
      totals.stays++;
      if (state === EXEC) totals.tasks[CARRIED]!++;
    }
  }

  transition(worker: number, region: string, counter: number, time: number): void {
    this.#at(worker, region, time).counters[counter]!++;
  }

  task(worker: number, region: string, origin: number, time: number, count = 1): void {
    this.#at(worker, region, time).tasks[origin]! += count;
  }

  own(worker: number, region: string, name: string, start: number, end: number): void {
    const period = this.#period;
    let at = start;
    do {
      const until = period === undefined ? end : Math.min(end, (Math.floor(at / period) + 1) * period);
      const { own } = this.#at(worker, region, at);
      own.set(name, (own.get(name) ?? 0) + until - at);
      // Beyond 2^53 periods, which span() refuses, the next one may begin at the same instant.
      if (until <= at) return;
      at = until;
    } while (at < end);
  }

  stay(worker: number, region: string, time: number): void {
    this.#at(worker, region, time).stays++;
  }

  /** The totals of the period that contains a time. */
  #at(worker: number, region: string, time: number): Totals {
    return totalsOf(this.#part(region, this.#period === undefined ? 0 : Math.floor(time / this.#period)), worker);
  }

  #add(worker: number, part: Part, state: number, activity: number, start: number, end: number): void {
    const totals = totalsOf(part, worker);
    const seconds = Math.max(0, end - start);
    totals.seconds[state]! += seconds;
    totals.activities[activity]! += seconds;
    // Spans of one worker that follow each other are one stay.
    if (start === totals.until) totals.until = end;
    else {
      if (totals.until >= totals.since) part.stays.push(totals.since, totals.until);
      totals.since = start;
      totals.until = end;
    }
  }

  #tooMany(): never {
    return fail(
      'DIAG003',
      `period: ${this.#period} s gives more than ${MAX_PERIODS} monitoring periods: expected a longer one`,
    );
  }

  #part(name: string, period: number): Part {
    let parts = this.#regions.get(name);
    if (parts === undefined) {
      parts = new Map();
      this.#regions.set(name, parts);
    }
    let part = parts.get(period);
    if (part === undefined) {
      if (this.#period !== undefined && ++this.#count > MAX_PERIODS) this.#tooMany();
      part = { name, stays: [], workers: new Map() };
      parts.set(period, part);
    }
    return part;
  }
}

/** A region in one monitoring period while it is measured. */
interface Part {
  readonly name: string;
  /** Stays of workers that have ended: first and last instant of each. */
  readonly stays: number[];
  readonly workers: Map<number, Totals>;
}

/** Sums of a worker, and its last stay. */
interface Totals extends WorkerTotals {
  since: number;
  until: number;
}

/** Length of the union of all stays. O(stays × log(stays)). */
function measured({ name, stays, workers }: Part): MeasuredRegion {
  const all: (readonly [since: number, until: number])[] = [];
  for (let k = 0; k < stays.length; k += 2) all.push([stays[k]!, stays[k + 1]!]);
  for (const { since, until } of workers.values()) if (until >= since) all.push([since, until]);
  all.sort(([a], [b]) => a - b);
  let [seconds, until] = [0, Number.NEGATIVE_INFINITY];
  let begin = Number.NEGATIVE_INFINITY;
  for (const [since, end] of all) {
    if (since > until) {
      if (until > begin) seconds += until - begin;
      begin = since;
    }
    until = Math.max(until, end);
  }
  if (until > begin) seconds += until - begin;
  return { name, from: all[0]?.[0] ?? Number.POSITIVE_INFINITY, to: until, seconds, workers };
}

/** The periods of a region, ordered by time; one that takes no time is joined to the period before. */
function withTime(parts: readonly MeasuredRegion[]): MeasuredRegion[] {
  const kept: MeasuredRegion[] = [];
  for (const part of parts) {
    const before = kept.at(-1);
    if (part.to > part.from || before === undefined) kept.push(part);
    else
      for (const [worker, { counters, tasks }] of part.workers) {
        const totals = totalsOf(before, worker);
        counters.forEach((count, k) => {
          totals.counters[k]! += count;
        });
        tasks.forEach((count, k) => {
          totals.tasks[k]! += count;
        });
      }
  }
  return kept;
}

function totalsOf({ workers }: { readonly workers: Map<number, WorkerTotals> }, worker: number): Totals {
  let totals = workers.get(worker) as Totals | undefined;
  if (totals === undefined) {
    totals = {
      seconds: new Float64Array(WORKER_STATES.length),
      counters: new Float64Array(COUNTERS.length),
      activities: new Float64Array(ACTIVITIES.length),
      tasks: new Float64Array(ORIGINS.length),
      own: new Map(),
      stays: 0,
      since: Number.POSITIVE_INFINITY,
      until: Number.NEGATIVE_INFINITY,
    };
    workers.set(worker, totals);
  }
  return totals;
}
