/**
 * Tokens of a place, times a factor. `colour`: only tokens of these values, one for each column of the place, an
 * enumeration's by name; without it those of all colours together. Tokens in service count.
 */
export interface Term {
  readonly factor: number;
  readonly place: string;
  readonly colour?: readonly (number | string)[];
}

/** A linear sum: every (place, colour) occurs once, no factor is 0. Whole numbers. */
export interface Sum {
  readonly terms: readonly Term[];
  readonly constant: number;
}

export type Relation = '<' | '<=' | '=' | '!=' | '>=' | '>';
export type PathOperator = 'AX' | 'EX' | 'AF' | 'EF' | 'AG' | 'EG';

/**
 * A formula of computation tree logic (Clarke & Emerson 1981) over the markings of a net. Paths are maximal: a dead
 * marking ends one, so that there `AX` holds, `EX` does not, and `AF f`, `EG f` hold where `f` does.
 *
 * - `compare`: two sums in this marking
 * - `enabled`: some binding of one of these transitions can start
 * - `dead`: nothing can happen; `deadlock`: dead, and not final (where no marking is final, the same)
 * - `initial`: this is the initial marking
 * - `within`: no place holds more than `tokens` tokens of one colour
 * - `AU`, `EU`: on all paths, on one: `a` until `b`, and `b` comes
 */
export type Formula =
  | { readonly op: 'true' | 'false' | 'dead' | 'deadlock' | 'initial' }
  | { readonly op: 'within'; readonly tokens: number }
  | { readonly op: 'compare'; readonly relation: Relation; readonly left: Sum; readonly right: Sum }
  | { readonly op: 'enabled'; readonly transitions: readonly string[] }
  | { readonly op: 'not' | PathOperator; readonly of: Formula }
  | { readonly op: 'and' | 'or'; readonly of: readonly Formula[] }
  | { readonly op: 'implies' | 'AU' | 'EU'; readonly a: Formula; readonly b: Formula };

/**
 * What is asked of a net: a formula, which is to hold initially; the largest value of a sum; the largest number of
 * tokens of every place; or a property by its name. `named` ones without arguments: see docs/properties.md.
 */
export type Property =
  | { readonly kind: 'formula'; readonly formula: Formula }
  | { readonly kind: 'upper-bound'; readonly sum: Sum }
  | { readonly kind: NamedProperty }
  | { readonly kind: 'bounded'; readonly tokens: number }
  | { readonly kind: 'mutex'; readonly places: readonly string[] }
  | { readonly kind: 'invariant'; readonly formula: Formula };

export type NamedProperty = 'deadlock-free' | 'safe' | 'one-safe' | 'reversible' | 'live' | 'quasi-live' | 'bounds';

export const NAMED: readonly NamedProperty[] = [
  'deadlock-free',
  'safe',
  'one-safe',
  'reversible',
  'live',
  'quasi-live',
  'bounds',
];

export const PATH_OPERATORS: readonly PathOperator[] = ['AX', 'EX', 'AF', 'EF', 'AG', 'EG'];

/** Formulas are nested no deeper than this, so that code over them may recur. */
export const MAX_NESTING = 500;

/** The direct parts of a formula. */
export function partsOf(f: Formula): readonly Formula[] {
  switch (f.op) {
    case 'and':
    case 'or':
      return f.of;
    case 'implies':
    case 'AU':
    case 'EU':
      return [f.a, f.b];
    case 'not':
    case 'AX':
    case 'EX':
    case 'AF':
    case 'EF':
    case 'AG':
    case 'EG':
      return [f.of];
    default:
      return [];
  }
}

/** Whether a formula speaks of one marking only: it has no path operator. */
export function isStateFormula(f: Formula): boolean {
  const left = [f];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.op === 'AU' || next.op === 'EU' || (PATH_OPERATORS as readonly string[]).includes(next.op)) return false;
    left.push(...partsOf(next));
  }
  return true;
}

/** How deep a formula is nested; stops counting above the limit. No recursion. */
export function nesting(f: Formula): number {
  let level: Formula[] = [f];
  let depth = 0;
  for (; level.length > 0 && depth <= MAX_NESTING; depth++) level = level.flatMap((part) => [...partsOf(part)]);
  return depth;
}
