import {
  ACTIVITIES,
  type Activity,
  COUNTERS,
  type Counter,
  ORIGINS,
  WORKER_STATES,
  type WorkerState,
} from '../../trace/workers/worker-states.ts';
import type { MeasuredRegion, WorkerTotals } from './worker-meter.ts';

/** Ways to count tasks: from the entries into EXEC, or as the source describes it. */
export const COUNTINGS = ['default', 'document'] as const;
export type Counting = (typeof COUNTINGS)[number];

/** Figures of a region in one monitoring period; T is the time in which workers are in it, in seconds. */
export interface RegionFigures {
  readonly workers: number;
  /** Workers × T, in worker-seconds; of threads that come and go, the time in which they exist. */
  readonly workerSeconds: number;
  /** Seconds by state of the life-cycle. */
  readonly seconds: Readonly<Record<WorkerState, number>>;
  /** Seconds by activity. They add up to `workerSeconds`: a worker that takes no part yet, or any more, is idle. */
  readonly activities: Readonly<Record<Activity, number>>;
  readonly counters: Readonly<Record<Counter, number>>;
  /** Active overhead, and time waiting or idle, as shares of `workerSeconds`. */
  readonly activeShare: number;
  readonly inactiveShare: number;
  /** Tasks from the own queue, and from elsewhere. */
  readonly ownTasks: number;
  readonly otherTasks: number;
  /** All tasks, with those that workers execute when they begin their part in the region. */
  readonly tasks: number;
  /** Workers in each execution of the region, added up. */
  readonly stays: number;
  /** Share of the idle time of workers that execute no task. */
  readonly withoutTasks: number;
  readonly ofWorkers: readonly WorkerRate[];
}

/** Tasks of one worker. */
export interface WorkerRate {
  readonly tasks: number;
  /** Tasks per second. */
  readonly rate: number;
  /** Tasks per second in which the worker neither waits nor is idle. */
  readonly busyRate: number;
  /** Time in active overhead as a share of the worker's time. */
  readonly activeShare: number;
}

/** Sums over the workers of a region. `comesAndGoes`: time in which a worker has no state is not part of the region. */
export function figuresOf(region: MeasuredRegion, counting: Counting, comesAndGoes = false): RegionFigures {
  const { seconds: time, workers } = region;
  const seconds = zeros(WORKER_STATES);
  const activities = zeros(ACTIVITIES);
  const counters = zeros(COUNTERS);
  const tasks = zeros(ORIGINS);
  const ofWorkers: WorkerRate[] = [];
  let [stays, idleWithout] = [0, 0];
  for (const totals of workers.values()) {
    addTo(seconds, WORKER_STATES, totals.seconds);
    addTo(activities, ACTIVITIES, totals.activities);
    addTo(counters, COUNTERS, totals.counters);
    addTo(tasks, ORIGINS, totals.tasks);
    // A worker that enters a period at its beginning makes no entry in it.
    stays += Math.max(1, totals.stays);
    const absent = comesAndGoes ? 0 : absentSeconds(totals, time);
    activities.idle += absent;
    const { own, other, all } = tasksOf(totals, counting);
    if (all === 0) idleWithout += totals.activities[IDLE]! + absent;
    const its = comesAndGoes ? sum(totals.activities) : time;
    if (its > 0)
      ofWorkers.push({
        tasks: own + other,
        rate: (own + other) / its,
        busyRate:
          own + other === 0 ? 0 : (own + other) / (totals.activities[COMPUTING]! + totals.activities[OVERHEAD]!),
        activeShare: totals.activities[OVERHEAD]! / its,
      });
  }
  const workerSeconds = comesAndGoes ? sum(Object.values(activities)) : workers.size * time;
  const isDocument = counting === 'document';
  return {
    workers: workers.size,
    workerSeconds,
    seconds,
    activities,
    counters,
    activeShare: activities.overhead / workerSeconds,
    inactiveShare: (activities.waiting + activities.idle) / workerSeconds,
    ownTasks: isDocument ? counters.execLocal : tasks.own,
    otherTasks: isDocument ? counters.localGlobal + counters.globalGlobal : tasks.other,
    tasks: tasks.own + tasks.other + tasks.carried,
    stays,
    withoutTasks: activities.idle > 0 ? idleWithout / activities.idle : 0,
    ofWorkers,
  };
}

const COMPUTING = ACTIVITIES.indexOf('computing');
const OVERHEAD = ACTIVITIES.indexOf('overhead');
const IDLE = ACTIVITIES.indexOf('idle');

/** Seconds of a region in which a worker has no state: it begins later, or has ended. */
export const absentSeconds = ({ activities }: WorkerTotals, time: number): number =>
  Math.max(0, time - sum(activities));

/** Tasks of one worker. */
export function tasksOf(
  { tasks, counters }: WorkerTotals,
  counting: Counting,
): { readonly own: number; readonly other: number; readonly all: number } {
  const [own, other, carried] = [...tasks] as [number, number, number];
  const all = own + other + carried;
  if (counting !== 'document') return { own, other, all };
  const of = (name: Counter): number => counters[COUNTERS.indexOf(name)]!;
  return { own: of('execLocal'), other: of('localGlobal') + of('globalGlobal'), all };
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

const zeros = <K extends string>(names: readonly K[]): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>;

function addTo<K extends string>(sums: Record<K, number>, names: readonly K[], values: Float64Array): void {
  names.forEach((name, k) => {
    sums[name] += values[k]!;
  });
}
