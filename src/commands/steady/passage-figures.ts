import { type Reaching, reaching, reachTime } from '../../analysis/first-passage/reaching.ts';
import type { NetChain } from '../../analysis/markov/chain.ts';
import { isFound } from '../../analysis/markov/mean-bounds.ts';
import { parseReward } from '../../analysis/properties/parse-property.ts';
import type { Formula } from '../../analysis/properties/property.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { fail, quote } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { absorptionOf, errorOf, timeFigures } from '../exact/absorption.ts';
import type { StateLimit } from '../exact/explored-space.ts';
import type { Question, SteadyOptions } from './steady-options.ts';
import type { Reach, SteadyFindings } from './steady-result.ts';

/** The formula of the option `reach`. @throws InputError CTMC007, PROP001 to PROP007 */
export function reachFormula(text: string, net: Net): Formula {
  const parsed = parseReward(text, net, 'reach formula');
  if (parsed.kind !== 'formula')
    fail('CTMC007', `reach: expected a formula such as ${quote('#p > 0')}, got ${quote(text)}`);
  return parsed.formula;
}

/** Times until the end of a net and until a formula holds: those that the options ask for. */
interface Passages {
  readonly complete: boolean;
  readonly figures: Pick<SteadyFindings, 'absorption' | 'reach'>;
  /** The chain until the formula holds; undefined without a formula. */
  readonly reaching: Reaching | undefined;
}

/**
 * The times of the options `absorption` and `reach`. Undefined if a limit ended the work on the chain until the formula holds.
 *
 * @throws InputError CTMC006 for `absorption` of a net that may run indefinitely
 */
export function passagesOf(
  { reach, options }: Question,
  chain: NetChain,
  space: StateSpace,
  limit: StateLimit,
  stop: () => boolean,
): Passages | undefined {
  const ended = options.absorption === true ? absorptionOf(chain, stop) : undefined;
  const until = reach === undefined ? undefined : reaching(space, reach, stop, limit);
  if (reach !== undefined && until === undefined) return undefined;
  const reached = until === undefined ? undefined : reachOf(until, options, stop);
  return {
    complete: ended?.complete !== false && reached?.complete !== false,
    figures: {
      ...(ended === undefined ? {} : { absorption: ended.absorption }),
      ...(reached === undefined ? {} : { reach: reached.reach }),
    },
    reaching: until,
  };
}

/** The probability that a formula ever holds, and the time until then. */
function reachOf(
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
