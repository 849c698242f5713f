import { fail, quote } from '../../base/problem.ts';
import { components, type StateGraph } from '../petri/components.ts';
import { eliminated, type Outcome, ROUNDING, type TransientRow, type Weights } from './elimination.ts';
import { firedBy, OPEN, TANGIBLE, type TimedGraph, valueAt } from './timed-graph.ts';

/** Open orders may differ by this much as logarithms: rounding, which error bounds include. */
const SAME = 1e-11;

/**
 * By vanishing state, none if there are no such states: the tangible states that it leads to, and the firings on the way. Cycles of immediate firings are
 * eliminated exactly. An open choice is accepted if every order has the same outcome.
 *
 * @throws InputError CTMC002 the order of immediate firings matters, CTMC005 immediate firings never end
 */
export function vanishingOutcomes(graph: TimedGraph): (Outcome | undefined)[] {
  const { kind, edges } = graph;
  if (kind.every((k) => k === TANGIBLE)) return [];
  const outcomes = new Array<Outcome | undefined>(kind.length);
  const { count, of } = components(withoutTime(graph));
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let s = 0; s < kind.length; s++) if (kind[s] !== TANGIBLE) members[of[s]!]!.push(s);
  // Components are numbered so that successors come first.
  for (const own of members) {
    if (own.length === 0) continue;
    const [only] = own as [number];
    if (own.length === 1 && !hasLoop(graph, only)) {
      outcomes[only] = kind[only] === OPEN ? openOutcome(graph, only, outcomes) : drawn(graph, only, outcomes);
      continue;
    }
    const open = own.find((s) => kind[s] === OPEN);
    if (open !== undefined) orderMatters(graph, edges.start[open]!, edges.start[open]! + 1);
    const rows = rowsOf(graph, own);
    if (rows.every(({ outer }) => outer.size === 0)) endless(graph, own);
    const results = eliminated(rows, (graph.choices + 2) * ROUNDING);
    if (results === undefined) outOfRange(graph, own[0]!);
    own.forEach((s, k) => {
      outcomes[s] = composed(results[k]!, outcomes);
    });
  }
  return outcomes;
}

/** The steps of vanishing states only. */
function withoutTime({ kind, edges }: TimedGraph): StateGraph {
  const start = new Uint32Array(kind.length + 1);
  const kept = new Int32Array(edges.target.length);
  let end = 0;
  for (let s = 0; s < kind.length; s++) {
    start[s] = end;
    if (kind[s] === TANGIBLE) continue;
    for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) kept[end++] = edges.target[e]!;
  }
  start[kind.length] = end;
  return { states: kind.length, edges: end, start, target: (edge) => kept[edge]! };
}

function hasLoop({ edges }: TimedGraph, s: number): boolean {
  return edges.target.subarray(edges.start[s], edges.start[s + 1]).includes(s);
}

function rowsOf({ edges }: TimedGraph, states: readonly number[]): TransientRow[] {
  const position = new Map(states.map((s, k) => [s, k]));
  return states.map((s) => {
    const row = { inner: new Map(), outer: new Map(), firings: new Map() } as const;
    for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) {
      const value = valueAt(edges, e);
      const inside = position.get(edges.target[e]!);
      if (inside === undefined) add(row.outer, edges.target[e]!, value);
      else add(row.inner, inside, value);
      const fired = firedBy(edges.steps[edges.step[e]!]!);
      if (fired >= 0) add(row.firings, fired, value);
    }
    return row;
  });
}

function drawn(graph: TimedGraph, s: number, outcomes: readonly (Outcome | undefined)[]): Outcome {
  const [{ outer, firings }] = rowsOf(graph, [s]) as [TransientRow];
  const { start } = graph.edges;
  const own = start[s + 1]! - start[s]! === 1 ? 0 : (2 * graph.choices + 2) * ROUNDING;
  return composed({ to: outer, firings, error: own }, outcomes);
}

