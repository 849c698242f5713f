import { colourBounds, type ScalarSet } from '../colour.ts';
import type { Expression } from '../expression.ts';
import {
  all,
  type Balance,
  type Difference,
  equal,
  FALSE,
  joined,
  not,
  sameColumns,
  simplified,
  some,
  type Term,
  TRUE,
} from './pnml-multiset.ts';

/*
 * Multiset differences with variables. A difference is defined only if everything subtracted is present (ISO/IEC
 * 15909-1, multisets); this becomes a condition on the binding.
 */

/** Maximum terms of a difference that does not list all colours. */
export const MAX_TERMS = 256;
/** Maximum expression nodes of one difference. */
const MAX_SIZE = 2 ** 18;

/** Terms that enumerate all colours of some columns and agree in the others. */
interface Listing {
  /** The enumerated columns. */
  readonly varying: readonly number[];
  /** Tokens of each colour. */
  readonly count: number;
}

/** Tokens of one colour; their number may depend on the binding. */
export interface Part {
  readonly columns: readonly Expression[];
  readonly count: Expression;
}

/**
 * The tokens put by a difference: for each added term, the number that remain. Undefined if too large. O(added ×
 * subtracted).
 */
export function broughtBy({ plus, minus }: Balance, sets: readonly ScalarSet[]): Part[] | undefined {
  const listing = listingOf(plus, sets);
  if (listing === undefined && plus.length > MAX_TERMS) return undefined;
  if (plus.length * minus.length > MAX_SIZE || minus.length > MAX_TERMS) return undefined;
  const terms = plus.map(({ columns, count }, i) => {
    const gone = minus.map((q) => ({ same: sameColumns(q.columns, columns), count: q.count }));
    // In a listing each colour occurs once. Otherwise equal terms are counted at the first of them.
    const later = listing === undefined ? plus.slice(i + 1) : [];
    const more = later.map((p) => ({ same: sameColumns(p.columns, columns), count: p.count }));
    const first = all(listing === undefined ? plus.slice(0, i).map((p) => not(sameColumns(p.columns, columns))) : []);
    return { columns, count: timesExpression(first, left(count, more, gone)) };
  });
  return terms.filter(({ count }) => !isZero(count));
}

interface Share {
  readonly same: Expression;
  readonly count: number;
}

/** `count` plus the added minus the subtracted shares. */
function left(count: number, more: readonly Share[], gone: readonly Share[]): Expression {
  const possible = gone.filter(({ same }) => !isZero(same));
  if (more.every(({ same }) => isZero(same)) && count === 1 && possible.every((g) => g.count === 1))
    return all(possible.map(({ same }) => not(same)));
  const [added, taken] = [totalOf(count, more), totalOf(0, gone)];
  if (added.op === 'const' && taken.op === 'const') return { op: 'const', value: added.value - taken.value };
  return taken.op === 'const' && taken.value === 0 ? added : { op: 'sub', a: added, b: taken };
}

/** `count` plus the counts of the shares whose condition holds. */
function totalOf(count: number, shares: readonly Share[]): Expression {
  let fixed = count;
  const parts: Expression[] = [];
  for (const { same, count: n } of shares) {
    if (same.op === 'const') fixed += same.value * n;
    else parts.push(n === 1 ? same : { op: 'mul', a: { op: 'const', value: n }, b: same });
  }
  if (fixed !== 0 || parts.length === 0) parts.unshift({ op: 'const', value: fixed });
  return joined('add', parts, FALSE);
}

function timesExpression(first: Expression, count: Expression): Expression {
  if (first.op === 'const') return first.value === 0 ? FALSE : count;
  return count.op === 'const' && count.value === 1 ? first : { op: 'mul', a: first, b: count };
}

function isZero(e: Expression): boolean {
  return e.op === 'const' && e.value === 0;
}

/**
 * The tokens taken by a difference, one term for each remaining token. In a listing sorted by colour, the k-th
 * remaining term after removing x is term k if it is less than x, otherwise term k + 1.
 */
export function takenBy({ plus, minus }: Balance, sets: readonly ScalarSet[]): Part[] | undefined {
  const total = plus.reduce((n, t) => n + t.count, 0);
  const less = minus.reduce((n, t) => n + t.count, 0);
  if (total < less) return [];
  const listing = listingOf(plus, sets);
  if (listing === undefined ? total > MAX_TERMS : total > MAX_SIZE) return undefined;
  if (less > MAX_TERMS) return undefined;
  let now: (readonly Expression[])[] = [];
  for (const { columns, count } of listing === undefined ? plus : inOrder(plus, listing))
    for (let n = 0; n < count; n++) now.push(columns);
  let size = now.length;
  for (const { columns: x, count } of minus)
    for (let n = 0; n < count; n++) {
      const last = now.length - 1;
      const next: (readonly Expression[])[] = [];
      let found: Expression = FALSE;
      for (let k = 0; k < last; k++) {
        const here = now[k]!;
        found = listing === undefined ? some([found, sameColumns(x, here)]) : notAfter(x, here, listing);
        next.push(here.map((e, c) => choice(found, now[k + 1]![c]!, e)));
        size += sizeOf(next[k]!) + 1;
        if (size > MAX_SIZE) return undefined;
      }
      now = next;
    }
  return now.map((columns) => ({ columns, count: TRUE }));
}

