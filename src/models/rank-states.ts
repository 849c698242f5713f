import type { LoggedFirings } from '../base/logged-firings.ts';
import { OP, type Operations } from './operations.ts';
import { type MessageLatency, TransferParts } from './transfer-parts.ts';

/** What is to be known of the operations to follow the ranks. */
export type FollowedOperations = Pick<Operations, 'count' | 'op' | 'rank' | 'request' | 'requests' | 'named' | 'pair'>;

/** What a rank does: blocked time is `communicating` while a transfer it waits for is under way, else `waiting`. */
export type RankState = 'computing' | 'communicating' | 'waiting' | 'idle';

/** Is told what the ranks do, as it becomes known; times in seconds, slices of no length are left out. */
export interface RankStateSink {
  /** A rank was in a state from start to end, at the operation that stands at this position of its program. */
  slice(rank: number, state: RankState, operation: number, position: number, start: number, end: number): void;
  /** A message was sent by one rank and has arrived at another; its transfer began at `began`. */
  message(from: number, start: number, to: number, end: number, bytes: number, began: number, operation: number): void;
  /** Present: the sink is told of every step of a rank, before its slices, with the time at which the rank came to it. */
  readonly steps?: RankStepSink;
}

/** Is told of the steps of ranks, also of those that take no time. */
export interface RankStepSink {
  visit(rank: number, operation: number, position: number, time: number): void;
  end(rank: number, time: number): void;
  /** A rank has received, by an operation at a position, what another operation sent. */
  received(rank: number, operation: number, position: number, send: number, bytes: number): void;
  /** A rank at a wait takes the request that was posted at a position. */
  completes(rank: number, position: number): void;
}

/** What a net's firings are told by: numbers in a log, as the engine writes it. */
export interface RankLog {
  readonly transitions: Readonly<
    Record<string, { readonly start?: number; readonly end?: number; readonly variables?: number | readonly string[] }>
  >;
  read(log: LoggedFirings, length: number): void;
}

/** What has been found of the ranks so far, as plain data: columns by rank, and the named requests under way. */
export interface RankStatesState {
  readonly columns: readonly (Float64Array | Int32Array | Uint8Array)[];
  readonly requests: ReadonlyMap<number, number>;
}

/** The numbers of what matters in the log. */
const LOG = {
  computes: 1,
  computed: 2,
  sleeps: 3,
  tests: 4,
  ends: 5,
  matches: 6,
  delivers: 7,
  handsOver: 8,
  waits: 9,
  waitallEnds: 10,
  requestTaken: 11,
  posts: 12,
  visits: 13,
  testTakes: 14,
} as const;

/** The variables of the observed transitions that the log tells always, named requests need, and a sink needs. */
const VARIABLES = {
  compute: [['r'], [], ['o', 'i']],
  computed: [['r'], [], ['o', 'i']],
  sleep: [['r'], [], ['o', 'i']],
  test: [['r'], [], ['o', 'i']],
  end: [['r'], [], []],
  match: [['o', 'b', 'o2'], ['i', 'i2'], []],
  matchLoose: [['o', 'b', 'o2'], ['i', 'i2'], []],
  deliver: [['o', 'b', 'p'], [], ['i', 'j']],
  'hand over': [['p'], [], ['j', 'o', 'i', 'b']],
  wait: [['r', 'q', 'i2'], [], ['o', 'i']],
  waitall: [['r'], [], ['o', 'i']],
  'waitall takes': [['q', 'i2'], [], []],
  'test done': [['q', 'i2'], [], []],
  send: [[], [], ['i', 'o']],
  isend: [[], [], ['i', 'o']],
  recv: [['r'], [], ['o', 'i']],
  irecv: [['r'], [], ['o', 'i']],
  'wait for nothing': [['r'], [], ['o', 'i']],
  'test nothing': [['r'], [], ['o', 'i']],
  'test not done': [['r'], [], ['o', 'i']],
} satisfies Readonly<Record<string, readonly [readonly string[], readonly string[], readonly string[]]>>;

/** Steps that only a sink of steps is told of. */
const VISITED: RankLog['transitions'] = {
  recv: { start: LOG.visits },
  irecv: { start: LOG.visits },
  'wait for nothing': { start: LOG.visits },
  'test nothing': { start: LOG.visits },
  'test not done': { start: LOG.visits },
};

/**
 * Follows the firings of a message-passing net and adds up what every rank does with its time. O(1) per firing.
 *
 * Time passes for a rank only while it computes, sleeps, tests or is blocked, so that the time since it last went on
 * belongs to the operation that it is at. Of a blocked time the part after the start of the transfer waited for is
 * communicating; of a waitall, the part during which any transfer of the rank's requests was under way.
 */
