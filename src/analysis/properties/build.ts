import type { Formula, NamedProperty, PathOperator, Property, Relation, Sum } from './property.ts';
import { normalised, scaled, total } from './sums.ts';

/*
 * Properties as TypeScript writes them; the names are those of the field.
 *
 *   verify(net, [property.AG(property.le(property.tokens('p', 'q'), 3)), property.deadlockFree])
 */

/** A sum, or a number. */
export type Amount = Sum | number;

const sumOf = (a: Amount): Sum => (typeof a === 'number' ? normalised([], a) : a);

/** The tokens of all colours in these places, in service included. */
export function tokens(...places: readonly string[]): Sum {
  return normalised(
    places.map((place) => ({ factor: 1, place })),
    0,
  );
}

/** The tokens of one colour in a place: a value for each column, of an enumeration by name. */
export function tokensOf(place: string, ...colour: readonly (number | string)[]): Sum {
  return normalised([{ factor: 1, place, colour }], 0);
}

export function sum(...amounts: readonly Amount[]): Sum {
  return total(amounts.map(sumOf));
}

export function minus(a: Amount, b: Amount): Sum {
  return total([sumOf(a), scaled(-1, sumOf(b))]);
}

export function times(factor: number, a: Amount): Sum {
  return scaled(factor, sumOf(a));
}

function compare(relation: Relation): (a: Amount, b: Amount) => Formula {
  return (a, b) => ({ op: 'compare', relation, left: sumOf(a), right: sumOf(b) });
}

export const lt: (a: Amount, b: Amount) => Formula = compare('<');
export const le: (a: Amount, b: Amount) => Formula = compare('<=');
export const eq: (a: Amount, b: Amount) => Formula = compare('=');
export const ne: (a: Amount, b: Amount) => Formula = compare('!=');
export const ge: (a: Amount, b: Amount) => Formula = compare('>=');
export const gt: (a: Amount, b: Amount) => Formula = compare('>');

/** Some binding of one of these transitions can start. */
export function enabled(...transitions: readonly string[]): Formula {
  return { op: 'enabled', transitions };
}

export const always: Formula = { op: 'true' };
export const never: Formula = { op: 'false' };
/** Nothing can happen. */
export const dead: Formula = { op: 'dead' };
/** Nothing can happen, and the marking is not final. */
export const deadlock: Formula = { op: 'deadlock' };
/** This is the initial marking. */
export const initial: Formula = { op: 'initial' };
/** No place holds more than so many tokens of one colour. */
export function within(most: number): Formula {
  return { op: 'within', tokens: most };
}

export function not(of: Formula): Formula {
  return { op: 'not', of };
}

export function and(...of: readonly Formula[]): Formula {
  return { op: 'and', of };
}

export function or(...of: readonly Formula[]): Formula {
  return { op: 'or', of };
}

export function implies(a: Formula, b: Formula): Formula {
  return { op: 'implies', a, b };
}

function path(op: PathOperator): (of: Formula) => Formula {
  return (of) => ({ op, of });
}

/** After every step. */
export const AX: (of: Formula) => Formula = path('AX');
/** After some step. */
export const EX: (of: Formula) => Formula = path('EX');
/** On every path, some time. */
export const AF: (of: Formula) => Formula = path('AF');
/** Some reachable marking. */
export const EF: (of: Formula) => Formula = path('EF');
/** Every reachable marking. */
export const AG: (of: Formula) => Formula = path('AG');
/** On some path, all along. */
export const EG: (of: Formula) => Formula = path('EG');

/** On every path `a` until `b`, and `b` comes. */
export function AU(a: Formula, b: Formula): Formula {
  return { op: 'AU', a, b };
}

/** On some path `a` until `b`, and `b` comes. */
export function EU(a: Formula, b: Formula): Formula {
  return { op: 'EU', a, b };
}

const named = (kind: NamedProperty): Property => ({ kind });

/** No reachable marking is dead without being final. */
export const deadlockFree: Property = named('deadlock-free');
/** No place ever holds two tokens of one colour. */
export const safe: Property = named('safe');
/** No place ever holds two tokens, of whatever colours (the contest's OneSafe). */
export const oneSafe: Property = named('one-safe');
/** From every reachable marking the initial one can be reached again. */
export const reversible: Property = named('reversible');
/** Every transition can always become enabled again. */
export const live: Property = named('live');
/** Every transition is enabled in some reachable marking. */
export const quasiLive: Property = named('quasi-live');
/** The largest number of tokens of each place. */
export const bounds: Property = named('bounds');

/** No place ever holds more than so many tokens of one colour. */
export function bounded(most: number): Property {
  return { kind: 'bounded', tokens: most };
}

/** Together these places never hold more than one token. */
export function mutex(...places: readonly string[]): Property {
  return { kind: 'mutex', places };
}

/** What holds in every reachable marking. */
export function invariant(formula: Formula): Property {
  return { kind: 'invariant', formula };
}

/** The largest value of a sum over the reachable markings. */
export function upperBound(amount: Amount): Property {
  return { kind: 'upper-bound', sum: sumOf(amount) };
}

export { parseProperty as parse } from './parse-property.ts';
export { propertyText as text } from './property-text.ts';
