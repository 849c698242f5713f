import type { Components } from '../petri/components.ts';
import type { StateGraph, StateSpace } from './state-space.ts';

/** Number of states by distance from the initial state. */
export interface DepthProfile {
  /** Maximum distance in steps. */
  readonly deepest: number;
  /** Number of consecutive distances per entry of `states`. */
  readonly slice: number;
  /** Number of states per entry: entry k counts the distances `k · slice` … `(k + 1) · slice − 1`. */
  readonly states: readonly number[];
}

/** Components of equal size. */
export interface ComponentSize {
  /** Number of states of a component. */
  readonly size: number;
  /** Number of components of this size. */
  readonly count: number;
  /** How many of them have no outgoing edge. */
  readonly bottom: number;
}

/** Maximum number of entries of a depth profile. */
const SLICES = 100;
/** Maximum number of component sizes listed. */
const SIZES = 20;

/** The distance of each state from the initial one; −1 if unreachable. O(states + edges) time, 8 bytes per state. */
export function distances(graph: StateGraph): Int32Array {
  const { states, start } = graph;
  const distance = new Int32Array(states).fill(-1);
  const queue = new Uint32Array(states);
  let end = 0;
  if (states > 0) {
    distance[0] = 0;
    queue[end++] = 0;
  }
  for (let head = 0; head < end; head++) {
    const s = queue[head]!;
    for (let edge = start[s]!, last = start[s + 1]!; edge < last; edge++) {
      const w = graph.target(edge);
      if (distance[w] !== -1) continue;
      distance[w] = distance[s]! + 1;
      queue[end++] = w;
    }
  }
  return distance;
}

/** States by distance, from breadth-first levels or from `distance`. O(levels) or O(states). */
export function depthProfile(space: StateSpace, distance: Int32Array | undefined): DepthProfile | undefined {
  if (space.order === 'breadth') {
    const { levels } = space;
    return sliced(levels.map((first, d) => (levels[d + 1] ?? space.states) - first));
  }
  if (distance === undefined) return undefined;
  const counts: number[] = [];
  for (const d of distance) {
    if (d < 0) continue;
    while (counts.length <= d) counts.push(0);
    counts[d]!++;
  }
  return sliced(counts);
}

function sliced(counts: readonly number[]): DepthProfile {
  const slice = Math.max(1, Math.ceil(counts.length / SLICES));
  const states = new Array<number>(Math.ceil(counts.length / slice)).fill(0);
  for (const [d, count] of counts.entries()) states[Math.floor(d / slice)]! += count;
  return { deepest: counts.length - 1, slice, states };
}

/** The breadth-first level of a state, i.e. its distance from the initial state. O(log levels). */
export function levelOf(levels: readonly number[], state: number): number {
  let [low, high] = [0, levels.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (levels[middle]! <= state) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Component sizes, largest first; with more than 20 sizes, the 19 largest and the smallest. O(components). */
export function componentSizes({ sizes, bottom }: Components): ComponentSize[] {
  const found = new Map<number, { count: number; bottom: number }>();
  for (const [c, size] of sizes.entries()) {
    const one = found.get(size) ?? { count: 0, bottom: 0 };
    one.count++;
    one.bottom += bottom[c]!;
    found.set(size, one);
  }
  const all = [...found].sort(([a], [b]) => b - a).map(([size, one]) => ({ size, ...one }));
  return all.length <= SIZES ? all : [...all.slice(0, SIZES - 1), all.at(-1)!];
}
