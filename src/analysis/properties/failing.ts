import type { Net } from '../../net/net.ts';
import type { MarkingView } from '../space/state-space.ts';
import { coloursOf, valueText } from './colours.ts';
import type { Decider } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Formula } from './property.ts';
import { formulaText, name } from './property-text.ts';
import { booleanOf } from './units.ts';

/** Maximum number of failing parts reported. */
const MAX_LISTED = 1000;

/**
 * The failing parts of a property that is a conjunction: operands of a top-level `and`; operands of the `and` under an `AG`
 * in the violating state; or the places that violate a `within` there. Empty for all other properties.
 */
export function failingParts(decider: Decider, { question, value, known }: Decision): string[] {
  if (question.kind !== 'formula' || value !== false) return [];
  const { formula } = question;
  if (formula.op === 'and') return texts(formula.of.filter((part) => booleanOf(part, known) === false));
  const { state, path } = known.get(formula) ?? {};
  if (formula.op !== 'AG' || (state === undefined && path === undefined)) return [];
  const holds = (f: Formula): boolean =>
    state === undefined ? path!.holds(f) : decider.atoms.holds(f, state, state + 1)[0] === 1;
  if (formula.of.op === 'and') return texts(formula.of.of.filter((part) => !holds(part)));
  if (formula.of.op !== 'within') return [];
  const { space } = decider;
  return crowded(space.net, state === undefined ? path!.marking : space.marking(state), formula.of.tokens);
}

function texts(formulas: readonly Formula[]): string[] {
  return formulas.slice(0, MAX_LISTED).map(formulaText);
}

/** The places with more than `max` tokens of one colour, as equations that hold in the marking. */
function crowded(net: Net, { places }: Pick<MarkingView, 'places'>, max: number): string[] {
  return places.flatMap(({ place, tokens }) => {
    const counts = new Map<string, number>();
    for (const { values, count } of tokens) {
      const columns = coloursOf(net).columns(net.places[place]!.name);
      const words = values.map((v, k) => name(valueText(columns[k], v)).replace(/^"(-?\d+)"$/, '$1'));
      const key = words.length === 0 ? '' : `[${words.join(', ')}]`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
    return [...counts]
      .filter(([, count]) => count > max)
      .map(([colour, count]) => `tokens(${name(net.places[place]!.name)}${colour}) = ${count}`);
  });
}
