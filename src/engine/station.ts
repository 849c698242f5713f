import type { Events } from './events.ts';
import { MAX_WAITING } from './limits.ts';

/** In which order tokens are served, and whether whoever comes first in order displaces others. */
export type Discipline = 'fcfs' | 'lcfs-pr' | 'priority' | 'priority-pr';

/** Fails for a token whose service of so many seconds would end at infinity; where none are said, too many wait. */
export type Refuse = (seconds?: number) => never;

/** What a station holds, for saving and resuming a run. */
export interface StationState {
  readonly arrivals: number;
  readonly waiting: readonly Job[];
  readonly serving: readonly Job[];
}

interface Job {
  /** The token's record. */
  readonly slot: number;
  readonly priority: number;
  /** Numbers the tokens as they come. */
  readonly arrival: number;
  /** What is left of its time while it waits; in service, when it ends. */
  time: number;
  /** Its event, in service. */
  node: number;
}

/**
 * A station of `servers` equal servers (S4). `now` is the time, `latest` the latest time that counts as now. O(log n) for n waiting tokens, O(servers) where tokens are displaced.
 */
export class Station {
  readonly #queue: Events;
  readonly #kind: number;
  readonly #servers: number;
  readonly #discipline: Discipline;
  readonly #refuse: Refuse;
  /** Waiting tokens: a heap, the next to be served first. */
  readonly #waiting: Job[] = [];
  readonly #serving: Job[] = [];
  #arrivals = 0;

  /** @param refuse is told of a service of so many seconds that would end at infinity, or that too many tokens wait */
  constructor(queue: Events, kind: number, servers: number, discipline: Discipline, refuse: Refuse) {
    this.#queue = queue;
    this.#kind = kind;
    this.#servers = servers;
    this.#discipline = discipline;
    this.#refuse = refuse;
  }

  /** A token comes that asks for `time` seconds. */
  enter(slot: number, time: number, priority: number, now: number, latest: number): void {
    const arrival = this.#arrivals++;
    const job: Job = { slot, priority: this.#discipline === 'lcfs-pr' ? arrival : priority, arrival, time, node: -1 };
    if (this.#serving.length < this.#servers) {
      this.#start(job, now, latest);
      return;
    }
    const other = this.#preemptive ? this.#last(latest) : undefined;
    if (other !== undefined && this.#before(job, other)) {
      this.#queue.remove(other.node);
      this.#serving.splice(this.#serving.indexOf(other), 1);
      other.time -= now;
      this.#wait(other);
      this.#start(job, now, latest);
    } else this.#wait(job);
  }

  /** A token has been served: its server takes the next. */
  done(slot: number, now: number, latest: number): void {
    this.#serving.splice(
      this.#serving.findIndex((j) => j.slot === slot),
      1,
    );
    if (this.#waiting.length > 0) this.#start(this.#next(), now, latest);
  }

  get #preemptive(): boolean {
    return this.#discipline === 'lcfs-pr' || this.#discipline === 'priority-pr';
  }

  /** Of the tokens in service that are not due, the one that comes last in order. */
  #last(limit: number): Job | undefined {
    let last: Job | undefined;
    for (const j of this.#serving) if (j.time > limit && (last === undefined || this.#before(last, j))) last = j;
    return last;
  }

  #before(a: Job, b: Job): boolean {
    return a.priority > b.priority || (a.priority === b.priority && a.arrival < b.arrival);
  }

  #start(job: Job, now: number, latest: number): void {
    const end = now + job.time;
    if (end === Number.POSITIVE_INFINITY) this.#refuse(job.time);
    job.time = end <= latest ? now : end;
    job.node = this.#queue.enter(job.time, this.#queue.nextOrder(), this.#kind, job.slot);
    this.#serving.push(job);
  }

  #wait(job: Job): void {
    const heap = this.#waiting;
    if (heap.length >= MAX_WAITING) this.#refuse();
    let k = heap.length;
    while (k > 0) {
      const up = (k - 1) >> 1;
      if (this.#before(heap[up]!, job)) break;
      heap[k] = heap[up]!;
      k = up;
    }
    heap[k] = job;
  }

  #next(): Job {
    const heap = this.#waiting;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let k = 0;
    for (;;) {
      let c = 2 * k + 1;
      if (c >= heap.length) break;
      if (c + 1 < heap.length && this.#before(heap[c + 1]!, heap[c]!)) c++;
      if (this.#before(last, heap[c]!)) break;
      heap[k] = heap[c]!;
      k = c;
    }
    heap[k] = last;
    return first;
  }

  state(): StationState {
    return { arrivals: this.#arrivals, waiting: this.#waiting, serving: this.#serving };
  }

  restore(state: StationState): void {
    this.#arrivals = state.arrivals;
    for (const j of state.waiting) this.#waiting.push({ ...j });
    for (const j of state.serving) this.#serving.push({ ...j });
  }
}
