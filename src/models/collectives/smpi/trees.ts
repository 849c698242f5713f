import type { Steps } from '../steps.ts';

/** Place of a rank in a tree: its parent (undefined for the root) and its children, in the order in which they are served. */
export interface Tree {
  readonly parent: number | undefined;
  readonly children: readonly number[];
}

/** Maximum number of children in a tree of SimGrid's Open MPI algorithms (`MAXTREEFANOUT`). */
const MAX_FANOUT = 32;

/**
 * Binary tree in which the ranks of a level follow each other: level l has the ranks 2^l − 1 … 2^(l+1) − 2, relative to
 * the root, and the children of a rank are 2^l and 2^(l+1) above it. Odd relative ranks are below the first child of the
 * root, even ones below the second.
 *
 * Source: SimGrid `coll_tuned_topo.cpp` (`build_tree` with fan-out 2).
 */
export function binaryTree(rank: number, size: number, root: number): Tree {
  const relative = (rank - root + size) % size;
  const width = 2 ** Math.floor(Math.log2(relative + 1));
  const children = [relative + width, relative + 2 * width].filter((child) => child < size);
  // A parent is half the width of the level below its child, once or twice.
  let parent = relative;
  if (relative < 3) parent = 0;
  else while (parent >= width - 1) parent -= width / 2;
  return {
    parent: relative === 0 ? undefined : (parent + root) % size,
    children: children.map((child) => (child + root) % size),
  };
}

/**
 * Binomial tree whose nearest children come first: those 1, 2, 4 … above the rank, relative to the root.
 *
 * Source: SimGrid `coll_tuned_topo.cpp` (`build_in_order_bmtree`).
 */
export function binomialTree(rank: number, size: number, root: number): Tree {
  const relative = (rank - root + size) % size;
  const children: number[] = [];
  for (let mask = 1; mask < size; mask *= 2) {
    if ((relative & mask) !== 0) return { parent: (relative - mask + root) % size, children };
    if (relative + mask < size) children.push((relative + mask + root) % size);
  }
  return { parent: undefined, children };
}

/**
 * `fanout` chains below the root; the first ones are one rank longer if they do not divide the ranks evenly.
 *
 * Source: SimGrid `coll_tuned_topo.cpp` (`build_chain`).
 */
export function chains(rank: number, size: number, root: number, fanout: number): Tree {
  const relative = (rank - root + size) % size;
  const real = (r: number): number => (r + root) % size;
  const count = Math.max(1, Math.min(fanout, MAX_FANOUT, size - 1));
  const length = Math.ceil((size - 1) / count);
  const long = (size - 1) % count || count;
  const heads = Array.from({ length: count }, (_, k) => 1 + k * length - Math.max(0, k - long));
  if (relative === 0) return { parent: undefined, children: size === 1 ? [] : heads.map(real) };
  const isHead = heads.includes(relative);
  const isTail = relative + 1 === size || heads.includes(relative + 1);
  return { parent: isHead ? root : real(relative - 1), children: isTail ? [] : [real(relative + 1)] };
}

/**
 * Binary tree that keeps the order of the ranks, for reductions that do not commute. Its root is the last rank; the left
 * child of a subtree is the rank before its root, the right subtree has the lower half of the ranks.
 *
 * Source: SimGrid `coll_tuned_topo.cpp` (`build_in_order_bintree`).
 */
export function inOrderTree(rank: number, size: number): Tree {
  let [own, count, offset] = [rank, size, 0];
  let parent: number | undefined;
  for (;;) {
    const top = count - 1;
    const left = top > 0 ? top - 1 : undefined;
    const lower = count >> 1;
    const right = left !== undefined && left > 0 ? lower - 1 : undefined;
    if (own === top) {
      const children = [left, right].filter((child) => child !== undefined).map((child) => child + offset);
      return { parent, children };
    }
    if (own > (right ?? -1)) {
      // In the left subtree.
      if (own === left) parent = top + offset;
      count -= lower + 1;
      offset += lower;
      own -= lower;
    } else {
      if (own === right) parent = top + offset;
      count = lower;
    }
  }
}

/**
 * Binomial tree of the first ranks of nodes below rank 0, and one of each node below its first rank. Children on the node come first, then
 * nodes; both the nearest first. Nodes are numbers of consecutive ranks: one if nodes differ in them.
 */
export function treeOfNodes({ rank, size, nodes }: Steps): Tree {
  const each = nodes?.each ?? 1;
  const inside = rank % each;
  const first = rank - inside;
  const own = binomialTree(inside, Math.min(each, size - first), 0);
  const children = own.children.map((child) => first + child);
  if (inside !== 0) return { parent: first + own.parent!, children };
  const between = binomialTree(rank / each, Math.ceil(size / each), 0);
  return {
    parent: between.parent === undefined ? undefined : between.parent * each,
    children: [...children, ...between.children.map((child) => child * each)],
  };
}
