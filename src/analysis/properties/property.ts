import { fail } from '../../base/problem.ts';

/**
 * `factor` times the number of tokens in a place, tokens in service included. With `colour` only tokens of that colour count:
 * one value per column of the place, values of enumerations by name. Without it, tokens of all colours count.
 */
export interface Term {
  /** Factor of the token count in the sum. */
  readonly factor: number;
  /** Place of the net that the property is about. */
  readonly place: string;
  /** Values of the counted tokens; undefined: any colour. */
  readonly colour?: readonly (number | string)[];
}

/** A linear sum of token counts. Each (place, colour) occurs once; factors are non-zero integers, the constant an integer. */
export interface Sum {
  /** The terms, in order of first occurrence. */
  readonly terms: readonly Term[];
  /** Constant summand. */
  readonly constant: number;
}

/** A comparison of two sums. */
export type Relation = '<' | '<=' | '=' | '!=' | '>=' | '>';
/** A path quantifier (`A` all paths, `E` some path) with a temporal operator (`X` next, `F` finally, `G` globally). */
export type PathOperator = 'AX' | 'EX' | 'AF' | 'EF' | 'AG' | 'EG';

/**
 * A formula of computation tree logic (Clarke & Emerson 1981) over the markings of a net. Paths are maximal: a path may end
 * in a dead marking. In a dead marking `AX f` holds, `EX f` does not, and `AF f` and `EG f` hold exactly if `f` does.
 *
 * - `compare`: compares two sums in the current marking
 * - `enabled`: at least one binding of one of these transitions is enabled
 * - `dead`: no step is possible; `deadlock`: dead and not final (the same as `dead` if no final markings are declared)
 * - `initial`: the current marking is the initial one
 * - `within`: no place holds more than `tokens` tokens of the same colour
 * - `AU`, `EU`: on all paths, on some path: `a` holds until `b` does, and `b` eventually holds
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
 * A question about a net: a formula that must hold in the initial marking, the maximum of a sum, the maximum number of
 * tokens in every place, or a named property. The named properties are defined in docs/properties.md.
 */
export type Property =
  | { readonly kind: 'formula'; readonly formula: Formula }
  | { readonly kind: 'upper-bound'; readonly sum: Sum }
  | { readonly kind: NamedProperty; readonly transitions?: undefined }
  | { readonly kind: 'live' | 'quasi-live'; readonly transitions: readonly string[] }
  | { readonly kind: 'home'; readonly formula: Formula }
  | { readonly kind: 'bounded'; readonly tokens: number }
  | { readonly kind: 'mutex'; readonly places: readonly string[] }
  | { readonly kind: 'invariant'; readonly formula: Formula };

/** Properties without arguments. */
export type NamedProperty =
  | 'deadlock-free'
  | 'safe'
  | 'one-safe'
  | 'reversible'
  | 'live'
  | 'quasi-live'
  | 'sound'
  | 'bounds';

/** All properties without arguments. */
export const NAMED: readonly NamedProperty[] = [
  'deadlock-free',
  'safe',
  'one-safe',
  'reversible',
  'live',
  'quasi-live',
  'sound',
  'bounds',
];

/** The unary path operators. */
export const PATH_OPERATORS: readonly PathOperator[] = ['AX', 'EX', 'AF', 'EF', 'AG', 'EG'];

/** Maximum nesting depth of formulas; it bounds recursion over them. */
export const MAX_NESTING = 500;

/** The direct subformulas of a formula. */
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

/** True if the formula has no path operator, so that its value depends on one marking only. */
export function isStateFormula(f: Formula): boolean {
  const left = [f];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.op === 'AU' || next.op === 'EU' || (PATH_OPERATORS as readonly string[]).includes(next.op)) return false;
    left.push(...partsOf(next));
  }
  return true;
}

/** The message for path operators in the formula of `invariant` or `home`. */
export const noPaths = (kind: 'invariant' | 'home'): string =>
  kind === 'home' ? 'home expects a formula without path operators' : 'an invariant has no path operators';

/** The nesting depth of a formula; stops counting above the limit. Not recursive. */
export function nesting(f: Formula): number {
  let level: Formula[] = [f];
  let depth = 0;
  for (; level.length > 0 && depth <= MAX_NESTING; depth++) level = level.flatMap((part) => [...partsOf(part)]);
  return depth;
}

/** Maximum absolute factor: sums over places with up to 2³¹ tokens remain exact. */
const MAX_FACTOR = 1e6;

/** Key of the (place, colour) that a term counts; equal ones have equal keys. */
function termKey({ place, colour }: Term): string {
  return colour === undefined ? JSON.stringify(place) : JSON.stringify([place, ...colour]);
}

/**
 * A sum in normal form: every (place, colour) occurs once and no factor is 0; terms in the order of first occurrence.
 *
 * @throws InputError PROP006 for a number that is not an integer or too large
 */
export function normalised(terms: readonly Term[], constant: number): Sum {
  const merged = new Map<string, Term>();
  for (const term of terms) {
    const key = termKey(term);
    const before = merged.get(key);
    merged.set(key, before === undefined ? term : { ...before, factor: before.factor + term.factor });
  }
  const kept = [...merged.values()].filter((t) => t.factor !== 0);
  for (const { factor } of kept) assertInteger(factor, MAX_FACTOR);
  assertInteger(constant, Number.MAX_SAFE_INTEGER);
  return { terms: kept, constant: constant + 0 };
}

/** One sum with the terms and constants of all. */
export function total(sums: readonly Sum[]): Sum {
  return normalised(
    sums.flatMap((s) => s.terms),
    sums.reduce((constant, s) => constant + s.constant, 0),
  );
}

/**
 * The sum multiplied by an integer.
 *
 * @throws InputError PROP006
 */
export function scaled(by: number, a: Sum): Sum {
  assertInteger(by, Number.MAX_SAFE_INTEGER);
  return normalised(
    a.terms.map((t) => ({ ...t, factor: by * t.factor })),
    by * a.constant,
  );
}

function assertInteger(value: number, max: number): void {
  if (!Number.isInteger(value) || Math.abs(value) > max)
    fail('PROP006', `expected an integer of at most ${max}, got ${value}`, { part: 'property' });
}
