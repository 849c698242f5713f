import { type Ratio, ratio } from './exact-ratio.ts';

/**
 * A strongly connected graph. Node `to` waits for node `from`: its k-th event is at least `time` after event k − `tokens` of
 * `from`. Every cycle has a token.
 */
export interface RatioGraph {
  readonly nodes: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly time: readonly bigint[];
  readonly tokens: Float64Array;
}

export interface CycleRatio {
  /** Largest ratio of time to tokens of all cycles. */
  readonly ratio: Ratio;
  /** Edges of a cycle with this ratio, in order. */
  readonly cycle: readonly number[];
  /** Number of passes of the exact check. */
  readonly passes: number;
}

/**
 * The maximum cycle ratio by Howard's policy iteration in doubles (Cochet-Terrasson et al., _Numerical computation of spectral
 * elements in max-plus algebra_, 1998; with the improvements of Dasdan 2004), then proved in integers: Bellman–Ford finds
 * potentials v(from) ≥ v(to) + time − ratio · tokens on all edges, so that no cycle exceeds the ratio. If a cycle does, it is the
 * next candidate, so rounding cannot change the result. O(edges) for each pass; few passes in practice.
 */
export function maximumCycleRatio(graph: RatioGraph): CycleRatio {
  const { cycle: first, value } = howard(graph);
  let cycle = first;
  for (let passes = 0; ; ) {
    const found = exactRatio(graph, cycle);
    const better = exceeding(graph, found, value);
    passes += better.passes;
    if (better.cycle === undefined) return { ratio: ratio(found.time, BigInt(found.tokens)), cycle, passes };
    cycle = better.cycle;
  }
}

interface Sums {
  readonly time: bigint;
  readonly tokens: number;
}

function exactRatio({ time, tokens }: RatioGraph, cycle: readonly number[]): Sums {
  return {
    time: cycle.reduce((sum, e) => sum + time[e]!, 0n),
    tokens: cycle.reduce((sum, e) => sum + tokens[e]!, 0),
  };
}

/** Passes that doubles may need; after it, the exact check goes on from the best cycle found. */
const MAX_ROUNDS = 1000;
/** Improvements below this part of the largest time are noise of rounding. */
const NOISE = 1e-12;

/** A cycle whose ratio is the largest, or nearly so, and potentials that nearly prove it. */
function howard({ nodes, from, to, time, tokens }: RatioGraph): {
  readonly cycle: number[];
  readonly value: Float64Array;
} {
  const seconds = Float64Array.from(time, Number);
  const largest = seconds.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const policy = new Int32Array(nodes).fill(-1);
  for (let e = 0; e < from.length; e++) {
    const chosen = policy[from[e]!]!;
    if (chosen < 0 || seconds[e]! > seconds[chosen]!) policy[from[e]!] = e;
  }
  const value = new Float64Array(nodes);
  let best: number[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = bestCycle(policy, to, seconds, tokens);
    best = found.cycle;
    const { ratio: of } = found;
    // Values of the nodes that lead to the cycle; the others keep theirs.
    const behind = Array.from({ length: nodes }, (): number[] => []);
    for (let v = 0; v < nodes; v++) behind[to[policy[v]!]!]!.push(v);
    const root = from[best[0]!]!;
    const queue = [root];
    for (const v of queue)
      for (const u of behind[v]!) {
        if (u === root) continue;
        const e = policy[u]!;
        value[u] = value[v]! + seconds[e]! - of * tokens[e]!;
        queue.push(u);
      }
    let isBetter = false;
    for (let e = 0; e < from.length; e++) {
      const gain = value[to[e]!]! + seconds[e]! - of * tokens[e]! - value[from[e]!]!;
      if (gain <= 0) continue;
      if (gain > NOISE * largest) isBetter = true;
      value[from[e]!]! += gain;
      policy[from[e]!] = e;
    }
    if (!isBetter) break;
  }
  return { cycle: best, value };
}

/** The best cycle among those of a policy, which has one edge out of each node. */
function bestCycle(
  policy: Int32Array,
  to: Int32Array,
  seconds: Float64Array,
  tokens: Float64Array,
): { readonly ratio: number; readonly cycle: number[] } {
  let best: { ratio: number; cycle: number[] } = { ratio: Number.NEGATIVE_INFINITY, cycle: [] };
  for (const cycle of cyclesOf(policy, to)) {
    const all = cycle.reduce((sum, e) => sum + tokens[e]!, 0);
    const own = cycle.reduce((sum, e) => sum + seconds[e]!, 0) / all;
    if (own > best.ratio) best = { ratio: own, cycle };
  }
  return best;
}

/** The cycles of a graph with at most one edge out of each node; -1 for none. */
function cyclesOf(edge: Int32Array, to: Int32Array): number[][] {
  const mark = new Int32Array(edge.length);
  const cycles: number[][] = [];
  for (let first = 0; first < edge.length; first++) {
    let v = first;
    while (mark[v] === 0 && edge[v]! >= 0) {
      mark[v] = first + 1;
      v = to[edge[v]!]!;
    }
    if (edge[v]! < 0 || mark[v] !== first + 1) continue;
    const cycle: number[] = [];
    let u = v;
    do {
      cycle.push(edge[u]!);
      u = to[edge[u]!]!;
    } while (u !== v);
    cycles.push(cycle);
  }
  return cycles;
}

/**
 * A cycle with a larger ratio than a given cycle; undefined if no cycle has one, which potentials prove. Exact: weights of edges are
 * time × tokens of the cycle − tokens × time of the cycle.
 */
function exceeding(
  { nodes, from, to, time, tokens }: RatioGraph,
  best: Sums,
  near: Float64Array,
): { readonly cycle: number[] | undefined; readonly passes: number } {
  const by = BigInt(best.tokens);
  const excess = time.map((t, e) => t * by - best.time * BigInt(tokens[e]!));
  let largest = 0n;
  for (const e of excess) {
    const size = e < 0n ? -e : e;
    if (size > largest) largest = size;
  }
  // Doubles are exact while the sums of a path are.
  const isSmall = 2n * largest * BigInt(nodes + 1) < BigInt(Number.MAX_SAFE_INTEGER);
  const chosen = new Int32Array(nodes).fill(-1);
  // Any potentials may be the first ones; near the last ones, few passes are left.
  const start = Array.from(near, (v) => Math.round(v * best.tokens));
  const pass = isSmall
    ? relaxing(Array.from(excess, Number), from, to, chosen, start)
    : relaxing(excess, from, to, chosen, start.map(BigInt));
  for (let passes = 1; ; passes++) {
    if (!pass()) return { cycle: undefined, passes };
    // An edge is chosen when it raises a potential; a cycle of such edges has a positive sum.
    const [cycle] = cyclesOf(chosen, to);
    if (cycle !== undefined) return { cycle, passes };
  }
}

/** One pass over all edges that raises potentials; true if one was raised. */
function relaxing<N extends number | bigint>(
  excess: readonly N[],
  from: Int32Array,
  to: Int32Array,
  chosen: Int32Array,
  value: N[],
): () => boolean {
  return () => {
    let raised = false;
    for (let e = 0; e < from.length; e++) {
      const next = ((value[to[e]!]! as number) + (excess[e]! as number)) as N;
      if (!(next > value[from[e]!]!)) continue;
      value[from[e]!] = next;
      chosen[from[e]!] = e;
      raised = true;
    }
    return raised;
  };
}
