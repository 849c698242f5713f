import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { parseProperty } from '../properties/parse-property.ts';
import { type Formula, isStateFormula, type Sum } from '../properties/property.ts';
import { relates } from '../reduction/condition.ts';

/** A marking as a formula sees it. */
export interface SeenMarking {
  /** Number of tokens in a place; with `colour`, of those with these values. */
  count(place: string, colour?: readonly (number | string)[]): number;
  /** The largest number of tokens of one colour in a place. */
  largest(place: string): number;
  /** Transitions that can fire or start. */
  readonly enabled: ReadonlySet<string>;
  /** Tokens of the initial marking. */
  initially(place: string): number;
}

/**
 * Parses a condition on markings, as in `#queue > 3 & !enabled(serve)`: a formula without path operators (docs/properties.md).
 *
 * @throws InputError PROP… with its position in the text
 */
export function parseCondition(text: string, net: Net): Formula {
  const property = parseProperty(text, net, 'formula');
  if (property.kind !== 'formula' || !isStateFormula(property.formula))
    return fail('PROP008', 'expected a condition without path operators, as in #place > 0');
  return property.formula;
}

/**
 * True if a formula holds in a marking. For a formula with a path operator: if its parts hold there. A dead marking counts as a
 * deadlock. O(size of the formula × places).
 */
export function holdsIn(net: Net, formula: Formula, marking: SeenMarking): boolean {
  return holds(formula);

  function holds(f: Formula): boolean {
    switch (f.op) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'not':
        return !holds(f.of);
      case 'and':
        return f.of.every(holds);
      case 'or':
        return f.of.some(holds);
      case 'implies':
        return !holds(f.a) || holds(f.b);
      case 'AU':
      case 'EU':
        return holds(f.b);
      case 'compare':
        return relates(sumOf(f.left), f.relation, sumOf(f.right));
      case 'enabled':
        return f.transitions.some((transition) => marking.enabled.has(transition));
      case 'within':
        return net.places.every(({ name }) => marking.largest(name) <= f.tokens);
      case 'dead':
      case 'deadlock':
        return marking.enabled.size === 0;
      case 'initial':
        return net.places.every(({ name }) => marking.count(name) === marking.initially(name));
      default:
        return holds(f.of);
    }
  }

  function sumOf({ terms, constant }: Sum): number {
    return terms.reduce((sum, { factor, place, colour }) => sum + factor * marking.count(place, colour), constant);
  }
}
