import { bcastBinomial } from '../binomial.ts';
import { ranksPerNode } from '../nodes.ts';
import { type Call, collectiveTag, type Steps } from '../steps.ts';
import { elementsOf, segmentElements, segments } from './elements.ts';
import { binaryTree, chains, type Tree } from './trees.ts';

const tag: number = collectiveTag.bcast;
const KI = 1024;
/** Segments of the pipelines by Patarasuk and Yuan, in bytes. */
const SEGMENT = 8 * KI;

const inLine = ({ rank, size }: Steps): Tree => ({
  parent: rank === 0 ? undefined : rank - 1,
  children: rank + 1 < size ? [rank + 1] : [],
});

/** A pipeline along all ranks: 0 → 1 → … → P − 1. Source: SimGrid `bcast-NTSL.cpp`. */
export function pipelinedLine(steps: Steps, call: Call<'bcast'>): void {
  pipelineFromZero(steps, call, inLine(steps));
}

/**
 * A pipeline with blocking sends along the first ranks of nodes, and along each node from there. With one rank on every node it runs
 * along all ranks: SimGrid then sends each segment twice and receives it once, so that a later call gets the old segment; that is not
 * modelled. A single node has a binomial tree. Nodes with different numbers of ranks have another algorithm. Source: SimGrid `bcast-SMP-linear.cpp`.
 */
export function lineOfNodes(steps: Steps, call: Call<'bcast'>, ofUnequalNodes: () => void): void {
  const { rank, size } = steps;
  const each = ranksPerNode(steps.seen, size);
  if (each === undefined) {
    ofUnequalNodes();
    return;
  }
  if (each === 1) {
    pipelineFromZero(steps, call, { ...inLine(steps), blocking: true });
    return;
  }
  if (each === size) {
    bcastBinomial(steps, call.bytes, call.root);
    return;
  }
  const isFirst = rank % each === 0;
  const children = [
    ...(isFirst && rank + each < size ? [rank + each] : []),
    ...((rank + 1) % each === 0 ? [] : [rank + 1]),
  ];
  const parent = rank === 0 ? undefined : rank - (isFirst ? each : 1);
  pipelineFromZero(steps, call, { parent, children, blocking: true });
}

/** A pipeline down the binary tree of the ranks 2 r + 1 and 2 r + 2 below r. Source: SimGrid `bcast-NTSB.cpp`. */
export function pipelinedBinary(steps: Steps, call: Call<'bcast'>): void {
  const { rank, size } = steps;
  pipelineFromZero(steps, call, {
    parent: rank === 0 ? undefined : (rank - 1) >> 1,
    children: [2 * rank + 1, 2 * rank + 2].filter((child) => child < size),
  });
}

/**
 * The root sends the whole message to rank 0, which sends it down a tree. If the message has more than 8 KiB, whole
 * segments pass at once: all receives are posted first, and sends are waited for at the end, or at once if they block. The rest that does not fill
 * a segment is a separate bcast from the root.
 */
function pipelineFromZero(
  steps: Steps,
  call: Call<'bcast'>,
  { parent, children, blocking = false }: Tree & { readonly blocking?: boolean },
): void {
  const { rank } = steps;
  const { bytes, root } = call;
  const { count, size } = elementsOf(call);
  const segment = Math.max(1, Math.floor(SEGMENT / size));
  if (root !== 0) {
    if (rank === root) steps.send(0, tag, bytes);
    else if (rank === 0) steps.recv(root, tag, bytes);
  }
  if (count <= segment) {
    if (parent !== undefined) steps.recv(parent, tag, bytes);
    for (const child of children) steps.send(child, tag, bytes);
    return;
  }
  const whole = Math.floor(count / segment);
  const received = Array.from({ length: whole }, () =>
    parent === undefined ? undefined : steps.irecv(parent, tag, segment * size),
  );
  for (const request of received) {
    if (request !== undefined) steps.wait(request);
    for (const child of children) {
      if (blocking) steps.send(child, tag, segment * size);
      else steps.isend(child, tag, segment * size);
    }
  }
  steps.waitAll();
  const rest = count - whole * segment;
  if (rest > 0) steps.call({ ...call, bytes: rest * size });
}

