import { ownOf } from '../../base/own.ts';
import { quote } from '../../base/problem.ts';
import { type Expression, variablesOf } from '../expression.ts';
import type { TokenCount, Transition } from '../net.ts';
import type { Context } from '../pnml/pnml-context.ts';
import type { PnproElement } from './pnpro-document.ts';
import { AT_LEAST_ONE, type Constants, POSITIVE, type Range, type Value } from './pnpro-expression.ts';

/** How a transition fires. */
export type PnproTiming = Pick<Transition, 'delay' | 'timing' | 'servers' | 'priority' | 'weight' | 'speed' | 'counts'>;

/** The attributes that GreatSPN reads at each type of transition, besides those of all. */
const TIMED: Readonly<Record<string, readonly string[]>> = {
  EXP: ['delay', 'nservers'],
  IMM: ['priority', 'weight'],
  DET: ['delay'],
  GEN: ['delay'],
};

const INFINITE = /^\s*inf(inite|inity)?\s*$/i;
/** `I[2.5]` is a fixed delay, `Uniform[1, 2]` a distribution. */
const GENERAL = /^\s*(?:I\[([^,]*)\]|Uniform\[([^,]*),([^,]*)\])\s*$/s;

/**
 * The timing of a transition as GreatSPN defines it. Timed transitions are races with enabling memory. Defaults are those of
 * its editor: rate 1 and infinitely many servers of exponential transitions; priority 1 and weight 1 of immediate ones. A rate that
 * depends on the marking is that of the transition as a whole, whatever its servers.
 */
export function timingOf(
  ctx: Context,
  constants: Constants,
  element: PnproElement,
  name: string,
  isPlace: (name: string) => boolean,
): PnproTiming {
  const { attributes } = element;
  const what = (attribute: string): string => `${attribute} of transition ${quote(name)}`;
  const { type, delay = '1', nservers = 'Infinite' } = attributes;
  const read = ownOf(TIMED, type ?? '');
  if (read === undefined) {
    const got = type === undefined ? 'has no attribute "type"' : `has type=${quote(type)}, which is not supported`;
    ctx.report(
      type === undefined ? 'PNPRO003' : 'PNPRO004',
      `transition ${quote(name)} ${got}: expected ${Object.keys(TIMED).join(', ')}`,
      element,
    );
    return {};
  }
  for (const unread of ['delay', 'nservers', 'priority', 'weight'])
    if (attributes[unread] !== undefined && !read.includes(unread))
      ctx.warn(`the attribute "${unread}" of transitions of type ${type} is ignored, as GreatSPN does`);
  /** The value of an attribute; 1 after a reported problem. */
  const value = (text: string, range: Range, attribute: string): number =>
    constants.value(text, range, element, what(attribute)) ?? 1;
  const term = (text: string, attribute: string): Value =>
    constants.term(text, POSITIVE, element, what(attribute), isPlace) ?? 1;
  if (type === 'IMM') {
    const priority = value(attributes['priority'] ?? '1', AT_LEAST_ONE, 'priority');
    const weight = term(attributes['weight'] ?? '1', 'weight');
    if (typeof weight === 'number') return { priority, weight: { op: 'const', value: weight } };
    return { priority, weight, counts: countsOf(weight) };
  }
  if (type === 'EXP') {
    const rate = term(delay, 'delay');
    const infinite = INFINITE.test(nservers) && !constants.has(nservers.trim());
    const servers = infinite || nservers === 'Single' ? 1 : value(nservers, AT_LEAST_ONE, 'nservers');
    if (typeof rate !== 'number') {
      if (attributes['nservers'] !== undefined && (infinite || servers !== 1))
        ctx.warn(
          `transition ${quote(name)}: "nservers" is ignored, as GreatSPN does where the rate depends on the marking`,
        );
      return { ...exponential(1), servers: 'single', speed: rate, counts: countsOf(rate) };
    }
    return { ...exponential(rate), ...(infinite ? {} : { servers: servers === 1 ? 'single' : servers }) };
  }
  const once = { timing: 'race', servers: 'single' } as const;
  if (type === 'DET') return { delay: { op: 'const', value: value(delay, POSITIVE, 'delay') }, ...once };
  const [, fixed, low, high] = GENERAL.exec(attributes['delay'] ?? '') ?? [];
  if (fixed !== undefined) return { delay: { op: 'const', value: value(fixed, POSITIVE, 'delay') }, ...once };
  if (low !== undefined && high !== undefined) {
    const [from, to] = [value(low, NOT_LATE, 'delay'), value(high, NOT_LATE, 'delay')];
    if (from > to) ctx.report('PNPRO006', `${what('delay')}: ${from} is larger than ${to}`, element);
    return {
      delay: { dist: 'uniform', low: { op: 'const', value: from }, high: { op: 'const', value: to } },
      ...once,
    };
  }
  ctx.report(
    'PNPRO004',
    `the general ${what('delay')}, ${quote(attributes['delay'] ?? '')}, is not supported: expected I[TIME] or Uniform[FROM, TO]`,
    element,
  );
  return once;
}

const NOT_LATE: Range = { whole: false, valid: (v) => v >= 0 && Number.isFinite(v), expected: 'a number >= 0' };

const exponential = (rate: number): Pick<Transition, 'delay' | 'timing'> => ({
  delay: { dist: 'exponential', rate: { op: 'const', value: rate } },
  timing: 'race',
});

/** The numbers of tokens in an expression: variables with the names of their places. */
const countsOf = (e: Expression): TokenCount[] =>
  [...variablesOf(e)].map((place) => ({ name: place, place, pattern: {} }));
