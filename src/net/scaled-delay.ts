import type { Distribution } from './distribution.ts';
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
  const seconds = (e: Expression): Expression => times(e, factor);
  const rate = (e: Expression): Expression => times(e, factor, -1);
  switch (d.dist) {
    case 'exponential':
    case 'erlang':
      return { ...d, rate: rate(d.rate) };
    case 'hyper-exponential':
      return { ...d, branches: d.branches.map((b) => ({ ...b, rate: rate(b.rate) })) };
    case 'cox':
      return { ...d, phases: d.phases.map((p) => ({ ...p, rate: rate(p.rate) })) };
    case 'uniform':
      return { ...d, low: seconds(d.low), high: seconds(d.high) };
    case 'triangular':
      return { ...d, low: seconds(d.low), mode: seconds(d.mode), high: seconds(d.high) };
    case 'normal':
      return { ...d, mean: seconds(d.mean), deviation: seconds(d.deviation) };
    case 'lognormal':
      // The logarithm of the product is the sum of the logarithms.
      return { ...d, mean: shifted(d.mean, Math.log(factor)) };
    case 'weibull':
    case 'gamma':
      return { ...d, scale: seconds(d.scale) };
    case 'discrete':
      return { ...d, values: d.values.map((v) => ({ ...v, value: v.value * factor })) };
    case 'empirical':
      return { ...d, samples: d.samples.map((x) => x * factor) };
  }
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
