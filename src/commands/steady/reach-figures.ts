import { type Reaching, reachTime } from '../../analysis/first-passage/reaching.ts';
import { isFound } from '../../analysis/markov/mean-bounds.ts';
import { parseReward } from '../../analysis/properties/parse-property.ts';
import type { Formula } from '../../analysis/properties/property.ts';
import { fail, quote } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { errorOf, timeFigures } from '../exact/absorption.ts';
import type { SteadyOptions } from './steady-options.ts';
import type { Reach } from './steady-result.ts';

/** The formula of the option `reach`. @throws InputError CTMC007, PROP001 to PROP007 */
export function reachFormula(text: string, net: Net): Formula {
  const parsed = parseReward(text, net, 'reach formula');
  if (parsed.kind !== 'formula')
    fail('CTMC007', `reach: expected a formula such as ${quote('#p > 0')}, got ${quote(text)}`);
  return parsed.formula;
}

/** The probability that a formula ever holds, and the time until then. */
export function reachOf(
  found: Reaching,
  { reach: formula = '', at }: SteadyOptions,
  stop: () => boolean,
): { readonly complete: boolean; readonly reach: Reach } {
  const { probability, time, until } = reachTime(found, stop);
  const byThen = at === undefined ? undefined : until(at);
  const times = time === undefined ? undefined : timeFigures(time);
  const isKnown = isFound(probability, 1) && (byThen === undefined || isFound(byThen, 1));
  return {
    complete: isKnown && times?.complete !== false,
    reach: {
      formula,
      probability: probability.mean,
      probabilityInterval: errorOf(probability),
      ...(at === undefined || byThen === undefined
        ? {}
        : { until: { time: at, probability: byThen.mean, ...errorOf(byThen) } }),
      ...times?.absorption,
    },
  };
}
