import { fail } from '../../base/problem.ts';
import type { Delay, Net } from '../../net/net.ts';
import { constantDelay, kindOfDelay, type TimedNet, timedNet, timeOfDelay } from './timed-net.ts';

/** Law or theorem that proves a bound of the run time. */
export type RunTimeSource = 'longest path' | 'work of a resource' | 'greedy schedule' | 'total work';

/** Proved bounds of the run time of a loop-free net, in seconds: of the mean if delays are random. */
export interface RunTimeBounds {
  /** The larger of `span` and `work`. */
  readonly lower: number;
  readonly upper: number;
  /** Span law: the longest path of delays. */
  readonly span: number;
  /** Work law: the largest work of a resource over the number of its servers. */
  readonly work: number;
  /** Proof of `upper`: Graham's bound of greedy schedules, or the sum of all delays. */
  readonly upperBy: RunTimeSource & ('greedy schedule' | 'total work');
  /** Firings in a run and mean seconds of each, by transition of the unfolded net, with its index in the given net. */
  readonly firings: readonly { readonly origin: number; readonly count: number; readonly seconds: number }[];
}

/** Firings of all transitions above which paths are not followed. */
const MAX_FIRINGS = 1e6;
/** Rounding error of the sums, relative to them, from above. */
const ROUNDING = 1e-12;

/** Firings of a transition, or services of a place, which begin as soon as their tokens and a server are there. */
interface Task {
  readonly name: string;
  /** Its time or, if it is random, the mean, rounded down; and rounded up. */
  readonly seconds: number;
  readonly most: number;
  readonly isConstant: boolean;
  readonly inputs: Input[];
  readonly uses: readonly Resource[];
  count: number;
}

/** Event k needs `takes` · k tokens: `tokens` of the start, and `gives` of each event of `from`. */
interface Input {
  readonly from: Task | undefined;
  readonly gives: number;
  readonly takes: number;
  readonly tokens: number;
}

/** Servers, or tokens that firings take and put back. */
interface Resource {
  readonly capacity: number;
  readonly isUnit: boolean;
  readonly unitsOf: (task: Task) => number;
}

/**
 * Bounds of the run time of a net whose runs differ only in times: loop-free, and each place has one producer and one consumer. Places
 * whose tokens firings take and put back are resources that any transitions share.
 *
 * - Span law: each event waits for those whose tokens it needs, so that no run is shorter than the longest path.
 * - Work law: a resource with c servers does c seconds of work per second.
 * - Graham's bound (1969): firings begin as soon as they can. Going back from the last end, at each time an event of one path is in
 *   progress, or waits while all servers of a resource work on others. Hence T ≤ Σ W_r / c_r + the longest path, on which an event counts
 *   (1 − Σ 1 / c_r) of its time, over the resources r that it uses.
 * - At each time before the end something is in progress: T ≤ the sum of all delays.
 *
 * With random delays means take the place of delays: the mean of a maximum is at least the maximum of means. O(firings).
 *
 * @throws InputError BND001 no delays, BND002 a loop, a decision, or delays without a mean; UNF001 … nets that cannot be unfolded
 */
export function runTimeBounds(net: Net): RunTimeBounds {
  const timed = timedNet(net);
  const { firings, tasks } = tasksOf(timed);
  countEvents(tasks);
  const total = tasks.reduce((sum, { count, most }) => sum + count * most, 0);
  const resources = [...new Set(tasks.flatMap(({ uses }) => uses))];
  const shares = resources.map((r) => workOn(r, tasks) / r.capacity);
  const span = longestPath(tasks, (task) => task.seconds);
  const work = shares.reduce((a, b) => Math.max(a, b), 0);
  const isGreedy = tasks.every(({ isConstant }) => isConstant) && resources.every(({ isUnit }) => isUnit);
  const left = (task: Task): number =>
    task.seconds * (1 - task.uses.reduce((sum, { capacity }) => sum + 1 / capacity, 0));
  const graham = isGreedy ? shares.reduce((a, b) => a + b, 0) + longestPath(tasks, left) : Number.POSITIVE_INFINITY;
  return {
    lower: Math.max(span, work) * (1 - ROUNDING),
    upper: Math.min(graham, total) * (1 + ROUNDING),
    span,
    work,
    upperBy: graham <= total ? 'greedy schedule' : 'total work',
    firings: firings.map(({ count, seconds }, t) => ({ origin: timed.transitions[t]!.origin, count, seconds })),
  };
}

