import { grown } from '../base/columns.ts';
import type { Collective } from '../trace/collective.ts';
import type { TiAction } from '../trace/ti/codes.ts';
import { QuadTable } from '../trace/ti/intern.ts';
import type { TiEncoder } from '../trace/ti/read.ts';
import { type CollectiveChoice, selectorChoice } from './collectives/choice.ts';
import { expandCollective, expandSendRecv, type NodesOfCall, type SendRecvStep } from './collectives/expand.ts';
import type { PointToPoint } from './collectives/steps.ts';
import { MODE } from './eager-threshold.ts';
import { OP, type Operations } from './operations.ts';

const sends = (op: number): boolean => op === OP.send || op === OP.isend;
const receives = (op: number): boolean => op === OP.recv || op === OP.irecv;
/** Spaces of tags besides that of collectives (0): of the program's messages, and of non-blocking collectives. */
const USER = 1;
const NONBLOCKING = 2;
const ONE_SIDED = 3;
/** Initial capacity in rows. */
const FIRST = 1 << 10;

/**
 * Growing columns of the operations table. Requests of collectives have the numbers −1, −2 …, since the number of named
 * requests is unknown until the whole trace is read.
 */
class Rows {
  count = 0;
  op: Int32Array = new Int32Array(FIRST);
  more: Int32Array = new Int32Array(FIRST);
  size: Float64Array = new Float64Array(FIRST);
  rank: Int32Array = new Int32Array(FIRST);
  by: Int32Array = new Int32Array(FIRST);
  peer: Int32Array = new Int32Array(FIRST);
  tag: Int32Array = new Int32Array(FIRST);
  channel: Int32Array = new Int32Array(FIRST);
  pair: Int32Array = new Int32Array(FIRST);
  mode: Int32Array = new Int32Array(FIRST);
  request: Int32Array = new Int32Array(FIRST);
  /** 1 for sends and receives of the program, 0 inside a collective. */
  user: Uint8Array = new Uint8Array(FIRST);

  /** Adds a row without message fields; returns its number. */
  add(op: number, rank: number, size: number, request: number): number {
    const row = this.count++;
    if (row === this.op.length) this.#grow(row * 2);
    this.op[row] = op;
    this.rank[row] = rank;
    this.by[row] = rank;
    this.size[row] = size;
    this.request[row] = request;
    this.user[row] = 1;
    return row;
  }

  #grow(length: number): void {
    this.op = grown(this.op, length);
    this.more = grown(this.more, length);
    this.size = grown(this.size, length);
    this.rank = grown(this.rank, length);
    this.by = grown(this.by, length);
    this.peer = grown(this.peer, length);
    this.tag = grown(this.tag, length);
    this.channel = grown(this.channel, length);
    this.pair = grown(this.pair, length);
    this.mode = grown(this.mode, length);
    this.request = grown(this.request, length);
    this.user = grown(this.user, length);
  }
}

/**
 * Numbers the distinct actions of a trace and expands collectives: the code of an action is its first row in the
 * operations table. The trace reader calls `encode` once per distinct (rank, action).
 */
export class TraceEncoder implements TiEncoder {
  readonly #size: number;
  readonly #collectives: CollectiveChoice;
  /** True if ranks spend time on arrivals, so that the order of completions counts. */
  readonly #billed: boolean;
  readonly #waitsAtEnd: boolean;
  /** The nodes of the ranks, and which of these have set up their communicators of nodes. */
  readonly place: NodesOfCall;
  /** Code of the last action that has a set-up of communicators of nodes. */
  #setUpIn = -1;
  /** Algorithms of non-blocking collectives. */
  readonly #posting: CollectiveChoice;
  readonly #rows = new Rows();
  /** By source, destination, tag, and whether the message belongs to the program or to a collective. */
  readonly #channels = new QuadTable();
  readonly #tags = new QuadTable();
  /** By source and destination. */
  readonly #pairs = new QuadTable();
  /** Requests of collectives, by rank and local number. */
  readonly #internal = new QuadTable();
  /** Ranks that receive with a wildcard. */
  readonly #wildcard = new Set<number>();
  #tests = false;
  #anyWaits = false;
  /** True if a rank waits for any one of its requests; all requests then have names. */
  #waitsForAny = false;
  /** True if some send is not a standard one. */
  #modes = false;
  /** True if some rank puts, gets or accumulates, or has a fence. */
  #oneSided = false;
  /** The distinct actions, and the first row of each. */
  readonly #actions: TiAction[] = [];
  readonly #firsts: number[] = [];

