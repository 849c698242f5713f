import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, constant, div, eq, floor, ge, gt, mod, mul, ne, sub, type Term, when } from '../../../net/terms.ts';
import { FUTURE, ROW } from '../program/rows.ts';
import type { ThreadPorts } from './ports.ts';
import type { PoolKind } from './worker-stacks.ts';

/** From a time on, in seconds, a pool may use this number of workers. */
export interface Resize {
  readonly time: number;
  readonly workers: number;
}

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
   * Without times, only the end of a search matters: a worker steals from some queue that is not empty, whenever there is one.
   * `ends`: that is one step; the worker takes one task, and does not sleep before. `steps`: each queue is searched by a step of its
   * own. Default: the same, unless searches take no time.
   */
  readonly searching?: 'steps' | 'ends';
  /**
   * Scheduler bypass: a worker continues the owner of a group directly if it ended its last strand. Default true;
   * otherwise the owner goes through the worker's queue.
   */
  readonly bypass: boolean;
  /** Behaviour of a worker while its strand waits for tasks. Default `migrating`. */
  readonly pool: PoolKind;
  /** Default `help-first`. */
  readonly spawn: SpawnPolicy;
  /** Changes of the number of workers by a resource manager, in ascending order of times. Default: none. */
  readonly resizes: readonly Resize[];
}

export const SPAWN_POLICIES = ['help-first', 'work-first'] as const;
/**
 * Continuation of a worker after a spawn: its strand, or the task.
 *
 * - `help-first`: the strand that spawns goes on, and the task is queued: thieves take tasks (oneTBB, OpenMP, rayon, Java).
 * - `work-first`: the worker begins the task, and the rest of the strand is queued: thieves take continuations (Cilk; Frigo, Leiserson
 *   and Randall, PLDI 1998). The names are those of Guo, Barik, Raman and Sarkar, IPDPS 2009.
 */
export type SpawnPolicy = (typeof SPAWN_POLICIES)[number];

export const DEFAULT_POOL: PoolOptions = {
  queues: 'stealing',
  victim: 'random',
  take: 'one',
  rounds: 1,
  bypass: true,
  pool: 'migrating',
  spawn: 'help-first',
  resizes: [],
};

type Number = Colour<number>;

/**
 * The queues of a pool. Queue `w` is the tokens `queued(w, i)` from the head h to before the tail t of `queue(w, h, t)`; the load
 * counts the tasks in the queues and the workers that sleep.
 */
export class PoolQueues {
  readonly Index: Number;
  readonly Pool: Number;
  /** Maximum number of strands that are put into queues. */
  readonly most: number;
  readonly deque: PlaceOf<{ readonly w: Number; readonly h: Number; readonly t: Number }>;
  readonly slot: PlaceOf<{ readonly w: Number; readonly i: Number; readonly s: Number; readonly at: Number }>;
  readonly load: PlaceOf<{ readonly pool: Number; readonly queued: Number; readonly asleep: Number }>;
  /** In a part of another program's net: workers that are outside the pool, one for each process. */
  readonly outside: PlaceOf<{ readonly pool: Number; readonly w: Number }> | undefined;
  /** Tasks that have been announced to a worker that sleeps. */
  readonly announced: PlaceOf<{ readonly pool: Number }>;
  readonly #ports: ThreadPorts;
  readonly #kind: PoolOptions['queues'];
  readonly #workers: number;

