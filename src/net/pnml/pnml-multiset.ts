import { colourBounds, type ScalarSet } from '../colour.ts';
import { type Expression, sameExpression } from '../expression.ts';

/** `count` tokens of one colour, given by an expression for each column. */
export interface Term {
  readonly columns: readonly Expression[];
  readonly count: number;
}

/** Added and subtracted tokens. */
export interface Balance {
  readonly plus: readonly Term[];
  readonly minus: readonly Term[];
}

/** A multiset of tokens. It is defined only if each of its differences subtracts tokens that are present. */
export interface Multiset extends Balance {
  readonly differences: readonly Difference[];
}

export interface Difference extends Balance {
  /** The colour sets of the columns. */
  readonly sets: readonly ScalarSet[];
}

export const NO_TOKENS: Multiset = { plus: [], minus: [], differences: [] };

export function tokens(plus: readonly Term[]): Multiset {
  return { plus, minus: [], differences: [] };
}

/** The number of values of a colour set. */
export function sizeOf(set: ScalarSet): number {
  const { low, high } = colourBounds(set);
  return high - low + 1;
}

/** One token of each value of a colour set. */
export function allOf(set: ScalarSet): Multiset {
  const { low } = colourBounds(set);
  const colour = set.kind === 'enum' ? { colour: set.name } : {};
  return tokens(
    Array.from({ length: sizeOf(set) }, (_, k) => ({
      columns: [{ op: 'const', value: low + k, ...colour }],
      count: 1,
    })),
  );
}

export const TRUE: Expression = { op: 'const', value: 1 };
export const FALSE: Expression = { op: 'const', value: 0 };

export function sum(parts: readonly Multiset[]): Multiset {
  if (parts.length === 1) return parts[0]!;
  return {
    plus: parts.flatMap((m) => m.plus),
    minus: parts.flatMap((m) => m.minus),
    differences: parts.flatMap((m) => m.differences),
  };
}

export function difference(a: Multiset, b: Multiset, sets: readonly ScalarSet[]): Multiset {
  const made = { plus: [...a.plus, ...b.minus], minus: [...a.minus, ...b.plus] };
  return { ...made, differences: [...a.differences, ...b.differences, { ...made, sets }] };
}

export function times(n: number, m: Multiset): Multiset {
  if (n === 1) return m;
  const scaled = (terms: readonly Term[]): Term[] =>
    n === 0 ? [] : terms.map((t) => ({ columns: t.columns, count: t.count * n }));
  return { plus: scaled(m.plus), minus: scaled(m.minus), differences: m.differences };
}

/** Cartesian product: the columns of one token of each part, concatenated. */
export function product(parts: readonly Multiset[]): Multiset {
  return parts.reduce(
    (a, b): Multiset => ({
      plus: [...pairs(a.plus, b.plus), ...pairs(a.minus, b.minus)],
      minus: [...pairs(a.plus, b.minus), ...pairs(a.minus, b.plus)],
      differences: [...a.differences, ...b.differences],
    }),
    tokens([{ columns: [], count: 1 }]),
  );
}

function pairs(a: readonly Term[], b: readonly Term[]): Term[] {
  return a.flatMap((x) => b.map((y) => ({ columns: [...x.columns, ...y.columns], count: x.count * y.count })));
}

/**
 * Merges equal terms in order of first occurrence and cancels added against subtracted ones. Constant terms are
 * compared by value, others by structure.
 */
export function simplified(m: Balance): Balance {
  if (m.minus.length === 0 && m.plus.length === 1) return m;
  const counts = new Map<string, { columns: readonly Expression[]; count: number }>();
  for (const [terms, sign] of [
    [m.plus, 1],
    [m.minus, -1],
  ] as const)
    for (const { columns, count } of terms) {
      const key = columns.map(keyOf).join(' ');
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { columns, count: sign * count });
      else known.count += sign * count;
    }
  const all = [...counts.values()];
  return {
    plus: all.filter((t) => t.count > 0),
    minus: all.filter((t) => t.count < 0).map((t) => ({ columns: t.columns, count: -t.count })),
  };
}

function keyOf(e: Expression): string {
  if (e.op === 'const') return String(e.value);
  return e.op === 'var' ? JSON.stringify(e.name) : JSON.stringify(e);
}

/** The condition that two expressions of one sort are equal; constant if both are constants or structurally equal. */
export function equal(a: Expression, b: Expression): Expression {
  if (a.op === 'const' && b.op === 'const') return a.value === b.value ? TRUE : FALSE;
  return sameExpression(a, b) ? TRUE : { op: 'eq', a, b };
}

export function unequal(a: Expression, b: Expression): Expression {
  const e = equal(a, b);
  return e.op === 'eq' ? { op: 'ne', a: e.a, b: e.b } : not(e);
}

export function not(e: Expression): Expression {
  if (e.op === 'const') return e.value === 0 ? TRUE : FALSE;
  if (e.op === 'eq') return { op: 'ne', a: e.a, b: e.b };
  return { op: 'not', a: e };
}

/** Conjunction; conditions that always hold are dropped. */
export function all(conditions: readonly Expression[]): Expression {
  if (conditions.some((e) => e.op === 'const' && e.value === 0)) return FALSE;
  return joined(
    'and',
    conditions.filter((e) => e.op !== 'const'),
    TRUE,
  );
}

/** Disjunction; conditions that never hold are dropped. */
export function some(conditions: readonly Expression[]): Expression {
  if (conditions.some((e) => e.op === 'const' && e.value === 1)) return TRUE;
  return joined(
    'or',
    conditions.filter((e) => e.op !== 'const'),
    FALSE,
  );
}

/** Joins the parts by an operator in a balanced tree of depth O(log parts). */
export function joined(op: 'and' | 'or' | 'add', parts: readonly Expression[], none: Expression): Expression {
  if (parts.length <= 1) return parts[0] ?? none;
  const middle = (parts.length + 1) >> 1;
  return { op, a: joined(op, parts.slice(0, middle), none), b: joined(op, parts.slice(middle), none) };
}

/** The condition that two terms have equal columns. */
export function sameColumns(a: readonly Expression[], b: readonly Expression[]): Expression {
  return all(a.map((e, k) => equal(e, b[k]!)));
}
