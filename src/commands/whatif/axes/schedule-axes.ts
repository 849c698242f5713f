import { fail, shown } from '../../../base/problem.ts';
import { changed, type Measure, readChange } from '../../../machine/change.ts';
import type { Net } from '../../../net/net.ts';
import { LOGGOPS_NAMES, MAX_LOGGOPS } from '../../../trace/goal/loggops.ts';
import type { LogGops } from '../../../trace/goal/schedule.ts';
import type { ReadSchedule } from '../../inputs/net-file.ts';
import { type AxisValue, partOf } from './axes.ts';
import { chosenNet } from './choice-axes.ts';
import { changeNet } from './net-axes.ts';
import { MODEL_PREFIX } from './study-axes.ts';

const PREFIX = 'loggops.';

/** Axes of a schedule besides those of its net: `loggops.L` to `loggops.S`, in nanoseconds, nanoseconds per byte, and bytes. */
export const SCHEDULE_AXES: readonly string[] = LOGGOPS_NAMES.map((name) => PREFIX + name);

/** The parameter of LogGOPS that one of {@link SCHEDULE_AXES} varies; undefined for other axes. */
export const parameterName = (axis: string): keyof LogGops | undefined =>
  SCHEDULE_AXES.includes(axis) ? (axis.slice(PREFIX.length) as keyof LogGops) : undefined;

/** A net that scenarios change, and the schedule that it is made of. */
export interface ChangedNet {
  readonly net: Net;
  readonly schedule?: ReadSchedule;
}

/**
 * The net of a scenario. Models of modules and parameters of LogGOPS come first: they make the net, in which the other axes change quantities.
 *
 * @throws InputError WHAT009 a value that a parameter cannot have, and as `changeNet`. O(size of the net)
 */
export function scenarioNet({ net, schedule }: ChangedNet, values: Readonly<Record<string, AxisValue>>): Net {
  const ofSchedule = (axis: string): boolean => schedule !== undefined && SCHEDULE_AXES.includes(axis);
  const isChoice = (axis: string): boolean => axis.startsWith(MODEL_PREFIX);
  let own = Object.keys(values).some(isChoice) ? chosenNet(net, values) : net;
  if (schedule !== undefined && Object.keys(values).some(ofSchedule))
    own = schedule.netOf(scenarioParameters(schedule.parameters, values));
  for (const [axis, value] of Object.entries(values))
    if (!ofSchedule(axis) && !isChoice(axis)) own = changeNet(own, axis, value);
  return own;
}

/** The parameters of LogGOPS of a scenario: those of all scenarios, changed by the values of their axes. @throws InputError WHAT009 */
export function scenarioParameters(now: LogGops, values: Readonly<Record<string, AxisValue>>): LogGops {
  const changes = Object.entries(values)
    .filter(([axis]) => SCHEDULE_AXES.includes(axis))
    .map(([axis, value]) => {
      const name = parameterName(axis)!;
      return [name, parameterOf(now[name], axis, value)];
    });
  return { ...now, ...(Object.fromEntries(changes) as Partial<LogGops>) };
}

const NUMBER: Measure = { dimension: 'count', unit: '1' };

/** Parameters are numbers without a unit, as those of `--loggops`, or changes of them. */
function parameterOf(now: number, axis: string, value: AxisValue): number {
  const part = partOf(axis);
  const wanted = `expected a number from 0 to ${MAX_LOGGOPS} in ns, ns per byte or bytes, or a change such as "x2"`;
  if (typeof value === 'boolean') fail('WHAT009', `${wanted}, got ${value}`, { part });
  const change = readChange(NUMBER, value);
  if ('code' in change) fail(change.code, `${wanted}, got ${shown(value)}`, { part });
  const next = changed(now, change, NUMBER);
  if (!(next >= 0 && next <= MAX_LOGGOPS)) fail('WHAT009', `${wanted}, got ${shown(next)}`, { part });
  return next;
}
