import { GrowingColumn, IntColumn } from '../../../base/columns.ts';
import { given } from '../../../base/given.ts';
import { InputError } from '../../../base/problem.ts';
import type { Collective } from '../../../trace/collective.ts';
import type { CollectiveChoice } from '../../collectives/choice.ts';
import { expandCollective } from '../../collectives/expand.ts';
import { OP } from '../../operations.ts';
import type { Communicator } from '../record/communicator.ts';
import type { CollectiveKind } from '../record/statement.ts';
import { type Amounts, amountsOf, type Demands, demandsOf, namedBytes } from './collective-demands.ts';
import { BLOCKING } from './collective-threads.ts';
import type { GroupNodes } from './group-nodes.ts';
import type { World } from './world.ts';

/** Maximum number of tags within one collective call. */
const TAGS = 64;

/** Maximum number of collective steps of a program. */
export const MAX_ROWS: number = 2 ** 24;

/**
 * Steps of a program's collectives: a run of rows for every rank and every call with different arguments. A row with
 * `more` = 1 is followed by another row of the same call.
 */
export class CollectiveRows {
  readonly #world: World;
  readonly #selector: CollectiveChoice;
  readonly #nodes: GroupNodes;
  readonly #first = new Map<string, number>();
  /** Demands of calls by first row; equal demands share one object. */
  readonly #demands = new Map<number, Demands>();
  readonly #sameDemands = new Map<string, Demands>();
  /** Pairwise amounts of calls by first row. */
  readonly #amounts = new Map<number, Amounts>();
  /** Bytes that calls name, by first row. */
  readonly #named = new Map<number, number | undefined>();
  readonly op: IntColumn = new IntColumn();
  readonly more: IntColumn = new IntColumn();
  readonly pair: IntColumn = new IntColumn();
  readonly tag: IntColumn = new IntColumn();
  readonly request: IntColumn = new IntColumn();
  /** 1 for a wait that is one of several for all open requests. */
  readonly group: IntColumn = new IntColumn();
  readonly amount: GrowingColumn<Float64Array> = new GrowingColumn(new Float64Array());
  /** Maximum number of requests that one call has open. */
  requests = 0;

  /** @param nodes the nodes of communicators, if they are known */
  constructor(world: World, selector: CollectiveChoice, nodes: GroupNodes) {
    this.#world = world;
    this.#selector = selector;
    this.#nodes = nodes;
  }

