import { bcastBinomial } from '../binomial.ts';
import { gatherLinear } from '../linear.ts';
import type { Selectable } from '../selectors/decision.ts';
import { bcastInside, mpich } from '../selectors/mpich.ts';
import { levelsOfCall, reduceOnNode } from '../selectors/mvapich2.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { allgatherAlgorithms, directRing } from './allgather.ts';
import { allreduceAlgorithms } from './allreduce.ts';
import { bcastAlgorithms } from './bcast.ts';
import { gatherAlgorithms, scatterAlgorithms } from './gather-scatter.ts';
import { reduceAlgorithms } from './reduce.ts';

/** Bytes of the numbers that ranks exchange while their communicators of nodes are set up. */
const NUMBER = 4;

/**
 * SMPI's set-up of communicators of nodes, in the first call of a rank that needs them: an allgather of leaders, one of the sizes of
 * nodes among leaders, a bcast inside each node, and an allreduce.
 *
 * Source: SimGrid `smpi_comm.cpp` (`Comm::init_smp`).
 */
export function setUpNodes(steps: Steps): void {
  const { rank, ready } = steps;
  if (ready === undefined || ready[rank] === 1) return;
  ready[rank] = 1;
  directRing(steps, collectiveTag.allgather, NUMBER, () => NUMBER);
  steps.among(leadersOf(steps), (s) => directRing(s, collectiveTag.allgather, NUMBER, () => NUMBER));
  const call = { kind: 'bcast', bytes: NUMBER, root: 0 } as const;
  steps.among(onNode(steps), (s) => bcastAlgorithms.scatter_LR_allgather(s, call));
  gatherLinear(steps, collectiveTag.reduce, 0, NUMBER, () => NUMBER);
  bcastBinomial(steps, NUMBER, 0);
}

const leadersOf = ({ nodes, size }: Steps): number[] =>
  nodes?.members.map(([leader]) => leader!) ?? Array.from({ length: size }, (_, rank) => rank);

/** The ranks on the node of a rank. */
const onNode = ({ nodes, rank }: Steps, of: number = rank): readonly number[] => nodes?.members[nodes.of[of]!] ?? [of];

/** An allreduce inside nodes, one among leaders, and a bcast inside nodes. Source: SimGrid `allreduce-mvapich-two-level.cpp`. */
function allreduceByLevels(
  steps: Steps,
  call: Call<'allreduce'>,
  levels: { readonly inside: (inner: Steps) => void; readonly leaders: string },
): void {
  const own = onNode(steps);
  steps.among(own, levels.inside);
  steps.among(leadersOf(steps), (s) => allreduceAlgorithms[levels.leaders as 'rdb'](s, call));
  if (call.bytes > 0) steps.among(own, (s) => s.call({ ...call, kind: 'bcast', root: 0 }));
}

/**
 * An allreduce inside each node, one by recursive doubling among leaders, and a bcast inside each node by the algorithm that is chosen
 * for it: with MPICH's allreduce inside nodes.
 */
export function allreduceOfNodes(steps: Steps, call: Call<'allreduce'>): void {
  allreduceByLevels(steps, call, {
    inside: (s) => allreduceAlgorithms[mpich.allreduce(call, s.size, 'inside') as 'rdb'](s, call),
    leaders: 'rdb',
  });
}

/**
 * A reduce inside each node to its leader, one among leaders, and a message from the root's leader to the root. A single node has a
 * reduce to the root if it is long, and one to the leader otherwise.
 *
 * Source: SimGrid `reduce-mvapich-two-level.cpp`.
 */
function reduceByLevels(
  steps: Steps,
  call: Call<'reduce'>,
  levels: { readonly inside: (size: number) => string; readonly leaders: (size: number) => string },
): void {
  const { rank, size } = steps;
  const { bytes, root } = call;
  const own = onNode(steps);
  const leader = onNode(steps, root)[0]!;
  const reduce = (s: Steps, name: string, to: number): void =>
    reduceAlgorithms[name as 'binomial'](s, { ...call, root: to });
  if (own.length === size) {
    const name = reduceOnNode(bytes);
    const atOnce = name === 'mvapich2_knomial';
    reduce(steps, name, atOnce ? root : 0);
    if (atOnce) return;
  } else {
    steps.among(own, (s) => reduce(s, levels.inside(s.size), 0));
    const leaders = leadersOf(steps);
    steps.among(leaders, (s) => reduce(s, levels.leaders(s.size), leaders.indexOf(leader)));
  }
  // SMPI gives this message a separate tag; here the messages of a pair are in order.
  passOn(steps, { from: leader, to: root, tag: collectiveTag.reduce, bytes }, rank);
}

/** {@link reduceByLevels} with MPICH's reduce inside nodes and among leaders. */
export function reduceOfNodes(steps: Steps, call: Call<'reduce'>): void {
  const name = (size: number): string => mpich.reduce(call, size, 'inside');
  reduceByLevels(steps, call, { inside: name, leaders: name });
}

/** A message from one rank to another, or none if they are the same. */
function passOn(
  steps: Steps,
  {
    from,
    to,
    tag,
    bytes,
  }: { readonly from: number; readonly to: number; readonly tag: number; readonly bytes: number },
  rank: number,
): void {
  if (from === to) return;
  if (rank === from) steps.send(to, tag, bytes);
  else if (rank === to) steps.recv(from, tag, bytes);
}

