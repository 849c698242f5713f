import { type Expression, operands } from '../../../net/expression.ts';
import type { Table } from '../../../net/net.ts';

/**
 * Bounds on the values of an expression, and whether all values are integers. If the bounds are finite, the value is a number
 * between them. An expression that may be infinite or NaN has infinite bounds.
 */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly integer: boolean;
}

const ANY: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, integer: false };
const BOOLEAN: Range = { low: 0, high: 1, integer: true };

/**
 * Bounds on an expression by interval arithmetic (Moore 1966), used to omit checks that cannot fail. Sound, but not tight.
 * O(size of the expression).
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
      return checked(-a.high, -a.low, a.integer);
    case 'floor':
      return checked(Math.floor(a.low), Math.floor(a.high), true);
    case 'add':
      return checked(a.low + b.low, a.high + b.high, a.integer && b.integer);
    case 'sub':
      return checked(a.low - b.high, a.high - b.low, a.integer && b.integer);
    case 'mul': {
      const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
      return checked(Math.min(...corners), Math.max(...corners), a.integer && b.integer);
    }
    case 'div':
      return ANY;
    case 'mod': {
      const m = Math.max(Math.abs(b.low), Math.abs(b.high));
      if (a === ANY || !(b.low > 0 || b.high < 0)) return ANY;
      return checked(a.low >= 0 ? 0 : -m, a.high <= 0 ? 0 : b.integer && a.integer ? m - 1 : m, a.integer && b.integer);
    }
    case 'min':
      return checked(Math.min(a.low, b.low), Math.min(a.high, b.high), a.integer && b.integer);
    case 'max':
      return checked(Math.max(a.low, b.low), Math.max(a.high, b.high), a.integer && b.integer);
    case 'if': {
      const [, x = ANY, y = ANY] = sub;
      return checked(Math.min(x.low, y.low), Math.max(x.high, y.high), x.integer && y.integer);
    }
    case 'at': {
      const t = tables.get(e.table);
      return t?.kind === 'int' ? { low: t.low, high: t.high, integer: true } : ANY;
    }
    case 'step': {
      const t = tables.get(e.table);
      return t?.kind === 'step' ? rangeOfSteps(t.values) : ANY;
    }
    case 'call':
      return ANY;
    default:
      return BOOLEAN;
  }
}

/** Bounds on the values of a step table, by a loop: there may be too many for one call of `Math.min`. */
function rangeOfSteps(values: Float64Array): Range {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return checked(low, high, values.every(Number.isInteger));
}

function checked(low: number, high: number, integer: boolean): Range {
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high, integer } : ANY;
}

/** True if values of a range do not fit 32 bits and need a double. */
export const isWide = (r: Pick<Range, 'low' | 'high'>): boolean => r.low < -(2 ** 31) || r.high > 2 ** 31 - 1;

/** Declaration of a parameter or variable in the kernel language: a num if it is wide, else an int. */
export const typed = (name: string, wide: boolean): string => `${name}: ${wide ? 'num' : 'int'}`;
