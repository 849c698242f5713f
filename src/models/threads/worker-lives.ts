import {
  ACTIVITIES,
  counterOf,
  WORKER_STATES,
  type WorkerConsumer,
  type WorkerState,
} from '../../trace/workers/worker-states.ts';
import { CARRIER_STATES, initialCarriers, PASSED } from './firing-meanings.ts';
import { isCooperative, type ThreadNet } from './net/thread-net.ts';
import type { ThreadExit, ThreadSink } from './thread-events.ts';

const [EXEC, LOCAL, , WAIT] = [0, 1, 2, 3] as const;
/** A thread that has not begun, has ended, or waits for those that it has created, or a worker that has left its pool: its time is not counted. */
const ABSENT = -1;

/**
 * The lives of workers by region, from the events of a thread net. Time outside regions is sequential, and left out. A
 * worker whose strand is blocked, on a lock for instance, is in WAIT but makes no transition: it looks for no task.
 *
 * Workers are numbered over all pools. With several pools, each region is reported over all, and as `NAME, rank P`. Under
 * the scheduler `os`, workers are the threads that main threads create, while they execute or are blocked. A thread of a
 * parallel section or loop that has ended is in WAIT until the section ends: it cannot help those that still work.
 *
 * Takes O(1) per event, and O(workers of the pool) per beginning and end of a region.
 */
export class WorkerLives implements ThreadSink {
  readonly #net: ThreadNet;
  readonly #consumer: WorkerConsumer;
  readonly #state: Int8Array;
  /** State of the carrier. */
  readonly #carrier: Uint8Array;
  /** True if the worker's strand is blocked, or the thread has ended. */
  readonly #isBlocked: Uint8Array;
  /** Threads that have ended, by the thread that waits for all of their section. */
  readonly #ended = new Map<number, number[]>();
  readonly #since: Float64Array;
  /** Names of the open region by pool: over all pools, and of the rank. */
  readonly #open: (readonly string[])[];
  /** True if the open region has had a join, by pool: the first one belongs to the execution that began with the region. */
  readonly #isCounted: Uint8Array;
  readonly #isOs: boolean;
  readonly #at: { readonly worker: number; readonly rank: number };

