import type { PredictionDocument } from '../../predict/prediction.ts';
import type { WorkerFigures } from '../../predict/threads/worker-figures.ts';
import type { WorkerTimes } from '../whatif-result.ts';

/** Kinds of objects that are locks; `latch`: barriers, and the ends of loops. */
const LOCKS: ReadonlySet<string> = new Set(['mutex', 'rwlock']);
/** Under these schedulers threads wait while their workers execute others. */
const COOPERATIVE: ReadonlySet<string> = new Set(['a0', 'a1', 'a2']);
/** Shares of the computing time below which preemption is a rounding error. */
const ROUNDING = 1e-9;

/**
 * The time of all workers of a prediction by activity. Each time is split into parts and a rest, so that the sum is the number
 * of workers (or threads) times the run time. O(workers + objects).
 *
 * @returns undefined for predictions without workers
 */
export function workerTimes({
  workers,
  scheduler,
  objects = [],
  figures,
}: PredictionDocument): WorkerTimes | undefined {
  if (workers === undefined || scheduler === undefined) return undefined;
  const sum = (of: (one: WorkerFigures) => number): number => workers.reduce((all, one) => all + of(one), 0);
  const [computed, overhead, waited] = [sum((w) => w.computing), sum((w) => w.overhead), sum((w) => w.waiting)];
  const isCooperative = COOPERATIVE.has(scheduler.name);
  const objectsOf = (holds: (kind: string) => boolean): number =>
    objects.reduce((all, o) => all + (holds(o.kind) ? o.seconds - (o.spinning ?? 0) - (o.preempted ?? 0) : 0), 0);
  // Workers and threads that share cores compute for longer than the cores do.
  const shared = computed - (figures.parallelism?.mean.value ?? 0) * figures.runTime.value;
  const sharing = shared > ROUNDING * computed ? shared : 0;
  const over = split(overhead, {
    ownQueue: sum(({ states }) => states?.local ?? 0),
    searching: isCooperative ? 0 : sum(({ states }) => states?.global ?? 0),
    spinning: objects.reduce((all, { spinning = 0 }) => all + spinning, 0),
  });
  const wait = split(waited, {
    locks: isCooperative ? 0 : objectsOf((kind) => LOCKS.has(kind)),
    barriers: isCooperative ? 0 : objectsOf((kind) => kind === 'latch'),
  });
  const queued = split(wait.rest, { preempted: sum(({ preempted = 0 }) => preempted) });
  return {
    computing: computed - sharing,
    memory: sum((w) => w.memory),
    preempted: sharing + queued.parts.preempted,
    ...over.parts,
    operations: over.rest,
    ...wait.parts,
    waiting: queued.rest,
    idle: sum((w) => w.idle),
  };
}

/** Splits a total into parts in the given order, and the rest. A part is at most the remainder before it. */
function split<Name extends string>(
  total: number,
  parts: Readonly<Record<Name, number>>,
): { readonly parts: Readonly<Record<Name, number>>; readonly rest: number } {
  let rest = total;
  const found = Object.entries<number>(parts).map(([name, seconds]) => {
    const own = Math.min(seconds, rest);
    rest -= own;
    return [name, own];
  });
  return { parts: Object.fromEntries(found) as Record<Name, number>, rest };
}

/** The mean of the times of several runs. */
export function meanTimes(all: readonly WorkerTimes[]): WorkerTimes {
  const names = Object.keys(all[0]!) as (keyof WorkerTimes)[];
  const mean = (name: keyof WorkerTimes): number => all.reduce((sum, one) => sum + one[name], 0) / all.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as unknown as WorkerTimes;
}
