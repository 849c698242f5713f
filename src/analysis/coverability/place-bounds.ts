import { assertGiven } from '../../net/members.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { type NamedStep, namedStep } from '../properties/steps.ts';
import { flatten } from '../space/flatten.ts';
import { placeNames } from '../structure/place-names.ts';
import { boundedness, pump } from './boundedness.ts';

/** The most tokens that the places of a net can hold. */
export interface PlaceBounds {
  /** Whether every place is bounded; undefined: the search was given up before that was known. */
  readonly bounded: boolean | undefined;
  /** By place, `heap[red]` for one colour: the most tokens, Infinity where there is no end; absent where the search was given up. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** Of an unbounded net: a place, and the steps that fill it. */
  readonly unbounded?: {
    readonly place: string;
    /** For `replay`: from the initial marking. */
    readonly steps: readonly NamedStep[];
    /** The steps from this one on can be repeated for ever; absent where several loops are to be worked in turn. */
    readonly loop?: number;
  };
}

/** What limits a search for bounds. */
export interface PlaceBoundsOptions {
  /** Most nodes of the tree, default 20 000. */
  readonly maxNodes?: number;
  /** Asked between nodes: true gives up. */
  readonly cancelled?: () => boolean;
}

/** Tokens to which a place is brought where no single loop shows that it is unbounded. */
const TOKENS = 10;

/**
 * The exact bound of every place and colour, for nets with infinitely many markings, too: by a tree of Karp and Miller (1969). `verify`
 * with `bounds` uses it where an exploration does not come to an end. Time O(nodes² × places).
 *
 * @throws InputError NET… an invalid net, UNF… one that cannot do without colours, RED001 priorities, COV001 inhibitors or
 * capacities that matter, COV002 resets: then it cannot be decided; NET040, NET058 for options that are none
 */
export function placeBounds(net: Net, options: PlaceBoundsOptions = {}): PlaceBounds {
  assertValid(net);
  assertGiven('placeBounds', 'options', options, { maxNodes: 'a number from 0 on', cancelled: 'a function' });
  const petri = flatten(net);
  const found = boundedness(petri, options);
  const names = placeNames(petri);
  const { bounds, unbounded } = found;
  const way = unbounded === undefined ? undefined : pump(found, unbounded, TOKENS);
  return {
    bounded: unbounded !== undefined ? false : bounds === undefined ? undefined : true,
    ...(bounds === undefined ? {} : { bounds: Object.fromEntries(bounds.map((b, p) => [names[p]!, b])) }),
    ...(unbounded === undefined || way === undefined
      ? {}
      : {
          unbounded: {
            place: names[unbounded]!,
            steps: way.way.map((t) => namedStep(net, petri.transitions[t]!)),
            ...(way.loop === undefined ? {} : { loop: way.loop }),
          },
        }),
  };
}