  /**
   * @param billed whether ranks spend time on arrivals: requests then are all named, and waits for several take any first
   * @param waitsAtEnd whether a rank waits at its end for its open requests, as SimGrid's replay does
   * @param place the nodes of the ranks, if algorithms of collectives depend on them
   */
  constructor(
    ranks: number,
    collectives: CollectiveChoice,
    billed = false,
    waitsAtEnd = true,
    place: NodesOfCall = {},
  ) {
    this.place = place;
    this.#billed = billed;
    this.#waitsAtEnd = waitsAtEnd;
    this.#size = ranks;
    this.#collectives = collectives;
    // Those of SimGrid post all their messages at once, whatever the selector is; others would need threads.
    this.#posting = selectorChoice('simgrid');
  }

  encode(rank: number, action: TiAction): number {
    const first = this.#rows.count;
    this.#actions.push(action);
    this.#firsts.push(first);
    switch (action.kind) {
      case 'compute':
      case 'sleep':
      case 'waitall':
      case 'end':
        if (action.kind === 'end' && action.open === true && this.#waitsAtEnd) this.#rows.add(OP.waitall, rank, -1, 0);
        this.#rows.add(OP[action.kind], rank, -1, 0);
        break;
      case 'send':
        this.#message(OP.send, rank, rank, action.peer, action.tag, -1, 0, USER);
        break;
      case 'isend':
        this.#message(OP.isend, rank, rank, action.peer, action.tag, -1, action.request, USER);
        break;
      case 'recv':
        this.#message(OP.recv, rank, action.peer, rank, action.tag, -1, 0, USER);
        break;
      case 'irecv':
        this.#message(OP.irecv, rank, action.peer, rank, action.tag, -1, action.request, USER);
        break;
      case 'test':
        this.#tests = true;
        this.#rows.add(OP.test, rank, 0, action.request);
        break;
      case 'waitAny':
        // A later wait for the request that it takes does nothing, as after a test.
        this.#tests = true;
        this.#anyWaits = true;
        this.#waitsForAny = true;
        this.#rows.add(OP.waitany, rank, 0, 0);
        break;
      case 'wait':
        for (let k = action.count ?? 1; k > 0; k--) this.#rows.add(OP.wait, rank, 0, action.request);
        break;
      case 'nonblocking':
        this.#post(rank, action);
        break;
      case 'sendRecv':
        this.#steps(rank, expandSendRecv(action, rank, this.#size), true);
        break;
      case 'put':
      case 'get':
      case 'accumulate':
        this.#oneSided = true;
        this.#access(rank, action);
        break;
      case 'fence': {
        // As SMPI: no transfer of the time before is missed, and none after it begins too early.
        this.#oneSided = true;
        this.#collective(rank, { kind: 'barrier' });
        const setUp = this.#setUpIn;
        this.#rows.peer[this.#rows.add(OP.lock, rank, 0, 0)] = rank;
        this.#rows.add(OP.drain, rank, 0, 0);
        this.#collective(rank, { kind: 'barrier' });
        this.#setUpIn = setUp;
        break;
      }
      default:
        this.#collective(rank, action);
    }
    if ('mode' in action && action.mode !== undefined) {
      this.#modes = true;
      this.#rows.mode[first] = MODE[action.mode];
    }
    this.#rows.more.fill(1, first, this.#rows.count - 1);
    return first;
  }

  isOnce(code: number): boolean {
    return code === this.#setUpIn;
  }

  postedBy(code: number): number {
    const { op, more } = this.#rows;
    let count = 0;
    for (let row = code; ; row++) {
      if (op[row] === OP.isend || op[row] === OP.irecv) count++;
      if (more[row] === 0) return count;
    }
  }

  /** The action that a row of the table belongs to. O(log actions). */
  actionOf(row: number): TiAction {
    let low = 0;
    let high = this.#firsts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#firsts[middle]! <= row) low = middle;
      else high = middle;
    }
    return this.#actions[low]!;
  }