const refuse = (part: string, why: string): never =>
  fail('BND002', `${why}: the bounds of the run time need a loop-free net whose runs differ only in times`, { part });

function workOn(resource: Resource, tasks: readonly Task[]): number {
  return tasks.reduce(
    (sum, task) => (task.uses.includes(resource) ? sum + resource.unitsOf(task) * task.count * task.seconds : sum),
    0,
  );
}

/** The tasks in an order in which each comes after those that it waits for; `firings` are those of the transitions. */
function tasksOf(net: TimedNet): { readonly firings: readonly Task[]; readonly tasks: readonly Task[] } {
  const { places, transitions } = net;
  const lent = lentPlaces(net);
  const uses = transitions.map((t) => {
    const own = t.takes.flatMap(([p]) => lent.get(p) ?? []);
    return t.servers < Number.POSITIVE_INFINITY ? [...own, servers(t.servers)] : own;
  });
  const firings = transitions.map((t, k): Task => {
    const part = `transition ${t.name}`;
    if (t.inhibits.length > 0 || t.resets.length > 0) refuse(part, 'has an inhibitor or reset arc');
    if (t.takes.every(([p]) => lent.has(p)) && t.reads.length === 0) refuse(part, 'can fire without end');
    return { name: t.name, ...secondsOf(part, t.delay), inputs: [], uses: uses[k]!, count: 0 };
  });
  const tasks = [...firings];
  for (const [p, place] of places.entries()) {
    if (lent.has(p)) continue;
    const part = `place ${place.name}`;
    const arcsOf = (arcs: 'puts' | 'takes' | 'reads'): (readonly [Task, number])[] =>
      transitions.flatMap((t, k) => t[arcs].flatMap(([q, n]) => (q === p ? [[firings[k]!, n] as const] : [])));
    const [givers, takers, readers] = [arcsOf('puts'), arcsOf('takes'), arcsOf('reads')];
    if (takers.length > 1 || (takers.length > 0 && readers.length > 0))
      refuse(part, 'is a decision between transitions');
    if (givers.length > 1) refuse(part, 'has several transitions that put into it');
    if (place.capacity !== undefined) refuse(part, 'has a capacity');
    let [from, gives] = givers[0] ?? [undefined, 0];
    let tokens = place.initial;
    const served = serviceOf(part, place.service);
    if (served !== undefined) {
      const task: Task = { name: part, ...served, inputs: [{ from, gives, takes: 1, tokens }], count: 0 };
      tasks.push(task);
      [from, gives, tokens] = [task, 1, 0];
    }
    for (const [task, takes] of takers) task.inputs.push({ from, gives, takes, tokens });
    // A reader needs its tokens once.
    for (const [task, takes] of readers) task.inputs.push({ from, gives, takes: Number.NaN, tokens: tokens - takes });
  }
  return { firings, tasks: inOrder(tasks) };
}

/** Places from which each of their transitions takes as many tokens as it puts back when it ends. */
function lentPlaces({ places, transitions }: TimedNet): Map<number, Resource> {
  const lent = new Map<number, Resource>();
  for (const [p, { initial, service, capacity }] of places.entries()) {
    const of = (arcs: readonly (readonly [number, number])[]): number => arcs.find(([q]) => q === p)?.[1] ?? 0;
    const users = transitions.filter((t) => of(t.takes) > 0);
    const isLent =
      users.length > 0 &&
      service === undefined &&
      capacity === undefined &&
      transitions.every((t) => of(t.takes) === of(t.puts) && of(t.reads) === 0) &&
      // The clocks of races run at the same time, whatever the number of tokens.
      users.every((t) => !t.isRace && of(t.takes) <= initial);
    if (!isLent) continue;
    const units = new Map(users.map((t) => [t.name, of(t.takes)]));
    lent.set(p, {
      capacity: initial,
      isUnit: [...units.values()].every((n) => n === 1),
      unitsOf: ({ name }) => units.get(name)!,
    });
  }
  return lent;
}

