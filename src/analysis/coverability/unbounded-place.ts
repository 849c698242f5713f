import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { flatten } from '../space/flatten.ts';
import type { Petri } from '../space/petri.ts';
import { placeNames } from '../structure/place-names.ts';
import { semiBoundedness } from './boundedness.ts';

/** Nodes of the tree in which an unbounded place is looked for. */
const MOST_NODES = 1000;
/** Numbers that the tree may have: nodes × places. */
export const MOST_CELLS = 2e7;
/** States after which a net that is known to be unbounded is explored no further, where no limit was given. */
export const ENOUGH_STATES = 1e6;

/**
 * The name of a place that is unbounded, `heap[red]`; undefined where none was found: the net is bounded, or it is not known.
 * O(1000² × places) at most.
 */
export function unboundedPlace(petri: Petri, cancelled?: () => boolean): string | undefined {
  try {
    const { unbounded } = semiBoundedness(petri, {
      maxNodes: Math.min(MOST_NODES, Math.ceil(MOST_CELLS / Math.max(1, petri.places.length))),
      untilUnbounded: true,
      ...(cancelled === undefined ? {} : { cancelled }),
    });
    return unbounded === undefined ? undefined : placeNames(petri)[unbounded];
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Why no limit may be high enough for an exploration, in a sentence; `sure`: there are infinitely many markings. */
export interface Endless {
  readonly because: string;
  readonly sure: boolean;
}

/** What is known of that, after a short search; undefined where nothing is. */
export function whyEndless(net: Net, cancelled?: () => boolean): Endless | undefined {
  try {
    const place = unboundedPlace(flatten(net), cancelled);
    return place === undefined
      ? undefined
      : {
          because: `place ${place} is unbounded, so that there is no end of markings. Ask foretoken verify for "bounds", "bounded(k)" or what is reached, or give the place a capacity.`,
          sure: true,
        };
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const infinite = e.problems.find((p) => p.code === 'UNF001');
    return infinite === undefined
      ? undefined
      : {
          because: `${infinite.place?.part}: ${infinite.message.replace(/: only finite.*/, '')}, so that there may be no end of markings. Give it a range.`,
          sure: false,
        };
  }
}
