import type { Petri } from '../space/petri.ts';
import { type Coverability, type CoverabilityOptions, karpMiller, MANY } from './karp-miller.ts';
import { monotone } from './monotone.ts';
import { type Pump, pumpOf } from './pump.ts';
import type { Unlimited } from './without-limits.ts';

/** Bounds of the places of a net, as far as they are known. */
export interface Boundedness {
  /** Maximum tokens of each place, Infinity if unbounded; absent if the search was given up. */
  readonly bounds?: readonly number[];
  /** Index of an unbounded place, if one was found. */
  readonly unbounded?: number;
  readonly tree: Coverability;
}

/**
 * The exact bound of every place, from the Karp–Miller tree. If the search is given up, an unbounded place may still be
 * reported.
 *
 * @throws InputError RED001, COV001, COV002 if boundedness is not decidable for this net
 */
export function boundedness(petri: Petri, options: CoverabilityOptions = {}): Boundedness {
  return boundsOf(monotone(petri, false), options);
}

/**
 * Like {@link boundedness}, but accepts resets, for which boundedness is only semi-decidable. Reports an unbounded place if a
 * repeatable sequence adds tokens to it; reports all bounds if the search completes without such a sequence.
 *
 * @throws InputError RED001, COV001 for priorities, or limits that cannot be removed
 */
export function semiBoundedness(petri: Petri, options: CoverabilityOptions = {}): Boundedness {
  const resets = petri.transitions.some((t) => t.resets.length > 0);
  return boundsOf(monotone(petri, true), resets ? { ...options, untilUnbounded: true } : options);
}

function boundsOf({ petri: plain, given }: Unlimited, options: CoverabilityOptions): Boundedness {
  const tree = karpMiller(plain, options);
  const bounds = new Array<number>(given).fill(0);
  for (const { marking } of tree.nodes)
    for (let p = 0; p < given; p++)
      bounds[p] = Math.max(bounds[p]!, marking[p] === MANY ? Number.POSITIVE_INFINITY : marking[p]!);
  const unbounded = bounds.indexOf(Number.POSITIVE_INFINITY);
  return {
    ...(tree.complete ? { bounds } : {}),
    ...(unbounded < 0 ? {} : { unbounded }),
    tree,
  };
}

/** A firing sequence of the given net that brings an unbounded place of {@link boundedness} to at least `tokens` tokens. */
export function pump({ tree }: Boundedness, place: number, tokens: number): Pump | undefined {
  return pumpOf(tree, place, tokens);
}
