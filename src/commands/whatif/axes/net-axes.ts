import { didYouMean, fail, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import { type Change, changed, type Measure, readChange } from '../../../machine/change.ts';
import type { Delay, Net, Place } from '../../../net/net.ts';
import { meanDelay, scaledDelay } from '../../../net/scaled-delay.ts';
import { withValidMark } from '../../../net/untimed.ts';
import { type Axis, type AxisValue, partOf } from './axes.ts';

/** Axes of nets: what follows the point is the name of a transition (`delay`) or a place. */
const KINDS = ['delay', 'service', 'servers', 'tokens'] as const;
type Kind = (typeof KINDS)[number];

const TIME: Measure = { dimension: 'time', unit: 's' };
const COUNT: Measure = { dimension: 'count', unit: '1' };

/**
 * The quantities of a net that can be varied: `delay.T`, `transitions.T.rate`, `transitions.T.delay`, `service.P`, `servers.P` and
 * `tokens.P`. O(size of the net).
 */
export function netAxes({ places, transitions }: Net): string[] {
  return [
    ...transitions.flatMap(({ name, delay }) =>
      delay === undefined ? [] : [`delay.${name}`, `transitions.${name}.rate`, `transitions.${name}.delay`],
    ),
    ...places.flatMap((p) => (timeOf(p) === undefined ? [] : [`service.${p.name}`])),
    ...places.flatMap((p) => (serversOf(p) === undefined ? [] : [`servers.${p.name}`])),
    ...places.flatMap((p) => (p.fields.length > 0 ? [] : [`tokens.${p.name}`])),
  ];
}

const RATE_AXIS = /^transitions\.(.+)\.(rate|delay)$/s;

/** The transition of `transitions.T.rate` or `.delay`, and which of the two; undefined for other axes. */
export function rateAxis(axis: string): { readonly transition: string; readonly what: 'rate' | 'delay' } | undefined {
  const [, transition, what] = RATE_AXIS.exec(axis) ?? [];
  return transition === undefined ? undefined : { transition, what: what as 'rate' | 'delay' };
}

/**
 * Refuses axes that set the same delay in different words: the later one would win.
 *
 * @throws InputError WHAT005, all problems together
 */
export function assertDistinct(axes: readonly Axis[]): void {
  const first = new Map<string, string>();
  const problems = axes.flatMap(({ name }): Problem[] => {
    const transition = delayOf(name);
    if (transition === undefined) return [];
    const other = first.get(transition);
    if (other === undefined) {
      first.set(transition, name);
      return [];
    }
    const message = `sets the delay of transition ${quote(transition)}, as axis ${other} does: give one of them`;
    return [{ code: 'WHAT005', message, place: { part: partOf(name) } }];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** The transition whose delay an axis sets, as a mean or as a rate. */
export const delayOf = (axis: string): string | undefined =>
  rateAxis(axis)?.transition ?? (axis.startsWith('delay.') ? axis.slice('delay.'.length) : undefined);

/** The node of a net that an axis changes. */
export const nodeOf = (axis: string): string => rateAxis(axis)?.transition ?? axis.slice(axis.indexOf('.') + 1);

/**
 * A net with one quantity changed. Times are set to a mean (`2`, `'5ms'`) or multiplied (`'x0.5'`, `'+10%'`), and keep the shape
 * of their distribution; numbers of servers and tokens are integers, or multiplied.
 *
 * @throws InputError located at the axis: WHAT007 no such quantity, WHAT009 a value that it cannot have, MACH031, UNIT001 to UNIT003
 */
export function changeNet(net: Net, axis: string, value: AxisValue): Net {
  const name = nodeOf(axis);
  const rate = rateAxis(axis);
  const kind = rate === undefined ? (axis.slice(0, -name.length - 1) as Kind) : 'delay';
  const all = netAxes(net);
  if (!all.includes(axis))
    fail('WHAT007', `net ${quote(net.name)} has no axis ${quote(axis)}.${didYouMean(axis, all)}`, {
      part: partOf(axis),
    });
  if (kind === 'delay')
    return withValidMark({
      ...net,
      transitions: net.transitions.map((t) =>
        t.name === name ? { ...t, delay: changedDelay(t.delay!, axis, value, rate?.what === 'rate') } : t,
      ),
    });
  return { ...net, places: net.places.map((p) => (p.name === name ? changedPlace(p, kind, axis, value) : p)) };
}

function changedPlace(place: Place, kind: Kind, axis: string, value: AxisValue): Place {
  const { service } = place;
  switch (kind) {
    case 'service':
      return { ...place, service: { ...service!, time: changedDelay(timeOf(place)!, axis, value) } as never };
    case 'servers':
      return { ...place, service: { ...service!, servers: changedCount(serversOf(place)!, 1, axis, value) } as never };
    default: {
      const count = changedCount(
        place.initial.reduce((sum, run) => sum + run.count, 0),
        0,
        axis,
        value,
      );
      return { ...place, initial: count === 0 ? [] : [{ values: [], count }] };
    }
  }
}

/** @param isRate true if the value is the reciprocal of the mean, or a factor of that */
function changedDelay(delay: Delay, axis: string, value: AxisValue, isRate = false): Delay {
  const part = partOf(axis);
  if (typeof value === 'boolean') fail('WHAT009', `expected a time or a change, got ${value}`, { part });
  const read = isRate ? readRate(value) : readChange(TIME, value);
  if ('code' in read) fail(read.code, read.message, { part });
  if (isRate && 'to' in read && !('op' in delay) && delay.dist === 'exponential' && read.to > 0)
    return { ...delay, rate: { op: 'const', value: read.to } };
  const change = isRate ? inverse(read) : read;
  if ('to' in change && 'op' in delay) return { op: 'const', value: change.to };
  const mean = meanDelay(delay);
  if ('to' in change && mean === undefined)
    fail(
      'WHAT009',
      `the delay depends on the colours of a firing: expected a change such as "x2", got ${shown(value)}`,
      {
        part,
      },
    );
  const factor = 'to' in change ? change.to / mean! : change.times / change.over;
  if (factor === 0 && 'op' in delay) return { op: 'const', value: 0 };
  if (!(factor > 0 && factor < Number.POSITIVE_INFINITY))
    fail('WHAT009', `expected a positive ${isRate ? 'rate' : 'mean of a distribution'}, got ${shown(value)}`, { part });
  return scaledDelay(delay, factor);
}

/** Rates are numbers without a unit, as counts are, but may have fractions. */
function readRate(value: number | string): ReturnType<typeof readChange> {
  const read = readChange(COUNT, value);
  return 'code' in read && !/^[+\-x×]/.test(String(value))
    ? { ...read, message: `expected a number per second, or a change such as "x2", got ${shown(value)}` }
    : read;
}

/** The change of a mean delay that corresponds to a change of its rate. */
function inverse(change: Change): Change {
  return 'to' in change ? { to: 1 / change.to } : { times: change.over, over: change.times };
}

function changedCount(count: number, least: number, axis: string, value: AxisValue): number {
  const part = partOf(axis);
  if (typeof value === 'boolean') fail('WHAT009', `expected an integer or a change, got ${value}`, { part });
  const change = readChange(COUNT, value);
  if ('code' in change) fail(change.code, change.message, { part });
  const next = changed(count, change, COUNT);
  if (!Number.isSafeInteger(next) || next < least)
    fail('WHAT009', `expected an integer from ${least} on, got ${shown(next)}`, { part });
  return next;
}

/** The service time of a station. */
function timeOf({ service }: Place): Delay | undefined {
  return service !== undefined && 'time' in service ? service.time : undefined;
}

/** The number of servers of a station. */
function serversOf({ service }: Place): number | undefined {
  return service !== undefined && 'servers' in service ? service.servers : undefined;
}
