import type { StateGraph, StateSpace } from '../space/state-space.ts';

/** The reversed edges of a space, and which of its states are incompletely expanded. */
export interface Predecessors {
  readonly states: number;
  /** Predecessors of s: `source[start[s]]` … `source[start[s + 1] − 1]`, one for every edge. */
  readonly start: Float64Array | Uint32Array;
  readonly source: Uint32Array;
  /** 1 for states that certainly have no successor. */
  readonly dead: Uint8Array;
  /** 1 for states that may have unknown successors; undefined if the space is complete. */
  readonly open: Uint8Array | undefined;
}

/** Edges or states processed between two calls of `check`. */
const CHECK_EVERY = 1 << 17;

/** Bytes that {@link predecessors} allocates. */
export function predecessorBytes(graph: StateGraph): number {
  return 4 * graph.edges + 10 * graph.states;
}

/** Reverses the edges by counting sort. `check` is called regularly and may throw. O(states + edges). */
export function predecessors(space: StateSpace, graph: StateGraph, check: () => void = () => {}): Predecessors {
  const { states, edges } = graph;
  const start = edges < 2 ** 32 ? new Uint32Array(states + 1) : new Float64Array(states + 1);
  for (let e = 0; e < edges; e++) {
    if (e % CHECK_EVERY === 0) check();
    start[graph.target(e) + 1]!++;
  }
  for (let s = 0; s < states; s++) start[s + 1]! += start[s]!;
  const source = new Uint32Array(edges);
  const next = start.slice(0, states);
  const dead = new Uint8Array(states);
  for (let s = 0, e = 0; s < states; s++) {
    if (s % CHECK_EVERY === 0) check();
    const end = graph.start[s + 1]!;
    if (e === end) dead[s] = 1;
    for (; e < end; e++) {
      const t = graph.target(e);
      source[next[t]!] = s;
      next[t]!++;
    }
  }
  if (space.complete) return { states, start, source, dead, open: undefined };
  const open = new Uint8Array(states);
  const degrees = space.outDegree(0, states);
  for (let s = 0; s < states; s++) {
    if (degrees[s]! > graph.start[s + 1]! - graph.start[s]!) open[s] = 1;
    dead[s]! &= open[s]! ^ 1;
  }
  return { states, start, source, dead, open };
}
