import { gatherLinear } from '../linear.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { elementsOf, powerBelow, segmentElements, segments } from './elements.ts';
import { foldRanks } from './recursive-doubling.ts';
import { binaryTree, binomialTree, chains, inOrderTree, type Tree } from './trees.ts';

const tag: number = collectiveTag.reduce;
const KI = 1024;

/** Algorithms of a reduce by SimGrid's names. Source: SimGrid `reduce-ompi.cpp`, and the files named below. */
export const reduceAlgorithms = {
  default: (steps, c) => gatherLinear(steps, tag, c.root, c.bytes, () => c.bytes),
  ompi_basic_linear: linear,
  ompi_chain: (steps, c) =>
    pipelined(steps, c, chains(steps.rank, steps.size, c.root, Math.floor(steps.size / 2)), 64 * KI),
  ompi_pipeline: (steps, c) => pipelined(steps, c, chains(steps.rank, steps.size, c.root, 1), chainSegment(steps, c)),
  ompi_binary: (steps, c) => pipelined(steps, c, binaryTree(steps.rank, steps.size, c.root), 32 * KI),
  ompi_binomial: (steps, c) =>
    pipelined(steps, c, binomialTree(steps.rank, steps.size, c.root), binomialSegment(steps, c)),
  ompi_in_order_binary: inOrder,
  binomial,
  scatter_gather: scatterGather,
  mvapich2_knomial: knomial,
} satisfies Record<string, Algorithm<'reduce'>>;

/** The root receives from the last rank down to the first, one after another. */
function linear(steps: Steps, { bytes, root }: Call<'reduce'>): void {
  const { rank, size } = steps;
  if (rank !== root) {
    steps.send(root, tag, bytes);
    return;
  }
  for (let peer = size - 1; peer >= 0; peer--) if (peer !== rank) steps.recv(peer, tag, bytes);
}

/** Size of the segments along a chain: longer for long messages and few ranks. */
function chainSegment({ size }: Steps, { bytes }: Call<'reduce'>): number {
  if (size > (0.041 / KI) * bytes + 9.7128) return KI;
  return size > (0.0033 / KI) * bytes + 1.6761 ? 32 * KI : 64 * KI;
}

/** Size of the segments in a binomial tree; 0: one segment. */
function binomialSegment({ size }: Steps, call: Call<'reduce'>): number {
  const { bytes } = call;
  if ((size < 8 && bytes < 20_480) || bytes < 2048 || elementsOf(call).count <= 1) return 0;
  return size > (0.6016 / KI) * bytes + 1.3496 ? KI : 0;
}

/**
 * Segments pass up a tree. A rank posts the receive of the next segment or child before it waits for the last one, and
 * sends a segment to its parent, with a blocking send, when all its children have delivered it. Leaves send all segments.
 */
function pipelined(steps: Steps, call: Call<'reduce'>, { parent, children }: Tree, segmentBytes: number): void {
  const { count, size } = elementsOf(call);
  const sizes = segments(count, segmentElements(segmentBytes, size, count)).map((elements) => elements * size);
  if (children.length === 0) {
    if (parent !== undefined) for (const bytes of sizes) steps.send(parent, tag, bytes);
    return;
  }
  let last: number | undefined;
  const receive = (child: number, bytes: number): void => {
    const next = steps.irecv(child, tag, bytes);
    if (last !== undefined) steps.wait(last);
    last = next;
  };
  const pass = (bytes: number): void => {
    if (parent !== undefined) steps.send(parent, tag, bytes);
  };
  sizes.forEach((bytes, k) => {
    children.forEach((child, i) => {
      receive(child, bytes);
      if (i === 0 && k > 0) pass(sizes[k - 1]!);
    });
  });
  if (last === undefined) return;
  steps.wait(last);
  pass(sizes.at(-1)!);
}

/** Up a binary tree that keeps the order of the ranks, from whose root the result goes to the root of the call. */
function inOrder(steps: Steps, call: Call<'reduce'>): void {
  const { rank, size } = steps;
  const top = size - 1;
  pipelined(steps, call, inOrderTree(rank, size), 0);
  if (call.root === top) return;
  if (rank === top) steps.send(call.root, tag, call.bytes);
  else if (rank === call.root) steps.recv(top, tag, call.bytes);
}

