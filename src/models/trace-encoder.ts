import type { TiAction } from '../trace/ti/action.ts';
import type { TiEncoder } from '../trace/ti/read.ts';
import { expandCollective } from './collectives/expand.ts';
import type { PointToPoint } from './collectives/point-to-point.ts';
import { expandSendRecv, type SendRecvStep } from './collectives/send-recv.ts';
import { OP, type Operations } from './operations.ts';

/** A request before it is known how many of them the trace names: those of collectives are numbered from −1 down. */
type RequestKey = number;

interface Row {
  readonly op: number;
  readonly rank: number;
  readonly peer: number;
  readonly size: number;
  readonly tag: number;
  readonly channel: number;
  readonly pair: number;
  readonly request: RequestKey;
  readonly user: boolean;
  more: number;
}

/**
 * Numbers the distinct actions of a trace and expands collectives: the code of an action is the number of the first of
 * its rows in the table of operations. Called by the trace reader once per distinct (rank, action).
 */
export class TraceEncoder implements TiEncoder {
  readonly #size: number;
  readonly #rows: Row[] = [];
  readonly #channels = new Numbering();
  readonly #tags = new Numbering();
  readonly #pairs = new Numbering();
  readonly #internal = new Numbering();
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  /** Ranks that receive with a wildcard. */
  readonly #loose = new Set<number>();
  #tests = false;

  constructor(ranks: number) {
    this.#size = ranks;
  }

  encode(rank: number, action: TiAction): number {
    const first = this.#rows.length;
    switch (action.kind) {
      case 'compute':
      case 'sleep':
      case 'waitall':
      case 'end':
        this.#plain(OP[action.kind], rank, -1, 0);
        break;
      case 'send':
        this.#message(OP.send, rank, rank, action.peer, action.tag, -1, 0, true);
        break;
      case 'isend':
        this.#message(OP.isend, rank, rank, action.peer, action.tag, -1, action.request, true);
        break;
      case 'recv':
        this.#message(OP.recv, rank, action.peer, rank, action.tag, -1, 0, true);
        break;
      case 'irecv':
        this.#message(OP.irecv, rank, action.peer, rank, action.tag, -1, action.request, true);
        break;
      case 'test':
        this.#tests = true;
        this.#plain(OP.test, rank, 0, action.request);
        break;
      case 'wait':
        this.#plain(OP.wait, rank, 0, action.request);
        break;
      case 'sendRecv':
        this.#steps(rank, expandSendRecv(action, rank, this.#size), true);
        break;
      default:
        this.#steps(rank, expandCollective(action, rank, this.#size), false);
    }
    for (let k = first; k < this.#rows.length - 1; k++) this.#rows[k]!.more = 1;
    return first;
  }

  /** The finished table. `named[q]`: whether a wait or test of the trace names request q. */
  operations(named: Uint8Array): Operations {
    const rows = this.#rows;
    const users = named.length;
    const ints = (f: (r: Row) => number): Int32Array => Int32Array.from(rows, f);
    const request = (r: Row): number => (r.request >= 0 ? r.request : users - 1 - r.request);
    return {
      count: rows.length,
      op: ints((r) => r.op),
      more: ints((r) => r.more),
      size: Float64Array.from(rows, (r) => r.size),
      rank: ints((r) => r.rank),
      peer: ints((r) => r.peer),
      channel: ints((r) => r.channel),
      channels: this.#channels.size,
      tag: ints((r) => r.tag),
      tags: this.#tags.size,
      loose: ints((r) => {
        if (!r.user) return 0;
        if (r.op === OP.send || r.op === OP.isend) return this.#loose.has(r.peer) ? 1 : 0;
        return (r.op === OP.recv || r.op === OP.irecv) && this.#loose.has(r.rank) ? 1 : 0;
      }),
      pair: ints((r) => r.pair),
      pairs: { from: Int32Array.from(this.#from), to: Int32Array.from(this.#to) },
      request: ints(request),
      requests: users + this.#internal.size,
      named: ints((r) => (r.request < 0 || (named[r.request] ?? 0) !== 0 ? 1 : 0)),
      tests: this.#tests,
    };
  }

  #plain(op: number, rank: number, size: number, request: RequestKey): void {
    this.#rows.push({ op, rank, peer: 0, size, tag: 0, channel: 0, pair: 0, request, user: true, more: 0 });
  }

  #message(
    op: number,
    rank: number,
    source: number | null,
    target: number,
    tag: number | null,
    size: number,
    request: RequestKey,
    user: boolean,
  ): void {
    const sends = op === OP.send || op === OP.isend;
    if (source === null || tag === null) this.#loose.add(rank);
    const exact = source !== null && tag !== null;
    // Tags of collectives live in a space of their own: no receive of the program matches them.
    const channel = exact ? this.#channels.of(`${source} ${target} ${user ? 'u' : 'c'}${tag}`) : 0;
    let pair = 0;
    if (sends) {
      pair = this.#pairs.of(`${source} ${target}`);
      this.#from[pair] = rank;
      this.#to[pair] = target;
    }
    this.#rows.push({
      op,
      rank,
      peer: sends ? target : (source ?? -1),
      size,
      tag: user ? (tag === null ? -1 : this.#tags.of(`${tag}`)) : 0,
      channel,
      pair,
      request,
      user,
      more: 0,
    });
  }

  /** The steps of an expanded action; their requests are the rank's own and free again when the action ends. */
  #steps(rank: number, steps: readonly (PointToPoint | SendRecvStep)[], user: boolean): void {
    const request = (local: number): number => -1 - this.#internal.of(`${rank} ${local}`);
    for (const s of steps) {
      switch (s.op) {
        case 'compute':
          this.#plain(OP.compute, rank, s.flops, 0);
          break;
        case 'wait':
          this.#plain(OP.wait, rank, 0, request(s.request));
          break;
        case 'send':
          this.#message(OP.send, rank, rank, s.peer, s.tag, s.bytes, 0, user);
          break;
        case 'isend':
          this.#message(OP.isend, rank, rank, s.peer, s.tag, s.bytes, request(s.request), user);
          break;
        case 'recv':
          this.#message(OP.recv, rank, s.peer, rank, s.tag, s.bytes, 0, user);
          break;
        case 'irecv':
          this.#message(OP.irecv, rank, s.peer, rank, s.tag, s.bytes, request(s.request), user);
          break;
      }
    }
    // An action without any step (a collective of one rank) still takes a position: it computes nothing.
    if (steps.length === 0) this.#plain(OP.compute, rank, 0, 0);
  }
}

/** Numbers texts in the order of their first occurrence. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  of(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
