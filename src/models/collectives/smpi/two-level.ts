import { bcastBinomial } from '../binomial.ts';
import { exchangeDoubling } from '../doubling.ts';
import { gatherLinear } from '../linear.ts';
import { mpich } from '../selectors/mpich.ts';
import { type Call, collectiveTag, type Steps } from '../steps.ts';
import { directRing } from './allgather.ts';
import { allreduceAlgorithms } from './allreduce.ts';
import { bcastAlgorithms } from './bcast.ts';
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

/**
 * An allreduce inside each node, one by recursive doubling among leaders, and a bcast inside each node by the algorithm that is chosen
 * for it. Source: SimGrid `allreduce-mvapich-two-level.cpp`, with MPICH's allreduce inside nodes.
 */
export function allreduceOfNodes(steps: Steps, call: Call<'allreduce'>): void {
  const own = onNode(steps);
  steps.among(own, (s) => allreduceAlgorithms[mpich.allreduce(call, s.size, 'inside') as 'rdb'](s, call));
  steps.among(leadersOf(steps), (s) => exchangeDoubling(s, collectiveTag.allreduce, call.bytes));
  if (call.bytes > 0) steps.among(own, (s) => s.call({ ...call, kind: 'bcast', root: 0 }));
}

/** Bytes up to which the ranks of a single node send to its leader at once. */
const SHORT = 2048;

/**
 * A reduce inside each node, one among leaders, and a message from the root's leader to the root. On a single node, long messages go up
 * a k-nomial tree, and short ones to its leader one after another.
 *
 * Source: SimGrid `reduce-mvapich-two-level.cpp`, with MPICH's reduce inside nodes and among leaders.
 */
export function reduceOfNodes(steps: Steps, call: Call<'reduce'>): void {
  const { rank, size } = steps;
  const { bytes, root } = call;
  const own = onNode(steps);
  if (own.length === size) {
    if (bytes > SHORT) {
      reduceAlgorithms.mvapich2_knomial(steps, call);
      return;
    }
    reduceAlgorithms.ompi_basic_linear(steps, { ...call, root: 0 });
  } else {
    const inside = (s: Steps, to: number): void =>
      reduceAlgorithms[mpich.reduce(call, s.size, 'inside') as 'binomial'](s, { ...call, root: to });
    steps.among(own, (s) => inside(s, 0));
    const leaders = leadersOf(steps);
    steps.among(leaders, (s) => inside(s, leaders.indexOf(onNode(steps, root)[0]!)));
  }
  const leader = onNode(steps, root)[0]!;
  if (leader === root) return;
  // SMPI gives this message a tag of its own; here the messages of a pair are in order.
  if (rank === leader) steps.send(root, collectiveTag.reduce, bytes);
  else if (rank === root) steps.recv(leader, collectiveTag.reduce, bytes);
}