/** Ranks up to which a pipeline with segments of 128, 64 and 16 KiB is used, for n bytes: a n + b. */
const PIPELINES = [
  { a: 1.6134e-6, b: 2.1102, segment: 128 * KI },
  { a: 2.3679e-6, b: 1.1787, segment: 64 * KI },
  { a: 3.2118e-6, b: 8.7936, segment: 16 * KI },
] as const;

/**
 * A chain of ranks through which segments pass: each rank posts the receive of the next segment, and waits for the send
 * of the last one. Source: SimGrid `bcast-ompi-pipeline.cpp`.
 */
export function pipelinedChain(steps: Steps, call: Call<'bcast'>): void {
  const { rank, size: ranks } = steps;
  const { parent, children } = chains(rank, ranks, call.root, 1);
  const { count, size } = elementsOf(call);
  const bytes = PIPELINES.find(({ a, b }) => ranks < a * call.bytes + b)?.segment ?? 128 * KI;
  const sizes = segments(count, segmentElements(bytes, size, count)).map((elements) => elements * size);
  if (sizes.length === 0) sizes.push(0);
  const forward = (segment: number): void => {
    const requests = children.map((child) => steps.isend(child, tag, segment));
    for (const request of requests) steps.wait(request);
  };
  if (parent === undefined) {
    for (const segment of sizes) forward(segment);
    return;
  }
  let last = steps.irecv(parent, tag, sizes[0]!);
  for (let k = 1; k < sizes.length; k++) {
    const next = steps.irecv(parent, tag, sizes[k]!);
    steps.wait(last);
    forward(sizes[k - 1]!);
    last = next;
  }
  steps.wait(last);
  forward(sizes.at(-1)!);
}

/** Size from which segments have 8 KiB instead of 1 KiB. */
const LONG = 370_728;

/**
 * The root sends one half of the message down the left subtree of a binary tree and the other half down the right one, in
 * segments; then pairs of ranks of both subtrees exchange their halves. Messages that do not fill two segments pass along
 * a line instead. SimGrid's line (`bcast-SMP-linear.cpp`) sends every message twice, and nobody receives the second one;
 * here it is sent once.
 *
 * Source: SimGrid `bcast-ompi-split-bintree.cpp`.
 */
export function splitBinary(steps: Steps, call: Call<'bcast'>): void {
  const { rank, size: ranks } = steps;
  const { root } = call;
  const { count, size } = elementsOf(call);
  const segmentBytes = Math.max(size, call.bytes < LONG ? KI : 8 * KI);
  const halves = [Math.ceil(count / 2), Math.floor(count / 2)] as const;
  if (halves[1] === 0 || segmentBytes > halves[1] * size) {
    pipelinedLine(steps, call);
    return;
  }
  const perSegment = Math.floor(segmentBytes / size);
  const halfSegments = halves.map((half) => segments(half, perSegment).map((elements) => elements * size));
  const tree = binaryTree(rank, ranks, root);
  const relative = (rank - root + ranks) % ranks;
  const side = (relative + 1) % 2;
  if (tree.parent === undefined) {
    halfSegments[0]!.forEach((_, k) => {
      tree.children.forEach((child, i) => {
        const bytes = halfSegments[i]![k];
        if (bytes !== undefined) steps.send(child, tag, bytes);
      });
    });
  } else if (tree.children.length > 0) {
    const sizes = halfSegments[side]!;
    let last = steps.irecv(tree.parent, tag, sizes[0]!);
    sizes.forEach((bytes, k) => {
      const next = k + 1 < sizes.length ? steps.irecv(tree.parent!, tag, sizes[k + 1]!) : undefined;
      steps.wait(last);
      for (const child of tree.children) steps.send(child, tag, bytes);
      last = next ?? last;
    });
  } else {
    for (const bytes of halfSegments[side]!) steps.recv(tree.parent, tag, bytes);
  }
  const [own, other] = [halves[side]! * size, halves[1 - side]! * size];
  const end = (root + ranks - 1) % ranks;
  if (ranks % 2 === 0 && rank === root) steps.send(end, tag, halves[1] * size);
  else if (ranks % 2 === 0 && rank === end) steps.recv(root, tag, halves[1] * size);
  else if (rank !== root) {
    const pair = side === 0 ? (rank + 1) % ranks : (rank - 1 + ranks) % ranks;
    steps.sendrecv(pair, own, pair, other, tag);
  }
}
