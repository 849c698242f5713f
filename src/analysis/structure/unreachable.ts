import type { SparseVector } from '../flows/elimination.ts';
import type { PlaceProof } from '../flows/place-proofs.ts';
import { shareOf } from '../flows/semiflows.ts';
import type { Petri } from '../petri/petri.ts';
import type { Formula } from '../properties/property.ts';
import { type Alternative, alternatives } from './alternatives.ts';
import type { LinearSolver } from './linear-program.ts';
import { checkedRefutation, type Demand, type Refutation, refutation } from './state-equation.ts';

/** Maximum number of linear programs solved for one formula. */
const MAX_PROGRAMS = 500;

/** The parts of a structural analysis used here. */
export interface KnownStructure {
  readonly petri: Petri;
  readonly proofs: readonly (PlaceProof | undefined)[];
  readonly placeSemiflows: { readonly flows: readonly SparseVector[] };
}

/**
 * Why no reachable marking meets an alternative. `bounds`: a demand exceeds the proved bounds of its places (`most`).
 * `semiflow`, `linear program`: the demands together exceed weights whose sum is invariant or never increases. `demands` are
 * those the multipliers refer to: the alternative's demands, followed by bounds of places.
 */
export type Impossible =
  | { readonly by: 'bounds'; readonly demand: Demand; readonly most: number }
  | {
      readonly by: 'semiflow' | 'linear program';
      readonly demands: readonly Demand[];
      readonly refutation: Refutation;
    };

/** Proof that no reachable marking satisfies a formula: each of its alternatives is impossible. */
export interface Unreachable {
  readonly alternatives: readonly { readonly demands: Alternative; readonly because: Impossible }[];
}

/**
 * Tries to prove that no reachable marking satisfies a state formula, by bounds of places, by semiflows and, with a solver, by
 * the state equation. Undefined if no proof is found; the formula may or may not be reachable.
 */
export function provesUnreachable(
  known: KnownStructure,
  formula: Formula,
  solver?: LinearSolver,
): Unreachable | undefined {
  const all = alternatives(known.petri, formula);
  if (all === undefined) return undefined;
  let programs = MAX_PROGRAMS;
  const found: { demands: Alternative; because: Impossible }[] = [];
  for (const demands of all) {
    const because =
      byBounds(known, demands) ??
      bySemiflows(known, demands) ??
      (solver === undefined || programs-- <= 0 ? undefined : byStateEquation(known, demands, solver));
    if (because === undefined) return undefined;
    found.push({ demands, because });
  }
  return { alternatives: found };
}

function byBounds({ proofs }: KnownStructure, demands: Alternative): Impossible | undefined {
  for (const demand of demands) {
    let max = 0;
    for (const [p, w] of demand.weights) if (w > 0) max += w * (proofs[p]?.bound ?? Number.POSITIVE_INFINITY);
    if (max < demand.least) return { by: 'bounds', demand, most: max };
  }
  return undefined;
}

/** Tests every semiflow against the demands inside its support, together and one by one. */
function bySemiflows({ petri, placeSemiflows }: KnownStructure, demands: Alternative): Impossible | undefined {
  for (const flow of placeSemiflows.flows) {
    const inside = demands.flatMap(({ weights }, k) =>
      [...weights].some(([, w]) => w > 0) && [...weights].every(([p, w]) => w < 0 || flow.has(p)) ? [k] : [],
    );
    const tries = inside.length > 1 ? [inside, ...inside.map((k) => [k])] : inside.length === 1 ? [inside] : [];
    for (const some of tries) {
      const found = against(petri, flow, demands, some);
      if (found !== undefined) return { by: 'semiflow', demands, refutation: found };
    }
  }
  return undefined;
}

/** Refutes the sum of some demands with a multiple of a semiflow that covers it. */
function against(
  petri: Petri,
  flow: SparseVector,
  demands: Alternative,
  some: readonly number[],
): Refutation | undefined {
  const sum = new Map<number, number>();
  for (const k of some) for (const [p, w] of demands[k]!.weights) sum.set(p, (sum.get(p) ?? 0) + w);
  const share = shareOf(sum, flow);
  if (share === undefined) return undefined;
  const weights = petri.places.map((_, p) => BigInt(share.times) * BigInt(flow.get(p) ?? 0));
  const multipliers = demands.map((_, k) => (some.includes(k) ? BigInt(share.of) : 0n));
  return checkedRefutation(petri, demands, weights, multipliers);
}

function byStateEquation(
  { petri, proofs }: KnownStructure,
  demands: Alternative,
  solver: LinearSolver,
): Impossible | undefined {
  // Known bounds are added as demands: they include rounding and capacities, which weights do not express.
  const bounded = proofs.flatMap((proof, p): Demand[] =>
    proof === undefined ? [] : [{ weights: new Map([[p, -1]]), least: -proof.bound }],
  );
  const all = [...demands, ...bounded];
  const found = refutation(petri, all, solver);
  return found === undefined ? undefined : { by: 'linear program', demands: all, refutation: found };
}
