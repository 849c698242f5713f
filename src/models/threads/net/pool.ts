import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, constant, div, eq, floor, ge, gt, lt, mod, mul, sub, type Term, when } from '../../../net/terms.ts';
import { evenShares } from '../program/chunks.ts';
import { FUTURE, ROW } from '../program/rows.ts';
import { type HandOff, putRun, type Running, type RunTerms, type Scheduler, type ThreadPorts } from './ports.ts';
import { awaitedTest, type PoolKind, QueueHoles, WorkerStacks } from './worker-stacks.ts';

export interface PoolOptions {
  /**
   * `stealing`: each worker has a queue and takes tasks of others when it is empty. `central`: one queue for all.
   * `static`: each worker has a queue; spawned tasks are dealt to the queues in turn, and nobody steals.
   */
  readonly queues: 'stealing' | 'central' | 'static';
  /** Whose queue a worker searches: a random one, the nearest, or the one where it last found a task. Default `random`. */
  readonly victim: 'random' | 'nearest' | 'last';
  /** Tasks that a worker takes from another's queue: one, or half of them. Default `one`. */
  readonly take: 'one' | 'half';
  /** Searches of all other queues in vain after which a worker sleeps. Default 1. */
  readonly rounds: number;
  /**
   * Scheduler bypass: a worker continues the owner of a group directly if it ended its last strand. Default true;
   * otherwise the owner goes through the worker's queue.
   */
  readonly bypass: boolean;
  /** What a worker does while its strand waits for tasks. Default `migrating`. */
  readonly pool: PoolKind;
}

export const DEFAULT_POOL: PoolOptions = {
  queues: 'stealing',
  victim: 'random',
  take: 'one',
  rounds: 1,
  bypass: true,
  pool: 'migrating',
};

/** Alternatives of a random choice that is made in one step. */
const MAX_ALTERNATIVES = 8;

/** Transitions by which workers change their states, and the state that each enters. */
export const POOL_STATES = {
  looks: 'LOCAL',
  found: 'EXEC',
  searches: 'GLOBAL',
} as const;

type Number = Colour<number>;

/**
 * A pool of workers. A worker executes a strand (EXEC), looks into its own queue (LOCAL), searches other queues or the
 * central one (GLOBAL), or sleeps (WAIT); states of Pegushin and Kurylev, CN 102918501. Own queues are double-ended: the
 * worker takes the youngest task, thieves the oldest (Blumofe and Leiserson, JACM 46(5), 1999). A steal holds the
 * victim's queue. Blocked strands keep their worker. Strands that wait for tasks leave it or stay on its stack ({@link PoolKind}).
 *
 * @param isEmbedded whether another program starts the main strands. Before and after, one worker of each process is outside
 * the pool
 */
export function poolScheduler(ports: ThreadPorts, options: PoolOptions, isEmbedded = false): Scheduler & HandOff {
  return new Pool(ports, options, isEmbedded);
}

class Pool implements Scheduler, HandOff {
  readonly carriers: number;
  readonly #ports: ThreadPorts;
  readonly #options: PoolOptions;
  readonly #size: number;
  /** In a part of another program's net: workers that are outside the pool, one for each process. */
  readonly #outside: PlaceOf<{ readonly pool: Number; readonly w: Number }> | undefined;
  /** Maximum number of strands that are put into queues. */
  readonly #most: number;
  readonly #deque: PlaceOf<{ readonly w: Number; readonly h: Number; readonly t: Number }>;
  readonly #slot: PlaceOf<{ readonly w: Number; readonly i: Number; readonly s: Number; readonly at: Number }>;
  readonly #load: PlaceOf<{ readonly pool: Number; readonly queued: Number; readonly asleep: Number }>;
  readonly #announced: PlaceOf<{ readonly pool: Number }>;
  readonly #local: PlaceOf<{ readonly w: Number }>;
  readonly #global: PlaceOf<{ readonly w: Number; readonly k: Number }>;
  readonly #asleep: PlaceOf<{ readonly w: Number }>;
  readonly #called: PlaceOf<{ readonly w: Number }>;
  readonly #waiting: PlaceOf<Running & { readonly o: Number }>;
  readonly #waking: PlaceOf<Running>;
  readonly #Pool: Number;
  /** Unless the pool is migrating. */
  readonly #stacks: WorkerStacks | undefined;
  readonly #holes: QueueHoles | undefined;
  /** In an isolated pool: workers whose strand waits for its own tasks. */
  readonly #own: PlaceOf<{ readonly w: Number }> | undefined;
  readonly returns: Scheduler['returns'];

