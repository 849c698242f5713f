import { fail, quote, shown } from '../base/problem.ts';
import { parseReward, type WrittenReward } from './properties/parse-property.ts';
import { normalised, type Sum } from './properties/property.ts';
import { sumText } from './properties/property-text.ts';
import { StateFormulas } from './properties/state-formula.ts';
import type { StateSpace } from './space/state-space.ts';

/** A figure of the markings: one in text form, or the value of a function. */
export type RewardExpression =
  | WrittenReward
  | { readonly kind: 'function'; readonly name: string; readonly of: RewardFunction };

/**
 * Tokens of a place in a marking, tokens in service included: of all colours, or of one, with a value per column and values of enumerations
 * by name.
 */
export type TokensIn = (place: string, ...colour: readonly (number | string)[]) => number;

/**
 * A reward as a function of a marking, as `(tokens) => tokens('cpu') ** 2`. A boolean counts as 1 or 0. It is called once for each state of the
 * chain, and depends on nothing else.
 */
export type RewardFunction = (tokens: TokensIn) => number | boolean;

/**
 * The values of a function in some markings. O(markings × cost of the function) and the counts of each place that it reads.
 *
 * @param markings states of the space
 * @throws InputError PROP002, PROP004 for unknown places and colours, CTMC007 for a value that is not finite
 */
export function calledOn(
  { name, of }: RewardExpression & { readonly kind: 'function' },
  markings: ArrayLike<number>,
  space: StateSpace,
): Float64Array {
  const formulas = new StateFormulas(space);
  const counts = new Map<string, Float64Array>();
  let state = 0;
  const tokens: TokensIn = (place, ...colour) => {
    const key = colour.length === 0 ? place : JSON.stringify([place, ...colour]);
    let known = counts.get(key);
    if (known === undefined) {
      known = formulas.values(summed(place, colour, space), 0, space.states);
      counts.set(key, known);
    }
    return known[state]!;
  };
  return Float64Array.from(markings, (marking) => {
    state = marking;
    const value = of(tokens);
    const isKnown = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
    if (!isKnown)
      fail(
        'CTMC007',
        `reward ${quote(name)}: expected a function to a finite number or a boolean, got ${shown(value)}`,
      );
    return Number(value);
  });
}

/** The tokens of a place, checked as a reward in text form is. */
function summed(place: unknown, colour: readonly (number | string)[], { net }: StateSpace): Sum {
  const term = { factor: 1, place: String(place), ...(colour.length === 0 ? {} : { colour }) };
  const found = parseReward(sumText(normalised([term], 0)), net);
  if (found.kind !== 'sum') throw new Error(`the tokens of ${term.place} are no sum`);
  return found.sum;
}
