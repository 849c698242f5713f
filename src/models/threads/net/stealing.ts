import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, div, eq, floor, gt, lt, mod, mul, not, sub, type Term } from '../../../net/terms.ts';
import { evenShares } from '../chunks.ts';
import type { PoolOptions, PoolQueues } from './pool-queues.ts';
import { putRun, type ThreadPorts } from './ports.ts';

/** Other workers up to which, and beyond which, a random one is chosen in one step. Between, a group is chosen first. */
const FEW_OTHERS = 8;
const MANY_OTHERS = 255;

type Number = Colour<number>;
/** Workers that search, and the number of their searches so far. */
type Searching = PlaceOf<{ readonly w: Number; readonly k: Number }>;

/** Adds the searches of other queues, and the steals, of a pool with at least two workers. */
export function emitStealing(ports: ThreadPorts, queues: PoolQueues, searching: Searching, options: PoolOptions): void {
  if (options.searching === 'ends') emitEnds(ports, queues, searching);
  else new Stealing(ports, queues, searching, options).emit();
}

/** Successful ends of searches: the oldest task of any other queue of the pool. */
function emitEnds(ports: ThreadPorts, queues: PoolQueues, searching: Searching): void {
  ports.net.transition('steals', (t) => {
    const { w } = t.take(searching);
    t.process(w);
    const { w: v, h, t: tail } = t.take(queues.deque);
    t.guard(gt(tail, h));
    t.guard(not(eq(v, w)));
    if (ports.program.pools > 1) t.guard(eq(queues.poolOf(v), queues.poolOf(w)));
    const { s, at } = t.take(queues.slot, { w: v, i: h });
    queues.pop(t, v, add(h, 1), tail);
    putRun(t, ports, { w, s, at }, at);
  });
}

/** True if all searches of a worker happen at one instant. */
export function searchesAtOnce({ machine }: ThreadPorts, { queues, searching }: PoolOptions): boolean {
  return queues === 'stealing' && searching === undefined && machine.costs.search === 0;
}

class Stealing {
  readonly #ports: ThreadPorts;
  readonly #queues: PoolQueues;
  readonly #searching: Searching;
  readonly #options: PoolOptions;
  readonly #size: number;
  /** Number of searches after which a worker sleeps. */
  readonly #searches: number;
  readonly #K: Number;
  /** Workers that look into the queue of worker v. */
  readonly #seeking: PlaceOf<{ readonly w: Number; readonly v: Number; readonly k: Number }>;
  readonly #Other: Number;
  /**
   * True if searches take no time. Then all searches of a worker happen at one instant, at which only their end matters: a worker
   * searches while there are tasks in queues, and a random search is one step, the choice of a queue that is not empty. Otherwise
   * n workers would take up to 2 n² steps at that instant.
   */
  readonly #atOnce: boolean;
  /** Where each worker last found a task, if it begins there. */
  readonly #last: PlaceOf<{ readonly w: Number; readonly v: Number }> | undefined;

  constructor(ports: ThreadPorts, queues: PoolQueues, searching: Searching, options: PoolOptions) {
    const { net, program, Worker } = ports;
    const size = program.workers;
    this.#ports = ports;
    this.#queues = queues;
    this.#searching = searching;
    this.#options = options;
    this.#size = size;
    this.#searches = options.rounds * (size - 1);
    this.#K = net.range('searches so far', 0, this.#searches);
    this.#seeking = net.place('seeking', { w: Worker, v: Worker, k: this.#K }, { kind: 'operation' });
    this.#Other = net.range('other worker', 0, size - 2);
    this.#atOnce = searchesAtOnce(ports, options);
    if (options.victim !== 'last') return;
    const initial = Array.from({ length: size * program.pools }, (_, w) => ({
      w,
      v: w - (w % size) + ((w + 1) % size),
    }));
    this.#last = net.place('last victim', { w: Worker, v: Worker }, { kind: 'data', initial });
  }