/** Replaces each vanishing state by its outcome: its successors and the firings until then. */
function composed({ to, firings, error }: Outcome, outcomes: readonly (Outcome | undefined)[]): Outcome {
  const all: Weights = new Map();
  const fired: Weights = new Map(firings);
  let worst = 0;
  for (const [state, probability] of to) {
    const further = outcomes[state];
    if (further === undefined) {
      add(all, state, probability);
      continue;
    }
    worst = Math.max(worst, further.error);
    for (const [k, p] of further.to) add(all, k, p * probability);
    for (const [k, n] of further.firings) add(fired, k, n * probability);
  }
  // One product and as many sums as there are terms; a single certain step has no rounding.
  const rounding = to.size === 1 && [...to.values()][0] === 1 ? 0 : (to.size + 2) * ROUNDING;
  // Whole numbers below 2⁵³ add up without rounding.
  const whole = [...fired.values()].every(Number.isInteger);
  return { to: all, firings: fired, error: error + worst + rounding + (whole ? 0 : 2 * ROUNDING) };
}

/** The common outcome of every order of the immediate steps of a state. @throws InputError CTMC002 */
function openOutcome(graph: TimedGraph, s: number, outcomes: readonly (Outcome | undefined)[]): Outcome {
  const { edges } = graph;
  const from = edges.start[s]!;
  const after = (e: number): Outcome => {
    const fired = firedBy(edges.steps[edges.step[e]!]!);
    const firings: Weights = fired < 0 ? new Map() : new Map([[fired, 1]]);
    return composed({ to: new Map([[edges.target[e]!, 1]]), firings, error: 0 }, outcomes);
  };
  const first = after(from);
  let { error } = first;
  for (let e = from + 1; e < edges.start[s + 1]!; e++) {
    const other = after(e);
    const apart = Math.max(distance(first.to, other.to), distance(first.firings, other.firings));
    if (!(apart <= SAME)) orderMatters(graph, from, e);
    error = Math.max(error, other.error + apart);
  }
  return { ...first, error };
}

/** Maximum logarithm of the ratio of two values; Infinity if one has a value that the other has not. */
function distance(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  if (a.size !== b.size) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (const [k, value] of a) {
    const other = b.get(k);
    if (other === undefined) return Number.POSITIVE_INFINITY;
    // log(1 + x) ≤ x for the larger over the smaller value; the quotient is rounded.
    if (other !== value) most = Math.max(most, Math.max(value, other) / Math.min(value, other) - 1 + 4 * ROUNDING);
  }
  return most;
}

const HOW =
  'Give one of them a weight, or give them different priorities, or estimate the figures by simulation: foretoken steady --method simulate';

/** @throws InputError CTMC002 */
function orderMatters(graph: TimedGraph, a: number, b: number): never {
  const [one, other] = [nameOf(graph, a), nameOf(graph, b)];
  const which =
    one === other
      ? `transition ${quote(one)} is enabled for several colours at once`
      : `transitions ${quote(one)} and ${quote(other)} are enabled at once`;
  fail(
    'CTMC002',
    `${which} without a weight: the ages of their tokens decide which is first, which is not part of a state. ${HOW}`,
    { part: `transition ${one}` },
  );
}

/** Name of the transition of an edge. */
function nameOf({ net, edges: { step, steps } }: TimedGraph, edge: number): string {
  return net.transitions[steps[step[edge]!]!.node]!.name;
}

/** @throws InputError RUN008 */
function outOfRange(graph: TimedGraph, s: number): never {
  const name = nameOf(graph, graph.edges.start[s]!);
  fail('RUN008', 'products of weights leave the range of a double: use weights that are less far apart', {
    part: `transition ${name}`,
  });
}

/** @throws InputError CTMC005 */
function endless(graph: TimedGraph, states: readonly number[]): never {
  const { edges } = graph;
  const own = new Set(states);
  const names = new Set<string>();
  for (const s of states)
    for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++)
      if (own.has(edges.target[e]!)) names.add(nameOf(graph, e));
  const listed = [...names].slice(0, 5).map((name) => quote(name));
  const [first] = names;
  fail(
    'CTMC005',
    `immediate firings never end, so that no time passes: ${listed.join(', ')}${names.size > 5 ? ', …' : ''}. Give one of them an exponential delay`,
    { part: `transition ${first}` },
  );
}

function add(sum: Weights, key: number, value: number): void {
  sum.set(key, (sum.get(key) ?? 0) + value);
}