  constructor(ports: ThreadPorts, options: PoolOptions, isEmbedded: boolean) {
    this.#ports = ports;
    this.#options = options;
    const { net, program, Worker, Strand, Row } = ports;
    const { workers, pools, strands } = program;
    this.#size = workers;
    this.carriers = workers * pools;
    // A strand is queued once, and once more after each of its groups (without bypass) and each task it waits for.
    this.#most = strands.count + program.groupOwner.length + futuresIn(program);
    const Index = net.range('index', 0, this.#most);
    this.#Pool = net.range('pool', 0, pools - 1);
    const isCentral = options.queues === 'central';
    // The central queue is that of the first worker of a pool.
    const queues = Array.from({ length: this.carriers }, (_, w) => w).filter((w) => !isCentral || w % workers === 0);
    this.#deque = net.place(
      'queue',
      { w: Worker, h: Index, t: Index },
      { kind: 'data', initial: queues.map((w) => ({ w, h: 0, t: 0 })) },
    );
    this.#slot = net.place('queued', { w: Worker, i: Index, s: Strand, at: Row }, { kind: 'data' });
    this.#load = net.place(
      'load',
      {
        pool: this.#Pool,
        queued: net.range('queued tasks', 0, this.#most),
        asleep: net.range('asleep', 0, workers),
      },
      {
        kind: 'data',
        initial: Array.from({ length: pools }, (_, pool) => ({ pool, queued: 0, asleep: workers - 1 })),
      },
    );
    this.#outside = isEmbedded
      ? net.place(
          'outside',
          { pool: this.#Pool, w: Worker },
          { kind: 'operation', initial: Array.from({ length: pools }, (_, pool) => ({ pool, w: pool * workers })) },
        )
      : undefined;
    this.#announced = net.place('announced', { pool: this.#Pool }, { kind: 'message' });
    this.#local = net.place('local', { w: Worker }, { kind: 'operation' });
    const searches = Math.max(1, options.rounds * Math.max(1, workers - 1));
    this.#global = net.place('global', { w: Worker, k: net.range('searches', 0, searches) }, { kind: 'operation' });
    this.#asleep = net.place(
      'asleep',
      { w: Worker },
      {
        kind: 'operation',
        initial: Array.from({ length: this.carriers }, (_, w) => w)
          .filter((w) => w % workers !== 0)
          .map((w) => ({ w })),
      },
    );
    this.#called = net.place('called', { w: Worker }, { kind: 'operation' });
    this.#waiting = net.place(
      'waiting',
      { o: net.range('object waited for', 0, Math.max(0, program.objects.length - 1)), w: Worker, s: Strand, at: Row },
      { kind: 'synchronisation', order: { fifo: ['o'] } },
    );
    this.#waking = net.place('waking', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    if (options.pool === 'migrating') return;
    const stacks = new WorkerStacks(ports, this.carriers);
    this.#stacks = stacks;
    if (options.pool === 'isolated') {
      this.#holes = new QueueHoles(ports, { deque: this.#deque, Index });
      this.#own = net.place('waits for own', { w: Worker }, { kind: 'operation' });
    }
    this.returns = (what, done) => this.#emitReturns(stacks, what, done);
  }

  ready(t: TransitionBuilder, by: RunTerms, s: Term<number>): void {
    this.#push(t, by.w, s, this.#ports.start.at(s));
  }

  block(t: TransitionBuilder, { w, s, at }: RunTerms, o: Term<number>): void {
    t.put(this.#waiting, { o, w, s, at });
  }

  waiter(t: TransitionBuilder, o: Term<number>): RunTerms {
    return t.take(this.#waiting, { o });
  }

  resume(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>): void {
    t.put(this.#waking, { w, s, at });
  }

  suspend(t: TransitionBuilder, run: RunTerms, o: Term<number>): void {
    if (this.#stacks === undefined) this.block(t, run, o);
    this.leave(t, run);
  }

  requeue(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>): void {
    this.#push(t, w, s, at);
  }

  end(t: TransitionBuilder, { w }: RunTerms): void {
    if (this.#stacks === undefined) t.put(this.#local, { w });
    else this.#stacks.free(t, w);
  }

  finish(t: TransitionBuilder, run: RunTerms): void {
    if (this.#outside === undefined) this.end(t, run);
    else t.put(this.#outside, { pool: this.#poolOf(run.w), w: run.w });
  }

  begin(t: TransitionBuilder, pool: Term<number>): Term<number> {
    return t.take(this.#outside!, { pool }).w;
  }

  join(t: TransitionBuilder, run: RunTerms, s: Term<number>, at: Term<number>): void {
    if (this.#options.bypass) t.put(this.#ports.run, { w: run.w, s, at });
    else {
      this.#push(t, run.w, s, at);
      t.put(this.#local, { w: run.w });
    }
  }

  leave(t: TransitionBuilder, run: RunTerms): void {
    if (this.#stacks === undefined) t.put(this.#local, { w: run.w });
    else this.#stacks.push(t, run);
  }

  emit(): void {
    const { net, machine } = this.#ports;
    const { queues, rounds } = this.#options;
    const { costs } = machine;
    const after = (t: TransitionBuilder, seconds: number): void => {
      if (seconds > 0) t.delay(seconds);
    };
    net.transition('wakes', (t) => {
      const { w, s, at } = t.take(this.#waking);
      t.process(w);
      after(t, costs.wakeUp);
      putRun(t, this.#ports, { w, s, at }, at);
    });
    if (queues !== 'central') this.#emitOwnQueue();
    else
      net.transition('has no queue', (t) => {
        const { w } = t.take(this.#local);
        t.process(w);
        t.put(this.#global, { w, k: 0 });
      });
    if (queues === 'central') this.#emitCentral();
    if (queues === 'stealing' && this.#size > 1) this.#emitStealing();
    if (this.#stacks !== undefined) this.#emitStacks(this.#stacks);
    const last = queues === 'stealing' ? rounds * (this.#size - 1) : 0;
    net.transition('sleeps idle', (t) => {
      const { w } = t.take(this.#global, { k: last });
      t.process(w);
      const pool = this.#poolOf(w);
      const { queued, asleep } = t.take(this.#load, { pool });
      if (queues === 'static') {
        const { h, t: tail } = t.read(this.#deque, { w });
        t.guard(eq(h, tail));
      } else t.guard(eq(queued, 0));
      t.put(this.#load, { pool, queued, asleep: add(asleep, 1) });
      t.put(this.#asleep, { w });
    });
    if (queues !== 'static' && last > 0)
      net.transition('searches again', (t) => {
        const { w } = t.take(this.#global, { k: last });
        t.process(w);
        const { queued } = t.read(this.#load, { pool: this.#poolOf(w) });
        t.guard(gt(queued, 0));
        t.put(this.#global, { w, k: 0 });
      });
    net.transition('is woken', (t) => {
      const { w } = t.take(this.#asleep);
      t.process(w);
      const pool = this.#poolOf(w);
      if (queues === 'static') {
        const { h, t: tail } = t.read(this.#deque, { w });
        t.guard(gt(tail, h));
        const { queued, asleep } = t.take(this.#load, { pool });
        t.put(this.#load, { pool, queued, asleep: sub(asleep, 1) });
        t.put(this.#called, { w });
      } else {
        t.take(this.#announced, { pool });
        after(t, costs.wakeUp);
        t.put(this.#global, { w, k: 0 });
      }
    });
    if (queues !== 'static') return;
    net.transition('wakes up', (t) => {
      const { w } = t.take(this.#called);
      t.process(w);
      after(t, costs.wakeUp);
      t.put(this.#global, { w, k: 0 });
    });
    net.transition('takes assigned', (t) => {
      const { w } = t.take(this.#global);
      t.process(w);
      const { h, t: tail } = t.take(this.#deque, { w });
      t.guard(gt(tail, h));
      const { s, at } = t.take(this.#slot, { w, i: h });
      this.#pop(t, w, add(h, 1), tail);
      putRun(t, this.#ports, { w, s, at }, at);
    });
  }

  /** A worker returns to the strand on its stack: when it looks there, between two searches, and from sleep. */
  #emitReturns(stacks: WorkerStacks, what: string, done: (t: TransitionBuilder, top: RunTerms) => void): void {
    const { net } = this.#ports;
    stacks.emitReturn(`returns to ${what}`, done);
    const returns = (name: string, from: PlaceOf<{ readonly w: Number }>, sleeps: boolean): void =>
      net.transition(name, (t) => {
        t.priority(1);
        const { w } = t.take(from);
        t.process(w);
        const top = stacks.pop(t, w);
        done(t, top);
        if (sleeps) {
          const pool = this.#poolOf(w);
          const { queued, asleep } = t.take(this.#load, { pool });
          // A sleeper that a task has been announced to is woken by that.
          t.guard(gt(asleep, 0));
          t.put(this.#load, { pool, queued, asleep: sub(asleep, 1) });
          t.put(this.#waking, { w, s: top.s, at: add(top.at, 1) });
        } else putRun(t, this.#ports, top, add(top.at, 1));
      });
    if (this.#own !== undefined) {
      returns(`returns to ${what}, isolated`, this.#own, false);
      return;
    }
    returns(`returns to ${what} from a search`, this.#global, false);
    returns(`is called back to ${what}`, this.#asleep, true);
  }

  /** In an isolated pool, a waiting worker executes what its strand waits for, wherever it is queued. */
  #emitStacks(stacks: WorkerStacks): void {
    const { net, machine, Worker, Strand, Row } = this.#ports;
    const own = this.#own;
    stacks.emitOn(this.#local, own);
    if (own === undefined) return;
    const { costs } = machine;
    const isAwaited = awaitedTest(this.#ports);
    const Own = net.range('own queue', 0, 1);
    const found = net.place('found own task', { w: Worker, s: Strand, at: Row, own: Own }, { kind: 'operation' });
    net.transition('finds an awaited task', (t) => {
      const { w } = t.take(own);
      t.process(w);
      const row = stacks.waitsAt(t, w);
      const from = t.take(this.#slot);
      t.guard(isAwaited(from.s, row));
      const queue = from.w;
      const pool = this.#poolOf(w);
      const { queued, asleep } = t.take(this.#load, { pool });
      t.put(this.#load, { pool, queued: sub(queued, 1), asleep });
      this.#holes!.put(t, queue, from.i);
      t.put(found, { w, s: from.s, at: from.at, own: when(eq(queue, w), 1, 0) });
    });
    net.transition('takes an awaited task', (t) => {
      const { w, s, at, own: isOwn } = t.take(found);
      t.process(w);
      if (this.#options.queues === 'central') {
        if (costs.fetch > 0) t.delay(costs.fetch);
      } else if (costs.local > 0 || costs.steal > 0) t.delay(when(eq(isOwn, 1), costs.local, costs.steal));
      putRun(t, this.#ports, { w, s, at }, at);
    });
    this.#holes!.emit();
  }

  /** Puts a strand into a queue, and announces it to a worker that sleeps. */
  #push(t: TransitionBuilder, w: Term<number>, s: Term<number>, at: Term<number>): void {
    const pool = this.#poolOf(w);
    const { queued, asleep } = t.take(this.#load, { pool });
    const queue = this.#queueFor(w, s);
    const { h, t: tail } = t.take(this.#deque, { w: queue });
    t.put(this.#slot, { w: queue, i: tail, s, at });
    t.put(this.#deque, { w: queue, h, t: add(tail, 1) });
    if (this.#options.queues === 'static') {
      t.put(this.#load, { pool, queued: add(queued, 1), asleep });
      return;
    }
    t.put(this.#load, { pool, queued: add(queued, 1), asleep: sub(asleep, when(gt(asleep, 0), 1, 0)) });
    t.put(this.#announced, { pool }, gt(asleep, 0));
  }

  #queueFor(w: Term<number>, s: Term<number>): Term<number> {
    const first = mul(this.#poolOf(w), this.#size);
    switch (this.#options.queues) {
      case 'stealing':
        return w;
      case 'central':
        return first;
      case 'static':
        return add(first, mod(s, this.#size));
    }
  }

  #poolOf(w: Term<number>): Term<number> {
    return this.#ports.program.pools === 1 ? constant(0) : floor(div(w, this.#size));
  }

  /** A look into the worker's own queue takes the youngest strand. */
  #emitOwnQueue(): void {
    const { net, machine } = this.#ports;
    const looked = net.place('looked', { w: this.#ports.Worker }, { kind: 'operation' });
    net.transition('looks', (t) => {
      const { w } = t.take(this.#local);
      t.process(w);
      if (machine.costs.local > 0) t.delay(machine.costs.local);
      t.put(looked, { w });
    });
    net.transition('finds own', (t) => {
      const { w } = t.take(looked);
      t.process(w);
      const { h, t: tail } = t.take(this.#deque, { w });
      t.guard(gt(tail, h));
      const { s, at } = t.take(this.#slot, { w, i: sub(tail, 1) });
      this.#pop(t, w, h, sub(tail, 1));
      putRun(t, this.#ports, { w, s, at }, at);
    });
    net.transition('finds none', (t) => {
      const { w } = t.take(looked);
      t.process(w);
      const { h, t: tail } = t.read(this.#deque, { w });
      t.guard(eq(h, tail));
      t.put(this.#global, { w, k: 0 });
    });
  }

  /** Removes one queued strand; an empty queue begins again at index 0. */
  #pop(t: TransitionBuilder, w: Term<number>, h: Term<number>, tail: Term<number>): void {
    const pool = this.#poolOf(w);
    const { queued, asleep } = t.take(this.#load, { pool });
    t.put(this.#load, { pool, queued: sub(queued, 1), asleep });
    const empty = ge(h, tail);
    t.put(this.#deque, { w, h: when(empty, 0, h), t: when(empty, 0, tail) });
  }

  /** The central queue, which one worker at a time can use. */
  #emitCentral(): void {
    const { net, machine } = this.#ports;
    const taken = net.place('taken', { w: this.#ports.Worker }, { kind: 'operation' });
    const queueOf = (w: Term<number>): Term<number> => mul(this.#poolOf(w), this.#size);
    // Fetching holds the queue's token for the time of a fetch.
    const lock = net.place(
      'queue lock',
      { pool: this.#Pool },
      { kind: 'resource', initial: Array.from({ length: this.#ports.program.pools }, (_, pool) => ({ pool })) },
    );
    net.transition('fetches task', (t) => {
      const { w } = t.take(this.#global);
      t.process(w);
      t.take(lock, { pool: this.#poolOf(w) });
      const { queued } = t.read(this.#load, { pool: this.#poolOf(w) });
      t.guard(gt(queued, 0));
      if (machine.costs.fetch > 0) t.delay(machine.costs.fetch);
      t.put(taken, { w });
    });
    net.transition('takes task', (t) => {
      t.priority(1);
      const { w } = t.take(taken);
      t.process(w);
      const { h, t: tail } = t.take(this.#deque, { w: queueOf(w) });
      t.guard(lt(h, tail));
      const { s, at } = t.take(this.#slot, { w: queueOf(w), i: h });
      this.#pop(t, queueOf(w), add(h, 1), tail);
      t.put(lock, { pool: this.#poolOf(w) });
      putRun(t, this.#ports, { w, s, at }, at);
    });
  }

  /** Searches of other queues. */
  #emitStealing(): void {
    const { net, machine, Worker, Strand, Row } = this.#ports;
    const { victim, take, rounds } = this.#options;
    const { costs } = machine;
    const size = this.#size;
    const searches = rounds * (size - 1);
    const K = net.range('searches so far', 0, searches);
    const seeking = net.place('seeking', { w: Worker, v: Worker, k: K }, { kind: 'operation' });
    const Other = net.range('other worker', 0, size - 2);
    const base = (w: Term<number>): Term<number> => mul(this.#poolOf(w), size);
    const own = (w: Term<number>): Term<number> => sub(w, base(w));
    /** The worker at a distance of 1 + d. */
    const other = (w: Term<number>, d: Term<number>): Term<number> => add(base(w), mod(add(own(w), add(d, 1)), size));
    const last =
      victim === 'last'
        ? net.place(
            'last victim',
            { w: Worker, v: Worker },
            {
              kind: 'data',
              initial: Array.from({ length: this.carriers }, (_, w) => ({
                w,
                v: w - (w % size) + ((w + 1) % size),
              })),
            },
          )
        : undefined;
    if (last !== undefined)
      net.transition('chooses last', (t) => {
        const { w } = t.take(this.#global, { k: 0 });
        t.process(w);
        const { v } = t.read(last, { w });
        t.put(seeking, { w, v, k: 0 });
      });
    // No process: a second draw for each search would take most of the time of a run.
    if (victim === 'nearest' || size - 1 <= MAX_ALTERNATIVES)
      net.transition('chooses', (t) => {
        const { w, k } = t.take(this.#global);
        t.guard(lt(k, searches));
        if (last !== undefined) t.guard(gt(k, 0));
        if (victim === 'nearest') t.put(seeking, { w, v: other(w, mod(k, size - 1)), k });
        else {
          const d = t.free('d', Other) as Term<number>;
          t.weight(1);
          t.put(seeking, { w, v: other(w, d), k });
        }
      });
    else {
      // The time of a choice grows with its alternatives: first a group of workers, then one of the group.
      const groups = Math.ceil(Math.sqrt(size - 1));
      const most = Math.ceil((size - 1) / groups);
      const Group = net.range('group of workers', 0, groups - 1);
      const choosing = net.place('choosing', { w: Worker, g: Group, k: K }, { kind: 'operation' });
      const members = net.intTable('members of group', Int32Array.from(evenShares(size - 1, groups)));
      net.transition('chooses group', (t) => {
        const { w, k } = t.take(this.#global);
        t.guard(lt(k, searches));
        if (last !== undefined) t.guard(gt(k, 0));
        const g = t.free('g', Group) as Term<number>;
        t.weight(members.at(g));
        t.put(choosing, { w, g, k });
      });
      const first = net.intTable('first of group', Int32Array.from(firsts(evenShares(size - 1, groups))));
      const Member = net.range('member of group', 0, most - 1);
      net.transition('chooses', (t) => {
        const { w, g, k } = t.take(choosing);
        const m = t.free('m', Member) as Term<number>;
        t.guard(lt(m, members.at(g)));
        t.weight(1);
        t.put(seeking, { w, v: other(w, add(first.at(g), m)), k });
      });
    }
    net.transition('misses', (t) => {
      const { w, v, k } = t.take(seeking);
      t.process(w);
      const { h, t: tail } = t.read(this.#deque, { w: v });
      t.guard(eq(h, tail));
      if (costs.search > 0) t.delay(costs.search);
      t.put(this.#global, { w, k: add(k, 1) });
    });
    const stolen = net.place(
      'stolen',
      {
        w: Worker,
        v: Worker,
        h: net.range('head', 0, this.#most),
        t: net.range('tail', 0, this.#most),
        left: net.range('left', 0, this.#most),
      },
      { kind: 'data' },
    );
    const catches = net.place('catches', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    net.transition('steals', (t) => {
      const { w, v } = t.take(seeking);
      t.process(w);
      const { h, t: tail } = t.take(this.#deque, { w: v });
      t.guard(gt(tail, h));
      const { s, at } = t.take(this.#slot, { w: v, i: h });
      if (costs.steal > 0) t.delay(costs.steal);
      const half = floor(div(add(sub(tail, h), 1), 2));
      t.put(stolen, { w, v, h: add(h, 1), t: tail, left: take === 'half' ? sub(half, 1) : 0 });
      t.put(catches, { w, s, at });
    });
    if (take === 'half')
      net.transition('moves task', (t) => {
        t.priority(3);
        const { w, v, h, t: tail, left } = t.take(stolen);
        t.process(w);
        t.guard(gt(left, 0));
        const { s, at } = t.take(this.#slot, { w: v, i: h });
        const mine = t.take(this.#deque, { w });
        t.put(this.#slot, { w, i: mine.t, s, at });
        t.put(this.#deque, { w, h: mine.h, t: add(mine.t, 1) });
        t.put(stolen, { w, v, h: add(h, 1), t: tail, left: sub(left, 1) });
      });
    net.transition('has stolen', (t) => {
      t.priority(3);
      const { w, v, h, t: tail } = t.take(stolen, { left: 0 });
      t.process(w);
      const { s, at } = t.take(catches, { w });
      this.#pop(t, v, h, tail);
      if (last !== undefined) {
        t.take(last, { w });
        t.put(last, { w, v });
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

/** Number of rows that wait for a task. */
function futuresIn({ rows }: ThreadPorts['program']): number {
  return rows.op.reduce((sum, op, r) => sum + (op === ROW.acquire && rows.b[r] === FUTURE ? 1 : 0), 0);
}