function sizeOf(columns: readonly Expression[]): number {
  let parts = 0;
  const stack: Expression[] = [...columns];
  for (let e = stack.pop(); e !== undefined; e = stack.pop()) {
    parts++;
    if (parts > MAX_SIZE) break;
    if (e.op === 'if') stack.push(e.test, e.a, e.b);
    else if ('b' in e) stack.push(e.a, e.b);
    else if ('a' in e) stack.push(e.a);
  }
  return parts;
}

function choice(test: Expression, a: Expression, b: Expression): Expression {
  if (test.op === 'const') return test.value === 0 ? b : a;
  const same = equal(a, b);
  return same.op === 'const' && same.value === 1 ? a : { op: 'if', test, a, b };
}

/** True if x ≤ term in the order of the enumerated columns; the first column is the most significant. */
function notAfter(x: readonly Expression[], term: readonly Expression[], { varying }: Listing): Expression {
  return varying.reduceRight<Expression>((rest, column, k) => {
    const [a, b] = [x[column]!, term[column]!];
    if (k === varying.length - 1) return compared('le', a, b);
    return some([compared('lt', a, b), all([equal(a, b), rest])]);
  }, TRUE);
}

function compared(op: 'lt' | 'le', a: Expression, b: Expression): Expression {
  if (a.op === 'const' && b.op === 'const')
    return (op === 'lt' ? a.value < b.value : a.value <= b.value) ? TRUE : FALSE;
  return { op, a, b };
}

function inOrder(terms: readonly Term[], { varying }: Listing): Term[] {
  const value = (t: Term, column: number): number => {
    const e = t.columns[column]!;
    return e.op === 'const' ? e.value : 0;
  };
  return [...terms].sort((s, t) => {
    for (const column of varying) {
      const by = value(s, column) - value(t, column);
      if (by !== 0) return by;
    }
    return 0;
  });
}

/** The condition under which all differences are defined. */
export function conditionOf(differences: readonly Difference[]): Expression {
  return all(differences.map(isThere));
}

function isThere(difference: Difference): Expression {
  const { plus, minus } = simplified(difference);
  if (minus.length === 0) return TRUE;
  const listing = listingOf(plus, difference.sets);
  const ones = listing?.count === 1 && minus.every((q) => q.count === 1);
  return all(
    minus.flatMap((q, j): Expression[] => {
      if (listing === undefined) {
        const there = totalOf(
          0,
          plus.map((p) => ({ same: sameColumns(p.columns, q.columns), count: p.count })),
        );
        const gone = totalOf(
          0,
          minus.map((p) => ({ same: sameColumns(p.columns, q.columns), count: p.count })),
        );
        return [atLeast(there, gone)];
      }
      const first = plus[0]!.columns;
      const fixed = q.columns.flatMap((e, c) => (listing.varying.includes(c) ? [] : [equal(e, first[c]!)]));
      if (ones) return [...fixed, ...minus.slice(j + 1).map((p) => not(sameColumns(p.columns, q.columns)))];
      const gone = totalOf(
        0,
        minus.map((p) => ({ same: sameColumns(p.columns, q.columns), count: p.count })),
      );
      return [
        ...fixed,
        ...(maximumOf(minus) <= listing.count ? [] : [atLeast({ op: 'const', value: listing.count }, gone)]),
      ];
    }),
  );
}

function maximumOf(terms: readonly Term[]): number {
  return terms.reduce((n, t) => n + t.count, 0);
}

function atLeast(a: Expression, b: Expression): Expression {
  if (a.op === 'const' && b.op === 'const') return a.value >= b.value ? TRUE : FALSE;
  return { op: 'ge', a, b };
}

/**
 * Recognises a listing: equal counts, all combinations of the enumerated columns, and equal expressions in the others.
 */
function listingOf(terms: readonly Term[], sets: readonly ScalarSet[]): Listing | undefined {
  const first = terms[0];
  if (first === undefined) return undefined;
  const varying = sets.flatMap((_, c) =>
    terms.every((t) => isTrue(equal(t.columns[c]!, first.columns[c]!))) ? [] : [c],
  );
  let colours = 1;
  for (const c of varying) {
    const { low, high } = colourBounds(sets[c]!);
    colours *= high - low + 1;
  }
  if (colours !== terms.length) return undefined;
  const seen = new Set<string>();
  for (const t of terms) {
    if (t.count !== first.count) return undefined;
    const key: number[] = [];
    for (const c of varying) {
      const e = t.columns[c]!;
      if (e.op !== 'const') return undefined;
      key.push(e.value);
    }
    seen.add(key.join());
  }
  return seen.size === terms.length ? { varying, count: first.count } : undefined;
}

function isTrue(e: Expression): boolean {
  return e.op === 'const' && e.value === 1;
}
