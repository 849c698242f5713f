import { isDistribution, parametersOf } from '../../net/distribution.ts';
import type { Delay } from '../../net/net.ts';
import { emitValue, type Scope } from './expression.ts';

/** Code for the value of a delay: an expression, or a call of `draw` with the parameters of the distribution, in their order. */
export function emitDelay(delay: Delay, scope: Scope, draw: string): string {
  if (!isDistribution(delay)) return emitValue(delay, scope);
  return `${draw}(${parametersOf(delay)
    .map((x) => emitValue(x, scope))
    .join(', ')})`;
}
