import type { Petri } from '../petri/petri.ts';
import type { Semiflows, SparseVector } from './elimination.ts';
import { semiflows, smallest, someSemiflows } from './semiflows.ts';

/**
 * The minimal place semiflows y, as far as `effort` allows: y · m is the same in every reachable marking. Places that some
 * transition resets belong to none.
 */
export function placeSemiflows(petri: Petri, effort?: number, stop?: () => boolean): Semiflows {
  if (isStateMachine(petri)) return { flows: conservedComponents(petri), complete: true };
  const { rows, columns } = placeRows(petri);
  let next = columns;
  // A separate non-zero column for each reset place excludes it from all semiflows.
  for (const p of new Set(petri.transitions.flatMap((t) => [...t.resets]))) rows[p]!.set(next++, -1);
  const found = semiflows(rows, effort, initials(petri), stop);
  // The search may give up, or be stopped, where whole components conserve their tokens, as in large state machines.
  return found.complete
    ? found
    : { flows: smallest([...found.flows, ...conservedComponents(petri)], stop), complete: false };
}

/**
 * True if every transition moves tokens of one place to another. A semiflow then has the same weight in both, hence in all
 * connected places: the components are all minimal semiflows.
 */
function isStateMachine({ transitions }: Petri): boolean {
  return transitions.every(
    ({ change, resets }) =>
      resets.length === 0 && (change.length === 0 || (change.length === 2 && change[0]![1] === -change[1]![1])),
  );
}

/**
 * The sets of connected places whose total number of tokens no transition changes, as weights 1. O(arcs × α). A place that some
 * transition resets belongs to none.
 */
function conservedComponents({ places, transitions }: Petri): SparseVector[] {
  const of = Int32Array.from(places.keys());
  const root = (p: number): number => {
    let at = p;
    while (of[at] !== at) {
      of[at] = of[of[at]!]!;
      at = of[at]!;
    }
    return at;
  };
  for (const { change } of transitions) for (const [p] of change) of[root(p)] = root(change[0]![0]);
  const broken = new Set<number>();
  for (const { change, resets } of transitions) {
    if (change.length > 0 && change.reduce((sum, [, n]) => sum + n, 0) !== 0) broken.add(root(change[0]![0]));
    for (const p of resets) broken.add(root(p));
  }
  const flows = new Map<number, Map<number, number>>();
  for (const p of places.keys()) {
    const component = root(p);
    if (broken.has(component)) continue;
    const flow = flows.get(component) ?? new Map<number, number>();
    flows.set(component, flow.set(p, 1));
  }
  return [...flows.values()];
}

/**
 * Some weights y ≥ 0 such that y · m never increases. They are the semiflows of the matrix extended by one slack place per
 * transition, which receives the loss. Resets only remove tokens and need no condition.
 */
export function decreasingWeights(petri: Petri, effort?: number, stop?: () => boolean): SparseVector[] {
  const { rows, columns } = placeRows(petri);
  const places = rows.length;
  for (let c = 0; c < columns; c++) rows.push(new Map([[c, 1]]));
  return someSemiflows(rows, effort, initials(petri), stop)
    .map((flow) => new Map([...flow].filter(([p]) => p < places)))
    .filter((flow) => flow.size > 0);
}

/** The minimal transition semiflows: firing counts without net effect. Transitions with resets belong to none. */
export function transitionSemiflows({ places, transitions }: Petri, effort?: number, stop?: () => boolean): Semiflows {
  let next = places.length;
  const rows = transitions.map(({ change, resets }) => {
    const row = new Map(change);
    if (resets.length > 0) row.set(next++, 1);
    return row;
  });
  return semiflows(rows, effort, [], stop);
}

const initials = ({ places }: Petri): number[] => places.map((p) => p.initial);

/** y · m₀. */
export function tokensOf(weights: SparseVector, { places }: Petri): number {
  let tokens = 0;
  for (const [p, weight] of weights) tokens += weight * places[p]!.initial;
  return tokens;
}

/** The incidence matrix by place; transitions with equal effects share a column. */
function placeRows({ places, transitions }: Petri): { rows: Map<number, number>[]; columns: number } {
  const rows = places.map(() => new Map<number, number>());
  const columns = new Map<string, number>();
  for (const t of transitions) {
    if (t.change.length === 0) continue;
    const key = t.change.join(';');
    if (columns.has(key)) continue;
    const column = columns.size;
    columns.set(key, column);
    for (const [p, n] of t.change) rows[p]!.set(column, n);
  }
  return { rows, columns: columns.size };
}
