import { OP, type Operations } from './operations.ts';

/** What is to be known of the operations to follow the ranks. */
export type FollowedOperations = Pick<Operations, 'count' | 'op' | 'rank' | 'request' | 'requests' | 'named'>;

/** What a rank does: blocked time is `communicating` while a transfer it waits for is under way, else `waiting`. */
export type RankState = 'computing' | 'communicating' | 'waiting' | 'idle';

/** Is told what the ranks do, as it becomes known; times in seconds, slices of no length are left out. */
export interface RankStateSink {
  /** A rank was in a state from start to end, at the operation that stands at this position of its program. */
  slice(rank: number, state: RankState, operation: number, position: number, start: number, end: number): void;
  /** A message was sent by one rank and has arrived at another. */
  message(from: number, start: number, to: number, end: number, bytes: number): void;
}

/** What a net's firings are told by: numbers in a log, as the engine writes it. */
export interface RankLog {
  readonly transitions: Readonly<
    Record<string, { readonly start?: number; readonly end?: number; readonly variables?: number }>
  >;
  read(log: Float64Array, length: number): void;
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
  matchesLoosely: 7,
  delivers: 8,
  handsOver: 9,
  waits: 10,
  waitallEnds: 11,
  requestTaken: 12,
  posts: 13,
} as const;

