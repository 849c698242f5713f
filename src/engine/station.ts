import { MAX_WAITING } from './limits.ts';

/** The order in which tokens are served; with `-pr`, an arriving token may displace one in service. */
export type Discipline = 'fcfs' | 'lcfs-pr' | 'priority' | 'priority-pr';

/** Throws because a service of the given seconds would end at infinity or, without an argument, because too many tokens wait. */
export type Refuse = (seconds?: number) => never;

/** The state of a station, for saving and resuming a run. */
export interface StationState {
  readonly arrivals: number;
  readonly waiting: readonly Job[];
  readonly serving: readonly Job[];
}

interface Job {
  /** Offset of the token's record. */
  readonly slot: number;
  /** Higher priorities are served first. */
  readonly priority: number;
  /** Number of the token in the order of arrival. */
  readonly arrival: number;
  /** While the token waits, its remaining service time in seconds; in service, the time of completion. */
  time: number;
  /** Its event in the queue; valid in service only. */
  node: number;
}

/**
 * A station of `servers` equal servers (S4). In its methods, `now` is the current time, and `latest` the latest time that counts
 * as now (S12). O(log n) for n waiting tokens, plus O(servers).
 */
export class Station {
  readonly #queue: Events;
  readonly #kind: number;
  readonly #servers: number;
  readonly #discipline: Discipline;
  readonly #refuse: Refuse;
  /** Waiting tokens: a binary heap whose root is served next. */
  readonly #waiting: Job[] = [];
  readonly #serving: Job[] = [];
  #arrivals = 0;

  /** @param kind the kind of the station's events in the queue; an event carries the token's slot */
  constructor(queue: Events, kind: number, servers: number, discipline: Discipline, refuse: Refuse) {
    this.#queue = queue;
    this.#kind = kind;
    this.#servers = servers;
    this.#discipline = discipline;
    this.#refuse = refuse;
  }

  /** A token arrives, with a service time of `time` seconds. */
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

  /** A token has been served: its server starts the next one. */
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

  /** The last in order of the tokens in service that are not due at this instant. */
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

/** The queue of pending completions, as used by stations and by clocks of races. */
export interface Events {
  /**
   * Enters a completion at a time in seconds, with a value that it carries. Returns its node, which identifies the completion
   * until it occurs or is removed.
   */
  enter(time: number, order: number, kind: number, value: number): number;
  /** Removes a pending completion. */
  remove(node: number): void;
  /** The number of the next start, by which simultaneous completions are ordered (S10). */
  nextOrder(): number;
}
