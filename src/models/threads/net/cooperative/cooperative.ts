import { fail, quote } from '../../../../base/problem.ts';
import type { Colour, NumberTable, PlaceOf, TransitionBuilder } from '../../../../net/builder/builder.ts';
import { add, constant, div, eq, floor, mul, type NumberTerm, type Term, when } from '../../../../net/terms.ts';
import { allocatorOf } from '../../buried-strands.ts';
import { type Absence, absencesIn, poolOfStrands, ROW, type ThreadProgram } from '../../program/rows.ts';
import type { ObjectFields, Running, RunTerms, Scheduler, ThreadPorts } from '../ports.ts';

export interface CooperativeOptions {
  /**
   * `a2`: an operation that meets a passing state of a primitive is retried when that state ends. `false` leaves out the
   * retry of releases, an error that loses wake-ups: they change the value and go on. Default true.
   */
  readonly retry: boolean;
  /**
   * Memory of the scheduler for queue entries. `buffered`: its own, on the NUMA node of each scheduler thread, which keeps freed
   * entries. `own`: the same without buffers, so that each entry is allocated. `shared`: from the allocator of the program, whose
   * lock is the mutex `allocator`; a scheduler thread cannot go on while a user thread holds it. Default `buffered`.
   */
  readonly allocator: Allocator;
  /**
   * Order in which queues of threads are served: `fifo`, or `any`, which includes all orders and makes nets without ordered
   * places, whose state spaces can be reduced. Default `fifo`.
   */
  readonly order: 'fifo' | 'any';
  /**
   * The initial marking is that after the spawns with which the main strand begins: it excludes no order of the spawned
   * threads, because spawns are independent of their operations, and equal threads are symmetric in it. Default false.
   */
  readonly spawned: boolean;
}

export const ALLOCATORS = ['buffered', 'own', 'shared'] as const;
export type Allocator = (typeof ALLOCATORS)[number];

export const DEFAULT_COOPERATIVE: CooperativeOptions = {
  retry: true,
  allocator: 'buffered',
  order: 'fifo',
  spawned: false,
};

export type Numbers = Colour<number>;

/** A thread in a completion list. */
export type Completed = Running & { readonly how: Numbers };

/** Why a thread is in a completion list: it goes on, or it has ended and is removed. */
export const GOES_ON = 0;
export const ENDED = 1;

/**
 * Cooperative user-mode scheduling, after a comparison of three architectures on Windows (schedulers A0, A1 and A2): every
 * logical processor has one scheduler thread, the carrier, which takes a user thread (a strand) from its ready queue and
 * runs it until it blocks or ends. Each user thread belongs to one scheduler thread of its pool, in turn; one that only
 * creates others and waits for them, such as half of a loop, to that of its creator. A user thread in a system call, or one
 * that waits for memory, leaves its scheduler thread. Threads that return from there and threads that have ended come into a
 * completion list, from which a scheduler thread pulls them.
 *
 * This class has the common parts of the architectures: ready queues, dispatching, system calls and waiting for work.
 */
export abstract class CooperativeScheduler implements Scheduler {
  readonly carriers: number;
  protected readonly ports: ThreadPorts;
  protected readonly options: CooperativeOptions;
  /** Scheduler thread of each strand. */
  protected readonly home: NumberTable;
  /** Scheduler threads between two user threads. */
  protected readonly dispatching: PlaceOf<{ readonly w: Numbers }>;
  /** User threads that can run, by scheduler thread. */
  protected readonly readyQueue: PlaceOf<Running>;
  readonly #idle: PlaceOf<{ readonly w: Numbers }>;
  /** User threads that have left their scheduler thread, by reason. */
  readonly #absent: ReadonlyMap<Absence, PlaceOf<Running>>;
  readonly #node: NumberTable | undefined;
  /** In a part of another net: by process, the scheduler thread of the main strand while that does not run. */
  readonly #outside: PlaceOf<{ readonly pool: Numbers; readonly w: Numbers }> | undefined;