/** The variables of the observed transitions, in the order in which observers get them. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  compute: ['r', 'i', 'o'],
  computed: ['r', 'i', 'o'],
  sleep: ['r', 'i', 'o'],
  test: ['r', 'i', 'o', 'q', 'i2', 'k'],
  end: ['r', 'i', 'o'],
  match: ['c', 'o', 'i', 'b', 'o2', 'i2'],
  matchLoose: ['d', 's', 't', 'o', 'i', 'b', 's2', 't2', 'o2', 'i2'],
  deliver: ['o', 'i', 'b', 'p', 'j'],
  'hand over': ['o', 'i', 'b', 'p', 'j'],
  wait: ['r', 'i', 'o', 'q', 'i2'],
  waitall: ['r', 'i', 'o'],
  'waitall takes': ['r', 'i', 'o', 'q', 'i2'],
  'test done': ['r', 'i', 'o', 'q', 'i2'],
  send: ['r', 'i', 'o'],
  isend: ['r', 'i', 'o'],
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
  readonly #ops: FollowedOperations;
  readonly #ranks: number;
  readonly #sharedCores: boolean;
  readonly #detachedBelow: number;
  readonly #sink: RankStateSink | undefined;
  readonly #active: (time: number, by: 1 | -1) => void;
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

  constructor(
    operations: FollowedOperations,
    ranks: number,
    options: {
      readonly sharedCores: boolean;
      readonly detachedBelow: number;
      /** Told when a rank begins (1) or ends (−1) to compute. */
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
    const column = (): Float64Array => new Float64Array(ranks);
    this.computing = column();
    this.communicating = column();
    this.waiting = column();
    this.idle = column();
    this.ended = column().fill(Number.NaN);
    this.since = column();
    this.#transfer = column().fill(Number.POSITIVE_INFINITY);
    this.#computes = new Uint8Array(ranks);
    this.#underWay = new Int32Array(ranks);
    this.#covered = column();
    this.#changed = column();
    this.#mark = column();
  }

  get #columns(): (Float64Array | Int32Array | Uint8Array)[] {
    const { computing, communicating, waiting, idle, ended, since } = this;
    const under = [this.#underWay, this.#covered, this.#changed, this.#mark];
    return [computing, communicating, waiting, idle, ended, since, this.#computes, this.#transfer, ...under];
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
   * Which of the given transitions must be logged, by which numbers, and what reads the log;
   * {@link RankStates.variables} says what each must bind.
   */
  log(transitions: readonly string[]): RankLog {
    const all: RankLog['transitions'] = {
      compute: this.#sharedCores ? { start: LOG.computes } : { start: LOG.computes, end: LOG.computed },
      computed: { start: LOG.computed },
      sleep: { end: LOG.sleeps },
      test: { end: LOG.tests },
      end: { start: LOG.ends },
      match: { start: LOG.matches },
      matchLoose: { start: LOG.matchesLoosely },
      deliver: { start: LOG.delivers },
      'hand over': { start: LOG.handsOver },
      wait: { start: LOG.waits },
      'waitall takes': { start: LOG.requestTaken },
      'test done': { start: LOG.requestTaken },
      waitall: { start: LOG.waitallEnds },
      ...(this.#sink === undefined ? {} : { send: { start: LOG.posts }, isend: { start: LOG.posts } }),
    };
    const wanted = Object.entries(all)
      .filter(([name]) => transitions.includes(name))
      .map(([name, numbers]) => [name, { ...numbers, variables: VARIABLES[name]!.length }] as const);
    return { transitions: Object.fromEntries(wanted), read: (log, length) => this.#read(log, length) };
  }

  /** Follows what has been logged: number, time, variables, as many as `VARIABLES` says. */
  #read(log: Float64Array, length: number): void {
    for (let k = 0; k < length; ) {
      const time = log[k + 1]!;
      const a = log[k + 2]!;
      // By literals, for which there is a jump: names would be looked up one after the other.
      switch (log[k]! | 0) {
        case 1 /* computes */:
          this.#computes[a] = 1;
          this.#active(time, 1);
          k += 5;
          break;
        case 2 /* computed */:
          this.#computes[a] = 0;
          this.#active(time, -1);
          this.#spend(this.computing, 'computing', a, log[k + 4]!, log[k + 3]!, time);
          k += 5;
          break;
        case 3 /* sleeps */:
          this.#spend(this.idle, 'idle', a, log[k + 4]!, log[k + 3]!, time);
          k += 5;
          break;
        case 4 /* tests */:
          this.#spend(this.waiting, 'waiting', a, log[k + 4]!, log[k + 3]!, time);
          k += 8;
          break;
        case 5 /* ends */:
          this.ended[a] = time;
          this.since[a] = time;
          k += 5;
          break;
        case 6 /* matches */:
          this.#begins(time, log[k + 3]!, log[k + 4]!, log[k + 5]!, log[k + 6]!, log[k + 7]!);
          k += 8;
          break;
        case 7 /* matchesLoosely */:
          this.#begins(time, log[k + 5]!, log[k + 6]!, log[k + 7]!, log[k + 10]!, log[k + 11]!);
          k += 12;
          break;
        case 8 /* delivers */:
          this.#delivered(time, a, log[k + 3]!, log[k + 4]!, log[k + 5]!, log[k + 6]!);
          k += 7;
          break;
        case 9 /* handsOver */:
          this.#receiverGoesOn(time, log[k + 5]!, log[k + 6]!);
          this.#arrow(time, a, log[k + 3]!, log[k + 5]!, log[k + 4]!);
          k += 7;
          break;
        case 10 /* waits */:
          {
            const key = this.#key(log[k + 5]!, log[k + 6]!);
            this.#blocked(a, log[k + 4]!, log[k + 3]!, time, this.#requests.get(key) ?? Number.NEGATIVE_INFINITY);
            this.#requests.delete(key);
            k += 7;
            break;
          }
        case 11 /* waitallEnds */:
          this.#blocked(a, log[k + 4]!, log[k + 3]!, time, time - (this.#coveredUntil(a, time) - this.#mark[a]!));
          k += 5;
          break;
        case 12 /* requestTaken */:
          this.#requests.delete(this.#key(log[k + 5]!, log[k + 6]!));
          k += 7;
          break;
        default:
          this.#starts.set(log[k + 3]! * this.#ops.count + log[k + 4]!, time);
          k += 5;
      }
    }
  }

  #delivered(time: number, o: number, i: number, b: number, p: number, j: number): void {
    if (j < 0) return;
    this.#senderGoesOn(time, o, i, b);
    this.#receiverGoesOn(time, p, j);
    this.#arrow(time, o, i, p, b);
  }

  /** With which variables an observed transition's binding must begin; undefined for one that is not observed. */
  static variables(transition: string): readonly string[] | undefined {
    return VARIABLES[transition];
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
    if (this.#sink === undefined) return;
    const key = i * this.#ops.count + o;
    this.#sink.message(this.#ops.rank[o]!, this.#starts.get(key) ?? time, this.#ops.rank[p]!, time, bytes);
    this.#starts.delete(key);
  }

  /** The blocked time of a rank ends now; since `transfer` what it waits for was under way. */
  #blocked(r: number, o: number, i: number, time: number, transfer: number): void {
    const from = this.since[r]!;
    const turn = Math.min(time, Math.max(from, transfer));
    this.waiting[r]! += turn - from;
    this.communicating[r]! += time - turn;
    if (this.#sink !== undefined) {
      if (turn > from) this.#sink.slice(r, 'waiting', o, i, from, turn);
      if (time > turn) this.#sink.slice(r, 'communicating', o, i, turn, time);
    }
    this.#goesOn(r, time);
  }

  #spend(column: Float64Array, state: RankState, r: number, o: number, i: number, time: number): void {
    const from = this.since[r]!;
    column[r]! += time - from;
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
