import { collectiveTag, type Steps } from './steps.ts';

/** Subtree below a rank, in ranks relative to the root: `from` … `to − 1`. */
interface Subtree {
  readonly from: number;
  readonly to: number;
}

/** Parent and children of a rank in a binomial tree, the largest subtree first; relative to the root. */
function treeOf(relative: number, size: number): { parent: number | undefined; children: number[] } {
  let mask = 1;
  while (mask < size && (relative & mask) === 0) mask *= 2;
  const parent = relative === 0 ? undefined : relative - mask;
  const children: number[] = [];
  for (mask /= 2; mask >= 1; mask /= 2) if (relative + mask < size) children.push(relative + mask);
  return { parent, children };
}

/** Subtree of a child; its size is the distance child − parent, limited by the number of ranks. */
function below(parent: number, child: number, size: number): Subtree {
  return { from: child, to: Math.min(size, child + (child - parent)) };
}

/**
 * Gathers up a binomial tree: a rank receives from its children, the smallest subtree first, then sends to its parent.
 * `bytes` returns the message size of a subtree: the sum of its ranks' parts in a gather, one part in a reduction.
 *
 * ⌈log₂ P⌉ rounds. Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, §4.
 */
export function gatherBinomial(
  steps: Steps,
  tag: number,
  root: number,
  bytes: (ranks: readonly number[]) => number,
): void {
  const { rank, size } = steps;
  const relative = (rank - root + size) % size;
  const real = (r: number): number => (r + root) % size;
  const { parent, children } = treeOf(relative, size);
  for (const child of [...children].reverse())
    steps.recv(real(child), tag, bytes(ranksOf(below(relative, child, size), real)));
  if (parent !== undefined) steps.send(real(parent), tag, bytes(ranksOf(below(parent, relative, size), real)));
}

/** Scatters down a binomial tree: {@link gatherBinomial} in the opposite direction. */
export function scatterBinomial(
  steps: Steps,
  tag: number,
  root: number,
  bytes: (ranks: readonly number[]) => number,
): void {
  const { rank, size } = steps;
  const relative = (rank - root + size) % size;
  const real = (r: number): number => (r + root) % size;
  const { parent, children } = treeOf(relative, size);
  if (parent !== undefined) steps.recv(real(parent), tag, bytes(ranksOf(below(parent, relative, size), real)));
  for (const child of children) steps.send(real(child), tag, bytes(ranksOf(below(relative, child, size), real)));
}

function ranksOf({ from, to }: Subtree, real: (r: number) => number): number[] {
  return Array.from({ length: to - from }, (_, k) => real(from + k));
}

/**
 * Broadcast down a binomial tree rooted at `root`: a rank receives from its parent, then sends to its children, the
 * largest subtree first, with blocking sends.
 *
 * ⌈log₂ P⌉ rounds; every other rank receives once, the root sends ⌈log₂ P⌉ times.
 * Source: SimGrid `bcast-binomial-tree.cpp` (after MPICH).
 */
export function bcastBinomial(steps: Steps, bytes: number, root: number): void {
  const { rank, size } = steps;
  const relative = (rank - root + size) % size;
  let mask = 1;
  while (mask < size && (relative & mask) === 0) mask *= 2;
  if (mask < size) steps.recv((rank - mask + size) % size, collectiveTag.bcast, bytes);
  for (mask /= 2; mask >= 1; mask /= 2) {
    if (relative + mask < size) steps.send((rank + mask) % size, collectiveTag.bcast, bytes);
  }
}
