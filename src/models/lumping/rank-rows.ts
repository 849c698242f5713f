import { basename } from 'node:path';
import { type PointToPoint, Steps } from '../collectives/steps.ts';
import { OP } from '../operations.ts';
import type { Communicator } from '../program/record/communicator.ts';
import type { Statement } from '../program/record/statement.ts';
import { demandsOf } from '../program/resolve/collective-demands.ts';
import type { CollectiveAt, OrderWriter } from '../program/schedule/order-writer.ts';

type PreparedCall = Parameters<NonNullable<OrderWriter['append']>>[0];

/** Why ranks are not lumped. */
export class NotLumped extends Error {}

/** @throws NotLumped */
export function refuse(reason: string): never {
  throw new NotLumped(reason);
}

/** Maximum number of operations of one rank. */
const MAX_ROWS = 2 ** 22;
const NANOSECONDS = 1e9;

/**
 * The operations of one rank at a time, in columns that the next rank overwrites. A message has a row, and so has each wait;
 * `request` of a wait is the row of its message. Sizes are seconds of computations and sleeps, and bytes of sends.
 */
export class RankRows implements OrderWriter {
  count = 0;
  op: Int8Array = new Int8Array(64);
  tag: Int32Array = new Int32Array(64);
  peer: Int32Array = new Int32Array(64);
  request: Int32Array = new Int32Array(64);
  size: Float64Array = new Float64Array(64);
  readonly calls: CallSequences = new CallSequences();
  /** Those of the last call: ranks mostly make the same one after each other. */
  #steps: RowSteps | undefined;

  begin(): void {
    this.count = 0;
  }

  calc(nanoseconds: number, origin: Statement): void {
    const seconds = nanoseconds / NANOSECONDS;
    if (seconds > 0) this.add(origin.kind === 'sleep' ? OP.sleep : OP.compute, seconds, -1, 0, 0);
  }

  message(
    kind: 'send' | 'recv',
    { bytes, peer, tag }: { readonly bytes: number; readonly peer: number; readonly tag: number },
    posts: boolean,
  ): number {
    if (peer < 0) refuse('ranks receive from any source');
    const op = kind === 'send' ? (posts ? OP.isend : OP.send) : posts ? OP.irecv : OP.recv;
    return this.add(op, bytes, peer, tag, 0);
  }

  wait(label: number): void {
    const op = this.op[label]!;
    // A blocking message has ended already.
    if (op === OP.isend || op === OP.irecv) this.add(OP.wait, 0, -1, 0, label);
  }

  aside(): never {
    return refuse('collective operations are non-blocking');
  }

  join(): never {
    return refuse('collective operations are non-blocking');
  }

  append(prepared: PreparedCall, at: CollectiveAt): void {
    const size = at.statement.comm.sizeOf(at.rank);
    let steps = this.#steps;
    if (steps?.prepared !== prepared || steps.size !== size) {
      steps = new RowSteps(this, prepared, size);
      this.#steps = steps;
    }
    steps.begin(at);
    prepared.append(steps);
  }

  refuse(what: string, { site }: Statement): never {
    const { file, line } = site.place;
    return refuse(`the program has ${what}${file === undefined ? '' : ` (${basename(file)}:${line})`}`);
  }

  collective(
    s: Extract<Statement, { kind: 'collective' }>,
    rank: number,
    args: Readonly<Record<string, unknown>>,
  ): void {
    this.calls.called(s, rank, args);
  }

  add(op: number, size: number, peer: number, tag: number, request: number): number {
    const row = this.count++;
    if (row === this.op.length) this.#grow();
    this.op[row] = op;
    this.size[row] = size;
    this.peer[row] = peer;
    this.tag[row] = tag;
    this.request[row] = request;
    return row;
  }

  #grow(): void {
    const length = 2 * this.op.length;
    if (length > MAX_ROWS) refuse(`a rank has more than ${MAX_ROWS} operations`);
    const longer = <A extends Int8Array | Int32Array | Float64Array>(a: A, into: A): A => {
      into.set(a);
      return into;
    };
    this.op = longer(this.op, new Int8Array(length));
    this.tag = longer(this.tag, new Int32Array(length));
    this.peer = longer(this.peer, new Int32Array(length));
    this.request = longer(this.request, new Int32Array(length));
    this.size = longer(this.size, new Float64Array(length));
  }
}

/** Steps of a collective that become rows at once: no step is an object, since there are as many as messages of all ranks. */
class RowSteps extends Steps {
  readonly prepared: PreparedCall;
  readonly #rows: RankRows;
  #at: CollectiveAt | undefined;
  /** Rows of open requests, in posting order: the first `#open` entries. An array that is emptied would be allocated again. */
  readonly #posted: number[] = [];
  #open = 0;
  #tag = Number.NaN;
  #tagNumber = 0;

  constructor(rows: RankRows, prepared: PreparedCall, size: number) {
    super(0, size, prepared.call, prepared.nodes);
    this.#rows = rows;
    this.prepared = prepared;
  }

  /** The steps of another rank follow. */
  begin(at: CollectiveAt): void {
    (this as { rank: number }).rank = at.own;
    this.#at = at;
    this.#open = 0;
    this.#tag = Number.NaN;
  }