  /** @param sleeps whether workers without work sleep */
  constructor(ports: ThreadPorts, kind: PoolOptions['queues'], isEmbedded: boolean, sleeps: boolean) {
    this.#ports = ports;
    this.#kind = kind;
    const { net, program, Worker, Strand, Row } = ports;
    const { workers, pools, strands } = program;
    this.#workers = workers;
    // A strand is queued once, and once more after each of its groups (without bypass) and each task it waits for.
    this.most = strands.count + program.groupOwner.length + futuresIn(program);
    this.Index = net.range('index', 0, this.most);
    const { Index } = this;
    this.Pool = net.range('pool', 0, pools - 1);
    // The central queue is that of the first worker of a pool.
    const queues = Array.from({ length: workers * pools }, (_, w) => w).filter(
      (w) => kind !== 'central' || w % workers === 0,
    );
    this.deque = net.place(
      'queue',
      { w: Worker, h: Index, t: Index },
      { kind: 'data', initial: queues.map((w) => ({ w, h: 0, t: 0 })) },
    );
    this.slot = net.place('queued', { w: Worker, i: Index, s: Strand, at: Row }, { kind: 'data' });
    this.load = net.place(
      'load',
      {
        pool: this.Pool,
        queued: net.range('queued tasks', 0, this.most),
        asleep: net.range('asleep', 0, workers),
      },
      {
        kind: 'data',
        initial: Array.from({ length: pools }, (_, pool) => ({ pool, queued: 0, asleep: sleeps ? workers - 1 : 0 })),
      },
    );
    this.outside = isEmbedded
      ? net.place(
          'outside',
          { pool: this.Pool, w: Worker },
          { kind: 'operation', initial: Array.from({ length: pools }, (_, pool) => ({ pool, w: pool * workers })) },
        )
      : undefined;
    this.announced = net.place('announced', { pool: this.Pool }, { kind: 'message' });
  }

  /** Puts a strand into a queue, and announces it to a worker that sleeps. */
  push(t: TransitionBuilder, w: Term<number>, s: Term<number>, at: Term<number>): void {
    const pool = this.poolOf(w);
    const { queued, asleep } = t.take(this.load, { pool });
    const queue = this.#queueFor(w, s);
    const { h, t: tail } = t.take(this.deque, { w: queue });
    t.put(this.slot, { w: queue, i: tail, s, at });
    t.put(this.deque, { w: queue, h, t: add(tail, 1) });
    if (this.#kind === 'static') {
      t.put(this.load, { pool, queued: add(queued, 1), asleep });
      return;
    }
    t.put(this.load, { pool, queued: add(queued, 1), asleep: sub(asleep, when(gt(asleep, 0), 1, 0)) });
    t.put(this.announced, { pool }, gt(asleep, 0));
  }

  /** Removes one queued strand; an empty queue begins again at index 0. */
  pop(t: TransitionBuilder, w: Term<number>, h: Term<number>, tail: Term<number>): void {
    const pool = this.poolOf(w);
    const { queued, asleep } = t.take(this.load, { pool });
    t.put(this.load, { pool, queued: sub(queued, 1), asleep });
    const empty = ge(h, tail);
    t.put(this.deque, { w, h: when(empty, 0, h), t: when(empty, 0, tail) });
  }

  /** A worker is woken that sleeps. Guard: one that a task has been announced to is woken by that. */
  wakes(t: TransitionBuilder, w: Term<number>): void {
    const pool = this.poolOf(w);
    const { queued, asleep } = t.take(this.load, { pool });
    t.guard(gt(asleep, 0));
    t.put(this.load, { pool, queued, asleep: sub(asleep, 1) });
  }

  /** Guard: a task is in the queue of another worker of the pool, which no thief holds. */
  findElsewhere(t: TransitionBuilder, w: Term<number>): void {
    const { w: v, h, t: tail } = t.read(this.deque);
    t.guard(gt(tail, h));
    t.guard(ne(v, w));
    if (this.#ports.program.pools > 1) t.guard(eq(this.poolOf(v), this.poolOf(w)));
  }

  #queueFor(w: Term<number>, s: Term<number>): Term<number> {
    const first = mul(this.poolOf(w), this.#workers);
    switch (this.#kind) {
      case 'stealing':
        return w;
      case 'central':
        return first;
      case 'static':
        return add(first, mod(s, this.#workers));
    }
  }

  poolOf(w: Term<number>): Term<number> {
    return this.#ports.program.pools === 1 ? constant(0) : floor(div(w, this.#workers));
  }
}

/** Number of rows that wait for a task. */
export function futuresIn({ rows }: ThreadPorts['program']): number {
  return rows.op.reduce((sum, op, r) => sum + (op === ROW.acquire && rows.b[r] === FUTURE ? 1 : 0), 0);
}