export class RankStates {
  readonly computing: Float64Array;
  readonly communicating: Float64Array;
  readonly waiting: Float64Array;
  readonly idle: Float64Array;
  /** When each rank ended; NaN while it has not. */
  readonly ended: Float64Array;
  /** When each rank last went on. */
  readonly since: Float64Array;
  /** The part of `communicating` that is latency. */
  readonly transfers: TransferParts;
  readonly #ops: FollowedOperations;
  readonly #ranks: number;
  readonly #sharedCores: boolean;
  readonly #detachedBelow: number;
  readonly #sink: RankStateSink | undefined;
  readonly #active: (time: number, by: 1 | -1) => void;
  /** Whether there are named requests. */
  readonly #named: boolean;
  /** 1 while a rank computes. */
  readonly #computes: Uint8Array;
  /** Start of the transfer that a rank's blocking send or receive waits for; Infinity before. */
  readonly #transfer: Float64Array;
  /** Transfers under way of a rank's requests; time with at least one, up to `#changed`; that time when it last went on. */
  readonly #underWay: Int32Array;
  readonly #covered: Float64Array;
  readonly #changed: Float64Array;
  readonly #mark: Float64Array;
  /** Start of the transfer of each named request that is under way or done, by number and position. */
  readonly #requests = new Map<number, number>();
  /** When the messages on their way were sent, by position and operation of the send; only kept for a sink. */
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
      /** StatementInfo when a rank begins (1) or ends (−1) to compute. */
      readonly active: (time: number, by: 1 | -1) => void;
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

