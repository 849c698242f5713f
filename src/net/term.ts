import { fail, quote } from '../base/problem.ts';
import type { ScalarSet } from './colour.ts';
import { type Expression, expressionText, operands } from './expression.ts';

declare const VALUE: unique symbol;

/** An expression with a value of type `V`: a number, a boolean, or a value name of an enumeration. */
export type Term<V> = Expression & { readonly [VALUE]?: V };
/** A number, or a term with a number as value. */
export type NumberTerm = Term<number> | number;
/** A boolean, or a term with a boolean as value. */
export type BooleanTerm = Term<boolean> | boolean;
/**
 * Former name of {@link BooleanTerm}.
 *
 * @deprecated Use {@link BooleanTerm}.
 */
export type TruthTerm = BooleanTerm;
/** The value types of terms. */
export type Value = number | boolean | string;
export type EnumSet = Extract<ScalarSet, { kind: 'enum' }>;

/** The boolean set, for terms without a colour set of the net. */
export const BOOLEAN: ScalarSet = { kind: 'bool', name: 'bool' };

/** The integer set, for terms without a colour set of the net. */
export const INTEGER: ScalarSet = { kind: 'integer', name: 'integers' };

// Nets are plain data, so the builder's knowledge about expressions is kept in these weak maps.
const COLOURS = new WeakMap<Expression, ScalarSet>();
const OWNERS = new WeakMap<Expression, object>();
/** The net that owns a part referenced by name: a table entry, an enumeration value, a routes table. */
const NETS = new WeakMap<object, object>();
const UNSETTLED = new WeakMap<Expression, (set: EnumSet) => Expression>();
const INTEGER_FORMS = new WeakMap<Expression, () => Expression>();

/** Records that the expression has a value of this set; returns the expression. */
export function coloured(e: Expression, set: ScalarSet): Expression {
  COLOURS.set(e, set);
  return e;
}

/** A variable of a colour set, owned by the transition or place that `owner` represents. */
export function variable(name: string, set: ScalarSet, owner: object): Expression {
  const e: Expression = withoutOperators({ op: 'var', name });
  OWNERS.set(e, owner);
  return coloured(e, set);
}

/**
 * Makes JavaScript operators on the expression throw NET080 with the functions to use instead; otherwise they would
 * compare and add objects. `===`, `!` and `&&` do not convert objects and cannot be caught.
 */
export function withoutOperators<E extends Expression>(e: E): E {
  return Object.defineProperty(e, Symbol.toPrimitive, { value: refuseOperator });
}

function refuseOperator(this: Expression): never {
  fail(
    'NET080',
    `JavaScript operators cannot be applied to the term ${expressionText(this)}: use add, sub, mul, div, mod, lt, le, gt, ge, eq, ne instead`,
  );
}

/** The colour set of the expression's value; undefined for a number of unknown range. */
export function colourOf(e: Expression): ScalarSet | undefined {
  const known = COLOURS.get(e);
  if (known !== undefined) return known;
  switch (e.op) {
    case 'not':
    case 'and':
    case 'or':
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return BOOLEAN;
    case 'if': {
      const a = colourOf(e.a);
      const b = colourOf(e.b);
      if (a?.kind === 'bool' && b?.kind === 'bool') return BOOLEAN;
      return a?.kind === 'enum' && b?.kind === 'enum' ? a : undefined;
    }
    default:
      return undefined;
  }
}

/** Limit on the parts of a term inspected here. Validation rejects larger terms, including cyclic ones. */
const MAX_PARTS = 2 ** 20;

/** Records that the part belongs to that net (another net may use the name for something else); returns the part. */
export function ofNet<T extends object>(part: T, net: object): T {
  NETS.set(part, net);
  return part;
}

/** True if the part is known to belong to another net. */
export function isForeign(part: object, net: object): boolean {
  const of = NETS.get(part);
  return of !== undefined && of !== net;
}

/**
 * The first part of an expression that is foreign: a variable of another transition or place, or a part of another net.
 */
export function foreignPart(e: Expression, owner: object, net: object): Expression | undefined {
  // Explicit stack: a term may be nested deeper than the call stack allows. Operands are visited left to right.
  const left: Expression[] = [e];
  let looked = 0;
  for (let x = left.pop(); x !== undefined && ++looked <= MAX_PARTS; x = left.pop()) {
    if (isForeign(x, net)) return x;
    if (x.op !== 'var') left.push(...[...operands(x)].reverse());
    else {
      const of = OWNERS.get(x);
      if (of !== undefined && of !== owner) return x;
    }
  }
  return undefined;
}