/**
 * A gather inside each node to its leader, one in turn among leaders, and a message with all parts from the root's leader to the root.
 * Where nodes have different numbers of ranks, the leaders' is a gatherv. Without bytes it returns at once.
 *
 * Source: SimGrid `gather-mvapich.cpp`.
 */
export function gatherOfNodes(steps: Steps, call: Call<'gather'>, inside = 'ompi_binomial'): void {
  const { rank, size } = steps;
  const { sendBytes: bytes, root } = call;
  if (bytes === 0) return;
  const own = onNode(steps);
  steps.among(own, (s) => gatherAlgorithms[inside as 'default'](s, { ...call, root: 0 }));
  const leaders = leadersOf(steps);
  const leader = onNode(steps, root)[0]!;
  steps.among(leaders, (s) => {
    const to = leaders.indexOf(leader);
    const parts = leaders.map((one) => onNode(steps, one).length * bytes);
    if (parts.every((part) => part === parts[0]))
      gatherAlgorithms.ompi_basic_linear(s, { ...call, sendBytes: parts[0]!, recvBytes: parts[0]!, root: to });
    else s.call({ kind: 'gatherv', sendBytes: parts[s.rank]!, recvBytes: parts, root: to });
  });
  passOn(steps, { from: leader, to: root, tag: collectiveTag.gather, bytes: bytes * size }, rank);
}

/**
 * A message with all parts from the root to its leader, a scatter among leaders, and one inside each node. A single node has a scatter in
 * turn. Without bytes it returns at once.
 *
 * Source: SimGrid `scatter-mvapich-two-level.cpp`.
 */
function scatterByLevels(
  steps: Steps,
  call: Call<'scatter'>,
  levels: { readonly inside: string; readonly leaders: string },
): void {
  const { rank, size } = steps;
  const { sendBytes: bytes, root } = call;
  const own = onNode(steps);
  if (bytes === 0) return;
  if (own.length === size) {
    scatterAlgorithms.ompi_basic_linear(steps, call);
    return;
  }
  const leader = onNode(steps, root)[0]!;
  passOn(steps, { from: root, to: leader, tag: collectiveTag.scatter, bytes: bytes * size }, rank);
  const leaders = leadersOf(steps);
  const part = bytes * own.length;
  steps.among(leaders, (s) =>
    scatterAlgorithms[levels.leaders as 'default'](s, {
      ...call,
      sendBytes: part,
      recvBytes: part,
      root: leaders.indexOf(leader),
    }),
  );
  steps.among(own, (s) => scatterAlgorithms[levels.inside as 'default'](s, { ...call, root: 0 }));
}

/**
 * MVAPICH2's algorithms of two levels, on nodes with several ranks. Those of a bcast and an allgather end with a bcast inside each node.
 *
 * Source: SimGrid `bcast-mvapich-smp.cpp`, `allgather-mvapich-smp.cpp` and those of the functions above.
 */
export const mvapichOfNodes: { readonly [K in Selectable]?: Algorithm<K> } = {
  bcast: (steps, call) => {
    const { rank, size } = steps;
    const { bytes, root } = call;
    const leaders = leadersOf(steps);
    const leader = onNode(steps, root)[0]!;
    passOn(steps, { from: root, to: leader, tag: collectiveTag.bcast, bytes }, rank);
    const bcast = (s: Steps, name: string, from: number): void =>
      bcastAlgorithms[name as 'binomial_tree'](s, { ...call, root: from });
    steps.among(leaders, (s) => bcast(s, levelsOfCall.bcast(bytes, size, s.size), leaders.indexOf(leader)));
    steps.among(onNode(steps), (s) => bcast(s, bcastInside(bytes, s.size), 0));
  },
  reduce: (steps, call) => {
    const { leaders, inside } = levelsOfCall.reduce(call.bytes, steps.size, onNode(steps).length);
    reduceByLevels(steps, call, { inside: () => inside, leaders: () => leaders });
  },
  allreduce: (steps, call) =>
    allreduceByLevels(steps, call, {
      inside: (s) => s.call({ ...call, kind: 'reduce', root: 0 }),
      leaders: levelsOfCall.allreduce(call.bytes, steps.size),
    }),
  gather: (steps, call) => gatherOfNodes(steps, call, levelsOfCall.gather(call.sendBytes, steps.size)),
  scatter: (steps, call) =>
    scatterByLevels(steps, call, levelsOfCall.scatter(call.sendBytes, steps.size, onNode(steps).length)),
  allgather: (steps, call) => {
    const { recvBytes: bytes } = call;
    const own = onNode(steps);
    if (bytes === 0) return;
    steps.among(own, (s) => s.call({ kind: 'gather', sendBytes: bytes, recvBytes: bytes, root: 0 }));
    const part = bytes * own.length;
    const ofLeaders: Call<'allgather'> = { ...call, sendBytes: part, recvBytes: part };
    steps.among(leadersOf(steps), (s) =>
      allgatherAlgorithms[mpich.allgather(ofLeaders, s.size, 'inside') as 'rdb'](s, ofLeaders),
    );
    steps.among(own, (s) => s.call({ kind: 'bcast', bytes: bytes * steps.size, root: 0 }));
  },
};
