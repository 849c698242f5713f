import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri } from '../petri/petri.ts';
import { assertOneLevel } from '../reduction/levels.ts';
import { placeNames } from '../structure/prove-property.ts';
import { growthText } from './growth-text.ts';
import { type Coverability, type CoverabilityOptions, karpMiller, MANY } from './karp-miller.ts';
import { type Pump, pumpOf } from './pump.ts';
import { repeatedGrowth } from './repeated-growth.ts';
import { type Unlimited, withoutLimits } from './without-limits.ts';

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

/**
 * Removes the limits of a net, so that more tokens never disable a transition (monotonicity). Coverability is decidable for
 * such nets (Finkel & Schnoebelen, _Well-structured transition systems everywhere!_, 2001).
 *
 * @param resets true if resets are allowed: covering is decidable with them, boundedness is not (Dufourd, Finkel & Schnoebelen 1998)
 * @throws InputError RED001 for priorities, COV001 for a limit that cannot be removed, COV002 for resets
 */
export function monotone(petri: Petri, resets: boolean): Unlimited {
  assertOneLevel(petri);
  const { net } = petri;
  const name = (k: number): string => {
    const { kind, node } = petri.transitions[k]!;
    return `transition ${kind === 'serve' ? net.places[node]!.name : net.transitions[node]!.name}`;
  };
  const reset = petri.transitions.findIndex((t) => t.resets.length > 0);
  if (reset >= 0 && !resets)
    fail(
      'COV002',
      'resets a place: boundedness is undecidable for nets with resets. Use a fixed limit instead: bounded(k).',
      {
        part: name(reset),
      },
    );
  const unlimited = withoutLimits(petri);
  if (unlimited === undefined)
    fail(
      'COV001',
      'has an inhibitor or a capacity on places that other transitions fill without that limit: coverability is undecidable',
      { part: name(petri.transitions.findIndex((t) => t.limits.length > 0)) },
    );
  return unlimited;
}

/** Tree nodes for the search for an unbounded place. */
const MAX_NODES = 1000;
/** Maximum size of a tree in numbers: nodes × places. */
export const MAX_CELLS = 2e7;
/** Without a user-given limit, exploration of a net known to be unbounded stops after this number of states. */
export const ENOUGH_STATES = 1e6;

/** Without a user-given limit, memory of the states of a net that may have infinitely many, in bytes: some seconds of work. */
export const UNSURE_BYTES = 1e8;
/** Explains the end of an exploration at this limit. */
export const CUT_UNSURE = `The exploration ended at ${UNSURE_BYTES / 1e6} MB of states: --max-states or --memory sets another limit.`;

/** A place that was found to be unbounded. */
export interface UnboundedPlace {
  /** `heap[red]` */
  readonly name: string;
  /** How it grows, by the names of transitions; absent for a sequence that is too long. */
  readonly grows?: string;
}

/** An unbounded place; undefined if none was found, which does not prove boundedness. At most O(1000² × places). */
export function unboundedPlace(petri: Petri, cancelled?: () => boolean): UnboundedPlace | undefined {
  const nodes = Math.min(MAX_NODES, Math.ceil(MAX_CELLS / Math.max(1, petri.places.length)));
  try {
    const bounds = semiBoundedness(petri, {
      maxNodes: nodes,
      untilUnbounded: true,
      ...(cancelled === undefined ? {} : { cancelled }),
    });
    const { unbounded } = bounds;
    return unbounded === undefined ? undefined : describedPlace(petri, unbounded, pump(bounds, unbounded, 1));
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const growth = repeatedGrowth(petri, nodes, cancelled);
    return growth === undefined ? undefined : describedPlace(petri, growth.places[0]!, growth);
  }
}

/** An unbounded place by its name, with what makes it grow. */
export const describedPlace = (petri: Petri, place: number, growth: Pump | undefined): UnboundedPlace => ({
  name: placeNames(petri)[place]!,
  ...(growth === undefined ? {} : { grows: growthText(petri, place, growth) }),
});

/** `place heap is unbounded` with a consequence, and how it grows. */
export const unboundedText = ({ name, grows }: UnboundedPlace, so = ''): string =>
  `place ${name} is unbounded${so}${grows === undefined ? '' : `: ${grows}`}`;

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
          because: `${unboundedText(place, ', so the net has infinitely many markings')}. Use foretoken verify with "bounds", "bounded(k)" or a reachability property, or give the place a capacity.`,
          sure: true,
        };
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const infinite = e.problems.find((p) => p.code === 'UNF001');
    if (infinite !== undefined)
      return {
        because: `${infinite.place?.part}: ${infinite.message.replace(/: only finite.*/, '')}, so the net may have infinitely many markings. Give it a range.`,
        sure: false,
      };
    const place = net.places.find(({ capacity, order }) => capacity === undefined && order !== 'bag');
    return place === undefined
      ? undefined
      : {
          because: `place ${place.name} keeps its tokens in order and has no capacity, so the net may have infinitely many markings. Give it a capacity.`,
          sure: false,
        };
  }
}
