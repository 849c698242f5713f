import { gatherBinomial } from '../binomial.ts';
import { gatherLinear, scatterLinear } from '../linear.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { binomialTree } from './trees.ts';

/** Algorithms of a gather by SimGrid's names. Source: SimGrid `gather-ompi.cpp`. */
export const gatherAlgorithms = {
  default: (steps, c) => gatherLinear(steps, collectiveTag.gather, c.root, c.sendBytes, () => c.recvBytes),
  ompi_basic_linear: receiveInTurn,
  ompi_binomial: (steps, c) =>
    gatherBinomial(steps, collectiveTag.gather, c.root, (ranks) => ranks.length * c.sendBytes),
  ompi_linear_sync: synchronized,
} satisfies Record<string, Algorithm<'gather'>>;

/** Algorithms of a scatter by SimGrid's names. Source: SimGrid `scatter-ompi.cpp`. */
export const scatterAlgorithms = {
  default: (steps, c) => scatterLinear(steps, collectiveTag.scatter, c.root, () => c.sendBytes, c.recvBytes),
  ompi_basic_linear: sendInTurn,
  ompi_binomial: scatterTree,
  ompi_linear_nb: (steps, c) => {
    if (steps.rank !== c.root) steps.recv(c.root, collectiveTag.scatter, c.recvBytes);
    else scatterLinear(steps, collectiveTag.scatter, c.root, () => c.sendBytes, c.recvBytes);
  },
} satisfies Record<string, Algorithm<'scatter'>>;

/** The root receives in rank order, one after another. */
function receiveInTurn(steps: Steps, { sendBytes, recvBytes, root }: Call<'gather'>): void {
  const { rank, size } = steps;
  if (rank !== root) steps.send(root, collectiveTag.gather, sendBytes);
  else for (let peer = 0; peer < size; peer++) if (peer !== root) steps.recv(peer, collectiveTag.gather, recvBytes);
}

/** Size above which the first segment of {@link synchronized} has 32 KiB instead of 1 KiB. */
const LONG = 92_160;

/**
 * The root asks each rank in turn with an empty message, receives its first segment, and goes on to the next rank while
 * the rest arrives.
 */
function synchronized(steps: Steps, { sendBytes, recvBytes, root }: Call<'gather'>): void {
  const { rank, size } = steps;
  const tag = collectiveTag.gather;
  const first = (bytes: number): number => Math.min(bytes, bytes > LONG ? 32_768 : 1024);
  if (rank !== root) {
    steps.recv(root, tag, 0);
    steps.send(root, tag, first(sendBytes));
    steps.send(root, tag, sendBytes - first(sendBytes));
    return;
  }
  for (let peer = 0; peer < size; peer++) {
    if (peer === root) continue;
    const request = steps.irecv(peer, tag, first(recvBytes));
    steps.send(peer, tag, 0);
    steps.irecv(peer, tag, recvBytes - first(recvBytes));
    steps.wait(request);
  }
  steps.waitAll();
}

/** The root sends in rank order, one after another. */
function sendInTurn(steps: Steps, { sendBytes, recvBytes, root }: Call<'scatter'>): void {
  const { rank, size } = steps;
  if (rank !== root) steps.recv(root, collectiveTag.scatter, recvBytes);
  else for (let peer = 0; peer < size; peer++) if (peer !== root) steps.send(peer, collectiveTag.scatter, sendBytes);
}

/** Down a binomial tree, the smallest subtree first, with the parts of all ranks of a subtree in one message. */
function scatterTree(steps: Steps, { sendBytes: bytes, root }: Call<'scatter'>): void {
  const { rank, size } = steps;
  const tag = collectiveTag.scatter;
  const { parent, children } = binomialTree(rank, size, root);
  const relative = (r: number): number => (r - root + size) % size;
  /** Ranks of the subtree of a child: as many as its distance from its parent. */
  const subtree = (above: number, child: number): number =>
    Math.min(relative(child) - relative(above), size - relative(child));
  if (parent !== undefined) steps.recv(parent, tag, subtree(parent, rank) * bytes);
  for (const child of children) steps.send(child, tag, subtree(rank, child) * bytes);
}