/** Up a binomial tree, the nearest child first. Source: SimGrid `reduce-binomial.cpp`. */
function binomial(steps: Steps, { bytes, root }: Call<'reduce'>): void {
  if (bytes === 0) return;
  const { parent, children } = binomialTree(steps.rank, steps.size, root);
  for (const child of children) steps.recv(child, tag, bytes);
  if (parent !== undefined) steps.send(parent, tag, bytes);
}

/**
 * A reduce-scatter by recursive halving, then a binomial gather to the root (Rabenseifner). With fewer elements than
 * ranks, as many elements as ranks are sent.
 *
 * Source: SimGrid `reduce-scatter-gather.cpp`.
 */
function scatterGather(steps: Steps, call: Call<'reduce'>): void {
  const { rank, size: ranks } = steps;
  const { root } = call;
  const { count: elements, size } = elementsOf(call);
  if (elements === 0) return;
  const short = elements < ranks;
  const count = short ? ranks : elements;
  const power = powerBelow(ranks);
  const { pairs, place, rankAt } = foldRanks(rank, ranks, power, 0);
  const base = Math.floor(count / power);
  const bytes = (from: number, to: number): number => ((to === power ? count : to * base) - from * base) * size;
  if (place === undefined) steps.send(rank - 1, tag, count * size);
  else if (rank < 2 * pairs) steps.recv(rank + 1, tag, count * size);

  let own = place;
  // The blocks from … to − 1 that this rank reduces, halved in each round.
  let [from, to] = [0, power];
  if (own !== undefined) {
    for (let mask = 1; mask < power; mask *= 2) {
      const half = (from + to) / 2;
      const peer = rankAt(own ^ mask);
      const [low, high] = [bytes(from, half), bytes(half, to)];
      if ((own & mask) === 0) {
        steps.sendrecv(peer, high, peer, low, tag);
        to = half;
      } else {
        steps.sendrecv(peer, low, peer, high, tag);
        from = half;
      }
    }
  }
  // A root that was folded away takes the place of the first rank.
  const replaces = root < 2 * pairs && root % 2 !== 0;
  if (replaces && rank === root) {
    steps.recv(0, tag, bytes(0, 1));
    own = 0;
    [from, to] = [0, 1];
  } else if (replaces && own === 0) {
    steps.send(root, tag, bytes(0, 1));
    own = undefined;
  }
  if (own === undefined) return;
  const target = replaces ? 0 : root < 2 * pairs ? root >> 1 : root - pairs;
  for (let mask = power / 2, level = Math.log2(power) - 1; mask >= 1; mask /= 2, level--) {
    const other = own ^ mask;
    const peer = replaces && other === 0 ? root : rankAt(other);
    const width = to - from;
    const [start, end] = (own & mask) === 0 ? [to, to + width] : [from - width, from];
    if (other >> level === target >> level) {
      steps.send(peer, tag, bytes(from, to));
      return;
    }
    steps.recv(peer, tag, bytes(start, end));
    [from, to] = [Math.min(from, start), Math.max(to, end)];
  }
}

/** Children per round of a k-nomial tree (SimGrid's `mv2_reduce_intra_knomial_factor`). */
const KNOMIAL = 4;

/**
 * Up a tree in which a rank receives from three others in each round: ⌈log₄ P⌉ rounds. Receives from all children are open at
 * once, those of the nearest round first. Source: SimGrid `reduce-mvapich-knomial.cpp`.
 */
function knomial(steps: Steps, { bytes, root }: Call<'reduce'>): void {
  if (bytes === 0) return;
  const { rank, size } = steps;
  const relative = (rank - root + size) % size;
  const children: number[] = [];
  let parent: number | undefined;
  for (let mask = 1; mask < size; mask *= KNOMIAL) {
    const place = relative % (KNOMIAL * mask);
    if (place !== 0) {
      parent = (relative - place + root) % size;
      break;
    }
    for (let k = KNOMIAL - 1; k >= 1; k--) if (relative + mask * k < size) children.push((rank + mask * k) % size);
  }
  for (const child of children) steps.irecv(child, tag, bytes);
  steps.waitAll();
  if (parent !== undefined) steps.send(parent, tag, bytes);
}