  /** @param isEmbedded whether another program starts the main strands */
  constructor(ports: ThreadPorts, options: CooperativeOptions, isEmbedded: boolean) {
    this.ports = ports;
    this.options = options;
    const { net, program, machine, Worker, Strand, Row } = ports;
    const { workers, pools, strands } = program;
    this.carriers = workers * pools;
    const homes = homesOf(program);
    this.home = net.intTable('home', homes);
    const { numaNodes = 1 } = machine;
    if (numaNodes > 1)
      this.#node = net.intTable(
        'NUMA node',
        Int32Array.from({ length: this.carriers }, (_, w) => Math.floor(((w % workers) * numaNodes) / workers)),
      );
    this.dispatching = net.place('dispatching', { w: Worker }, { kind: 'operation' });
    const running = { w: Worker, s: Strand, at: Row };
    const first = ports.spawned.map((s) => ({ w: homes[s]!, s, at: strands.start[s]! }));
    this.readyQueue = net.place('ready queue', running, { kind: 'data', initial: first, ...this.queue('w') });
    this.#absent = new Map(
      absencesIn(program).map((reason) => [
        reason,
        net.place(reason === 'call' ? 'in a system call' : 'waiting for memory', running, { kind: 'operation' }),
      ]),
    );
    const idle = Array.from({ length: this.carriers }, (_, w) => ({ w })).filter(({ w }) => w % workers !== 0);
    this.#idle = net.place('idle', { w: Worker }, { kind: 'operation', initial: idle });
    this.#outside = isEmbedded
      ? net.place(
          'outside',
          { pool: net.range('process', 0, pools - 1), w: Worker },
          { kind: 'operation', initial: Array.from({ length: pools }, (_, pool) => ({ pool, w: pool * workers })) },
        )
      : undefined;
  }

  ready(t: TransitionBuilder, _: RunTerms, s: Term<number>): void {
    t.put(this.readyQueue, { w: this.home.at(s), s, at: this.ports.start.at(s) });
  }

  end(t: TransitionBuilder, run: RunTerms): void {
    this.completes(t, run, run.at, ENDED);
    t.put(this.dispatching, { w: run.w });
  }

  finish(t: TransitionBuilder, run: RunTerms): void {
    if (this.#outside === undefined) t.put(this.dispatching, { w: run.w });
    else t.put(this.#outside, { pool: this.poolOf(run.w), w: run.w });
  }

  begin(t: TransitionBuilder, pool: Term<number>): Term<number> {
    return t.take(this.#outside!, { pool }).w;
  }

  join(t: TransitionBuilder, { w }: RunTerms, s: Term<number>, at: Term<number>): void {
    t.put(this.readyQueue, { w: this.home.at(s), s, at });
    t.put(this.dispatching, { w });
  }

  leave(t: TransitionBuilder, { w }: RunTerms): void {
    t.put(this.dispatching, { w });
  }

  callSystem(t: TransitionBuilder, { w, s, at }: RunTerms, reason: Absence): void {
    t.put(this.#absent.get(reason)!, { w, s, at });
    t.put(this.dispatching, { w });
  }

  abstract emit(): void;

  /** A user thread has returned from a system call, and goes on at a row, or has ended: it comes into a completion list. */
  protected abstract completes(t: TransitionBuilder, run: RunTerms, at: Term<number>, how: number): void;

  /** Options of a place that is a queue for each value of `key`. */
  protected queue<K extends string>(...key: readonly K[]): { readonly order?: { readonly fifo: readonly K[] } } {
    return this.options.order === 'fifo' ? { order: { fifo: key } } : {};
  }

  /** Time in which a queue entry is allocated. */
  protected get allocation(): number {
    return this.options.allocator === 'buffered' ? 0 : this.ports.machine.costs.allocate;
  }

  /** A delay; none if it is 0. */
  protected after(t: TransitionBuilder, seconds: number): void {
    if (seconds > 0) t.delay(seconds);
  }

  /** A delay of scheduler thread w that uses data of another one, in the memory of its node. */
  protected afterRemote(t: TransitionBuilder, seconds: number, w: Term<number>, other: NumberTerm): void {
    const node = this.#node;
    const { remote } = this.ports.machine.costs;
    if (node === undefined || remote === 0) this.after(t, seconds);
    else {
      // The allocator of the program knows nothing of nodes: its memory is on the first one.
      const there = this.options.allocator === 'shared' ? constant(0) : node.at(other);
      t.delay(add(seconds, when(eq(node.at(w), there), 0, remote)));
    }
  }

  /** The scheduler thread in whose node's memory an object is: objects are dealt to the nodes in turn. */
  protected ownerOf(o: Term<number>): Term<number> {
    return this.#owners().at(o);
  }

  #ownerTable: NumberTable | undefined;
  #owners(): NumberTable {
    const { net, program } = this.ports;
    this.#ownerTable ??= net.intTable(
      'owner of object',
      Int32Array.from({ length: Math.max(1, program.objects.length) }, (_, o) => o % this.carriers),
    );
    return this.#ownerTable;
  }

  /**
   * Dispatching: a scheduler thread takes its first ready user thread. Without work it is idle until one of its queues
   * (`work`, by name) has an entry; `wake` is the time until it then runs.
   */
  protected emitDispatch(
    work: Readonly<Record<string, PlaceOf<{ readonly w: Numbers }>>>,
    wake: number,
    busy?: (t: TransitionBuilder, w: Term<number>) => void,
  ): void {
    const { net, machine, run, time } = this.ports;
    // The call is not on a processor meanwhile.
    for (const [reason, absent] of this.#absent)
      net.transition(reason === 'call' ? 'returns from a system call' : 'returns from a memory wait', (t) => {
        const thread = t.take(absent);
        t.delay(time.at(thread.at));
        this.completes(t, thread, this.next(thread.at), GOES_ON);
      });
    net.transition('dequeues', (t) => {
      const { w } = t.take(this.dispatching);
      t.process(w);
      const { s, at } = t.take(this.readyQueue, { w });
      this.after(t, machine.costs.dequeue + machine.costs.userSwitch);
      t.put(run, { w, s, at });
    });
    const queues: Record<string, PlaceOf<{ readonly w: Numbers }>> = { 'a ready thread': this.readyQueue };
    for (const [name, queue] of Object.entries(work)) queues[`the ${name}`] = queue;
    net.transition('idles', (t) => {
      const { w } = t.take(this.dispatching);
      t.process(w);
      for (const queue of Object.values(queues)) t.inhibit(queue, { w });
      busy?.(t, w);
      t.put(this.#idle, { w });
    });
    for (const [name, queue] of Object.entries(queues))
      net.transition(`notices ${name}`, (t) => {
        const { w } = t.take(this.#idle);
        t.process(w);
        t.read(queue, { w });
        this.after(t, wake);
        t.put(this.dispatching, { w });
      });
  }

  /** A place for threads in completion lists, one for each scheduler thread. */
  protected completionLists(): PlaceOf<Completed> {
    const { net, Worker, Strand, Row } = this.ports;
    return net.place(
      'completion list',
      { w: Worker, s: Strand, at: Row, how: net.range('how', GOES_ON, ENDED) },
      { kind: 'message', ...this.queue('w') },
    );
  }

  /**
   * Pulling from the completion list of a scheduler thread: a thread that goes on comes into its ready queue.
   *
   * @param pulls takes the tokens that the operation needs, and sets its time
   */
  protected emitPulls(list: PlaceOf<Completed>, pulls: (t: TransitionBuilder, w: Term<number>) => void): void {
    const { net } = this.ports;
    const hows = this.#absent.size > 0 ? [GOES_ON, ENDED] : [ENDED];
    for (const how of hows)
      net.transition(how === ENDED ? 'removes an ended thread' : 'pulls', (t) => {
        const { w } = t.take(this.dispatching);
        t.process(w);
        const { s, at } = t.take(list, { w, how });
        pulls(t, w);
        if (how === GOES_ON) t.put(this.readyQueue, { w, s, at });
        t.put(this.dispatching, { w });
      });
  }

  /** An idle scheduler thread, taken by a separate transition. */
  protected takeIdle(t: TransitionBuilder): Term<number> {
    const { w } = t.take(this.#idle);
    t.process(w);
    return w;
  }

  /** A queue entry is allocated: with the shared allocator, its lock must be free. */
  protected allocates(t: TransitionBuilder, objects: PlaceOf<ObjectFields>): void {
    if (this.options.allocator === 'shared') t.read(objects, { o: this.#allocator(), v: 1 });
  }

  /** @throws InputError THR006 if the program has no mutex `allocator` */
  #allocator(): number {
    const { objects, name } = this.ports.program;
    const found = allocatorOf(objects);
    if (found < 0)
      fail('THR006', `a shared allocator needs a mutex named allocator, which ${quote(name)} does not have`);
    return found;
  }

  /** The first scheduler thread of a pool; its node holds the objects that the pool shares. */
  protected firstOf(w: Term<number>): Term<number> {
    return mul(this.poolOf(w), this.ports.program.workers);
  }

  /** The process of a scheduler thread. */
  protected poolOf(w: Term<number>): Term<number> {
    const { pools, workers } = this.ports.program;
    return pools === 1 ? constant(0) : floor(div(w, workers));
  }

  /** The row after a row. */
  protected next(at: Term<number>): Term<number> {
    return add(at, 1);
  }
}

/** Operations of a strand that only creates strands and waits for them. */
const CREATES: ReadonlySet<number> = new Set([ROW.open, ROW.spawn, ROW.meet, ROW.sync, ROW.region]);

/**
 * The scheduler thread of each strand. Main strands belong to the first one of their pool, which they may keep busy; those that
 * work are dealt in turn, from the second one on. O(rows).
 */
function homesOf(program: ThreadProgram): Int32Array {
  const { rows, strands, workers, pools } = program;
  const turn = new Int32Array(pools).fill(1);
  const pool = poolOfStrands(program);
  const homes = new Int32Array(strands.count);
  // Parents come before their children.
  for (let s = 0; s < strands.count; s++) {
    const first = pool[s]! * workers;
    if (s < pools) homes[s] = first;
    else if (onlyCreates(program, s)) homes[s] = homes[strands.parent[s]!]!;
    else homes[s] = first + (turn[pool[s]!]!++ % workers);
  }
  return homes;

  function onlyCreates({ objects }: ThreadProgram, s: number): boolean {
    let creates = false;
    for (let k = strands.start[s]!; rows.op[k] !== ROW.end; k++) {
      const op = rows.op[k]!;
      const joins = (op === ROW.acquire || op === ROW.release) && objects[rows.a[k]!]!.isJoin === true;
      if (!joins && !CREATES.has(op)) return false;
      creates ||= op === ROW.spawn || op === ROW.meet;
    }
    return creates;
  }
}
