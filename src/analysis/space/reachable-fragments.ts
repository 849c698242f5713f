import type { Activity } from './activity.ts';
import type { StateSpace } from './state-space.ts';

/** A set of processes that are active in a reachable marking (the method, result 1). */
export interface ReachableFragment {
  /** Ascending. */
  readonly processes: readonly number[];
  /** Number of markings in which exactly these are active. */
  readonly markings: number;
}

/** The fragments of a space, and its degree of parallelism. */
export interface ReachableFragments {
  /** Largest first, then by their processes. */
  readonly fragments: readonly ReachableFragment[];
  /** Maximum degree of parallelism in the markings found, and the first marking that has it. */
  readonly maximum: number;
  readonly witness: number;
  /** True if all markings of a complete space were examined. */
  readonly complete: boolean;
}

/** Counts held at a time: classes × states. */
const HELD = 1 << 20;
/** Maximum number of states per chunk. */
const CHUNK = 1 << 13;
/** Maximum number of tree nodes: 12 bytes each. */
const MAX_NODES = 1 << 23;

/**
 * The fragments `F = { active(M) }` of all markings M found, and the maximum degree of parallelism. If `stop` ends the work,
 * those of the first markings. O(markings × (processes + active places)).
 */
export function reachableFragments(
  space: StateSpace,
  { nodes, processOf, most }: Activity,
  stop: () => boolean = () => false,
): ReachableFragments {
  const read = space.classes(nodes, most.length);
  const processes = [...new Set(processOf.filter((p) => p !== undefined))].sort((a, b) => a - b);
  const classesOf = processes.map((process) => processOf.flatMap((p, c) => (p === process ? [c] : [])));
  const chunk = Math.max(1, Math.min(CHUNK, Math.floor(HELD / most.length)));
  const sets = new SetTree();
  const markings = new Map<number, number>();
  let [maximum, witness, seen] = [-1, 0, 0];
  while (seen < space.states && sets.nodes < MAX_NODES && !(seen > 0 && stop())) {
    const to = Math.min(space.states, seen + chunk);
    const counts = read(seen, to);
    const degree = new Float64Array(to - seen);
    counts.forEach((column, c) => {
      const limit = most[c]!;
      if (limit > 0) for (let k = 0; k < column.length; k++) degree[k]! += Math.min(limit, column[k]!);
    });
    const set = new Int32Array(to - seen);
    for (const classes of classesOf)
      for (let k = 0; k < set.length; k++) set[k] = sets.with(set[k]!, classes.some((c) => counts[c]![k]! > 0) ? 1 : 0);
    for (let k = 0; k < set.length; k++) {
      markings.set(set[k]!, (markings.get(set[k]!) ?? 0) + 1);
      if (degree[k]! <= maximum) continue;
      maximum = degree[k]!;
      witness = seen + k;
    }
    seen = to;
  }
  const fragments = [...markings].map(([set, count]) => ({
    processes: sets.members(set, processes),
    markings: count,
  }));
  return {
    fragments: fragments.sort((a, b) => b.processes.length - a.processes.length || before(a.processes, b.processes)),
    maximum,
    witness,
    complete: space.complete && seen === space.states,
  };
}

function before(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((p, i) => p !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** Numbers sets of processes by a binary tree with a level for each process. */
class SetTree {
  nodes = 1;
  /** Child of node n without (2n) and with (2n + 1) the process of its level; 0 if there is none. */
  #child = new Int32Array(1 << 10);
  /** Position of each node in `#child`. */
  #at = new Int32Array(1 << 9);

  /** The set of a node with, or without, the next process. */
  with(node: number, bit: 0 | 1): number {
    const at = 2 * node + bit;
    const known = this.#child[at]!;
    if (known !== 0) return known;
    const added = this.nodes++;
    if (added === this.#at.length) {
      this.#child = twice(this.#child);
      this.#at = twice(this.#at);
    }
    this.#child[at] = added;
    this.#at[added] = at;
    return added;
  }

  members(leaf: number, processes: readonly number[]): number[] {
    const members: number[] = [];
    for (let node = leaf, p = processes.length - 1; p >= 0; p--) {
      const at = this.#at[node]!;
      if (at % 2 === 1) members.push(processes[p]!);
      node = at >> 1;
    }
    return members.reverse();
  }
}

function twice(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
