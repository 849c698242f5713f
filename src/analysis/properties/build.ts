import type { Formula, NamedProperty, PathOperator, Property, Relation, Sum } from './property.ts';
import { normalised, scaled, total } from './property.ts';

/*
 * Constructors of properties for TypeScript, with the customary names of temporal logic.
 *
 *   verify(net, [property.AG(property.le(property.tokens('p', 'q'), 3)), property.deadlockFree])
 */

/** A sum, or a constant. */
export type Amount = Sum | number;

const sumOf = (a: Amount): Sum => (typeof a === 'number' ? normalised([], a) : a);

/** The number of tokens of all colours in these places, tokens in service included. */
export function tokens(...places: readonly string[]): Sum {
  return normalised(
    places.map((place) => ({ factor: 1, place })),
    0,
  );
}

/** The number of tokens of one colour in a place: one value per column, values of enumerations by name. */
export function tokensOf(place: string, ...colour: readonly (number | string)[]): Sum {
  return normalised([{ factor: 1, place, colour }], 0);
}

/**
 * The sum of the amounts.
 *
 * @throws InputError PROP006 for a number that is not an integer or too large; so do the other functions with amounts
 */
export function sum(...amounts: readonly Amount[]): Sum {
  return total(amounts.map(sumOf));
}

/** `a − b`. */
export function minus(a: Amount, b: Amount): Sum {
  return total([sumOf(a), scaled(-1, sumOf(b))]);
}

/** `factor · a`. */
export function times(factor: number, a: Amount): Sum {
  return scaled(factor, sumOf(a));
}

function compare(relation: Relation): (a: Amount, b: Amount) => Formula {
  return (a, b) => ({ op: 'compare', relation, left: sumOf(a), right: sumOf(b) });
}

/** `a < b`. */
export const lt: (a: Amount, b: Amount) => Formula = compare('<');
/** `a ≤ b`. */
export const le: (a: Amount, b: Amount) => Formula = compare('<=');
/** `a = b`. */
export const eq: (a: Amount, b: Amount) => Formula = compare('=');
/** `a ≠ b`. */
export const ne: (a: Amount, b: Amount) => Formula = compare('!=');
/** `a ≥ b`. */
export const ge: (a: Amount, b: Amount) => Formula = compare('>=');
/** `a > b`. */
export const gt: (a: Amount, b: Amount) => Formula = compare('>');

/** At least one binding of one of these transitions is enabled. */
export function enabled(...transitions: readonly string[]): Formula {
  return { op: 'enabled', transitions };
}

/** True in every marking. */
export const always: Formula = { op: 'true' };
/** False in every marking. */
export const never: Formula = { op: 'false' };
/** No step is possible. */
export const dead: Formula = { op: 'dead' };
/** No step is possible, and the marking is not final. */
export const deadlock: Formula = { op: 'deadlock' };
/** The marking is the initial one. */
export const initial: Formula = { op: 'initial' };
/** No place holds more than `max` tokens of the same colour. */
export function within(max: number): Formula {
  return { op: 'within', tokens: max };
}

/** Negation. */
export function not(of: Formula): Formula {
  return { op: 'not', of };
}

/** Conjunction; true without operands. */
export function and(...of: readonly Formula[]): Formula {
  return { op: 'and', of };
}

/** Disjunction; false without operands. */
export function or(...of: readonly Formula[]): Formula {
  return { op: 'or', of };
}

/** `a` implies `b`. */
export function implies(a: Formula, b: Formula): Formula {
  return { op: 'implies', a, b };
}

function path(op: PathOperator): (of: Formula) => Formula {
  return (of) => ({ op, of });
}

/** `of` holds after every possible next step. */
export const AX: (of: Formula) => Formula = path('AX');
/** `of` holds after some possible next step. */
export const EX: (of: Formula) => Formula = path('EX');
/** On every path `of` eventually holds. */
export const AF: (of: Formula) => Formula = path('AF');
/** `of` holds in some reachable marking. */
export const EF: (of: Formula) => Formula = path('EF');
/** `of` holds in every reachable marking. */
export const AG: (of: Formula) => Formula = path('AG');
/** On some path `of` holds in every marking. */
export const EG: (of: Formula) => Formula = path('EG');

/** On every path `a` holds until `b` does, and `b` eventually holds. */
export function AU(a: Formula, b: Formula): Formula {
  return { op: 'AU', a, b };
}

/** On some path `a` holds until `b` does, and `b` eventually holds. */
export function EU(a: Formula, b: Formula): Formula {
  return { op: 'EU', a, b };
}

const named = (kind: NamedProperty): Property => ({ kind });

/** Every reachable dead marking is final. */
export const deadlockFree: Property = named('deadlock-free');
/** No place ever holds two tokens of the same colour. */
export const safe: Property = named('safe');
/** No place ever holds two tokens of any colours (OneSafe in the Model Checking Contest). */
export const oneSafe: Property = named('one-safe');
/** The initial marking can be reached from every reachable marking. */
export const reversible: Property = named('reversible');
/** From every reachable marking every transition can become enabled again. */
export const live: Property = named('live');
/** Every transition is enabled in some reachable marking. */
export const quasiLive: Property = named('quasi-live');
/** A workflow net whose case can always end, leaves nothing behind, and in which every transition can fire. */
export const sound: Property = named('sound');
/** These transitions can become enabled again from every reachable marking. */
export function liveTransitions(...transitions: readonly string[]): Property {
  return { kind: 'live', transitions };
}
/** Each of these transitions is enabled in some reachable marking. */
export function quasiLiveTransitions(...transitions: readonly string[]): Property {
  return { kind: 'quasi-live', transitions };
}
/** From every reachable marking one that satisfies the formula, which has no path operators, can be reached. */
export function home(formula: Formula): Property {
  return { kind: 'home', formula };
}
/** The largest number of tokens of each place. */
export const bounds: Property = named('bounds');

/** No place ever holds more than `max` tokens of the same colour. */
export function bounded(max: number): Property {
  return { kind: 'bounded', tokens: max };
}

/** Together these places never hold more than one token. */
export function mutex(...places: readonly string[]): Property {
  return { kind: 'mutex', places };
}

/** The formula, which has no path operators, holds in every reachable marking. */
export function invariant(formula: Formula): Property {
  return { kind: 'invariant', formula };
}

/** The maximum of a sum over the reachable markings. */
export function upperBound(amount: Amount): Property {
  return { kind: 'upper-bound', sum: sumOf(amount) };
}

export { parseProperty as parse } from './parse-property.ts';
export { propertyText as text } from './property-text.ts';