  /**
   * The first row of a rank's part in a collective, or a message if it has none.
   *
   * @param callNumber number that separates its messages from those of other collectives in progress at the same time;
   * {@link BLOCKING} for all blocking calls
   */
  first(
    rank: number,
    comm: Communicator,
    kind: CollectiveKind,
    args: Readonly<Record<string, unknown>>,
    callNumber: number,
  ): number | string {
    if (!comm.has(rank)) return 'this rank is not in the communicator';
    const key = `${rank} ${comm.number} ${kind} ${callNumber} ${JSON.stringify(args)}`;
    const known = this.#first.get(key);
    if (known !== undefined) return known;
    // Tested first: calls beyond the limit have no rows when the net is built, and are asked for again in the run.
    if (this.op.length > MAX_ROWS)
      return `the collectives of all ranks have more than ${MAX_ROWS} steps, the supported maximum; ranks that behave alike are simulated once with lump`;
    if (this.#world.sealed) return 'amounts that were unknown when the net was built';
    const own = comm.rankOf(rank);
    const first = this.op.length;
    let steps: ReturnType<typeof expandCollective>;
    try {
      const nonblocking = callNumber !== BLOCKING;
      const nodes = this.#nodes.of(comm, rank);
      const call = collectiveOf(kind, args, own);
      steps = expandCollective(call, own, comm.sizeOf(rank), this.#selector, nonblocking, given({ nodes }, ['nodes']));
    } catch (e) {
      if (e instanceof InputError) return e.problems[0]!.message;
      throw e;
    }
    // The amount of a wait is 1 if it waits for a receive: only receives cost the rank time.
    const received = new Set<number>();
    for (const s of steps) {
      if (s.op === 'irecv') received.add(s.request);
      const peer = 'peer' in s ? comm.worldRank(rank, s.peer)! : rank;
      const receives = s.op === 'recv' || s.op === 'irecv';
      this.#row(
        OP[s.op],
        'peer' in s ? (receives ? this.#world.pair(peer, rank)! : this.#world.pair(rank, peer)!) : 0,
        'tag' in s ? this.#world.tag(comm.number, callNumber * TAGS - s.tag, true)! : 0,
        'request' in s ? s.request : 0,
        s.op === 'compute' ? s.flops : s.op === 'wait' ? Number(received.has(s.request)) : s.bytes,
        s.op === 'wait' && s.group === true,
      );
    }
    // A call without steps still gets one row.
    if (steps.length === 0) this.#row(OP.compute, 0, 0, 0, 0);
    this.more.set(this.op.length - 1, 0);
    this.#first.set(key, first);
    const demands = demandsOf(kind, args);
    const text = JSON.stringify(demands);
    if (!this.#sameDemands.has(text)) this.#sameDemands.set(text, demands);
    this.#demands.set(first, this.#sameDemands.get(text)!);
    this.#named.set(first, namedBytes(kind, args, own));
    const amounts = amountsOf(kind, args, own);
    if (amounts !== undefined) this.#amounts.set(first, amounts);
    return first;
  }

  /**
   * Tag numbers of the calls with this `callNumber`, by lap: entry t · laps + l is the number of tag t in lap l; other tags
   * map to themselves. Call it after all rows are added. O(tags × laps).
   */
  lapTags(callNumber: number, laps: number): Int32Array {
    const { tags } = this.#world;
    const known = tags.count;
    return Int32Array.from({ length: known * laps }, (_, k) => {
      const [t, lap] = [Math.floor(k / laps), k % laps];
      const [comm, tag] = [tags.key(t, 0), tags.key(t, 1)];
      const own = tags.key(t, 2) === 1 && Math.floor(tag / TAGS) === callNumber;
      return own ? this.#world.tag(comm, tag + lap * TAGS, true)! : t;
    });
  }

  /** Requirements of a call on the other ranks' calls, by its first row; equal demands share one object. */
  demands(first: number): Demands {
    return this.#demands.get(first)!;
  }

  /** Bytes of the elements that a call names, as MPI counts them, by its first row; undefined for a barrier. */
  bytes(first: number): number | undefined {
    return this.#named.get(first);
  }

  /** Amounts that the calling rank exchanges with each other rank, by first row; undefined: not specified per pair. */
  amounts(first: number): Amounts | undefined {
    return this.#amounts.get(first);
  }

  #row(op: number, pair: number, tag: number, request: number, amount: number, group = false): void {
    this.op.push(op);
    this.more.push(1);
    this.pair.push(pair);
    this.tag.push(tag);
    this.request.push(request);
    this.group.push(Number(group));
    this.amount.push(amount);
    this.requests = Math.max(this.requests, request + 1);
  }
}

/** The collective of a call as one rank of the communicator makes it. */
export function collectiveOf(kind: CollectiveKind, args: Readonly<Record<string, unknown>>, own: number): Collective {
  const {
    bytes = 0,
    flops = 0,
    root = 0,
    counts,
    sendCounts,
    recvCounts,
  } = args as {
    bytes?: number;
    flops?: number;
    root?: number;
    counts?: readonly number[];
    sendCounts?: readonly number[];
    recvCounts?: readonly number[];
  };
  switch (kind) {
    case 'barrier':
      return { kind };
    case 'bcast':
      return { kind, bytes, root };
    case 'reduce':
      return { kind, bytes, flops, root };
    case 'allreduce':
    case 'scan':
    case 'exscan':
      return { kind, bytes, flops };
    case 'gather':
    case 'scatter':
      return { kind, sendBytes: bytes, recvBytes: bytes, root };
    case 'allgather':
    case 'alltoall':
      return { kind, sendBytes: bytes, recvBytes: bytes };
    case 'gatherv':
      return { kind, sendBytes: counts![own]!, recvBytes: counts!, root };
    case 'scatterv':
      return { kind, sendBytes: counts!, recvBytes: counts![own]!, root };
    case 'allgatherv':
      return { kind, sendBytes: counts![own]!, recvBytes: counts! };
    case 'alltoallv':
      return { kind, sendBytes: sendCounts!, recvBytes: recvCounts! };
    case 'reducescatter':
      return { kind, recvBytes: counts!, flops };
  }
}