  /** The tag of a number in the table's column. */
  tagOf(number: number): number {
    return this.#tags.key(number, 0);
  }

  /**
   * The finished table.
   *
   * @param named `named[q]`: whether a wait or test of the trace names request q
   */
  operations(named: Uint8Array): Operations {
    const rows = this.#rows;
    const { count, op, user } = rows;
    const users = named.length;
    const rank = rows.rank.subarray(0, count);
    const peer = rows.peer.subarray(0, count);
    const request = rows.request.slice(0, count);
    const wildcard = new Int32Array(count);
    const waited = new Int32Array(count);
    for (let row = 0; row < count; row++) {
      const q = request[row]!;
      if (q < 0) request[row] = op[row] === OP.waitany ? users : users - 1 - q;
      if (this.#billed || this.#waitsForAny || q < 0 || (named[q] ?? 0) !== 0) waited[row] = 1;
      // No wait names the sends of one-sided transfers, which are complete at once.
      if (op[row] === OP.isend && rows.mode[row] === MODE.oneSided) waited[row] = 0;
      const receiver = sends(op[row]!) ? peer[row]! : receives(op[row]!) ? rank[row]! : -1;
      if (user[row] === 1 && this.#wildcard.has(receiver)) wildcard[row] = 1;
    }
    const pairs = this.#pairs.count;
    const ends = (part: 0 | 1): Int32Array =>
      Int32Array.from({ length: pairs }, (_, pair) => this.#pairs.key(pair, part));
    return {
      count,
      op: op.subarray(0, count),
      more: rows.more.subarray(0, count),
      size: rows.size.subarray(0, count),
      rank,
      peer,
      channel: rows.channel.subarray(0, count),
      channels: this.#channels.count,
      tag: rows.tag.subarray(0, count),
      tags: this.#tags.count,
      wildcard,
      pair: rows.pair.subarray(0, count),
      ...(this.#modes ? { mode: rows.mode.subarray(0, count) } : {}),
      pairs: { from: ends(0), to: ends(1) },
      request,
      requests: users + this.#internal.count,
      named: waited,
      tests: this.#tests,
      ...(this.#anyWaits ? { anyWaits: true } : {}),
      ...(this.#oneSided ? { by: rows.by.subarray(0, count) } : {}),
    };
  }

  #message(
    op: number,
    rank: number,
    source: number | null,
    target: number,
    tag: number | null,
    size: number,
    request: number,
    space: number,
  ): void {
    const rows = this.#rows;
    const row = rows.add(op, rank, size, request);
    if (source === null || tag === null) this.#wildcard.add(rank);
    // Tags of collectives have a separate space: no receive of the program matches them.
    else rows.channel[row] = this.#channels.find(source, target, tag, space);
    if (sends(op)) {
      rows.pair[row] = this.#pairs.find(rank, target, 0, 0);
      rows.peer[row] = target;
    } else rows.peer[row] = source ?? -1;
    rows.user[row] = space === USER ? 1 : 0;
    if (space === USER) rows.tag[row] = tag === null ? -1 : this.#tags.find(tag, 0, 0, 0);
  }

  #collective(rank: number, collective: Collective): void {
    const { ready } = this.place;
    const before = ready?.[rank];
    const first = this.#rows.count;
    this.#steps(rank, expandCollective(collective, rank, this.#size, this.#collectives, false, this.place), false);
    if (ready?.[rank] !== before) this.#setUpIn = first;
  }

  /**
   * Adds the messages of a non-blocking collective, all with its request: a wait for it is one for each. Their tags are a
   * third space, since blocking collectives of the kind use the same ones.
   */
  #post(rank: number, { collective, request }: Extract<TiAction, { kind: 'nonblocking' }>): void {
    let flops = 0;
    let messages = 0;
    for (const s of expandCollective(collective, rank, this.#size, this.#posting, true)) {
      if (s.op === 'isend') this.#message(OP.isend, rank, rank, s.peer, s.tag, s.bytes, request, NONBLOCKING);
      else if (s.op === 'irecv') this.#message(OP.irecv, rank, s.peer, rank, s.tag, s.bytes, request, NONBLOCKING);
      else if (s.op === 'compute') flops += s.flops;
      else if (s.op !== 'wait') throw new Error(`a non-blocking collective has a step ${s.op}`);
      if (s.op === 'isend' || s.op === 'irecv') messages++;
    }
    if (flops > 0 || messages === 0) this.#rows.add(OP.compute, rank, flops, 0);
  }

  /**
   * Adds a one-sided transfer: a message that travels at once, and its receive, both posted by the rank that calls. The receiver waits for
   * it in its next fence, and a rank that accumulates waits for all transfers between the two. A rank that waits locks the window of the
   * receiver, and whoever adds a transfer to it waits. Source: `Win::put`, `get`, `accumulate` and `finish_comms` of SimGrid 3.32.
   */
  #access(rank: number, { kind, peer }: Extract<TiAction, { kind: 'put' | 'get' | 'accumulate' }>): void {
    const rows = this.#rows;
    const first = rows.count;
    const [from, to] = kind === 'get' ? [peer, rank] : [rank, peer];
    const onWindow = (op: number, window: number, request = 0): void => {
      rows.peer[rows.add(op, rank, 0, request)] = window;
    };
    // A rank's access to its own memory is a copy, which takes no time.
    if (from === to && kind !== 'accumulate') {
      rows.add(OP.compute, rank, 0, 0);
      return;
    }
    const requestOf = (receiver: number, sender: number): number =>
      -1 - this.#internal.find(receiver, sender, 0, ONE_SIDED);
    this.#message(OP.isend, from, from, to, 0, -1, 0, ONE_SIDED);
    rows.mode[rows.count - 1] = MODE.oneSided;
    this.#modes = true;
    if (kind !== 'accumulate') onWindow(OP.pass, kind === 'get' ? peer : rank);
    this.#message(OP.expose, to, from, to, 0, -1, requestOf(to, from), ONE_SIDED);
    rows.by.fill(rank, first, rows.count);
    if (kind !== 'accumulate') return;
    onWindow(OP.pass, rank);
    if (from === to) {
      onWindow(OP.lock, rank);
      rows.add(OP.drain, rank, 0, 0);
      return;
    }
    for (const [receiver, sender] of [
      [rank, peer],
      [peer, rank],
    ] as const) {
      onWindow(OP.lock, receiver);
      onWindow(OP.flush, receiver, requestOf(receiver, sender));
    }
  }

  /** Adds the steps of an expanded action. Its requests belong to the rank and are reused by its next action. */
  #steps(rank: number, steps: readonly (PointToPoint | SendRecvStep)[], user: boolean): void {
    const space = user ? USER : 0;
    const request = (local: number): number => -1 - this.#internal.find(rank, local, 0, 0);
    for (const s of steps) {
      switch (s.op) {
        case 'compute':
          this.#rows.add(OP.compute, rank, s.flops, 0);
          break;
        case 'wait':
          if (this.#billed && s.group === true) {
            this.#anyWaits = true;
            this.#rows.add(OP.waitany, rank, 0, -1);
          } else this.#rows.add(OP.wait, rank, 0, request(s.request));
          break;
        case 'send':
          this.#message(OP.send, rank, rank, s.peer, s.tag, s.bytes, 0, space);
          break;
        case 'isend':
          this.#message(OP.isend, rank, rank, s.peer, s.tag, s.bytes, request(s.request), space);
          break;
        case 'recv':
          this.#message(OP.recv, rank, s.peer, rank, s.tag, s.bytes, 0, space);
          break;
        case 'irecv':
          this.#message(OP.irecv, rank, s.peer, rank, s.tag, s.bytes, request(s.request), space);
          break;
      }
    }
    // An action without steps (a collective of one rank) still needs a row: an empty compute.
    if (steps.length === 0) this.#rows.add(OP.compute, rank, 0, 0);
  }
}