  emit(): void {
    const { net, machine } = this.#ports;
    this.#emitChoice();
    net.transition('misses', (t) => {
      const { w, v, k } = t.take(this.#seeking);
      t.process(w);
      const { h, t: tail } = t.read(this.#queues.deque, { w: v });
      t.guard(eq(h, tail));
      if (machine.costs.search > 0) t.delay(machine.costs.search);
      t.put(this.#searching, { w, k: add(k, 1) });
    });
    const { affinity } = this.#ports;
    // Searches that take no time wait until the task is taken.
    if (affinity !== undefined && machine.costs.search > 0)
      net.transition('passes over mail', (t) => {
        const { w, v, k } = t.take(this.#seeking);
        t.process(w);
        const { h, t: tail } = t.read(this.#queues.deque, { w: v });
        t.guard(gt(tail, h));
        affinity.isMailed(t, w, t.read(this.#queues.slot, { w: v, i: h }).s, true);
        t.delay(machine.costs.search);
        t.put(this.#searching, { w, k: add(k, 1) });
      });
    this.#emitSteal();
  }

  /** The worker at a distance of 1 + d. */
  #other(w: Term<number>, d: Term<number>): Term<number> {
    const base = mul(this.#queues.poolOf(w), this.#size);
    return add(base, mod(add(sub(w, base), add(d, 1)), this.#size));
  }

  /** The choice of the queue to be searched. */
  #emitChoice(): void {
    const { net } = this.#ports;
    const last = this.#last;
    if (last !== undefined)
      net.transition('chooses last', (t) => {
        const { w } = t.take(this.#searching, { k: 0 });
        t.process(w);
        this.#whileQueued(t, w);
        const { v } = t.read(last, { w });
        t.put(this.#seeking, { w, v, k: 0 });
      });
    const others = this.#size - 1;
    const { victim } = this.#options;
    if (this.#atOnce && victim !== 'nearest') return;
    // No process: a second draw for each search would take most of the time of a run.
    if (victim === 'nearest' || others <= FEW_OTHERS || others > MANY_OTHERS)
      net.transition('chooses', (t) => {
        const { w, k } = this.#takeSearching(t);
        if (victim === 'nearest') t.put(this.#seeking, { w, v: this.#other(w, mod(k, others)), k });
        else {
          const d = t.free('d', this.#Other) as Term<number>;
          t.weight(1);
          t.put(this.#seeking, { w, v: this.#other(w, d), k });
        }
      });
    else this.#emitChoiceInGroups(others);
  }

  #takeSearching(t: TransitionBuilder): { readonly w: Term<number>; readonly k: Term<number> } {
    const { w, k } = t.take(this.#searching);
    t.guard(lt(k, this.#searches));
    if (this.#last !== undefined) t.guard(gt(k, 0));
    this.#whileQueued(t, w);
    return { w, k };
  }

  /** Searches that take no time begin only if a task is in a queue of the pool. */
  #whileQueued(t: TransitionBuilder, w: Term<number>): void {
    if (!this.#atOnce) return;
    const { queued } = t.read(this.#queues.load, { pool: this.#queues.poolOf(w) });
    t.guard(gt(queued, 0));
  }

  /**
   * First a group of workers, then one of the group: two draws. An engine that lists alternatives has 2 √others of them for each
   * worker that searches, so that the choices of n workers at one instant take O(n √n) each; the single draw has one.
   */
  #emitChoiceInGroups(others: number): void {
    const { net, Worker } = this.#ports;
    const groups = Math.ceil(Math.sqrt(others));
    const shares = evenShares(others, groups);
    const Group = net.range('group of workers', 0, groups - 1);
    const choosing = net.place('choosing', { w: Worker, g: Group, k: this.#K }, { kind: 'operation' });
    const members = net.intTable('members of group', Int32Array.from(shares));
    net.transition('chooses group', (t) => {
      const { w, k } = this.#takeSearching(t);
      const g = t.free('g', Group) as Term<number>;
      t.weight(members.at(g));
      t.put(choosing, { w, g, k });
    });
    const first = net.intTable('first of group', Int32Array.from(firsts(shares)));
    const Member = net.range('member of group', 0, Math.ceil(others / groups) - 1);
    net.transition('chooses', (t) => {
      const { w, g, k } = t.take(choosing);
      const m = t.free('m', Member) as Term<number>;
      t.guard(lt(m, members.at(g)));
      t.weight(1);
      t.put(this.#seeking, { w, v: this.#other(w, add(first.at(g), m)), k });
    });
  }

  /** A steal holds the victim's queue, and takes its oldest task, or half of its tasks. */
  #emitSteal(): void {
    const { net, machine, Worker, Strand, Row, affinity } = this.#ports;
    const { deque, slot, most } = this.#queues;
    const takesHalf = this.#options.take === 'half';
    const stolen = net.place(
      'stolen',
      {
        w: Worker,
        v: Worker,
        h: net.range('head', 0, most),
        t: net.range('tail', 0, most),
        left: net.range('left', 0, most),
      },
      { kind: 'data' },
    );
    const catches = net.place('catches', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    const steals = (
      t: TransitionBuilder,
      w: Term<number>,
      from: { w: Term<number>; h: Term<number>; t: Term<number> },
      isMailed: boolean,
    ) => {
      const { w: v, h, t: tail } = from;
      t.guard(gt(tail, h));
      const { s, at } = t.take(slot, { w: v, i: h });
      if (isMailed) affinity!.isMailed(t, w, s, false);
      else affinity?.isNotMailed(t, s);
      if (machine.costs.steal > 0) t.delay(machine.costs.steal);
      const half = floor(div(add(sub(tail, h), 1), 2));
      t.put(stolen, { w, v, h: add(h, 1), t: tail, left: takesHalf ? sub(half, 1) : 0 });
      t.put(catches, { w, s, at });
    };
    for (const isMailed of affinity === undefined ? [false] : [false, true]) {
      const what = isMailed ? 'steals mail' : 'steals';
      if (!this.#atOnce || this.#options.victim !== 'random')
        net.transition(what, (t) => {
          const { w, v } = t.take(this.#seeking);
          t.process(w);
          steals(t, w, { ...t.take(deque, { w: v }), w: v }, isMailed);
        });
      if (this.#atOnce && this.#options.victim !== 'nearest')
        net.transition(`${what} at once`, (t) => {
          const { w, k } = t.take(this.#searching);
          if (this.#last !== undefined) t.guard(gt(k, 0));
          const from = t.take(deque);
          t.guard(not(eq(from.w, w)));
          if (this.#ports.program.pools > 1) t.guard(eq(this.#queues.poolOf(from.w), this.#queues.poolOf(w)));
          t.weight(1);
          steals(t, w, from, isMailed);
        });
    }
    if (takesHalf)
      net.transition('moves task', (t) => {
        t.priority(3);
        const { w, v, h, t: tail, left } = t.take(stolen);
        t.process(w);
        t.guard(gt(left, 0));
        const { s, at } = t.take(slot, { w: v, i: h });
        const mine = t.take(deque, { w });
        t.put(slot, { w, i: mine.t, s, at });
        t.put(deque, { w, h: mine.h, t: add(mine.t, 1) });
        t.put(stolen, { w, v, h: add(h, 1), t: tail, left: sub(left, 1) });
      });
    net.transition('has stolen', (t) => {
      t.priority(3);
      const { w, v, h, t: tail } = t.take(stolen, { left: 0 });
      t.process(w);
      const { s, at } = t.take(catches, { w });
      this.#queues.pop(t, v, h, tail);
      this.#ports.affinity?.idles(t, w, 0);
      if (this.#last !== undefined) {
        t.take(this.#last, { w });
        t.put(this.#last, { w, v });
      }
      putRun(t, this.#ports, { w, s, at }, at);
    });
  }
}

/** Sums of the numbers before each one. */
function firsts(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum - count;
  });
}
