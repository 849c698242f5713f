import { ownOf } from '../../base/own.ts';
import { quote } from '../../base/problem.ts';
import type { Transition } from '../net.ts';
import type { Context } from '../pnml/pnml-context.ts';
import type { PnproElement } from './pnpro-document.ts';
import { AT_LEAST_ONE, type Constants, POSITIVE, type Range } from './pnpro-expression.ts';

/** How a transition fires, and the number of its servers if there are several. */
export interface PnproTiming {
  readonly parts: Pick<Transition, 'delay' | 'timing' | 'servers' | 'priority' | 'weight'>;
  readonly servers?: number;
}

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
 * its editor: rate 1 and infinitely many servers of exponential transitions; priority 1 and weight 1 of immediate ones.
 */
export function timingOf(ctx: Context, constants: Constants, element: PnproElement, name: string): PnproTiming {
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
    return { parts: {} };
  }
  for (const unread of ['delay', 'nservers', 'priority', 'weight'])
    if (attributes[unread] !== undefined && !read.includes(unread))
      ctx.warn(`the attribute "${unread}" of transitions of type ${type} is ignored, as GreatSPN does`);
  /** 1 stands for a value that was reported. */
  const value = (text: string, range: Range, attribute: string): number =>
    constants.value(text, range, element, what(attribute)) ?? 1;
  if (type === 'IMM')
    return {
      parts: {
        priority: value(attributes['priority'] ?? '1', AT_LEAST_ONE, 'priority'),
        weight: { op: 'const', value: value(attributes['weight'] ?? '1', POSITIVE, 'weight') },
      },
    };
  if (type === 'EXP') {
    const rate = value(delay, POSITIVE, 'delay');
    const infinite = INFINITE.test(nservers) && !constants.has(nservers.trim());
    const servers = infinite || nservers === 'Single' ? 1 : value(nservers, AT_LEAST_ONE, 'nservers');
    const race = { delay: { dist: 'exponential', rate: { op: 'const', value: rate } }, timing: 'race' } as const;
    if (!infinite && servers === 1) return { parts: { ...race, servers: 'single' } };
    return { parts: race, ...(infinite ? {} : { servers }) };
  }
  const once = { timing: 'race', servers: 'single' } as const;
  if (type === 'DET') return { parts: { delay: { op: 'const', value: value(delay, POSITIVE, 'delay') }, ...once } };
  const [, fixed, low, high] = GENERAL.exec(attributes['delay'] ?? '') ?? [];
  if (fixed !== undefined)
    return { parts: { delay: { op: 'const', value: value(fixed, POSITIVE, 'delay') }, ...once } };
  if (low !== undefined && high !== undefined) {
    const [from, to] = [value(low, NOT_LATE, 'delay'), value(high, NOT_LATE, 'delay')];
    if (from > to) ctx.report('PNPRO006', `${what('delay')}: ${from} is larger than ${to}`, element);
    return {
      parts: {
        delay: { dist: 'uniform', low: { op: 'const', value: from }, high: { op: 'const', value: to } },
        ...once,
      },
    };
  }
  ctx.report(
    'PNPRO004',
    `the general ${what('delay')}, ${quote(attributes['delay'] ?? '')}, is not supported: expected I[TIME] or Uniform[FROM, TO]`,
    element,
  );
  return { parts: once };
}

const NOT_LATE: Range = { whole: false, valid: (v) => v >= 0 && Number.isFinite(v), expected: 'a number >= 0' };
