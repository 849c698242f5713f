import type { Petri } from '../space/petri.ts';
import { type Coverability, type CoverabilityOptions, karpMiller, MANY } from './karp-miller.ts';
import { monotone } from './monotone.ts';
import { type Pump, pumpOf } from './pump.ts';

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
  const { petri: plain, given } = monotone(petri, false);
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
