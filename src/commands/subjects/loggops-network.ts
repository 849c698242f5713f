import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fail, type Problem } from '../../base/problem.ts';
import { descriptionPlace } from '../../machine/described-at.ts';
import { builtInMachine } from '../../machine/description/built-in-machines.ts';
import { MACHINE_ENDINGS, readMachineFile } from '../../machine/description/machine-file.ts';
import { assertMachine } from '../../machine/description/machine-parameters.ts';
import type { Machine, NodeGroup } from '../../machine/machine.ts';
import { changingPart } from '../../machine/profile.ts';
import { inNanoseconds, NO_LINK } from '../../machine/topology/loggops.ts';
import { logGopsText } from '../../trace/goal/loggops.ts';
import { LOGGOPS, type LogGops } from '../../trace/goal/schedule.ts';
import { givenLogGops } from '../inputs/net-file.ts';
import { type MachineOptions, machineIn, type Target } from '../inputs/target.ts';

/** Options that choose LogGOPS as the network model. */
export type LogGopsChoice = Pick<MachineOptions, 'machine'> & { readonly loggops?: string };

/** The parameters of a machine whose network is loggops; undefined for other networks. */
export function networkLogGops({ network }: Pick<Machine, 'network'>): LogGops | undefined {
  return network.kind === 'loggops' ? inNanoseconds(network) : undefined;
}

/**
 * The parameters of LogGOPS that options give: those of `loggops`, then those of the machine; undefined if LogGOPS is not the network
 * model.
 *
 * @throws InputError GOAL006 for parameters, and all problems of the machine
 */
export function chosenLogGops({ loggops, machine }: LogGopsChoice): Partial<LogGops> | undefined {
  const own = givenLogGops(loggops);
  const described = descriptionIn(machine);
  const ofMachine = described === undefined ? undefined : networkLogGops(described);
  return loggops === undefined && ofMachine === undefined ? undefined : { ...ofMachine, ...own };
}

/** A machine that can have a loggops network; SimGrid platforms, which are large files, are not read. */
function descriptionIn(machine: LogGopsChoice['machine']): Machine | undefined {
  if (typeof machine === 'string')
    return builtInMachine(machine) === undefined && MACHINE_ENDINGS.includes(extname(machine))
      ? readMachineFile(machine)
      : undefined;
  if (typeof machine !== 'object' || machine === null || 'route' in machine) return undefined;
  assertMachine(machine, 'a machine');
  return machine as Machine;
}

/** As {@link chosenLogGops}, with the defaults of LogGOPSim for parameters that are not given. */
export const logGopsIn = (options: LogGopsChoice): LogGops => ({ ...LOGGOPS, ...chosenLogGops(options) });

/**
 * The parameters of a schedule that options give, as one option `loggops`; undefined: those of its file.
 *
 * @param file the schedule, for messages
 * @throws InputError GOAL006 for parameters, and for a machine without a loggops network
 */
export function scheduleLogGops(options: LogGopsChoice, file: string | undefined): string | undefined {
  const { machine, loggops } = options;
  if (machine === undefined) return loggops;
  if (file === undefined || extname(file).toLowerCase() !== '.goal')
    fail(
      'APP004',
      'option machine does not apply to a net: it belongs to traces, models, thread models and schedules (.goal). A net contains its machine',
      file === undefined ? undefined : { file },
    );
  const read = machineIn({ machine });
  const ofMachine = 'route' in read ? undefined : networkLogGops(read);
  if (ofMachine === undefined)
    fail(
      'GOAL006',
      `machine: a schedule takes the parameters of a machine with network: { kind: loggops, … }, got ${'route' in read ? 'a SimGrid platform' : `a ${read.network.kind}`}`,
      file === undefined ? undefined : { file },
    );
  return logGopsText({ ...ofMachine, ...givenLogGops(loggops) });
}

/**
 * Note GOAL009: the keys of a machine that would change times with links, but do not count under LogGOPS. Undefined if it gives none.
 *
 * @param isModel a model, whose computations also have noise and move bytes
 * @throws InputError GOAL006 a machine with profiles
 */
export function unusedKeys({ description, platform }: Target, isModel: boolean): Problem | undefined {
  const changing = changingPart(platform);
  if (changing !== undefined)
    fail(
      'GOAL006',
      `LogGOPS is the network model, and ${changing} of the machine changes over time: expected a machine without profiles, or a network with links`,
      descriptionPlace(description ?? platform),
    );
  const place = descriptionPlace(description ?? platform);
  const note = (keys: readonly string[]): Problem => ({
    code: 'GOAL009',
    message: `under LogGOPS these parts of the machine do not count: ${keys.join(', ')}`,
    ...(place === undefined ? {} : { place }),
  });
  if (description === undefined) return note(['links', 'routes', 'factors and thresholds of its <config>']);
  const { nodes, network, eagerBelow, detachedBelow, overhead, gap } = description;
  const { send, receive, perByte } = overhead;
  const some = (is: (group: NodeGroup) => boolean): boolean => nodes.some(is);
  const counts: Readonly<Record<string, boolean>> = {
    link: some(({ link }) => !isDeepStrictEqual(link, NO_LINK)),
    'turbo beyond one busy core': some(({ turbo }) => turbo !== undefined),
    intraNode: some(({ link, intraNode }) => !isDeepStrictEqual(intraNode, link)),
    [`network ${network.kind}`]: network.kind !== 'loggops',
    eagerBelow: network.kind !== 'loggops' || eagerBelow !== 0,
    detachedBelow: detachedBelow !== eagerBelow,
    sharing: description.sharing !== undefined,
    latencyFactor: description.latencyFactor !== undefined,
    bandwidthFactor: description.bandwidthFactor !== undefined,
    callTimes: description.callTimes !== undefined,
    overhead: send > 0 || receive > 0 || perByte > 0,
    gap: gap > 0,
    noise: description.noise !== undefined,
    memory: isModel && some(({ memory }) => memory !== undefined),
  };
  const keys = Object.keys(counts).filter((key) => counts[key]);
  return keys.length === 0 ? undefined : note(keys);
}
