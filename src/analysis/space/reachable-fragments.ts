import type { Net } from '../../net/net.ts';
import { partIn, processColumns, processRange, servedPlaces } from '../processes.ts';
import type { Classified, StateSpace } from './state-space.ts';

/** Where the processes of a net are active: tokens and timed firings, divided into classes. */
export interface Activity {
  /** A node may occur several times, with the same variable or column. */
  readonly nodes: readonly Classified[];
  /** By class: the process that is active while the class is not empty; undefined for threads inside a process. */
  readonly processOf: readonly (number | undefined)[];
  /** By class: how many of its members count for the degree of parallelism at most. */
  readonly most: readonly number[];
}

/**
 * The activity of a net as {@link ComputingMeter} measures it: timed firings of kind `compute`, and tokens in operation places
 * with a service, whose process is that of the transitions that put them. Undefined for a net without processes, and where the process of
 * such a transition is no variable, or no column holds it: then classes of tokens and firings do not determine it.
 */
export function activityOf(net: Net): Activity | undefined {
  const { low, count } = processRange(net);
  if (count === 0) return undefined;
  const classOf = (value: number): number | undefined =>
    value >= low && value < low + count ? value - low : undefined;
  const served = servedPlaces(net);
  const columns = processColumns(net, served);
  const nodes: Classified[] = [];
  let isTold = true;
  net.transitions.forEach((t, node) => {
    const { process } = t;
    if (process === undefined) return;
    const { isActive, puts } = partIn(t, served);
    const isHeld = puts.every(({ place }) => columns.has(place));
    if (!isHeld || (process.op !== 'var' && (isActive || puts.length > 0))) isTold = false;
    else if (isActive && process.op === 'var') nodes.push({ kind: 'busy', node, by: process.name, classOf });
  });
  net.places.forEach(({ name }, node) => {
    const by = columns.get(name);
    if (by !== undefined) nodes.push({ kind: 'place', node, by, classOf });
  });
  if (!isTold) return undefined;
  const processOf = Array.from({ length: count }, (_, p) => low + p);
  return { nodes, processOf, most: processOf.map(() => 1) };
}

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
  activity: Activity,
  stop: () => boolean = () => false,
): ReachableFragments {
  const active = new ActiveSets(space, activity);
  /** By set; other nodes of the tree have none. */
  const markings: number[] = [];
  let [maximum, witness, seen] = [-1, 0, 0];
  while (seen < space.states && !active.isFull && !(seen > 0 && stop())) {
    const { set, degree } = active.from(seen);
    for (let k = 0; k < set.length; k++) {
      markings[set[k]!] = (markings[set[k]!] ?? 0) + 1;
      if (degree[k]! <= maximum) continue;
      maximum = degree[k]!;
      witness = seen + k;
    }
    seen += set.length;
  }
  const fragments = Object.entries(markings).map(([set, count]) => ({
    processes: active.members(Number(set)),
    markings: count,
  }));
  return {
    fragments: fragments.sort(largestFirst),
    maximum,
    witness,
    complete: space.complete && seen === space.states,
  };
}

/** Order of fragments: the largest first, then by their processes. */
export function largestFirst(a: Pick<ReachableFragment, 'processes'>, b: Pick<ReachableFragment, 'processes'>): number {
  return b.processes.length - a.processes.length || before(a.processes, b.processes);
}

/** The sets of active processes, by marking. */
export class ActiveSets {
  /** The processes, ascending. */
  readonly processes: readonly number[];
  readonly #space: StateSpace;
  readonly #read: ReturnType<StateSpace['classes']>;
  readonly #most: readonly number[];
  readonly #classesOf: readonly (readonly number[])[];
  readonly #chunk: number;
  readonly #sets = new SetTree();

  constructor(space: StateSpace, { nodes, processOf, most }: Activity) {
    this.#space = space;
    this.#most = most;
    this.#read = space.classes(nodes, most.length);
    this.processes = [...new Set(processOf.filter((p) => p !== undefined))].sort((a, b) => a - b);
    this.#classesOf = this.processes.map((process) => processOf.flatMap((p, c) => (p === process ? [c] : [])));
    this.#chunk = Math.max(1, Math.min(CHUNK, Math.floor(HELD / most.length)));
  }

  /** True if there is no room for further sets. */
  get isFull(): boolean {
    return this.#sets.nodes >= MAX_NODES;
  }

  /** For some markings from this one on: the number of the set, and the degree of parallelism. */
  from(marking: number): { readonly set: Int32Array; readonly degree: Float64Array } {
    const to = Math.min(this.#space.states, marking + this.#chunk);
    const counts = this.#read(marking, to);
    const degree = new Float64Array(to - marking);
    counts.forEach((column, c) => {
      const limit = this.#most[c]!;
      if (limit > 0) for (let k = 0; k < column.length; k++) degree[k]! += Math.min(limit, column[k]!);
    });
    const set = new Int32Array(to - marking);
    for (const classes of this.#classesOf) {
      const active = counts[classes[0]!]!;
      for (const c of classes.slice(1)) for (let k = 0; k < active.length; k++) active[k]! += counts[c]![k]!;
      for (let k = 0; k < set.length; k++) set[k] = this.#sets.with(set[k]!, active[k]! > 0 ? 1 : 0);
    }
    return { set, degree };
  }

  /** The processes of a set. */
  members(set: number): number[] {
    return this.#sets.members(set, this.processes);
  }
}

function before(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((p, i) => p !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** Numbers sets of processes by a binary tree with a level for each process. */
class SetTree {
  nodes = 1;
  /** Child of node n without (2n) and with (2n + 1) the process of its level; 0 if absent. */
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
