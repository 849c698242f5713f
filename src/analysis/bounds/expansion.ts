import { fail } from '../../base/problem.ts';
import type { EventEdge } from './event-graph.ts';
import { gcd } from './exact-ratio.ts';

/** Maximum number of firings in one iteration of a component. */
const MAX_FIRINGS = 200_000;

/** An edge between single firings of an iteration. */
export interface FiringEdge {
  /** Firings of an iteration, numbered from 0. */
  readonly from: number;
  readonly to: number;
  /** Iterations between both. */
  readonly tokens: number;
  /** The edge that it comes from; -1 for the order of a node's own firings. */
  readonly edge: number;
}

/** The firings of one iteration of a component, and how they wait for each other. */
export interface Expansion {
  /** Firings of each node in an iteration, the smallest that reproduce the tokens. */
  readonly repetitions: readonly number[];
  readonly firings: number;
  /** The node of each firing. */
  readonly nodeOf: Int32Array;
  readonly edges: readonly FiringEdge[];
}

/**
 * The iteration of a strongly connected component with weights (Lee & Messerschmitt 1987). Firing j of the consumer of an edge with
 * weights a, b and m tokens needs token j·b, which firing ⌈(j·b − m) / a⌉ of the producer brings. O(result).
 *
 * @param edges between `nodes` nodes, connected
 * @throws InputError BND002 if no numbers of firings reproduce the tokens; BND003 if the iteration is too long
 */
export function expansion(nodes: number, edges: readonly EventEdge[], first: string): Expansion {
  const repetitions = repetitionsOf(nodes, edges);
  const offset = new Float64Array(nodes + 1);
  repetitions.forEach((n, k) => {
    offset[k + 1] = offset[k]! + n;
  });
  const firings = offset[nodes]!;
  const all = edges.reduce((sum, { to }) => sum + repetitions[to]!, 0);
  if (!(firings <= MAX_FIRINGS && all <= 4 * MAX_FIRINGS))
    fail('BND003', `an iteration has ${firings} firings, more than ${MAX_FIRINGS}`, { part: `transition ${first}` });
  const nodeOf = new Int32Array(firings);
  for (let v = 0; v < nodes; v++) nodeOf.fill(v, offset[v]!, offset[v + 1]!);
  const expanded: FiringEdge[] = [];
  edges.forEach(({ from, to, gives, takes, tokens }, edge) => {
    const n = repetitions[from]!;
    for (let j = 1; j <= repetitions[to]!; j++) {
      const needed = Math.ceil((j * takes - tokens) / gives);
      const back = needed >= 1 ? 0 : Math.ceil((1 - needed) / n);
      expanded.push({ from: offset[from]! + needed + back * n - 1, to: offset[to]! + j - 1, tokens: back, edge });
    }
  });
  // A node's firings begin in their order, which follows from the tokens; these edges make the result strongly connected.
  for (let v = 0; v < nodes; v++) {
    const n = repetitions[v]!;
    for (let j = 0; n > 1 && j < n; j++)
      expanded.push({ from: offset[v]! + j, to: offset[v]! + ((j + 1) % n), tokens: j + 1 < n ? 0 : 1, edge: -1 });
  }
  return { repetitions, firings, nodeOf, edges: expanded };
}

/** The smallest integers with gives · n(from) = takes · n(to) for all edges. */
function repetitionsOf(nodes: number, edges: readonly EventEdge[]): number[] {
  // Fractions over node 0.
  const of: (readonly [bigint, bigint] | undefined)[] = Array.from({ length: nodes });
  const next = Array.from({ length: nodes }, (): EventEdge[] => []);
  for (const edge of edges) {
    next[edge.from]!.push(edge);
    next[edge.to]!.push(edge);
  }
  of[0] = [1n, 1n];
  const queue = [0];
  for (const v of queue)
    for (const edge of next[v]!) {
      const [n, d] = of[v]!;
      const other = edge.from === v ? edge.to : edge.from;
      const [up, down] = edge.from === v ? [edge.gives, edge.takes] : [edge.takes, edge.gives];
      const numerator = n * BigInt(up);
      const denominator = d * BigInt(down);
      const known = of[other];
      if (known === undefined) {
        const divisor = gcd(numerator, denominator);
        of[other] = [numerator / divisor, denominator / divisor];
        queue.push(other);
      } else if (known[0] * denominator !== numerator * known[1])
        fail(
          'BND002',
          `gives ${edge.gives} and takes ${edge.takes} at a time: no numbers of firings reproduce the tokens of the cycles through it, which then grow or run out`,
          { part: `place ${edge.via}` },
        );
    }
  const common = of.reduce((all, f) => (all / gcd(all, f![1])) * f![1], 1n);
  const integers = of.map((f) => f![0] * (common / f![1]));
  const divisor = integers.reduce(gcd, 0n);
  return integers.map((n) => Number(n / divisor));
}
