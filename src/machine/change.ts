import { quote, shown } from '../base/problem.ts';
import { type Dimension, type QuantityFault, quantity } from '../base/units.ts';

/** Dimension of a parameter, and the unit of its values as plain numbers. */
export interface Measure {
  readonly dimension: Dimension | 'count' | 'factor';
  readonly unit: 's' | 's/B' | 'B' | 'B/s' | 'flop/s' | 'W' | '1';
}

const SI: Readonly<Record<Dimension, Measure['unit']>> = { time: 's', size: 'B', rate: 'B/s', speed: 'flop/s' };

export const measureOf = (dimension: Dimension): Measure => ({ dimension, unit: SI[dimension] });

/** A change of a value: either set to `to`, or multiplied by `times` / `over`. */
export type Change = { readonly to: number } | { readonly times: number; readonly over: number };

const NUMBER = String.raw`(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const PLAIN = new RegExp(`^${NUMBER}$`);
const FACTOR = new RegExp(`^[x×] ?(${NUMBER})$`);
const PERCENTAGE = new RegExp(`^([+-]${NUMBER}) ?%$`);
const FORMS = 'or a change: a factor such as "x2", a percentage such as "+10%"';

/**
 * Reads a change as users write it: a factor (`'x2'`, `'x0.5'`), a percentage (`'+10%'`, `'-5%'`), or a new value: a
 * number in SI units or a string with a unit (`'2us'`; counts have none). `'+2us'` is refused because it could mean an
 * addition.
 *
 * @returns the change, or the fault: MACH031 (neither a change nor a value), UNIT001 to UNIT003 (not a value of this
 * dimension)
 */
export function readChange({ dimension }: Measure, change: unknown): Change | QuantityFault {
  if (typeof change === 'string') {
    const factor = FACTOR.exec(change)?.[1];
    if (factor !== undefined) return finite(Number(factor), 1, change);
    const percentage = PERCENTAGE.exec(change)?.[1];
    if (percentage !== undefined) return finite(100 + Number(percentage), 100, change);
    if (/^[+\-x×]/.test(change)) {
      const message = `expected a factor such as "x2", a percentage such as "+10%" or a new value without a sign, got ${quote(change)}`;
      return { code: 'MACH031', message };
    }
  }
  if (dimension === 'count') {
    const whole = typeof change === 'string' && /^\d{1,15}$/.test(change) ? Number(change) : change;
    if (typeof whole === 'number') return { to: whole };
    return { code: 'MACH031', message: `expected an integer, ${FORMS}, got ${shown(change)}` };
  }
  if (dimension === 'factor') {
    const plain = typeof change === 'string' && PLAIN.test(change) ? Number(change) : change;
    if (typeof plain === 'number' && plain >= 0 && Number.isFinite(plain)) return { to: plain };
    return { code: 'MACH031', message: `expected a number, ${FORMS}, got ${shown(change)}` };
  }
  const value = quantity(dimension, change);
  if (typeof value === 'number') return { to: value };
  return value.code === 'UNIT003' ? value : { ...value, message: `${value.message}, ${FORMS}` };
}

function finite(times: number, over: number, change: string): Change | QuantityFault {
  if (times < 0) return { code: 'MACH031', message: `${quote(change)} subtracts more than 100 %` };
  if (times === Number.POSITIVE_INFINITY)
    return { code: 'MACH031', message: `${quote(change)} exceeds the range of a double` };
  return { times, over };
}

/** Relative tolerance within which the product of a count and a factor is rounded to an integer. */
const ROUNDING = 1e-12;

/** The value after the change. Counts are rounded to the nearest integer within {@link ROUNDING}. */
export function changed(value: number, change: Change, { dimension }: Measure): number {
  if ('to' in change) return change.to;
  const product = (value * change.times) / change.over;
  const whole = Math.round(product);
  return dimension === 'count' && Math.abs(product - whole) <= ROUNDING * product ? whole : product;
}
