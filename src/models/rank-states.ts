import type { LoggedFirings } from '../base/logged-firings.ts';
import { MODE } from './eager-threshold.ts';
import { OP, type Operations } from './operations.ts';
import { loggedTransitions, type RankLog } from './rank-log.ts';
import { type MessageLatency, TransferParts } from './transfer-parts.ts';

/** Columns of the operations table that are needed to follow the ranks. */
export type FollowedOperations = Pick<
  Operations,
  'count' | 'op' | 'rank' | 'by' | 'request' | 'requests' | 'named' | 'pair' | 'mode'
>;

/** State of a rank. Blocked time is `communicating` while an awaited transfer is in progress, otherwise `waiting`. */
export type RankState = 'computing' | 'communicating' | 'waiting' | 'idle';

/** Receives the states of the ranks as they become known. Times are in seconds; slices of zero length are omitted. */
export interface RankStateSink {
  /** A rank was in a state from start to end, at an operation and position of its program. */
  slice(rank: number, state: RankState, operation: number, position: number, start: number, end: number): void;
  /** A message was sent by rank `from` at `start`; its transfer began at `began` and it arrived at rank `to` at `end` (seconds). */
  message(from: number, start: number, to: number, end: number, bytes: number, began: number, operation: number): void;
  /** If present, receives every step of a rank before its slices, with the time at which the rank reached it. */
  readonly steps?: RankStepSink;
}

/** Receives the steps of ranks, also those of zero duration. */
export interface RankStepSink {
  visit(rank: number, operation: number, position: number, time: number): void;
  end(rank: number, time: number): void;
  /** A rank has received, by an operation at a position, what another operation sent. */
  received(rank: number, operation: number, position: number, send: number, bytes: number): void;
  /** A rank at a wait takes the request that was posted at a position. */
  completes(rank: number, position: number): void;
}

/** State of {@link RankStates} as plain data: columns by rank, and the start of the transfer of each named request. */
export interface RankStatesState {
  readonly columns: readonly (Float64Array | Int32Array | Uint8Array)[];
  readonly requests: ReadonlyMap<number, number>;
}

/**
 * Adds up the time of every rank by state, from the firings of a message-passing net. O(1) per firing.
 *
 * Time passes for a rank only while it computes, sleeps, tests or is blocked. The time since its last progress
 * therefore belongs to its current operation. Blocked time is communicating from the start of the awaited transfer; in
 * a waitall, while any transfer of the rank's requests is in progress.
 */
export class RankStates {
  /** Seconds by rank; likewise `communicating`, `waiting` and `idle`. */
  readonly computing: Float64Array;
  readonly communicating: Float64Array;
  readonly waiting: Float64Array;
  readonly idle: Float64Array;
  /** End time of each rank; NaN while it runs. */
  readonly ended: Float64Array;
  /** Time of each rank's last progress. */
  readonly since: Float64Array;
  /** The latency part of `communicating`. */
  readonly transfers: TransferParts;
  readonly #ops: FollowedOperations;
  readonly #ranks: number;
  readonly #sharedCores: boolean;
  readonly #detachedBelow: number;
  readonly #sink: RankStateSink | undefined;
  readonly #active: (time: number, by: 1 | -1, rank: number) => void;
  /** True if there are named requests. */
  readonly #named: boolean;
  /** 1 while a rank computes. */
  readonly #computes: Uint8Array;
  /** Start of the transfer that a rank's blocking send or receive waits for; Infinity before. */
  readonly #transfer: Float64Array;
  /** Number of transfers in progress for a rank's requests. */
  readonly #underWay: Int32Array;
  /** Seconds with at least one such transfer, without the current period. */
  readonly #covered: Float64Array;
  /** Start of the current period. */
  readonly #changed: Float64Array;
  /** Seconds with at least one such transfer, up to the rank's last progress. */
  readonly #mark: Float64Array;
  /** Start of the transfer of each named request in progress or complete, by number and position. */
  readonly #requests = new Map<number, number>();
  /** Send times of messages in flight, by position and operation of the send; kept only for a sink. */
  readonly #starts = new Map<number, number>();
  /** When the transfers of those began that wait for their receive. */
  readonly #begun = new Map<number, number>();
  readonly #eagerBelow: number;
  readonly #steps: RankStepSink | undefined;