  override send(peer: number, tag: number, bytes: number): void {
    this.#add(OP.send, peer, tag, bytes);
  }

  override recv(peer: number, tag: number): void {
    this.#add(OP.recv, peer, tag, 0);
  }

  override isend(peer: number, tag: number, bytes: number): number {
    const row = this.#add(OP.isend, peer, tag, bytes);
    this.#posted[this.#open++] = row;
    return row;
  }

  override irecv(peer: number, tag: number): number {
    const row = this.#add(OP.irecv, peer, tag, 0);
    this.#posted[this.#open++] = row;
    return row;
  }

  override wait(request: number): void {
    const posted = this.#posted;
    const at = posted.indexOf(request);
    this.#open--;
    for (let k = at; k < this.#open; k++) posted[k] = posted[k + 1]!;
    this.#rows.wait(request);
  }

  override waitAll(): void {
    for (let k = 0; k < this.#open; k++) this.#rows.wait(this.#posted[k]!);
    this.#open = 0;
  }

  protected override take(steps: readonly PointToPoint[]): void {
    const requests = new Map<number, number>();
    for (const step of steps)
      switch (step.op) {
        case 'send':
          this.send(step.peer, step.tag, step.bytes);
          break;
        case 'recv':
          this.recv(step.peer, step.tag);
          break;
        case 'isend':
          requests.set(step.request, this.isend(step.peer, step.tag, step.bytes));
          break;
        case 'irecv':
          requests.set(step.request, this.irecv(step.peer, step.tag));
          break;
        case 'wait':
          this.wait(requests.get(step.request)!);
          break;
        case 'compute':
          this.compute(step.flops);
          break;
      }
  }

  override compute(flops: number): void {
    this.#rows.calc((flops / this.#at!.speed) * NANOSECONDS, this.#at!.statement);
  }

  #add(op: number, peer: number, tag: number, bytes: number): number {
    const { statement, rank, tagOf } = this.#at!;
    if (tag !== this.#tag) {
      this.#tag = tag;
      this.#tagNumber = tagOf(tag);
    }
    return this.#rows.add(op, Math.floor(bytes), statement.comm.worldRank(rank, peer)!, this.#tagNumber, 0);
  }
}

/**
 * Checks that all ranks of a communicator make the same collective calls in the same order: a run that lacks ranks cannot
 * compare them. Calls are numbered by what must be equal on all ranks, sequences of calls by their last call and the sequence before.
 */
class CallSequences {
  readonly #calls = new Map<string, number>();
  readonly #longer = new Map<number, number>();
  #sequences = 1;
  readonly #groups = new Map<string, Group>();
  /** The last call: ranks mostly make the same one after each other. */
  #last:
    | {
        readonly args: object;
        readonly comm: Communicator;
        readonly first: number;
        readonly group: Group;
        readonly number: number;
      }
    | undefined;

  called(s: Extract<Statement, { kind: 'collective' }>, rank: number, args: Readonly<Record<string, unknown>>): void {
    const { comm, call } = s;
    if (call === 'alltoallv' || call === 'gatherv' || call === 'scatterv')
      refuse(`amounts of ${call} by pair of ranks are not compared`);
    const first = comm.worldRank(rank, 0)!;
    if (this.#last?.args === args && this.#last.comm === comm && this.#last.first === first) {
      this.#join(this.#last.group, this.#last.number, rank);
      return;
    }
    const { root, size } = demandsOf(call, args);
    const key = `${comm.number} ${first}`;
    const demanded = `${call} ${root} ${size}`;
    let number = this.#calls.get(demanded);
    if (number === undefined) {
      number = this.#calls.size;
      this.#calls.set(demanded, number);
    }
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { first: rank, sequence: 0, own: 0, rank, ranks: 1, size: comm.sizeOf(rank) };
      this.#groups.set(key, group);
    }
    this.#last = { args, comm, first, group, number };
    this.#join(group, number, rank);
  }

  /** A rank of a group makes a call. */
  #join(group: Group, number: number, rank: number): void {
    if (group.rank !== rank) {
      close(group);
      group.rank = rank;
      group.own = 0;
      group.ranks++;
    }
    group.own = this.#after(group.own, number);
  }

  /** Called once after the last rank. @throws NotLumped */
  finish(): void {
    for (const group of this.#groups.values()) {
      close(group);
      if (group.ranks !== group.size) refuse('not all ranks of a communicator call its collectives');
    }
  }

  #after(sequence: number, call: number): number {
    const key = sequence * 2 ** 20 + call;
    const known = this.#longer.get(key);
    if (known !== undefined) return known;
    this.#longer.set(key, this.#sequences);
    return this.#sequences++;
  }
}

/** The ranks of a communicator: the sequence of calls of the first rank, and of the present one. */
interface Group {
  readonly first: number;
  sequence: number;
  own: number;
  rank: number;
  ranks: number;
  readonly size: number;
}

/** The calls of a rank are complete. */
function close(group: Group): void {
  if (group.rank === group.first) group.sequence = group.own;
  else if (group.own !== group.sequence) refuse('ranks disagree on their collective calls');
}
