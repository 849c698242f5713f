import { fail, shown } from '../../../base/problem.ts';
import { changed, type Measure, readChange } from '../../../machine/change.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { Net } from '../../../net/net.ts';
import { LOGGOPS_NAMES, MAX_LOGGOPS } from '../../../trace/goal/loggops.ts';
import type { LogGops } from '../../../trace/goal/schedule.ts';
import type { ReadSchedule } from '../../inputs/net-file.ts';
import { type MachineOptions, machineIn } from '../../inputs/target.ts';
import { networkLogGops } from '../../subjects/loggops-network.ts';
import { type AxisValue, partOf } from './axes.ts';
import { chosenNet } from './choice-axes.ts';
import { changeParameters } from './machine-paths.ts';
import { changeNet } from './net-axes.ts';
import { MACHINE_PREFIX, MODEL_PREFIX } from './study-axes.ts';

const PREFIX = 'loggops.';

/** Axes of a schedule besides those of its net: `loggops.L` to `loggops.S`, in nanoseconds, nanoseconds per byte, and bytes. */
export const SCHEDULE_AXES: readonly string[] = LOGGOPS_NAMES.map((name) => PREFIX + name);

const NETWORK = `${MACHINE_PREFIX}network.`;

/** The same parameters in the network of a machine: `machine.network.L` to `machine.network.S`, in SI units. */
export const NETWORK_AXES: readonly string[] = LOGGOPS_NAMES.map((name) => NETWORK + name);

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

/**
 * A schedule whose parameters are those of its machine, changed by the values of {@link NETWORK_AXES}; and the values of the other axes.
 *
 * @throws InputError WHAT009, MACH… for values that the network cannot have. O(size of the net)
 */
export function onNetwork<N extends ChangedNet>(
  given: N,
  machine: MachineOptions['machine'],
  values: Readonly<Record<string, AxisValue>>,
): { readonly changed: N; readonly others: Readonly<Record<string, AxisValue>> } {
  const { schedule } = given;
  const own = Object.entries(values).filter(([axis]) => NETWORK_AXES.includes(axis));
  if (schedule === undefined || machine === undefined || own.length === 0) return { changed: given, others: values };
  const changes = own.map(([axis, value]): [string, AxisValue] => [axis.slice(MACHINE_PREFIX.length), value]);
  const now = networkLogGops(changeParameters(machineIn({ machine }), changes) as Machine)!;
  const varied = own.map(([axis]) => axis.slice(NETWORK.length) as keyof LogGops);
  const parameters = { ...schedule.parameters, ...Object.fromEntries(varied.map((name) => [name, now[name]])) };
  const others = Object.fromEntries(Object.entries(values).filter(([axis]) => !NETWORK_AXES.includes(axis)));
  return { changed: { ...given, net: schedule.netOf(parameters), schedule: { ...schedule, parameters } }, others };
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