  constructor(
    operations: FollowedOperations,
    ranks: number,
    options: {
      readonly sharedCores: boolean;
      readonly detachedBelow: number;
      /** Messages below travel before their receive is there; default none. */
      readonly eagerBelow?: number;
      readonly messages: MessageLatency;
      /** Called when a rank starts (1) or stops (−1) computing. */
      readonly active: (time: number, by: 1 | -1, rank: number) => void;
    },
    sink?: RankStateSink,
  ) {
    this.#ops = operations;
    this.#ranks = ranks;
    this.#sharedCores = options.sharedCores;
    this.#detachedBelow = options.detachedBelow;
    this.#active = options.active;
    this.#sink = sink;
    this.#steps = sink?.steps;
    this.#eagerBelow = options.eagerBelow ?? 0;
    this.#named = operations.named.includes(1);
    const column = (): Float64Array => new Float64Array(ranks);
    this.computing = column();
    this.communicating = column();
    this.waiting = column();
    this.idle = column();
    this.ended = column().fill(Number.NaN);
    this.since = column();
    this.transfers = new TransferParts(ranks, options.messages);
    this.#transfer = column().fill(Number.POSITIVE_INFINITY);
    this.#computes = new Uint8Array(ranks);
    this.#underWay = new Int32Array(ranks);
    this.#covered = column();
    this.#changed = column();
    this.#mark = column();
  }