  /** Whether matches tell positions. */
  get #withPositions(): boolean {
    return this.#named || this.#steps !== undefined;
  }

  get #columns(): (Float64Array | Int32Array | Uint8Array)[] {
    const { computing, communicating, waiting, idle, ended, since } = this;
    const under = [this.#underWay, this.#covered, this.#changed, this.#mark];
    const own = [this.#computes, this.#transfer, ...under, ...this.transfers.columns];
    return [computing, communicating, waiting, idle, ended, since, ...own];
  }

  /** Whether a rank is computing. */
  computes(rank: number): boolean {
    return this.#computes[rank] === 1;
  }

  /** Without what only a sink is told. */
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

  /**
   * Which of the given transitions must be logged, by which numbers and with which variables, and what reads the log.
   */
  log(transitions: readonly string[]): RankLog {
    const all: RankLog['transitions'] = {
      compute: this.#sharedCores ? { start: LOG.computes } : { start: LOG.computes, end: LOG.computed },
      computed: { start: LOG.computed },
      sleep: { end: LOG.sleeps },
      test: { end: LOG.tests },
      end: { start: LOG.ends },
      match: { start: LOG.matches },
      matchLoose: { start: LOG.matches },
      deliver: { start: LOG.delivers },
      'hand over': { start: LOG.handsOver },
      wait: { start: LOG.waits },
      'waitall takes': { start: LOG.requestTaken },
      'test done': { start: this.#steps === undefined ? LOG.requestTaken : LOG.testTakes },
      waitall: { start: LOG.waitallEnds },
      ...(this.#sink === undefined ? {} : { send: { start: LOG.posts }, isend: { start: LOG.posts } }),
      ...(this.#steps === undefined ? {} : VISITED),
    };
    const wanted = Object.entries(all)
      .filter(([name]) => transitions.includes(name))
      .map(([name, numbers]) => {
        const [always, ofRequests, ofSlices] = VARIABLES[name as keyof typeof VARIABLES];
        const requests = this.#withPositions ? ofRequests : [];
        const steps = name === 'test done' && this.#steps !== undefined ? ['r', 'o', 'i'] : [];
        const variables = [...always, ...requests, ...(this.#sink ? ofSlices : []), ...steps];
        return [name, { ...numbers, variables }] as const;
      });
    return { transitions: Object.fromEntries(wanted), read: (log, length) => this.#read(log, length) };
  }

  /** Follows what has been logged: the variables that `VARIABLES` says. */
  #read({ numbers, heads }: LoggedFirings, length: number): void {
    const named = this.#withPositions ? 2 : 0;
    const slice = this.#sink === undefined ? 0 : 2;
    // What only a sink needs.
    const told = (at: number): number => (slice === 0 ? -1 : numbers[at]!);
    for (let k = 0; k < length; ) {
      const time = numbers[k + 1]!;
      const a = heads[2 * k + 1]!;
      // By literals, for which there is a jump: names would be looked up one after the other.
      switch (heads[2 * k]) {
        case 1 /* computes */:
          this.#computes[a] = 1;
          this.#active(time, 1);
          k += 2 + slice;
          break;
        case 2 /* computed */:
          this.#computes[a] = 0;
          this.#active(time, -1);
          this.#spend(this.computing, 'computing', a, told(k + 2), told(k + 3), time);
          k += 2 + slice;
          break;
        case 3 /* sleeps */:
          this.#spend(this.idle, 'idle', a, told(k + 2), told(k + 3), time);
          k += 2 + slice;
          break;
        case 4 /* tests */:
          this.#spend(this.waiting, 'waiting', a, told(k + 2), told(k + 3), time);
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
          this.#steps?.received(this.#ops.rank[numbers[k + 3]!]!, numbers[k + 3]!, told(k + 5), a, numbers[k + 2]!);
          this.#senderGoesOn(time, a, told(k + 4), numbers[k + 2]!);
          this.#receiverGoesOn(time, numbers[k + 3]!, told(k + 5));
          if (slice > 0) this.#arrow(time, a, numbers[k + 4]!, numbers[k + 3]!, numbers[k + 2]!);
          k += 4 + slice;
          break;
        case 8 /* handsOver */:
          this.#steps?.received(this.#ops.rank[a]!, a, told(k + 2), numbers[k + 3]!, told(k + 5));
          this.#receiverGoesOn(time, a, told(k + 2));
          if (slice > 0) this.#arrow(time, numbers[k + 3]!, numbers[k + 4]!, a, numbers[k + 5]!);
          k += 2 + 2 * slice;
          break;
        case 9 /* waits */:
          {
            const key = this.#key(numbers[k + 2]!, numbers[k + 3]!);
            this.#steps?.visit(a, told(k + 4), told(k + 5), this.since[a]!);
            this.#steps?.completes(a, numbers[k + 3]!);
            this.#blocked(a, told(k + 4), told(k + 5), time, this.#requests.get(key) ?? Number.NEGATIVE_INFINITY);
            this.#requests.delete(key);
            k += 4 + slice;
            break;
          }
        case 10 /* waitallEnds */:
          this.#blocked(a, told(k + 2), told(k + 3), time, time - (this.#coveredUntil(a, time) - this.#mark[a]!));
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
        default:
          this.#starts.set(a * this.#ops.count + numbers[k + 2]!, time);
          this.#steps?.visit(this.#ops.rank[numbers[k + 2]!]!, numbers[k + 2]!, a, time);
          k += 3;
      }
    }
  }

  /**
   * Closes the books at the end of the run. A rank that ended is idle; one that was interrupted, or waits for ever, is
   * in the middle of something since it last went on.
   */
  finish(time: number): void {
    for (let r = 0; r < this.#ranks; r++) {
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
  }

  /** A transfer starts (an eager one: its receiver is there): whoever waits for it communicates from now on. */
  #begins(time: number, o: number, i: number, bytes: number, p: number, j: number): void {
    const ops = this.#ops;
    this.transfers.begins(time, ops.pair[o]!, bytes, ops.rank[o]!, ops.rank[p]!);
    if (this.#steps !== undefined && bytes >= this.#eagerBelow) this.#begun.set(i * ops.count + o, time);
    if (bytes >= this.#detachedBelow) {
      const sender = ops.rank[o]!;
      if (ops.op[o] === OP.send) this.#transfer[sender] = time;
      else this.#requestBegins(sender, o, i, time);
    }
    const receiver = ops.rank[p]!;
    if (ops.op[p] === OP.recv) this.#transfer[receiver] = time;
    else this.#requestBegins(receiver, p, j, time);
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
    if (bytes < this.#detachedBelow) return;
    const r = this.#ops.rank[o]!;
    if (this.#ops.op[o] === OP.isend) this.#requestEnds(r, time);
    else this.#blocked(r, o, i, time, this.#transfer[r]!);
  }

  #receiverGoesOn(time: number, p: number, j: number): void {
    const r = this.#ops.rank[p]!;
    if (this.#ops.op[p] === OP.irecv) this.#requestEnds(r, time);
    else this.#blocked(r, p, j, time, this.#transfer[r]!);
  }

  #arrow(time: number, o: number, i: number, p: number, bytes: number): void {
    const key = i * this.#ops.count + o;
    const start = this.#starts.get(key) ?? time;
    const began = this.#begun.get(key) ?? start;
    this.#sink?.message(this.#ops.rank[o]!, start, this.#ops.rank[p]!, time, bytes, began, o);
    this.#starts.delete(key);
    this.#begun.delete(key);
  }

  /** The blocked time of a rank ends now; since `transfer` what it waits for was under way. */
  #blocked(r: number, o: number, i: number, time: number, transfer: number): void {
    const from = this.since[r]!;
    const turn = Math.min(time, Math.max(from, transfer));
    this.waiting[r]! += turn - from;
    this.communicating[r]! += time - turn;
    this.transfers.blocked(r, turn, time);
    this.#steps?.visit(r, o, i, from);
    if (this.#sink !== undefined) {
      if (turn > from) this.#sink.slice(r, 'waiting', o, i, from, turn);
      if (time > turn) this.#sink.slice(r, 'communicating', o, i, turn, time);
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
