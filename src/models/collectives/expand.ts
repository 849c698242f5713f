import { fail } from '../../base/problem.ts';
import type { Collective } from '../../trace/collective.ts';
import {
  type ChosenAlgorithm,
  type CollectiveChoice,
  type CollectiveSelector,
  chooseAlgorithm,
  selectorChoice,
} from './choice.ts';
import type { Nodes, NodesSeen } from './nodes.ts';
import { isPowerOfTwo } from './smpi/elements.ts';
import { type PointToPoint, Steps } from './steps.ts';

/**
 * Point-to-point operations of `rank` in a collective of `size` ranks, in order; the flops of a reduction come last.
 * The sends and receives of ranks that call the same collective match.
 *
 * In a non-blocking call the steps pass while the rank goes on; its wait waits for the last of them.
 *
 * A rank sends nothing to itself: its own part is copied at no cost. O(messages of the rank).
 *
 * @throws InputError COLL001 … COLL005 for an invalid rank, root, size or array length; COLL007 for a number of ranks that a
 * named algorithm does not allow
 */
export function expandCollective(
  collective: Collective,
  rank: number,
  size: number,
  chosen: CollectiveChoice | CollectiveSelector = 'simgrid',
  nonblocking = false,
  place: NodesOfCall = {},
): PointToPoint[] {
  checkRank(rank, size);
  const choice = typeof chosen === 'string' ? selectorChoice(chosen) : chosen;
  const { call, append } = preparedCollective(collective, size, choice, nonblocking, place.nodes);
  const steps = new Steps(rank, size, call, place.nodes, place.ready);
  append(steps);
  return steps.list;
}

/** The nodes of the ranks of a call. Without them, each rank counts as a node, and nothing is set up. */
export interface NodesOfCall {
  readonly nodes?: Nodes;
  /** By rank: 1 after SMPI's set-up of communicators of nodes, whose steps the first call that needs them has. */
  readonly ready?: Uint8Array;
}

/** A checked call of a collective that is the same on all ranks. */
interface Prepared {
  /** The nodes of the ranks, if they are known. */
  readonly nodes: Nodes | undefined;
  /** Appends the steps of a collective that an algorithm calls: for the constructor of {@link Steps}. */
  readonly call: (steps: Steps, inner: Collective) => void;
  /** Appends the steps of `steps.rank`, the flops of a reduction last. */
  readonly append: (steps: Steps) => void;
}

/**
 * A collective of `size` ranks whose algorithm is chosen once for all ranks.
 *
 * @throws InputError COLL003 … COLL005, COLL007 as {@link expandCollective}
 */
export function preparedCollective(
  collective: Collective,
  size: number,
  choice: CollectiveChoice,
  nonblocking = false,
  nodes?: Nodes,
): Prepared {
  check(collective, size);
  const algorithmOf = (inner: Collective, ranks: number, seen: NodesSeen): ReturnType<typeof chooseAlgorithm> => {
    const algorithm = chooseAlgorithm(choice, inner, ranks, nonblocking, seen);
    if (algorithm.named) checkRanks(algorithm, inner.kind, ranks);
    return algorithm;
  };
  const outer = size > 1 ? algorithmOf(collective, size, nodes) : undefined;
  return {
    nodes,
    call: (steps, inner) => algorithmOf(inner, steps.size, steps.seen).run(steps),
    append: (steps) => {
      outer?.run(steps);
      if ('flops' in collective) steps.compute(collective.flops);
    },
  };
}

/** Checks the number of ranks (COLL001) and `rank` (COLL002). */
export function checkRank(rank: number, size: number): void {
  if (!Number.isInteger(size) || size < 1) {
    fail('COLL001', `expected an integer >= 1 as the number of ranks, got ${size}`);
  }
  if (!Number.isInteger(rank) || rank < 0 || rank >= size) {
    fail('COLL002', `rank ${rank} is not one of the ${size} ranks (0 to ${size - 1})`);
  }
}