/**
 * A term with value names of an enumeration that is not known yet. It is resolved where it is used; until then it is a
 * constant that validation rejects.
 */
export function unsettled(settle: (set: EnumSet) => Expression): Expression {
  const e: Expression = { op: 'const', value: Number.NaN };
  UNSETTLED.set(e, settle);
  return e;
}

/** Registers the form to use where an integer is required; returns the expression. */
export function withIntegerForm(e: Expression, integerForm: () => Expression): Expression {
  INTEGER_FORMS.set(e, integerForm);
  return e;
}

/** Objects already recognised as expressions, because terms are nested in terms. */
const TERMS = new WeakSet<object>();

/** True if a value is an expression, as opposed to e.g. a record with a field `op`. */
export function isTerm(value: unknown): value is Expression {
  // Follows first operands down to a leaf, in a loop: a term may be nested deeper than the call stack allows.
  let x = value;
  let found: boolean | undefined;
  for (let looked = 0; found === undefined && looked < MAX_PARTS; looked++) {
    if (typeof x !== 'object' || x === null || !('op' in x)) return false;
    if (TERMS.has(x)) break;
    const e = x as Expression;
    switch (e.op) {
      case 'const':
        found = typeof e.value === 'number';
        break;
      case 'var':
        found = typeof e.name === 'string';
        break;
      case 'call':
        found = Array.isArray(e.args);
        break;
      case 'if':
        x = e.test;
        break;
      case 'at':
      case 'step':
        x = e.index;
        break;
      default:
        x = e.a;
    }
  }
  if (found !== false) TERMS.add(value as object);
  return found !== false;
}

/** True if the value has a meaning only together with an enumeration. */
export function needsEnumeration(value: unknown): boolean {
  return typeof value === 'string' || (isTerm(value) && UNSETTLED.has(value));
}

/**
 * A number or boolean as an expression; expressions are returned unchanged.
 *
 * @throws InputError NET041 for a string, because its enumeration is unknown; NET040 for anything else
 */
export function constant(value: Expression | number | boolean): Expression {
  return termOf(value, undefined);
}

/** As {@link constant}; if `set` is an enumeration, strings are its values. */
export function termOf(value: unknown, set: ScalarSet | undefined, at?: string): Expression {
  const part = at === undefined ? undefined : { part: at };
  if (typeof value === 'boolean') return coloured({ op: 'const', value: Number(value) }, BOOLEAN);
  if (typeof value === 'number') {
    const e: Expression = { op: 'const', value };
    return set === undefined ? e : coloured(e, set);
  }
  if (isTerm(value) && !needsEnumeration(value)) {
    const integerForm = set?.kind === 'range' || set?.kind === 'integer' ? INTEGER_FORMS.get(value) : undefined;
    return integerForm?.() ?? value;
  }
  if (!needsEnumeration(value)) fail('NET040', `expected a term or a plain value, got ${shown(value)}`, part);
  if (set?.kind === 'enum')
    return typeof value === 'string' ? member(set, value, at) : UNSETTLED.get(value as Expression)!(set);
  const text = typeof value === 'string' ? quote(value) : 'a string of an enumeration';
  if (set !== undefined) fail('NET040', `expected a value of ${set.name}, got ${text}`, part);
  fail('NET041', `expected a number or a boolean, got ${text} of an unknown enumeration: use colour.is(…)`, part);
}

/** The constant for a value of an enumeration. */
export function member(set: EnumSet, value: string, at?: string): Expression {
  return coloured({ op: 'const', value: positionIn(set, value, at), colour: set.name }, set);
}

/**
 * The position of a value of an enumeration.
 *
 * @throws InputError NET003
 */
export function positionIn(set: EnumSet, value: string, at?: string): number {
  const position = set.values.indexOf(value);
  const message = `enumeration ${set.name} has no value ${quote(value)}: ${set.values.join(', ')}`;
  if (position < 0) fail('NET003', message, at === undefined ? undefined : { part: at });
  return position;
}

/** A short description of a value for messages. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (isTerm(value)) return `the term ${expressionText(value)}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
