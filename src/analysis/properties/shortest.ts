import type { Firing, StateGraph, StateSpace } from '../space/state-space.ts';

/** A path through a space: it begins in state `from`; each step carries the state it leads to. */
export interface StatePath {
  readonly from: number;
  readonly steps: readonly Firing[];
}

/** Up to this number of states, successors are computed state by state; beyond it, building all edges is cheaper. */
const FEW_STATES = 1 << 15;
/** States processed between two calls of `check`. */
const CHECK_EVERY = 1 << 10;

/**
 * A shortest firing sequence from the initial state to each goal, in a space explored breadth first. A single backward sweep
 * over the levels serves all goals; among several predecessors the one found first is used. O(states before the goals ×
 * steps enabled in each).
 *
 * @param edges the edges, or their memory limit; above it, and for small spaces, successors are computed state by state
 * @param check called regularly; may throw to cancel
 */
export function shortestPaths(
  space: StateSpace,
  goals: readonly number[],
  edges: StateGraph | number,
  check: () => void = () => {},
): StatePath[] {
  const { levels } = space;
  const levelOf = (s: number): number => {
    let [low, high] = [0, levels.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (levels[middle]! <= s) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const last = goals.reduce((a, b) => Math.max(a, b), 0);
  const graph = typeof edges === 'object' ? edges : last > FEW_STATES ? space.graph(edges) : undefined;
  const parent = new Map<number, number>();
  let wanted = new Set<number>();
  for (let level = levelOf(last); level > 0; level--) {
    for (const goal of goals) if (levelOf(goal) === level) wanted.add(goal);
    const above = new Set<number>();
    for (let s = levels[level - 1]!; s < levels[level]! && wanted.size > 0; s++) {
      if (s % CHECK_EVERY === 0) check();
      for (const t of targetsOf(space, graph, s)) {
        if (!wanted.delete(t)) continue;
        parent.set(t, s);
        above.add(s);
      }
    }
    if (wanted.size > 0) throw new Error(`no state leads to ${[...wanted].join(', ')}`);
    wanted = above;
  }
  return goals.map((goal) => {
    const states = [goal];
    for (let s = parent.get(goal); s !== undefined; s = parent.get(s)) states.push(s);
    return pathAlong(space, states.reverse());
  });
}

function* targetsOf(space: StateSpace, graph: StateGraph | undefined, s: number): Generator<number> {
  if (graph === undefined) for (const firing of space.firings(s)) yield firing.target;
  else for (let e = graph.start[s]!; e < graph.start[s + 1]!; e++) yield graph.target(e);
}

/** The path through these states; between two states it takes the first step that connects them. */
export function pathAlong(space: StateSpace, states: readonly number[]): StatePath {
  const steps = states.slice(1).map((t, k) => {
    const step = space.firings(states[k]!).find((f) => f.target === t);
    if (step === undefined) throw new Error(`state ${states[k]} does not lead to ${t}`);
    return step;
  });
  return { from: states[0]!, steps };
}

/**
 * A shortest path, as states, from `from` to a state accepted by `reached`, through states accepted by `through`: breadth
 * first over the edges. Undefined if no such state is reachable. O(states + edges).
 */
export function pathWithin(
  graph: StateGraph,
  from: number,
  through: (s: number) => boolean,
  reached: (s: number) => boolean,
): number[] | undefined {
  if (reached(from)) return [from];
  // Predecessor plus one; 0 if the state has not been reached.
  const before = new Uint32Array(graph.states);
  before[from] = from + 1;
  const queue = [from];
  for (let k = 0; k < queue.length; k++) {
    const s = queue[k]!;
    if (!through(s)) continue;
    for (let e = graph.start[s]!; e < graph.start[s + 1]!; e++) {
      const t = graph.target(e);
      if (before[t] !== 0) continue;
      before[t] = s + 1;
      if (reached(t)) {
        const states = [t];
        for (let at = t; at !== from; ) {
          at = before[at]! - 1;
          states.push(at);
        }
        return states.reverse();
      }
      queue.push(t);
    }
  }
  return undefined;
}

/** Maximum length of an infinite path before it repeats. */
const MAX_STEPS = 10_000;

/**
 * A path that stays inside a set of states: to a dead state, or into a cycle, which begins at index `loop`. Undefined if it
 * would be longer than 10⁴ steps. Every state of the set must be dead or have a successor in the set.
 */
export function infinitePath(
  graph: StateGraph,
  from: number,
  inside: Uint8Array,
): { readonly states: readonly number[]; readonly loop?: number } | undefined {
  const states = [from];
  const at = new Map<number, number>([[from, 0]]);
  while (states.length <= MAX_STEPS) {
    const s = states.at(-1)!;
    let next = -1;
    // Prefer a successor that closes a cycle.
    for (let e = graph.start[s]!; e < graph.start[s + 1]!; e++) {
      const t = graph.target(e);
      if (inside[t] !== 1) continue;
      if (next < 0) next = t;
      if (at.has(t)) next = t;
    }
    if (next < 0) return { states };
    const loop = at.get(next);
    states.push(next);
    if (loop !== undefined) return { states, loop };
    at.set(next, states.length - 1);
  }
  return undefined;
}
