import type { Petri } from '../space/petri.ts';
import { type Coverability, type CoverabilityOptions, karpMiller, MANY } from './karp-miller.ts';
import { monotone } from './monotone.ts';
import { type Pump, pumpOf } from './pump.ts';
import type { Unlimited } from './without-limits.ts';

/** Whether the places of a net are bounded. */
export interface Boundedness {
  /** The most tokens of each place, Infinity where any number can be; undefined: given up. */
  readonly bounds?: readonly number[];
  /** A place that is unbounded. */
  readonly unbounded?: number;
  readonly tree: Coverability;
}

/**
 * The exact bound of every place, by the tree of Karp and Miller; where it is given up, an unbounded place if one was found.
 *
 * @throws InputError RED001, COV001, COV002 where that is not decidable
 */
export function boundedness(petri: Petri, options: CoverabilityOptions = {}): Boundedness {
  return boundsOf(monotone(petri, false), options);
}

/**
 * The same for nets with resets, too, as far as it goes: a place that a repeated sequence brings tokens without end, or the
 * bounds of all where no sequence is found that does and the search is over.
 *
 * @throws InputError RED001, COV001 where that is not decidable
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

/** The sequence that brings a place of {@link boundedness} to so many tokens: transitions of the given net. */
export function pump({ tree }: Boundedness, place: number, tokens: number): Pump | undefined {
  return pumpOf(tree, place, tokens);
}
