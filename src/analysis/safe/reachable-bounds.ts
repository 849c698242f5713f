import { fail } from '../../base/problem.ts';
import { boundedness } from '../coverability/boundedness.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import type { Petri } from '../petri/petri.ts';
import { hasOneLevel } from '../reduction/levels.ts';
import { MarkingStore } from '../reduction/marking-store.ts';
import { PetriMoves } from '../reduction/petri-moves.ts';

/** Default limit of the markings explored for exact bounds. */
export const MAX_MARKINGS = 200_000;
/** Limit of the Karp-Miller tree that searches for an unbounded place. */
const MAX_NODES = 2000;

/** Upper bounds of the tokens in each place. */
export interface ReachableBounds {
  readonly bounds: readonly number[];
  /** True if every bound is attained in a reachable marking; false if the bounds are only proved. */
  readonly exact: boolean;
}

/**
 * An upper bound of every place: the exact maximum over all markings if there are at most `maxMarkings`, otherwise the bound
 * proved by capacities and place semiflows.
 *
 * @throws InputError SAFE001 with the name of a place without a bound
 */
export function reachableBounds(petri: Petri, maxMarkings: number = MAX_MARKINGS): ReachableBounds {
  const found = exploredBounds(petri, maxMarkings);
  if (found !== undefined) return { bounds: found, exact: true };
  const bounds = provedBounds(petri);
  const without = bounds.indexOf(Number.POSITIVE_INFINITY);
  if (without >= 0) noBound(petri, without, maxMarkings);
  return { bounds, exact: false };
}

/** The exact bounds of all places; undefined if there are more than `max` markings. */
export function exploredBounds(petri: Petri, max: number = MAX_MARKINGS): number[] | undefined {
  const moves = new PetriMoves(petri);
  const store = new MarkingStore(moves.places);
  const marking = moves.initial();
  const next = moves.initial();
  const enabled = new Int32Array(moves.transitions);
  store.add(marking);
  const bounds = [...marking];
  for (let at = 0; at < store.count; at++) {
    store.read(at, marking);
    for (let p = 0; p < bounds.length; p++) if (marking[p]! > bounds[p]!) bounds[p] = marking[p]!;
    const count = moves.allEnabled(marking, enabled);
    const level = topLevel(petri, enabled, count);
    for (let k = 0; k < count; k++) {
      const own = petri.transitions[enabled[k]!]!.level;
      if (own !== undefined && own < level) continue;
      moves.fire(enabled[k]!, marking, next);
      if (next.some((n) => n > Number.MAX_SAFE_INTEGER)) return undefined;
      store.add(next);
    }
    if (store.count > max) return undefined;
  }
  return bounds;
}

function topLevel({ transitions }: Petri, enabled: Int32Array, count: number): number {
  let level = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < count; k++) level = Math.max(level, transitions[enabled[k]!]!.level ?? level);
  return level;
}

function noBound(petri: Petri, without: number, max: number): never {
  const name = (p: number): string => {
    const { kind, node } = petri.places[p]!;
    return kind === 'busy'
      ? `transition ${petri.net.transitions[node]!.name}`
      : `place ${petri.net.places[node]!.name}`;
  };
  const monotone = hasOneLevel(petri) && petri.transitions.every((t) => t.resets.length + t.limits.length === 0);
  const grows = monotone ? boundedness(petri, { maxNodes: MAX_NODES, untilUnbounded: true }).unbounded : undefined;
  if (grows !== undefined)
    fail('SAFE001', 'is unbounded: only bounded nets have an equivalent safe net', { part: name(grows) });
  fail('SAFE001', `has no known bound: there are more than ${max} markings, and no invariant or capacity bounds it`, {
    part: name(without),
  });
}
