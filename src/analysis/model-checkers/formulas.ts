import { fail } from '../../base/problem.ts';
import { type Binary, type Expression, withOperands } from '../../net/expression.ts';

export const constant = (value: number): Expression => ({ op: 'const', value });
export const variable = (name: string): Expression => ({ op: 'var', name });
export const not = (a: Expression): Expression => ({ op: 'not', a });

/** The conjunction; 1 of none. */
export const all = (parts: readonly Expression[]): Expression => joined('and', parts, 1);
/** The disjunction; 0 of none. */
export const any = (parts: readonly Expression[]): Expression => joined('or', parts, 0);
export const sum = (parts: readonly Expression[]): Expression => joined('add', parts, 0);

function joined(op: Binary, parts: readonly Expression[], ofNone: number): Expression {
  const isNeutral = (e: Expression): boolean => e.op === 'const' && e.value === ofNone;
  const [first, ...others] = parts.filter((e) => !isNeutral(e));
  return first === undefined ? constant(ofNone) : others.reduce((a, b) => ({ op, a, b }), first);
}

export const times = (factor: number, e: Expression): Expression => {
  if (e.op === 'const') return constant(factor * e.value);
  return factor === 1 ? e : { op: 'mul', a: constant(factor), b: e };
};

/** Firings that these tokens allow at once: min ⌊tokens / weight⌋, at most the number of servers; 1 without tokens (S9a). */
export function degree(taken: readonly (readonly [tokens: Expression, weight: number])[], servers: number): Expression {
  if (servers === 1 || taken.length === 0) return constant(1);
  const parts = taken.map(
    ([tokens, weight]): Expression =>
      weight === 1 ? tokens : { op: 'floor', a: { op: 'div', a: tokens, b: constant(weight) } },
  );
  if (servers < Number.POSITIVE_INFINITY) parts.push(constant(servers));
  return parts.reduce((a, b) => ({ op: 'min', a, b }));
}

/** A term over counts as one over variables. @throws InputError LANG004 for tables and functions */
export function overVariables(e: Expression, tokens: (count: string) => Expression, part: string): Expression {
  if (e.op === 'var') return tokens(e.name);
  if (e.op === 'at' || e.op === 'step' || e.op === 'call')
    fail(
      'LANG004',
      `has a rate or weight that looks up numbers of tokens in ${e.op === 'call' ? `the function "${e.function}"` : `the table "${e.table}"`}, which PRISM and JANI cannot express: write it as arithmetic`,
      { part },
    );
  return withOperands(e, (x) => overVariables(x, tokens, part));
}

/** How a language writes expressions; texts or objects. */
export interface Language<T> {
  number(value: number): T;
  truth(value: boolean): T;
  variable(id: string): T;
  unary(op: 'neg' | 'not' | 'floor' | 'ceil', a: T): T;
  binary(op: Exclude<Binary, 'mod'>, a: T, b: T): T;
  choice(test: T, a: T, b: T): T;
}

const LOGICAL: readonly string[] = ['and', 'or', 'not'];
const TRUTHS: readonly string[] = [...LOGICAL, 'eq', 'ne', 'lt', 'le', 'gt', 'ge'];

/** Writes an expression as a number: model checkers distinguish numbers from booleans. */
export function numberIn<T>(language: Language<T>, e: Expression): T {
  if (TRUTHS.includes(e.op)) return language.choice(truthIn(language, e), language.number(1), language.number(0));
  const inside = (x: Expression): T => numberIn(language, x);
  switch (e.op) {
    case 'const':
      return language.number(e.value);
    case 'var':
      return language.variable(e.name);
    case 'if':
      return language.choice(truthIn(language, e.test), inside(e.a), inside(e.b));
    case 'neg':
    case 'floor':
      return language.unary(e.op, inside(e.a));
    case 'mod': {
      // The sign of the dividend: a − b · trunc(a / b).
      const [a, b] = [inside(e.a), inside(e.b)];
      const ratio = language.binary('div', a, b);
      const isNegative = language.binary('lt', ratio, language.number(0));
      const whole = language.choice(isNegative, language.unary('ceil', ratio), language.unary('floor', ratio));
      return language.binary('sub', a, language.binary('mul', b, whole));
    }
    default:
      return language.binary(e.op as Exclude<Binary, 'mod'>, inside((e as Pair).a), inside((e as Pair).b));
  }
}

type Pair = Extract<Expression, { readonly op: Binary }>;

/** Writes an expression as a boolean. */
export function truthIn<T>(language: Language<T>, e: Expression): T {
  if (e.op === 'const') return language.truth(e.value !== 0);
  if (!TRUTHS.includes(e.op)) return language.binary('ne', numberIn(language, e), language.number(0));
  const inside = (x: Expression): T => (LOGICAL.includes(e.op) ? truthIn(language, x) : numberIn(language, x));
  if (e.op === 'not') return language.unary('not', inside(e.a));
  const { op, a, b } = e as Pair;
  return language.binary(op as Exclude<Binary, 'mod'>, inside(a), inside(b));
}

/** Makes identifiers of letters, digits and `_` from names; distinct for distinct names. */
export class Identifiers {
  readonly #given = new Set<string>();

  /** The prefix keeps identifiers apart from keywords. */
  of(prefix: string, name: string): string {
    const base = `${prefix}_${name.replace(/[^A-Za-z0-9]+/g, '_')}`;
    let id = base;
    for (let k = 2; this.#given.has(id); k++) id = `${base}__${k}`;
    this.#given.add(id);
    return id;
  }
}