/** Checks an amount of bytes or flops (COLL005). */
export function checkAmount(amount: number, what: string): void {
  if (!Number.isFinite(amount) || amount < 0) {
    fail('COLL005', `${what}: expected a finite number >= 0, got ${amount}`);
  }
}

/** Algorithms that are defined for some numbers of ranks only. */
function checkRanks({ name, place }: ChosenAlgorithm, kind: string, size: number): void {
  if (name === 'pair' && !isPowerOfTwo(size)) {
    fail(
      'COLL007',
      `the algorithm pair of ${kind} needs a power of two of ranks, got ${size}. Did you mean "ring"?`,
      place,
    );
  }
  if (name === 'rab1' && !isPowerOfTwo(size)) {
    fail(
      'COLL007',
      `the algorithm rab1 of ${kind} needs a power of two of ranks, got ${size}. Did you mean "rab_rdb"?`,
      place,
    );
  }
  if (name === 'ompi_two_procs' && size !== 2) {
    fail(
      'COLL007',
      `the algorithm ompi_two_procs of ${kind} needs 2 ranks, got ${size}. Did you mean "ompi_bruck"?`,
      place,
    );
  }
}

function check(collective: Collective, size: number): void {
  const { kind } = collective;
  if ('root' in collective) {
    const { root } = collective;
    if (!Number.isInteger(root) || root < 0 || root >= size) {
      fail('COLL003', `root ${root} of a ${kind} is not one of the ${size} ranks (0 to ${size - 1})`);
    }
  }
  for (const [name, value] of Object.entries(collective)) {
    if (name === 'kind' || name === 'root' || name === 'elementBytes') continue;
    if (typeof value === 'number') {
      checkAmount(value, `${name} of a ${kind}`);
    } else if (Array.isArray(value)) {
      if (value.length !== size) {
        fail('COLL004', `${name} of a ${kind} has ${value.length} entries: expected ${size}, one per rank`);
      }
      for (const amount of value) checkAmount(amount, `an entry of ${name} of a ${kind}`);
    }
  }
}

/** A step of a sendRecv: like {@link PointToPoint}, but its receive may have any source (`peer: null`). */
export type SendRecvStep =
  | Exclude<PointToPoint, { readonly op: 'irecv' }>
  | {
      readonly op: 'irecv';
      readonly peer: number | null;
      readonly tag: number;
      readonly bytes: number;
      readonly request: number;
    };

/** Peers and sizes of one rank's sendRecv; `from: null` is any source. */
interface SendRecv {
  readonly to: number;
  readonly sendBytes: number;
  readonly from: number | null;
  readonly recvBytes: number;
}

/**
 * A simultaneous send and receive, as in SimGrid's `Request::sendrecv`: posts the send, then the receive, then waits
 * for both. With itself as both peers a rank sends nothing. `tag` is one of the program's tags: 0 in traces.
 *
 * @throws InputError COLL001, COLL002, COLL005, COLL006 for invalid ranks, peers or sizes
 */
export function expandSendRecv(sendRecv: SendRecv, rank: number, size: number, tag = 0): SendRecvStep[] {
  const { to, sendBytes, from, recvBytes } = sendRecv;
  checkRank(rank, size);
  for (const peer of from === null ? [to] : [to, from]) {
    if (!Number.isInteger(peer) || peer < 0 || peer >= size) {
      fail('COLL006', `peer ${peer} of a sendRecv is not one of the ${size} ranks (0 to ${size - 1})`);
    }
  }
  checkAmount(sendBytes, 'sendBytes of a sendRecv');
  checkAmount(recvBytes, 'recvBytes of a sendRecv');
  if (to === rank && from === rank) return [];
  return [
    { op: 'isend', peer: to, tag, bytes: sendBytes, request: 0 },
    { op: 'irecv', peer: from, tag, bytes: recvBytes, request: 1 },
    { op: 'wait', request: 0, group: true },
    { op: 'wait', request: 1, group: true },
  ];
}
