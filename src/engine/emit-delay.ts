import { assertNever } from '../base/problem.ts';
import { type Distribution, isDistribution } from '../net/distribution.ts';
import type { Expression } from '../net/expression.ts';
import type { Delay } from '../net/net.ts';
import { emitValue, type Scope } from './emit-expression.ts';

/**
 * Code for the value of a delay: an expression, or a draw from the stream whose function is `draw`. `given` is the identifier of
 * the distribution's data, where it has any.
 */
export function emitDelay(delay: Delay, scope: Scope, draw: string, given: string): string {
  return isDistribution(delay) ? emitDraw(delay, scope, draw, given) : emitValue(delay, scope);
}

function emitDraw(d: Distribution, scope: Scope, draw: string, given: string): string {
  const value = (x: Expression): string => emitValue(x, scope);
  const list = (xs: readonly Expression[]): string => `[${xs.map(value).join(', ')}]`;
  switch (d.dist) {
    case 'exponential':
      return `sampling.exponential(${draw}, ${value(d.rate)})`;
    case 'erlang':
      return `sampling.erlang(${draw}, ${value(d.shape)}, ${value(d.rate)})`;
    case 'hyper-exponential':
      return `sampling.hyperExponential(${draw}, ${list(d.branches.map((b) => b.probability))}, ${list(d.branches.map((b) => b.rate))})`;
    case 'cox':
      return `sampling.cox(${draw}, ${list(d.phases.map((p) => p.rate))}, ${list(d.phases.map((p) => p.onward))})`;
    case 'uniform':
      return `sampling.uniform(${draw}, ${value(d.low)}, ${value(d.high)})`;
    case 'triangular':
      return `sampling.triangular(${draw}, ${value(d.low)}, ${value(d.mode)}, ${value(d.high)})`;
    case 'normal':
    case 'lognormal':
      return `sampling.${d.dist}(${draw}, ${value(d.mean)}, ${value(d.deviation)})`;
    case 'weibull':
    case 'gamma':
      return `sampling.${d.dist}(${draw}, ${value(d.shape)}, ${value(d.scale)})`;
    case 'discrete':
      return `sampling.discrete(${draw}, ${given}.values)`;
    case 'empirical':
      return `sampling.empirical(${draw}, ${given}.samples)`;
    default:
      return assertNever(d);
  }
}
