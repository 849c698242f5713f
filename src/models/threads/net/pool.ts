import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, eq, gt, lt, mul, sub, type Term, when } from '../../../net/terms.ts';
import { emitMail } from './mail.ts';
import { futuresIn, type PoolOptions, PoolQueues } from './pool-queues.ts';
import { type HandOff, putRun, type Running, type RunTerms, type Scheduler, type ThreadPorts } from './ports.ts';
import { ResourceManager } from './resource-manager.ts';
import { emitStealing, searchesAtOnce } from './stealing.ts';
import { awaitedTest, QueueHoles, WorkerStacks } from './worker-stacks.ts';

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
  readonly #sleeps: boolean;
  readonly #queues: PoolQueues;
  readonly #local: PlaceOf<{ readonly w: Number }>;
  readonly #global: PlaceOf<{ readonly w: Number; readonly k: Number }>;
  readonly #asleep: PlaceOf<{ readonly w: Number }>;
  readonly #called: PlaceOf<{ readonly w: Number }>;
  readonly #waiting: PlaceOf<Running & { readonly o: Number }>;
  readonly #waking: PlaceOf<Running>;
  /** Unless the pool is migrating. */
  readonly #stacks: WorkerStacks | undefined;
  readonly #holes: QueueHoles | undefined;
  /** In an isolated pool: workers whose strand waits for its own tasks. */
  readonly #own: PlaceOf<{ readonly w: Number }> | undefined;
  readonly #manager: ResourceManager | undefined;
  readonly returns: Scheduler['returns'];
  readonly executeChild: Scheduler['executeChild'];

  constructor(ports: ThreadPorts, options: PoolOptions, isEmbedded: boolean) {
    this.#ports = ports;
    this.#options = options;
    const { net, program, Worker, Strand, Row } = ports;
    const { workers, pools } = program;
    this.#size = workers;
    this.carriers = workers * pools;
    const sleeps = !(options.queues === 'stealing' && options.searching === 'ends');
    this.#sleeps = sleeps;
    this.#queues = new PoolQueues(ports, options.queues, isEmbedded, sleeps);
    this.#local = net.place('local', { w: Worker }, { kind: 'operation' });
    const searches = Math.max(1, options.rounds * Math.max(1, workers - 1));
    const others = Array.from({ length: this.carriers }, (_, w) => w).filter((w) => w % workers !== 0);
    this.#global = net.place(
      'global',
      { w: Worker, k: net.range('searches', 0, searches) },
      { kind: 'operation', initial: sleeps ? [] : others.map((w) => ({ w, k: 0 })) },
    );
    this.#asleep = net.place(
      'asleep',
      { w: Worker },
      { kind: 'operation', initial: sleeps ? others.map((w) => ({ w })) : [] },
    );
    this.#called = net.place('called', { w: Worker }, { kind: 'operation' });
    this.#waiting = net.place(
      'waiting',
      { o: net.range('object waited for', 0, Math.max(0, program.objects.length - 1)), w: Worker, s: Strand, at: Row },
      { kind: 'synchronisation', order: { fifo: ['o'] } },
    );
    this.#waking = net.place('waking', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
    this.#manager = ResourceManager.of(ports, options.resizes);
    if (options.spawn === 'work-first') this.executeChild = this.#emitExecuteChild();
    if (options.pool === 'isolated' || ports.affinity !== undefined) this.#holes = new QueueHoles(ports, this.#queues);
    if (options.pool === 'migrating') return;
    const stacks = new WorkerStacks(ports, this.carriers);
    this.#stacks = stacks;
    if (options.pool === 'isolated') {
      this.#own = net.place('waits for own', { w: Worker }, { kind: 'operation' });
    }
    this.returns = (what, done) => this.#emitReturns(stacks, what, done);
  }

  ready(t: TransitionBuilder, by: RunTerms, s: Term<number>): void {
    this.#queues.push(t, by.w, s, this.#ports.start.at(s));
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
    this.#queues.push(t, w, s, at);
  }

  end(t: TransitionBuilder, { w }: RunTerms): void {
    if (this.#stacks === undefined) t.put(this.#local, { w });
    else this.#stacks.free(t, w);
  }

  finish(t: TransitionBuilder, run: RunTerms): void {
    if (this.#queues.outside === undefined) this.end(t, run);
    else t.put(this.#queues.outside, { pool: this.#queues.poolOf(run.w), w: run.w });
  }

  begin(t: TransitionBuilder, pool: Term<number>): Term<number> {
    return t.take(this.#queues.outside!, { pool }).w;
  }

  join(t: TransitionBuilder, run: RunTerms, s: Term<number>, at: Term<number>): void {
    if (this.#options.bypass) t.put(this.#ports.run, { w: run.w, s, at });
    else {
      this.#queues.push(t, run.w, s, at);
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
    if (queues === 'stealing' && this.#size > 1) emitStealing(this.#ports, this.#queues, this.#global, this.#options);
    if (this.#stacks !== undefined) this.#emitStacks(this.#stacks);
    if (this.#ports.affinity !== undefined && this.#size > 1)
      emitMail(this.#ports, this.#ports.affinity, this.#queues, {
        holes: this.#holes!,
        searching: this.#global,
        asleep: this.#asleep,
      });
    this.#holes?.emit();
    const mayReturn = queues === 'stealing' && this.#stacks === undefined && futuresIn(this.#ports.program) > 0;
    if (mayReturn) this.#emitReturned();
    this.#manager?.emit(this.#queues, this.#local, this.#global, this.#asleep);
    if (!this.#sleeps) return;
    const last = queues === 'stealing' ? rounds * (this.#size - 1) : 0;
    const atOnce = searchesAtOnce(this.#ports, this.#options);
    net.transition('sleeps idle', (t) => {
      // A search that takes no time ends as soon as all queues are empty.
      const { w } = atOnce ? t.take(this.#global) : t.take(this.#global, { k: last });
      t.process(w);
      const pool = this.#queues.poolOf(w);
      const { queued, asleep } = t.take(this.#queues.load, { pool });
      if (queues === 'static') {
        const { h, t: tail } = t.read(this.#queues.deque, { w });
        t.guard(eq(h, tail));
      } else t.guard(eq(queued, 0));
      t.put(this.#queues.load, { pool, queued, asleep: add(asleep, 1) });
      t.put(this.#asleep, { w });
    });
    if (queues !== 'static' && last > 0 && !(atOnce && this.#options.victim !== 'nearest')) {
      const again = (name: string, where: (t: TransitionBuilder, w: Term<number>) => void): void =>
        net.transition(name, (t) => {
          const { w } = t.take(this.#global, { k: last });
          t.process(w);
          const { queued } = t.read(this.#queues.load, { pool: this.#queues.poolOf(w) });
          t.guard(gt(queued, 0));
          where(t, w);
          t.put(this.#global, { w, k: 0 });
        });
      // The queued task may be in the worker's own queue, while a thief holds that: a search without end at one instant.
      const waits = atOnce && mayReturn;
      again('searches again', (t, w) => {
        if (waits) t.read(this.#queues.deque, { w });
      });
      if (waits) again('searches for a task of another', (t, w) => this.#queues.findElsewhere(t, w));
    }
    net.transition('is woken', (t) => {
      const { w } = t.take(this.#asleep);
      t.process(w);
      const pool = this.#queues.poolOf(w);
      if (queues === 'static') {
        const { h, t: tail } = t.read(this.#queues.deque, { w });
        t.guard(gt(tail, h));
        const { queued, asleep } = t.take(this.#queues.load, { pool });
        t.put(this.#queues.load, { pool, queued, asleep: sub(asleep, 1) });
        t.put(this.#called, { w });
      } else {
        t.take(this.#queues.announced, { pool });
        this.#manager?.permits(t, w);
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
      const { h, t: tail } = t.take(this.#queues.deque, { w });
      t.guard(gt(tail, h));
      const { s, at } = t.take(this.#queues.slot, { w, i: h });
      this.#queues.pop(t, w, add(h, 1), tail);
      putRun(t, this.#ports, { w, s, at }, at);
    });
  }

  /** The queues of the pool are used after the time of the spawn. */
  #emitExecuteChild(): Scheduler['executeChild'] {
    const { net, start, Worker, Strand, Row } = this.#ports;
    const child = { w: Worker, s: Strand, at: Row };
    const spawned = net.place('spawned', { ...child, parent: Strand, next: Row }, { kind: 'operation' });
    net.transition('executes the spawned task', (t) => {
      t.priority(1);
      const { w, s, at, parent, next } = t.take(spawned);
      t.process(w);
      this.#queues.push(t, w, parent, next);
      putRun(t, this.#ports, { w, s, at }, at);
    });
    return (t, { w, s: parent }, s, next) => t.put(spawned, { w, s, at: start.at(s), parent, next });
  }

  /** A strand that has waited for a task is queued at its last worker, which may search meanwhile, and then looks there. */
  #emitReturned(): void {
    this.#ports.net.transition('looks again', (t) => {
      t.priority(1);
      const { w } = t.take(this.#global);
      t.process(w);
      const { h, t: tail } = t.read(this.#queues.deque, { w });
      t.guard(gt(tail, h));
      t.put(this.#local, { w });
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
        if (from !== this.#own) this.#ports.affinity?.idles(t, w, 0);
        if (sleeps) {
          this.#queues.wakes(t, w);
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
      const from = t.take(this.#queues.slot);
      t.guard(isAwaited(from.s, row));
      const queue = from.w;
      const pool = this.#queues.poolOf(w);
      const { queued, asleep } = t.take(this.#queues.load, { pool });
      t.put(this.#queues.load, { pool, queued: sub(queued, 1), asleep });
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
      const { h, t: tail } = t.take(this.#queues.deque, { w });
      t.guard(gt(tail, h));
      const { s, at } = t.take(this.#queues.slot, { w, i: sub(tail, 1) });
      this.#queues.pop(t, w, h, sub(tail, 1));
      this.#ports.affinity?.idles(t, w, 0);
      putRun(t, this.#ports, { w, s, at }, at);
    });
    net.transition('finds none', (t) => {
      const { w } = t.take(looked);
      t.process(w);
      const { h, t: tail } = t.read(this.#queues.deque, { w });
      t.guard(eq(h, tail));
      this.#ports.affinity?.idles(t, w, 1);
      t.put(this.#global, { w, k: 0 });
    });
  }

  /** The central queue, which one worker at a time can use. */
  #emitCentral(): void {
    const { net, machine } = this.#ports;
    const taken = net.place('taken', { w: this.#ports.Worker }, { kind: 'operation' });
    const queueOf = (w: Term<number>): Term<number> => mul(this.#queues.poolOf(w), this.#size);
    // Fetching holds the queue's token for the time of a fetch.
    const lock = net.place(
      'queue lock',
      { pool: this.#queues.Pool },
      { kind: 'resource', initial: Array.from({ length: this.#ports.program.pools }, (_, pool) => ({ pool })) },
    );
    net.transition('fetches task', (t) => {
      const { w } = t.take(this.#global);
      t.process(w);
      t.take(lock, { pool: this.#queues.poolOf(w) });
      const { queued } = t.read(this.#queues.load, { pool: this.#queues.poolOf(w) });
      t.guard(gt(queued, 0));
      if (machine.costs.fetch > 0) t.delay(machine.costs.fetch);
      t.put(taken, { w });
    });
    net.transition('takes task', (t) => {
      t.priority(1);
      const { w } = t.take(taken);
      t.process(w);
      const { h, t: tail } = t.take(this.#queues.deque, { w: queueOf(w) });
      t.guard(lt(h, tail));
      const { s, at } = t.take(this.#queues.slot, { w: queueOf(w), i: h });
      this.#queues.pop(t, queueOf(w), add(h, 1), tail);
      t.put(lock, { pool: this.#queues.poolOf(w) });
      putRun(t, this.#ports, { w, s, at }, at);
    });
  }
}
