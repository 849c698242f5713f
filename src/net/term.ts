import { fail, quote } from '../base/problem.ts';
import type { ScalarSet } from './colour.ts';
import { type Expression, expressionText, operands } from './expression.ts';

declare const VALUE: unique symbol;

/** An expression whose value is a `V`: a number, a truth value, or one of the texts of an enumeration. */
export type Term<V> = Expression & { readonly [VALUE]?: V };
export type NumberTerm = Term<number> | number;
export type TruthTerm = Term<boolean> | boolean;
/** A value that a term can have. */
export type Value = number | boolean | string;
export type EnumSet = Extract<ScalarSet, { kind: 'enum' }>;

/** Truth values, where no colour set of the net is meant. */
export const TRUTH: ScalarSet = { kind: 'bool', name: 'bool' };

/** Whole numbers, where no colour set of the net is meant. */
export const WHOLE: ScalarSet = { kind: 'integer', name: 'whole numbers' };

// Nets are plain data, so what only the builder knows of an expression stands beside it.
const COLOURS = new WeakMap<Expression, ScalarSet>();
const OWNERS = new WeakMap<Expression, object>();
/** The net of what is told by its name: an entry of a table, a value of an enumeration, a table of routes. */
const NETS = new WeakMap<object, object>();
const UNSETTLED = new WeakMap<Expression, (set: EnumSet) => Expression>();
const WHOLE_FORMS = new WeakMap<Expression, () => Expression>();

/** The same expression, which is henceforth known to have a value of this set. */
export function coloured(e: Expression, set: ScalarSet): Expression {
  COLOURS.set(e, set);
  return e;
}

/** A variable of a colour set; it belongs to the transition or place that `owner` stands for. */
export function variable(name: string, set: ScalarSet, owner: object): Expression {
  const e: Expression = withoutOperators({ op: 'var', name });
  OWNERS.set(e, owner);
  return coloured(e, set);
}

/**
 * The same expression, to which JavaScript's own operators say what to write instead: they would compare and add objects.
 * (`===`, `!` and `&&` ask no object for its value.)
 */
export function withoutOperators<E extends Expression>(e: E): E {
  return Object.defineProperty(e, Symbol.toPrimitive, { value: refuseOperator });
}

function refuseOperator(this: Expression): never {
  fail(
    'NET080',
    `JavaScript's own operators know nothing of the term ${expressionText(this)}: write add, sub, mul, div, mod, lt, le, gt, ge, eq, ne instead`,
  );
}

/** The set that the expression's value is in; undefined: a number of which no more is known. */
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
      return TRUTH;
    case 'if': {
      const a = colourOf(e.a);
      const b = colourOf(e.b);
      if (a?.kind === 'bool' && b?.kind === 'bool') return TRUTH;
      return a?.kind === 'enum' && b?.kind === 'enum' ? a : undefined;
    }
    default:
      return undefined;
  }
}

/** Parts of a term that are looked at: validation refuses terms of more, also those that contain themselves. */
const MOST_PARTS = 2 ** 20;

/** The same, which is of that net: another one may have the name for something else. */
export function ofNet<T extends object>(part: T, net: object): T {
  NETS.set(part, net);
  return part;
}

/** Whether it is known to be of another net. */
export function isForeign(part: object, net: object): boolean {
  const of = NETS.get(part);
  return of !== undefined && of !== net;
}

/** The first part of an expression that is of others: a variable of another transition or place, or what is of another net. */
export function foreignPart(e: Expression, owner: object, net: object): Expression | undefined {
  // By a list, for a term may be nested deeper than calls can be; in the order of the text.
  const left: Expression[] = [e];
  let looked = 0;
  for (let x = left.pop(); x !== undefined && ++looked <= MOST_PARTS; x = left.pop()) {
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
 * A term with texts of an enumeration that is not yet known: it becomes an expression where it is used. Until then it is a
 * constant that no validation lets pass.
 */
export function unsettled(settle: (set: EnumSet) => Expression): Expression {
  const e: Expression = { op: 'const', value: Number.NaN };
  UNSETTLED.set(e, settle);
  return e;
}

/** The same expression, which has another form where a whole number is demanded. */
export function withWholeForm(e: Expression, whole: () => Expression): Expression {
  WHOLE_FORMS.set(e, whole);
  return e;
}

/** What turned out to be an expression: terms are made of terms, again and again. */
const TERMS = new WeakSet<object>();

/** Whether a value is an expression, and not, say, a record with a field `op`. */
export function isTerm(value: unknown): value is Expression {
  // Along the first operands, down to what has none: by a loop, for a term may be nested deeper than calls can be.
  let x = value;
  let found: boolean | undefined;
  for (let looked = 0; found === undefined && looked < MOST_PARTS; looked++) {
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

/** Whether the value can only be read by the light of an enumeration. */
export function needsEnumeration(value: unknown): boolean {
  return typeof value === 'string' || (isTerm(value) && UNSETTLED.has(value));
}

/**
 * A number or truth value as an expression; expressions are returned as they are.
 *
 * @throws InputError NET041 for a text: which enumeration is meant is not known here; NET040 for anything else
 */
export function constant(value: Expression | number | boolean): Expression {
  return termOf(value, undefined);
}

/** As {@link constant}; the texts of an enumeration stand for its values where `set` is one. */
export function termOf(value: unknown, set: ScalarSet | undefined, at?: string): Expression {
  const part = at === undefined ? undefined : { part: at };
  if (typeof value === 'boolean') return coloured({ op: 'const', value: Number(value) }, TRUTH);
  if (typeof value === 'number') {
    const e: Expression = { op: 'const', value };
    return set === undefined ? e : coloured(e, set);
  }
  if (isTerm(value) && !needsEnumeration(value)) {
    const whole = set?.kind === 'range' || set?.kind === 'integer' ? WHOLE_FORMS.get(value) : undefined;
    return whole?.() ?? value;
  }
  if (!needsEnumeration(value)) fail('NET040', `${shown(value)} where a term or a plain value is expected`, part);
  if (set?.kind === 'enum')
    return typeof value === 'string' ? member(set, value, at) : UNSETTLED.get(value as Expression)!(set);
  const text = typeof value === 'string' ? quote(value) : 'a text of an enumeration';
  if (set !== undefined) fail('NET040', `${text} where a value of ${set.name} is expected`, part);
  fail(
    'NET041',
    `${text} where it is not known which enumeration is meant: a number or a truth value is expected, or colour.is(…)`,
    part,
  );
}

/** The constant of a value of an enumeration. */
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

/** A value in a few words, for messages. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (isTerm(value)) return `the term ${expressionText(value)}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
