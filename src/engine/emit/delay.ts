import { isDistribution, parametersOf } from '../../net/distribution.ts';
import type { Expression } from '../../net/expression.ts';
import type { Delay } from '../../net/net.ts';
import { emitValue, type Scope } from './expression.ts';

/**
 * Code for the value of a delay in seconds: an expression, or a call of `draw` with the drawing process, if any, and the
 * parameters of the distribution in order.
 */
export function emitDelay(delay: Delay, scope: Scope, draw: string, process?: Expression): string {
  if (!isDistribution(delay)) return emitValue(delay, scope);
  const values = [...(process === undefined ? [] : [process]), ...parametersOf(delay)];
  return `${draw}(${values.map((x) => emitValue(x, scope)).join(', ')})`;
}
