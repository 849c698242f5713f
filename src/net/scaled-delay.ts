import { type Distribution, withParameters } from './distribution.ts';
import type { Parameter } from './distributions/form.ts';
import { momentsOf } from './distributions/laws.ts';
import type { Expression } from './expression.ts';
import type { Delay } from './net.ts';

const constant = (value: number): Expression => ({ op: 'const', value });

/** The product of an expression and a positive number; the power of a rate is −1. */
function times(e: Expression, factor: number, power: 1 | -1 = 1): Expression {
  if (factor === 1) return e;
  if (e.op === 'const') return constant(power === 1 ? e.value * factor : e.value / factor);
  return { op: power === 1 ? 'mul' : 'div', a: e, b: constant(factor) };
}

/** A delay whose values are all multiplied by a factor > 0: the mean by the factor, the variance by its square. */
export function scaledDelay(delay: Delay, factor: number): Delay {
  return 'op' in delay ? times(delay, factor) : scaledDistribution(delay, factor);
}

function scaledDistribution(d: Distribution, factor: number): Distribution {
  const change = (value: Expression | number, { scales }: Parameter): Expression | number => {
    if (scales === 'kept') return value;
    const own = typeof value === 'number' ? constant(value) : value;
    const changed =
      scales === 'shifted by the logarithm'
        ? shifted(own, Math.log(factor))
        : times(own, factor, scales === 'multiplied' ? 1 : -1);
    return typeof value === 'number' && changed.op === 'const' ? changed.value : changed;
  };
  return withParameters(d, change, (seconds) => seconds * factor);
}

function shifted(e: Expression, by: number): Expression {
  if (by === 0) return e;
  return e.op === 'const' ? constant(e.value + by) : { op: 'add', a: e, b: constant(by) };
}

/** The mean of a delay in seconds; undefined if a parameter is not a constant. */
export function meanDelay(delay: Delay): number | undefined {
  let known = true;
  const value = (e: Expression): number => {
    if (e.op === 'const') return e.value;
    known = false;
    return Number.NaN;
  };
  const mean = 'op' in delay ? value(delay) : momentsOf(delay, value).mean;
  return known ? mean : undefined;
}