const servers = (capacity: number): Resource => ({ capacity, isUnit: true, unitsOf: () => 1 });

function secondsOf(part: string, delay: Delay | undefined): Pick<Task, 'seconds' | 'most' | 'isConstant'> {
  const constant = constantDelay(delay);
  if (constant !== undefined) return { seconds: constant, most: constant, isConstant: true };
  const time = timeOfDelay(delay!);
  if (time === undefined) return refuse(part, `has ${kindOfDelay(delay!)} without a known mean`);
  return { seconds: time.low / time.rate, most: time.high / time.rate, isConstant: false };
}

function serviceOf(
  part: string,
  service: TimedNet['places'][number]['service'],
): Pick<Task, 'seconds' | 'most' | 'isConstant' | 'uses'> | undefined {
  if (service === undefined) return undefined;
  if (service.kind === 'max-min' || service.kind === 'ps' || service.kind === 'lcfs-pr')
    return refuse(part, `has the service "${service.kind}", which interrupts or shares`);
  if (service.kind === 'priority' && service.preemptive) return refuse(part, 'has a service that interrupts');
  const uses = service.kind === 'is' ? [] : [servers(service.servers)];
  return { ...secondsOf(part, service.time), uses };
}

function inOrder(tasks: readonly Task[]): Task[] {
  const after = new Map<Task, Task[]>(tasks.map((task) => [task, []]));
  const missing = new Map(tasks.map((task) => [task, 0]));
  for (const task of tasks)
    for (const { from } of task.inputs)
      if (from !== undefined) {
        after.get(from)!.push(task);
        missing.set(task, missing.get(task)! + 1);
      }
  const order = tasks.filter((task) => missing.get(task) === 0);
  for (const task of order)
    for (const next of after.get(task)!) {
      missing.set(next, missing.get(next)! - 1);
      if (missing.get(next) === 0) order.push(next);
    }
  const loop = tasks.find((task) => missing.get(task)! > 0);
  if (loop !== undefined) refuse(`transition ${loop.name}`, 'is part of a loop, or waits for one');
  return order;
}

function countEvents(tasks: readonly Task[]): void {
  let all = 0;
  for (const task of tasks) {
    const most = task.inputs.map(({ from, gives, takes, tokens }) => {
      const there = tokens + gives * (from?.count ?? 0);
      if (Number.isNaN(takes)) return there >= 0 ? Number.POSITIVE_INFINITY : 0;
      return Math.floor(there / takes);
    });
    task.count = Math.min(...most);
    if (!Number.isFinite(task.count)) refuse(`transition ${task.name}`, 'can fire without end');
    all += task.count;
  }
  if (all > MAX_FIRINGS) refuse('net', `has more than ${MAX_FIRINGS} firings in a run`);
}

/**
 * The longest path to the end of an event, of which each counts its `weight`. Events of a task are in the order of their starts, which
 * is that of their ends if all take equally long. Otherwise the end of one of them is only known to be after the first start, and the
 * last end after all.
 */
function longestPath(tasks: readonly Task[], weight: (task: Task) => number): number {
  const starts = new Map<Task, Float64Array>();
  let longest = 0;
  for (const task of tasks) {
    const own = new Float64Array(task.count);
    starts.set(task, own);
    for (let k = 1; k <= task.count; k++) {
      let start = 0;
      for (const { from, gives, takes, tokens } of task.inputs) {
        const needed = Number.isNaN(takes) ? -tokens : takes * k - tokens;
        if (from !== undefined && needed > 0) start = Math.max(start, endOf(from, Math.ceil(needed / gives)));
      }
      own[k - 1] = start;
      longest = Math.max(longest, start + weight(task));
    }
  }
  return longest;

  function endOf(task: Task, k: number): number {
    const own = starts.get(task)!;
    if (task.isConstant || k === task.count) return own[k - 1]! + weight(task);
    return own[0]!;
  }
}
