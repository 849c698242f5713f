import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { flatten } from '../space/flatten.ts';
import type { Petri } from '../space/petri.ts';
import { placeNames } from '../structure/place-names.ts';
import { semiBoundedness } from './boundedness.ts';

/** Tree nodes for the search for an unbounded place. */
const MAX_NODES = 1000;
/** Maximum size of a tree in numbers: nodes × places. */
export const MAX_CELLS = 2e7;
/** Without a user-given limit, exploration of a net known to be unbounded stops after this number of states. */
export const ENOUGH_STATES = 1e6;

/**
 * The name of an unbounded place, `heap[red]`; undefined if none was found, which does not prove boundedness.
 * At most O(1000² × places).
 */
export function unboundedPlace(petri: Petri, cancelled?: () => boolean): string | undefined {
  try {
    const { unbounded } = semiBoundedness(petri, {
      maxNodes: Math.min(MAX_NODES, Math.ceil(MAX_CELLS / Math.max(1, petri.places.length))),
      untilUnbounded: true,
      ...(cancelled === undefined ? {} : { cancelled }),
    });
    return unbounded === undefined ? undefined : placeNames(petri)[unbounded];
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Reason why no exploration limit may suffice, as a sentence; `sure`: the net has infinitely many markings. */
export interface Endless {
  readonly because: string;
  readonly sure: boolean;
}

/** Searches briefly for a reason why exploration may not end; undefined if none was found. */
export function whyEndless(net: Net, cancelled?: () => boolean): Endless | undefined {
  try {
    const place = unboundedPlace(flatten(net), cancelled);
    return place === undefined
      ? undefined
      : {
          because: `place ${place} is unbounded, so the net has infinitely many markings. Use foretoken verify with "bounds", "bounded(k)" or a reachability property, or give the place a capacity.`,
          sure: true,
        };
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const infinite = e.problems.find((p) => p.code === 'UNF001');
    return infinite === undefined
      ? undefined
      : {
          because: `${infinite.place?.part}: ${infinite.message.replace(/: only finite.*/, '')}, so the net may have infinitely many markings. Give it a range.`,
          sure: false,
        };
  }
}