  /** @param at numbers of the first worker and of the rank of the first pool */
  constructor(net: ThreadNet, consumer: WorkerConsumer, at = { worker: 0, rank: 0 }) {
    this.#net = net;
    this.#at = at;
    this.#consumer = consumer;
    const { workers, pools } = net.program;
    this.#isOs = net.scheduler === 'os';
    this.#state = new Int8Array(net.carriers).map((_, w) => {
      if (this.#isOs) return ABSENT;
      return w % workers === 0 ? EXEC : WAIT;
    });
    this.#carrier = initialCarriers(net);
    this.#isBlocked = new Uint8Array(net.carriers);
    this.#since = new Float64Array(net.carriers);
    this.#isCounted = new Uint8Array(pools);
    this.#open = Array.from({ length: pools }, () => []);
  }

  state(worker: number, name: WorkerState | ThreadExit, time: number): void {
    if (this.#isOs && name === 'EXEC') this.#release(worker, time);
    if (this.#isOs && worker < this.#net.program.pools) return;
    const before = this.#state[worker]!;
    const after = this.#stateAfter(worker, name);
    if (before === after && (after === LOCAL || after === WAIT || after === ABSENT)) return;
    this.#span(worker, time);
    this.#state[worker] = after;
    if (this.#isOs && before === ABSENT && after === EXEC) this.#stay(worker, time);
    if (before === ABSENT || after === ABSENT) return;
    const blocks = before === EXEC && after === WAIT;
    if (!blocks && this.#isBlocked[worker] === 0) this.#transition(worker, before, after, time);
    this.#isBlocked[worker] = blocks ? 1 : 0;
  }

  carrier(worker: number, state: number, time: number): void {
    if (this.#carrier[worker] === state) return;
    this.#span(worker, time);
    this.#carrier[worker] = state;
  }

  tasks(worker: number, origin: number, count: number, time: number): void {
    for (const region of this.#open[this.poolOf(worker)]!)
      this.#consumer.task?.(this.#at.worker + worker, region, origin, time, count);
  }

  /** Counts a transition, or the transitions through the states between, which take no time. */
  #transition(worker: number, before: number, after: number, time: number): void {
    const path = [before, ...(PASSED.get(4 * before + after) ?? []), after];
    for (let k = 1; k < path.length; k++) {
      const counter = counterOf(path[k - 1]!, path[k]!);
      for (const region of this.#open[this.poolOf(worker)]!)
        this.#consumer.transition(this.#at.worker + worker, region, counter, time);
    }
  }

  region(pool: number, region: number, time: number, enters: boolean): void {
    this.#spans(pool, time);
    const isOutermost = this.#open[pool]!.length === 0;
    if (region < 0) this.#open[pool] = [];
    else {
      const name = this.#net.program.regions[region]!;
      this.#open[pool] = this.#net.program.pools === 1 ? [name] : [name, `${name}, rank ${this.#at.rank + pool}`];
      // Cooperative schedulers join by objects.
      if (enters && (isOutermost || isCooperative(this.#net.scheduler))) this.#execution(pool, isOutermost, time);
    }
  }

  /** All workers take part in each execution of a region, which ends with a join; a named region can have several. */
  #execution(pool: number, isOutermost: boolean, time: number): void {
    // Threads of the operating system come and go.
    if (this.#isOs) return;
    const isFirst = isOutermost || !this.#isCounted[pool];
    this.#isCounted[pool] = isOutermost ? 0 : 1;
    if (isFirst && !isOutermost) return;
    const { workers } = this.#net.program;
    for (let w = pool * workers; w < (pool + 1) * workers; w++) this.#stay(w, time);
  }

  #stay(worker: number, time: number): void {
    for (const region of this.#open[this.poolOf(worker)]!)
      this.#consumer.stay?.(this.#at.worker + worker, region, time);
  }

  joins(pool: number, time: number): void {
    if (!isCooperative(this.#net.scheduler)) this.#execution(pool, false, time);
  }

  #stateAfter(worker: number, name: WorkerState | ThreadExit): number {
    if (name === 'JOIN') return ABSENT;
    if (name !== 'END') return WORKER_STATES.indexOf(name);
    const { thread, parent } = this.#net.program.strands;
    if (thread[worker]! < 0) return ABSENT;
    const others = this.#ended.get(parent[worker]!);
    if (others === undefined) this.#ended.set(parent[worker]!, [worker]);
    else others.push(worker);
    return WAIT;
  }

  /** A thread goes on after it has waited for its section: the threads of the section leave. */
  #release(parent: number, time: number): void {
    const ended = this.#ended.get(parent);
    if (ended === undefined) return;
    for (const worker of ended) {
      this.#span(worker, time);
      this.#state[worker] = ABSENT;
      this.#isBlocked[worker] = 0;
    }
    this.#ended.delete(parent);
  }

  /** Ends the lives of all workers, at the end of the run. */
  end(time: number): void {
    for (let pool = 0; pool < this.#open.length; pool++) this.#spans(pool, time);
  }

  poolOf(worker: number): number {
    return this.#isOs ? this.#poolOfStrand(worker) : Math.floor(worker / this.#net.program.workers);
  }

  #poolOfStrand(strand: number): number {
    const { parent } = this.#net.program.strands;
    let at = strand;
    while (parent[at]! >= 0) at = parent[at]!;
    return at;
  }

  #spans(pool: number, time: number): void {
    const { workers, pools } = this.#net.program;
    if (this.#isOs) {
      for (let w = pools; w < this.#state.length; w++) if (pools === 1 || this.poolOf(w) === pool) this.#span(w, time);
    } else for (let w = pool * workers; w < (pool + 1) * workers; w++) this.#span(w, time);
  }

  /** The time since the last span is in the worker's state. */
  #span(worker: number, time: number): void {
    const start = this.#since[worker]!;
    this.#since[worker] = time;
    const state = this.#state[worker]!;
    if (state === ABSENT || time === start) return;
    const activity = ACTIVITY_OF_CARRIER[this.#carrier[worker]!]!;
    for (const region of this.#open[this.poolOf(worker)]!)
      this.#consumer.span(this.#at.worker + worker, region, state, start, time, activity);
  }
}

/** Activities by state of the carrier. A thread that has ended, and is counted until its section ends, is idle. */
const ACTIVITY_OF_CARRIER: readonly number[] = CARRIER_STATES.map((state) => {
  if (state === 'memory') return ACTIVITIES.indexOf('computing');
  return ACTIVITIES.indexOf(state === 'absent' ? 'idle' : state);
});
