import { type Expression, operands } from '../../net/expression.ts';
import type { Table } from '../../net/net.ts';

/**
 * Bounds on the values of an expression, and whether they are whole numbers. Where both bounds are finite the value is a
 * number between them; an expression that may be infinite, or no number at all, has none.
 */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly whole: boolean;
}

const ANY: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, whole: false };
const TRUTH: Range = { low: 0, high: 1, whole: true };

/**
 * Bounds on an expression by interval arithmetic (Moore 1966), used to leave out checks that cannot fail. Sound, not
 * tight. O(size of the expression).
 */
export function rangeOf(
  e: Expression,
  variables: ReadonlyMap<string, Range>,
  tables: ReadonlyMap<string, Table>,
): Range {
  const sub = operands(e).map((x) => rangeOf(x, variables, tables));
  const [a = ANY, b = ANY] = sub;
  switch (e.op) {
    case 'const':
      return checked(e.value, e.value, Number.isInteger(e.value));
    case 'var':
      return variables.get(e.name) ?? ANY;
    case 'neg':
      return checked(-a.high, -a.low, a.whole);
    case 'floor':
      return checked(Math.floor(a.low), Math.floor(a.high), true);
    case 'add':
      return checked(a.low + b.low, a.high + b.high, a.whole && b.whole);
    case 'sub':
      return checked(a.low - b.high, a.high - b.low, a.whole && b.whole);
    case 'mul': {
      const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
      return checked(Math.min(...corners), Math.max(...corners), a.whole && b.whole);
    }
    case 'div':
      return ANY;
    case 'mod': {
      const m = Math.max(Math.abs(b.low), Math.abs(b.high));
      if (a === ANY || !(b.low > 0 || b.high < 0)) return ANY;
      return checked(a.low >= 0 ? 0 : -m, a.high <= 0 ? 0 : b.whole && a.whole ? m - 1 : m, a.whole && b.whole);
    }
    case 'min':
      return checked(Math.min(a.low, b.low), Math.min(a.high, b.high), a.whole && b.whole);
    case 'max':
      return checked(Math.max(a.low, b.low), Math.max(a.high, b.high), a.whole && b.whole);
    case 'if': {
      const [, x = ANY, y = ANY] = sub;
      return checked(Math.min(x.low, y.low), Math.max(x.high, y.high), x.whole && y.whole);
    }
    case 'at': {
      const t = tables.get(e.table);
      return t?.kind === 'int' ? { low: t.low, high: t.high, whole: true } : ANY;
    }
    case 'step': {
      const t = tables.get(e.table);
      return t?.kind === 'step' ? rangeOfSteps(t.values) : ANY;
    }
    case 'call':
      return ANY;
    default:
      return TRUTH;
  }
}

/** Of the values of a step table: they may be too many for one call of Math.min. */
function rangeOfSteps(values: Float64Array): Range {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return checked(low, high, values.every(Number.isInteger));
}

function checked(low: number, high: number, whole: boolean): Range {
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high, whole } : ANY;
}

/** Whether a colour needs a double. */
export const isWide = (r: Pick<Range, 'low' | 'high'>): boolean => r.low < -(2 ** 31) || r.high > 2 ** 31 - 1;

/** A parameter or variable of the kernel language for a value that is wide or not. */
export const typed = (name: string, wide: boolean): string => `${name}: ${wide ? 'num' : 'int'}`;
