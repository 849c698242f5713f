import type { Petri } from '../space/petri.ts';
import type { Semiflows } from './elimination.ts';
import { semiflows, someSemiflows } from './semiflows.ts';
import type { SparseVector } from './sparse-vector.ts';

/**
 * The minimal place semiflows, as far as the effort allows: y · m is the same in every reachable marking. Places that are
 * reset are in none.
 */
export function placeSemiflows(petri: Petri, effort?: number): Semiflows {
  const { rows, columns } = placeRows(petri);
  let next = columns;
  // A place that is reset conserves nothing: its row has a column of its own.
  for (const p of new Set(petri.transitions.flatMap((t) => [...t.resets]))) rows[p]!.set(next++, -1);
  return semiflows(rows, effort, initials(petri));
}

/**
 * Some weights y ≥ 0 with y · m never growing: no transition brings more than it takes. They are semiflows of the matrix with a
 * place more for each transition, into which it puts what gets lost. A reset only takes away.
 */
export function decreasingWeights(petri: Petri, effort?: number): SparseVector[] {
  const { rows, columns } = placeRows(petri);
  const places = rows.length;
  for (let c = 0; c < columns; c++) rows.push(new Map([[c, 1]]));
  return someSemiflows(rows, effort, initials(petri))
    .map((flow) => new Map([...flow].filter(([p]) => p < places)))
    .filter((flow) => flow.size > 0);
}

/** The minimal transition semiflows: counts of firings that change nothing. Transitions that reset are in none. */
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

/** What each place gains, by transition; transitions of the same effect are one column. */
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
