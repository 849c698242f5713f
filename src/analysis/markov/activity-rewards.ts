import { ActiveSets, type Activity, largestFirst } from '../space/reachable-fragments.ts';
import type { StateSpace } from '../space/state-space.ts';
import type { MarkovChain } from './chain.ts';

/** Active processes by state of a chain. */
interface ActivityRewards {
  /** The processes, ascending. */
  readonly processes: readonly number[];
  /** By state: the degree of parallelism. */
  readonly degree: Float64Array;
  /** The sets of processes that are active together in some state, the largest first. */
  readonly fragments: readonly StateFragment[];
  /** By state: the number of its set in `fragments`. */
  readonly fragmentOf: Int32Array;
}

/** A set of processes that are active together. */
interface StateFragment {
  /** Ascending. */
  readonly processes: readonly number[];
}

/** The fragments of a chain (the method, result 1): sets of processes that are active while time passes. O(markings × processes). */
export function activityRewards(chain: MarkovChain, space: StateSpace, activity: Activity): ActivityRewards {
  const active = new ActiveSets(space, activity);
  const sets = new Int32Array(space.states);
  const degrees = new Float64Array(space.states);
  for (let seen = 0; seen < space.states; ) {
    const { set, degree } = active.from(seen);
    sets.set(set, seen);
    degrees.set(degree, seen);
    seen += set.length;
  }
  const own = Int32Array.from(chain.markings, (m) => sets[m]!);
  const fragments = [...new Set(own)].map((set) => ({ set, processes: active.members(set) })).sort(largestFirst);
  const numberOf = new Map(fragments.map(({ set }, k) => [set, k]));
  return {
    processes: active.processes,
    degree: Float64Array.from(chain.markings, (m) => degrees[m]!),
    fragments: fragments.map(({ processes }) => ({ processes })),
    fragmentOf: own.map((set) => numberOf.get(set)!),
  };
}

/** By state: the number of these processes that are active. */
export function activeAmong({ fragments, fragmentOf }: ActivityRewards, processes: ReadonlySet<number>): Float64Array {
  const counts = fragments.map((fragment) => fragment.processes.filter((p) => processes.has(p)).length);
  return Float64Array.from(fragmentOf, (k) => counts[k]!);
}

/** By state: 1 if exactly this set of processes is active. */
export function inFragment({ fragmentOf }: ActivityRewards, fragment: number): Float64Array {
  return Float64Array.from(fragmentOf, (k) => (k === fragment ? 1 : 0));
}
