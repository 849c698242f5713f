import type { Petri } from '../space/petri.ts';
import type { Semiflows, SparseVector } from './elimination.ts';
import { semiflows, someSemiflows } from './semiflows.ts';

/**
 * The minimal place semiflows y, as far as `effort` allows: y · m is the same in every reachable marking. Places that some
 * transition resets belong to none.
 */
export function placeSemiflows(petri: Petri, effort?: number): Semiflows {
  const { rows, columns } = placeRows(petri);
  let next = columns;
  // A separate non-zero column for each reset place excludes it from all semiflows.
  for (const p of new Set(petri.transitions.flatMap((t) => [...t.resets]))) rows[p]!.set(next++, -1);
  return semiflows(rows, effort, initials(petri));
}

/**
 * Some weights y ≥ 0 such that y · m never increases. They are the semiflows of the matrix extended by one slack place per
 * transition, which receives the loss. Resets only remove tokens and need no condition.
 */
export function decreasingWeights(petri: Petri, effort?: number): SparseVector[] {
  const { rows, columns } = placeRows(petri);
  const places = rows.length;
  for (let c = 0; c < columns; c++) rows.push(new Map([[c, 1]]));
  return someSemiflows(rows, effort, initials(petri))
    .map((flow) => new Map([...flow].filter(([p]) => p < places)))
    .filter((flow) => flow.size > 0);
}

/** The minimal transition semiflows: firing counts without net effect. Transitions with resets belong to none. */
export function transitionSemiflows({ places, transitions }: Petri, effort?: number): Semiflows {
  let next = places.length;
  const rows = transitions.map(({ change, resets }) => {
    const row = new Map(change);
    if (resets.length > 0) row.set(next++, 1);
    return row;
  });
  return semiflows(rows, effort);
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