  /** True if matches must log positions. */
  get #withPositions(): boolean {
    return this.#named || this.#steps !== undefined;
  }

  get #columns(): (Float64Array | Int32Array | Uint8Array)[] {
    const { computing, communicating, waiting, idle, ended, since } = this;
    const under = [this.#underWay, this.#covered, this.#changed, this.#mark];
    const own = [this.#computes, this.#transfer, ...under, ...this.transfers.columns];
    return [computing, communicating, waiting, idle, ended, since, ...own];
  }

  computes(rank: number): boolean {
    return this.#computes[rank] === 1;
  }

  /** State without the data that only a sink needs. */
  state(): RankStatesState {
    return { columns: this.#columns, requests: this.#requests };
  }

  restore({ columns, requests }: RankStatesState): void {
    this.#columns.forEach((column, k) => {
      column.set(columns[k]!);
    });
    this.#requests.clear();
    for (const [key, start] of requests) this.#requests.set(key, start);
  }

  /** The log entries for the given transitions, and the reader of the log. */
  log(transitions: readonly string[]): RankLog {
    const wanted = {
      slices: this.#sink !== undefined,
      steps: this.#steps !== undefined,
      positions: this.#withPositions,
    };
    return {
      transitions: loggedTransitions(transitions, this.#sharedCores, wanted),
      read: (log, length) => this.#read(log, length),
    };
  }

  /** Reads the log, with the codes and variables of `loggedTransitions`. */
  #read({ numbers, heads }: LoggedFirings, length: number): void {
    const named = this.#withPositions ? 2 : 0;
    const slice = this.#sink === undefined ? 0 : 2;
    // Value that is logged only with a sink; otherwise −1.
    const loggedAt = (at: number): number => (slice === 0 ? -1 : numbers[at]!);
    for (let k = 0; k < length; ) {
      const time = numbers[k + 1]!;
      const a = heads[2 * k + 1]!;
      // Literals, since engines compile them to a jump table; named constants are compared one by one.
      switch (heads[2 * k]) {
        case 1 /* computes */:
          this.#computes[a] = 1;
          this.#active(time, 1, a);
          k += 2 + slice;
          break;
        case 2 /* computed */:
          this.#computes[a] = 0;
          this.#active(time, -1, a);
          this.#spend(this.computing, 'computing', a, loggedAt(k + 2), loggedAt(k + 3), time);
          k += 2 + slice;
          break;
        case 3 /* sleeps */:
          this.#spend(this.idle, 'idle', a, loggedAt(k + 2), loggedAt(k + 3), time);
          k += 2 + slice;
          break;
        case 4 /* tests */:
          this.#spend(this.waiting, 'waiting', a, loggedAt(k + 2), loggedAt(k + 3), time);
          k += 2 + slice;
          break;
        case 5 /* ends */:
          this.#steps?.end(a, time);
          this.ended[a] = time;
          this.since[a] = time;
          k += 2;
          break;
        case 6 /* matches */:
          if (named === 0) this.#begins(time, a, -1, numbers[k + 2]!, numbers[k + 3]!, -1);
          else this.#begins(time, a, numbers[k + 4]!, numbers[k + 2]!, numbers[k + 3]!, numbers[k + 5]!);
          k += 4 + named;
          break;
        case 7 /* delivers */:
          this.#steps?.received(this.#ops.rank[numbers[k + 3]!]!, numbers[k + 3]!, loggedAt(k + 5), a, numbers[k + 2]!);
          this.#senderGoesOn(time, a, loggedAt(k + 4), numbers[k + 2]!);
          this.#receiverGoesOn(time, numbers[k + 3]!, loggedAt(k + 5));
          if (slice > 0) this.#arrow(time, a, numbers[k + 4]!, numbers[k + 3]!, numbers[k + 2]!);
          k += 4 + slice;
          break;
        case 8 /* handsOver */:
          this.#steps?.received(this.#ops.rank[a]!, a, loggedAt(k + 2), numbers[k + 3]!, loggedAt(k + 5));
          this.#receiverGoesOn(time, a, loggedAt(k + 2));
          if (slice > 0) this.#arrow(time, numbers[k + 3]!, numbers[k + 4]!, a, numbers[k + 5]!);
          k += 2 + 2 * slice;
          break;
        case 9 /* waits */:
          {
            const key = this.#key(numbers[k + 2]!, numbers[k + 3]!);
            this.#steps?.visit(a, loggedAt(k + 4), loggedAt(k + 5), this.since[a]!);
            this.#steps?.completes(a, numbers[k + 3]!);
            this.#blocked(
              a,
              loggedAt(k + 4),
              loggedAt(k + 5),
              time,
              this.#requests.get(key) ?? Number.NEGATIVE_INFINITY,
            );
            this.#requests.delete(key);
            k += 4 + slice;
            break;
          }
        case 10 /* waitallEnds */:
          this.#blocked(
            a,
            loggedAt(k + 2),
            loggedAt(k + 3),
            time,
            time - (this.#coveredUntil(a, time) - this.#mark[a]!),
          );
          k += 2 + slice;
          break;
        case 11 /* requestTaken */:
          this.#requests.delete(this.#key(a, numbers[k + 2]!));
          k += 3;
          break;
        case 13 /* visits */:
          this.#steps!.visit(a, numbers[k + 2]!, numbers[k + 3]!, time);
          k += 4;
          break;
        case 14 /* testTakes */:
          this.#requests.delete(this.#key(a, numbers[k + 2]!));
          this.#steps!.visit(numbers[k + 3]!, numbers[k + 4]!, numbers[k + 5]!, this.since[numbers[k + 3]!]!);
          this.#steps!.completes(numbers[k + 3]!, numbers[k + 2]!);
          k += 6;
          break;
        case 15 /* waitallPart */:
          {
            const covered = this.#coveredUntil(a, time) - this.#mark[a]!;
            this.#blocked(a, loggedAt(k + 4), loggedAt(k + 5), time, time - covered);
            this.#steps?.completes(a, numbers[k + 3]!);
            this.#requests.delete(this.#key(numbers[k + 2]!, numbers[k + 3]!));
            k += 4 + slice;
            break;
          }
        case 16 /* called */:
          this.#spend(this.communicating, 'communicating', a, loggedAt(k + 2), loggedAt(k + 3), time);
          k += 2 + slice;
          break;
        default:
          this.#starts.set(a * this.#ops.count + numbers[k + 2]!, time);
          this.#steps?.visit((this.#ops.by ?? this.#ops.rank)[numbers[k + 2]!]!, numbers[k + 2]!, a, time);
          k += 3;
      }
    }
  }

  /**
   * Accounts the time up to the end of the run. Ended ranks are idle; interrupted or deadlocked ranks stay in their
   * current state.
   *
   * @param stops when the host of a rank fails, in seconds: from then on the rank is idle
   */
  finish(time: number, stops?: (rank: number) => number): void {
    for (let r = 0; r < this.#ranks; r++) {
      const stop = stops === undefined || !Number.isNaN(this.ended[r]!) ? time : Math.max(this.since[r]!, stops(r));
      if (stop < time) this.idle[r]! += time - stop;
      this.#finish(r, Math.min(time, stop));
    }
  }

  #finish(r: number, time: number): void {
    const open = time - this.since[r]!;
    if (!Number.isNaN(this.ended[r]!)) this.idle[r]! += open;
    else if (this.#computes[r] === 1) this.computing[r]! += open;
    else {
      const started = this.#transfer[r]!;
      const own = started >= this.since[r]! && started <= time ? time - started : 0;
      const under = Math.max(own, this.#coveredUntil(r, time) - this.#mark[r]!);
      this.communicating[r]! += under;
      this.waiting[r]! += open - under;
    }
  }

  /** A transfer starts (an eager one: it has met its receiver); ranks blocked on it communicate from now on. */
  #begins(time: number, o: number, i: number, bytes: number, p: number, j: number): void {
    const ops = this.#ops;
    this.transfers.begins(time, ops.pair[o]!, bytes, ops.rank[o]!, ops.rank[p]!);
    if (this.#steps !== undefined && !this.#travelsAlone(o, bytes)) this.#begun.set(i * ops.count + o, time);
    if (this.#waits(o, bytes)) {
      const sender = ops.rank[o]!;
      if (ops.op[o] === OP.send) this.#transfer[sender] = time;
      else this.#requestBegins(sender, o, i, time);
    }
    const receiver = ops.rank[p]!;
    if (ops.op[p] === OP.recv) this.#transfer[receiver] = time;
    else this.#requestBegins(receiver, p, j, time);
    const caller = this.#callerOf(p);
    if (caller !== receiver) this.#requestBegins(caller, p, j, time);
  }

  /** The rank that has posted a receive: of one-sided transfers not always the receiver. */
  #callerOf(p: number): number {
    return (this.#ops.by ?? this.#ops.rank)[p]!;
  }

  /** True if the sender of a message, or its request, waits until the message has arrived. */
  #waits(o: number, bytes: number): boolean {
    const mode = this.#ops.mode?.[o] ?? MODE.standard;
    return mode === MODE.synchronous || (mode === MODE.standard && bytes >= this.#detachedBelow);
  }

  /** True if a message travels before its receive is there. */
  #travelsAlone(o: number, bytes: number): boolean {
    const mode = this.#ops.mode?.[o] ?? MODE.standard;
    return mode === MODE.oneSided || (bytes < this.#eagerBelow && mode !== MODE.synchronous);
  }

  #requestBegins(r: number, row: number, position: number, time: number): void {
    if (this.#underWay[r]!++ === 0) this.#changed[r] = time;
    if (this.#ops.named[row] === 1) this.#requests.set(this.#key(this.#ops.request[row]!, position), time);
  }

  #requestEnds(r: number, time: number): void {
    if (--this.#underWay[r]! === 0) this.#covered[r]! += time - this.#changed[r]!;
  }

  #coveredUntil(r: number, time: number): number {
    return this.#covered[r]! + (this.#underWay[r]! > 0 ? time - this.#changed[r]! : 0);
  }

  #senderGoesOn(time: number, o: number, i: number, bytes: number): void {
    if (!this.#waits(o, bytes)) return;
    const r = this.#ops.rank[o]!;
    if (this.#ops.op[o] === OP.isend) this.#requestEnds(r, time);
    else this.#blocked(r, o, i, time, this.#transfer[r]!);
  }

  #receiverGoesOn(time: number, p: number, j: number): void {
    const r = this.#ops.rank[p]!;
    if (this.#ops.op[p] === OP.recv) this.#blocked(r, p, j, time, this.#transfer[r]!);
    else this.#requestEnds(r, time);
    const caller = this.#callerOf(p);
    if (caller !== r) this.#requestEnds(caller, time);
  }

  #arrow(time: number, o: number, i: number, p: number, bytes: number): void {
    const key = i * this.#ops.count + o;
    const start = this.#starts.get(key) ?? time;
    const began = this.#begun.get(key) ?? start;
    this.#sink?.message(this.#ops.rank[o]!, start, this.#ops.rank[p]!, time, bytes, began, o);
    this.#starts.delete(key);
    this.#begun.delete(key);
  }

  /** Ends the blocked time of a rank; the awaited transfer started at `transfer`. */
  #blocked(r: number, o: number, i: number, time: number, transfer: number): void {
    const from = this.since[r]!;
    const change = Math.min(time, Math.max(from, transfer));
    this.waiting[r]! += change - from;
    this.communicating[r]! += time - change;
    this.transfers.blocked(r, change, time);
    this.#steps?.visit(r, o, i, from);
    if (this.#sink !== undefined) {
      if (change > from) this.#sink.slice(r, 'waiting', o, i, from, change);
      if (time > change) this.#sink.slice(r, 'communicating', o, i, change, time);
    }
    this.#goesOn(r, time);
  }

  #spend(column: Float64Array, state: RankState, r: number, o: number, i: number, time: number): void {
    const from = this.since[r]!;
    column[r]! += time - from;
    this.#steps?.visit(r, o, i, from);
    if (this.#sink !== undefined && time > from) this.#sink.slice(r, state, o, i, from, time);
    this.#goesOn(r, time);
  }

  #goesOn(r: number, time: number): void {
    this.since[r] = time;
    this.#mark[r] = this.#coveredUntil(r, time);
  }

  #key(q: number, position: number): number {
    return position * this.#ops.requests + q;
  }
}
