import { assertGiven } from '../../net/members.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri } from '../petri/petri.ts';
import { type NamedStep, namedStep } from '../properties/steps.ts';
import { neverMarked, placeNames } from '../structure/prove-property.ts';
import { boundedness, pump } from './boundedness.ts';

/** Maximum tokens of the places of a net. */
export interface PlaceBounds {
  /** True if every place is bounded; undefined: the search was given up. */
  readonly bounded: boolean | undefined;
  /**
   * Maximum tokens by place name, `heap[red]` for one colour; Infinity if unbounded. Every place is listed; one that can never
   * be marked has its plain name and 0. Colours that are not listed never occur. Absent if the search was given up.
   */
  readonly bounds?: Readonly<Record<string, number>>;
  /** For an unbounded net: an unbounded place, and steps that fill it. */
  readonly unbounded?: {
    readonly place: string;
    /** Steps from the initial marking, for `replay`. */
    readonly steps: readonly NamedStep[];
    /** Index in `steps`: the steps from here on can be repeated forever. Absent if several loops must be repeated in turn. */
    readonly loop?: number;
  };
}

/** Limits of a search for bounds. */
export interface PlaceBoundsOptions {
  /** Maximum number of tree nodes; default 20 000. */
  readonly maxNodes?: number;
  /** Polled between nodes; returning true gives up the search. */
  readonly cancelled?: () => boolean;
}

/** Tokens that the witness brings to a place if no single loop shows that it is unbounded. */
const TOKENS = 10;

/**
 * The exact bound of every place and colour, also for nets with infinitely many markings, from the Karp–Miller tree (1969).
 * `verify` with `bounds` uses it if the exploration does not end. Time O(nodes² × places).
 *
 * @throws InputError NET… for an invalid net, UNF… if colours cannot be unfolded; if bounds are undecidable: RED001 for
 * priorities, COV001 for inhibitors or capacities that cannot be removed, COV002 for resets; NET040, NET058 for invalid options
 */
export function placeBounds(net: Net, options: PlaceBoundsOptions = {}): PlaceBounds {
  assertValid(net);
  assertGiven('placeBounds', 'options', options, { maxNodes: 'a number >= 0', cancelled: 'a function' });
  const petri = flatten(net);
  const found = boundedness(petri, options);
  const names = placeNames(petri);
  const { bounds, unbounded } = found;
  const sequence = unbounded === undefined ? undefined : pump(found, unbounded, TOKENS);
  return {
    bounded: unbounded !== undefined ? false : bounds === undefined ? undefined : true,
    ...(bounds === undefined ? {} : { bounds: named(petri, names, bounds) }),
    ...(unbounded === undefined || sequence === undefined
      ? {}
      : {
          unbounded: {
            place: names[unbounded]!,
            steps: sequence.path.map((t) => namedStep(net, petri.transitions[t]!)),
            ...(sequence.loop === undefined ? {} : { loop: sequence.loop }),
          },
        }),
  };
}

function named(petri: Petri, names: readonly string[], bounds: readonly number[]): Record<string, number> {
  const never = neverMarked(petri).map((name) => [name, 0] as const);
  return Object.fromEntries([...bounds.map((b, p) => [names[p]!, b] as const), ...never]);
}
