import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { didYouMean, fail, InputError, type Problem, quote, shown } from '../../base/problem.ts';
import { describedAt, descriptionPlace } from '../../machine/described-at.ts';
import { BUILT_IN_MACHINES, builtInMachine } from '../../machine/description/built-in-machines.ts';
import { MACHINE_ENDINGS, readMachineFile } from '../../machine/description/machine-file.ts';
import { assertMachine } from '../../machine/description/machine-parameters.ts';
import { defaultPlacement, readHostfile } from '../../machine/hostfile.ts';
import type { Machine } from '../../machine/machine.ts';
import { machineSetting, machineSettings } from '../../machine/machine-settings.ts';
import { FCFS, isOwnModel, type NetworkModel, networkModel } from '../../machine/network-model.ts';
import { type NetworkSettings, withSettings } from '../../machine/network-settings.ts';
import { checkCores, PLACEMENTS, type PlacementList, placeByList, placeRanks } from '../../machine/placement.ts';
import type { CollectiveSetting, Platform } from '../../machine/platform.ts';
import { changingNetwork, changingPart } from '../../machine/profile.ts';
import { readSimgridPlatform } from '../../machine/simgrid/simgrid-xml.ts';
import { machinePlatform } from '../../machine/topology/machine-platform.ts';
import type { CollectiveChoice, CollectiveSelector } from '../../models/collectives/choice.ts';
import { selectorChoice } from '../../models/collectives/choice.ts';
import { isModelled, parseChoice, ruleFileIn } from '../../models/collectives/parse-choice.ts';
import type { Scaling } from '../../trace/scale/scaling-law.ts';
import type { DerivedTypeBytes } from '../../trace/ti/derived-sizes.ts';
import { readRuleFile } from './collectives/collective-rules.ts';
import type { MachineRole } from './document-parts.ts';
import { assertMachineInput } from './input-kinds.ts';

/** The machine and the placement of the ranks. */
export interface MachineOptions {
  /**
   * A machine created by `cluster`, a machine file (`.yaml`, `.yml`, `.json`), a SimGrid platform (file, or as returned by
   * its reader), or the name of a built-in machine.
   */
  readonly machine?: string | Machine | Platform;
  /** A hostfile as in SimGrid: one host per rank. */
  readonly hostfile?: string;
  /**
   * `block` (default), `cyclic`, or a hostfile; a list of each rank's node, by name or number; or a function from ranks to
   * nodes. On a SimGrid platform the default is one rank per host, with hosts sorted by name, as with smpirun.
   */
  readonly placement?: string | PlacementList;
  /** Allows more ranks than cores. Hostfiles and lists on a SimGrid platform always allow it. */
  readonly oversubscribe?: boolean;
  /** Number of ranks; default: the largest allowed number that fits on the cores. */
  readonly ranks?: number;
  /** Default `foretoken`; on a SimGrid platform `simgrid-smpi`. */
  readonly networkModel?: string;
  /**
   * Traces only: the program of the trace on `ranks` ranks. `weak`: the work of a rank stays; `strong`: that of the program. Default:
   * the recorded ranks.
   */
  readonly scale?: Scaling;
  /**
   * SimGrid platforms only: settings as of SimGrid's option `--cfg`, `KEY:VALUE`, several separated by spaces. They win over the
   * platform's `<config>` and over `networkModel`.
   */
  readonly cfg?: string;
  /** Algorithms of collectives, such as `ompi,bcast=NTSL` or a file of rules. Default `logarithmic`; with a network model of SimGrid `simgrid`. */
  readonly collectives?: string;
  /**
   * Bytes per element of derived datatypes (type −1); SimGrid's replay uses 0. A number for all, or entries
   * separated by commas: `-1=BYTES`, `CALL=BYTES`, `FILE:LINE=BYTES`. By default such datatypes are rejected.
   */
  readonly derivedTypeBytes?: DerivedTypeBytes;
  /**
   * The members of a listing must lie in its folder, after resolving symbolic links (TI006). For services that
   * read listings of strangers.
   */
  readonly confine?: boolean;
}

/** A machine to run on, in whichever form it was described. */
export interface Target {
  readonly platform: Platform;
  readonly model: NetworkModel;
  readonly collectives: CollectiveChoice;
  /** The machine description, absent for a SimGrid platform; and whether it is built-in. */
  readonly description?: Machine;
  readonly builtIn: boolean;
  /** Parts of the description that are ignored: PLAT050. */
  readonly warnings: readonly Problem[];
}

/** Values below (speed, bandwidth) or above (latency) which a machine is hardly meant, in SI units. */
const HARDLY = { speed: 1e3, bandwidth: 1e3, latency: 0.1 } as const;

/** MACH035: values of a machine, from a file or a program, whose unit is probably missing. */
function implausible(machine: Machine): Problem[] {
  const place = descriptionPlace(machine)?.file;
  const found: string[] = [];
  const note = (path: string, value: number, unit: string, meant: string): void => {
    found.push(`${path} is ${value} ${unit}: is a unit missing, as in ${path}: ${meant}?`);
  };
  for (const { speed, link } of machine.nodes) {
    if (speed < HARDLY.speed) note('speed', speed, 'flop/s', `${speed}Gf`);
    if (link.latency >= HARDLY.latency) note('link.latency', link.latency, 's', `${link.latency}us`);
    if (link.bandwidth < HARDLY.bandwidth) note('link.bandwidth', link.bandwidth, 'B/s', `${link.bandwidth}GB/s`);
  }
  return [...new Set(found)].map((message) => ({
    code: 'MACH035',
    message,
    ...(place === undefined ? {} : { place: { file: place } }),
  }));
}

const EXPECTED = 'a machine, a platform, the path of a file, or the name of a built-in machine';

/** The machine that the options name. @throws InputError APP061 a value of another kind */
export function readTarget({ machine: name, networkModel: model, collectives, cfg }: MachineOptions): Target {
  if (cfg !== undefined && typeof cfg !== 'string') fail('APP061', `cfg: expected a string, got ${shown(cfg)}`);
  if (name === undefined) fail('APP002', 'a trace needs a machine: --machine FILE');
  if (typeof name !== 'string') assertMachine(name, EXPECTED);
  const isRead = typeof name === 'object' && 'route' in name && name.cfg === cfg;
  if (typeof name === 'object' && cfg !== undefined && !isRead) refuseSettings('a machine that was read before');
  if (typeof name === 'object')
    return 'route' in name ? simgridTarget(name, model, collectives) : targetOf(name, model, false, collectives);
  const builtIn = builtInMachine(name);
  if (cfg !== undefined && (builtIn !== undefined || MACHINE_ENDINGS.includes(extname(name))))
    refuseSettings(quote(name), /^network\/optim:\w+$/.test(cfg) ? '--network-solver' : '--cfg');
  const own = builtIn ?? (MACHINE_ENDINGS.includes(extname(name)) ? readMachineFile(name) : undefined);
  if (own === undefined) {
    if (extname(name) === '' && !existsSync(name)) {
      const known = didYouMean(name, BUILT_IN_MACHINES);
      fail('MACH020', `no file and no built-in machine is named ${quote(name)}.${known}`);
    }
    assertMachineInput(name, BUILT_IN_MACHINES);
    return simgridTarget(readSimgridPlatform(name, {}, cfg), model, collectives);
  }
  return targetOf(own, model, builtIn !== undefined, collectives);
}

/** @throws InputError PLAT052 */
function refuseSettings(machine: string, part = '--cfg'): never {
  fail('PLAT052', `settings of SimGrid apply to the file of a SimGrid platform, not to ${machine}`, { part });
}

/** Default collectives of a network model: SimGrid's algorithms for SimGrid's models. */
const collectivesWith = ({ name }: NetworkModel): CollectiveSelector => (isOwnModel(name) ? 'logarithmic' : 'simgrid');

/** The algorithms of collectives that the options name, also without a machine. */
export function collectivesFor(options: MachineOptions): CollectiveChoice {
  if (options.machine !== undefined) return readTarget(options).collectives;
  return parseChoice(options.collectives ?? 'logarithmic', 'logarithmic', readRuleFile);
}

/** The machine description, or else the SimGrid platform. */
export function machineIn(options: MachineOptions): Machine | Platform {
  const { description, platform } = readTarget(options);
  return description ?? platform;
}

function simgridTarget(given: Platform, name = 'simgrid-smpi', collectives: string | undefined): Target {
  const { model: asked, warnings } = withSettings(
    networkModel(name, undefined, descriptionPlace(given)),
    given.settings,
    undefined,
    given.forced,
  );
  const { model, notes } = solvedFairly(given, asked);
  const chosen = collectives === undefined ? platformChoice(given.collectives ?? []) : { text: '', notes: [] };
  const all = [...notes, ...chosen.notes];
  const platform = all.length === 0 ? given : withNotes(given, all);
  const text = collectives ?? (chosen.text === '' ? undefined : chosen.text);
  const warned = [...(platform.warnings ?? []), ...warnings.map((w) => ({ ...w, place: { file: platform.name } }))];
  return { platform, model, collectives: collectivesOf(text, model), builtIn: false, warnings: warned };
}

/** Links that change are solved fairly, with a note if the lazy solver is asked for. */
function solvedFairly(
  platform: Platform,
  { solver, ...fair }: NetworkModel,
): { readonly model: NetworkModel; readonly notes: readonly Problem[] } {
  const changing = solver === undefined ? undefined : changingPart(platform);
  if (changing === undefined) return { model: solver === undefined ? fair : { ...fair, solver }, notes: [] };
  const message = `NOT APPLIED: setting "network/optim" with value "Lazy": ${changing} changes over time. SimGrid's times differ`;
  return { model: fair, notes: [{ code: 'PLAT051', message }] };
}

/**
 * The choice that a platform's `<config>` makes, and notes on algorithms that are not modelled.
 *
 * @throws InputError MACH026, MACH039 for names that SimGrid does not know, at the setting
 */
function platformChoice(settings: readonly CollectiveSetting[]): {
  readonly text: string;
  readonly notes: readonly Problem[];
} {
  const parts: string[] = [];
  const notes: Problem[] = [];
  for (const { operation, value, note } of settings) {
    const part = operation === undefined ? value : `${operation}=${value}`;
    try {
      if (isModelled(operation, value)) parts.push(part);
      else notes.push(note);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.problems.map((problem) => ({ ...problem, place: note.place ?? {} })));
    }
  }
  return { text: parts.join(','), notes };
}

function withNotes(platform: Platform, notes: readonly Problem[]): Platform {
  const noted = { ...platform, notes: [...(platform.notes ?? []), ...notes] };
  const place = descriptionPlace(platform);
  return place === undefined ? noted : describedAt(noted, place);
}

/**
 * The network model of a machine of our own: the one that an option names, or that of its `sharing`.
 *
 * @throws InputError MACH044 links with queues, but a model that shares links, or links that change
 */
function modelOf(machine: Machine, asked?: string): NetworkModel {
  const { sharing } = machine;
  const model = networkModel(asked ?? sharing ?? 'foretoken', machine);
  const place = descriptionPlace(machine);
  if (sharing !== undefined && !isOwnModel(model.name))
    fail(
      'MACH044',
      `network model ${model.name} shares links, but those of the machine are ${sharing}: expected network model foretoken or ${FCFS}, or a machine without sharing`,
      {
        ...place,
        part: 'sharing',
      },
    );
  const changing = model.shares === 'in-order' ? changingNetwork(machinePlatform(machine)) : undefined;
  if (changing !== undefined)
    fail(
      'MACH044',
      `${changing} changes or fails, but links that serve messages first come, first served (${FCFS}) are constant: omit its change, or use network model foretoken without sharing`,
      { ...place, part: 'changes' },
    );
  return model;
}

function targetOf(
  machine: Machine,
  name: string | undefined,
  builtIn: boolean,
  collectives: string | undefined,
): Target {
  const nameOf = (key: keyof NetworkSettings): string => `${machineSetting(key)} of the machine`;
  const { model, warnings } = withSettings(modelOf(machine, name), machineSettings(machine), nameOf);
  return {
    platform: machinePlatform(machine),
    model,
    collectives: collectives === undefined ? ownCollectives(machine, model) : collectivesOf(collectives, model),
    description: machine,
    builtIn,
    warnings: [...(builtIn ? [] : implausible(machine)), ...warnings],
  };
}

/** The choice of a machine file. @throws InputError as {@link collectivesOf}, at the file */
function ownCollectives(machine: Machine, model: NetworkModel): CollectiveChoice {
  try {
    return collectivesOf(machine.collectives, model);
  } catch (error) {
    const place = descriptionPlace(machine);
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      error.problems.map((problem) => ({ ...problem, place: problem.place ?? { ...place, part: 'collectives' } })),
    );
  }
}

/** @throws InputError MACH026, MACH038, MACH039, MACH041 for unknown names, and those of files of rules */
function collectivesOf(text: string | undefined, model: NetworkModel): CollectiveChoice {
  const otherwise = collectivesWith(model);
  return text === undefined ? selectorChoice(otherwise) : parseChoice(text, otherwise, readRuleFile);
}

/** The placement of the ranks: the host of each, the name of the placement (`block`, `list`, …), and the hostfile used. */
export interface Placed {
  readonly placement: Int32Array;
  readonly name: string;
  readonly hostfile?: string;
  /** Notes on the placement for results: PLAT042. */
  readonly notes: readonly Problem[];
}

/**
 * Places the ranks.
 *
 * @param coresPerRank cores that a rank uses, for its threads
 * @throws InputError MACH021 (more ranks than cores), MACH022 (two placements), MACH023 (unknown placement), MACH024 and
 * MACH025 (an unsuitable list or function), and all problems of hostfiles
 */
export function placeOn(
  { platform, description }: Target,
  options: MachineOptions,
  ranks: number,
  coresPerRank = 1,
): Placed {
  const { placement, oversubscribe = false } = options;
  if (placement !== undefined && options.hostfile !== undefined)
    fail('MACH022', `two placements: give either hostfile ${quote(options.hostfile)} or placement ${shown(placement)}`);
  if (typeof placement === 'function' || Array.isArray(placement)) {
    const placed = placeByList(platform, ranks, placement as PlacementList);
    if (!oversubscribe && description !== undefined) checkCores(platform, placed, coresPerRank);
    return { placement: placed, name: typeof placement === 'function' ? 'function' : 'list', notes: [] };
  }
  const hostfile = hostfileOf(options);
  if (placement === undefined && hostfile === undefined && description === undefined)
    return { placement: defaultPlacement(platform, ranks), name: 'one rank per host, hosts sorted by name', notes: [] };
  if (typeof placement !== 'string' && placement !== undefined)
    fail('MACH023', `placement ${shown(placement)}: expected a string, a list of nodes, or a function`);
  if (placement !== undefined && hostfile === placement && !existsSync(placement))
    fail('MACH023', `no file and no placement is named ${quote(placement)}.${didYouMean(placement, PLACEMENTS)}`);
  if (hostfile !== undefined) {
    const notes: Problem[] = [];
    const placed = readHostfile(hostfile, platform, ranks, (note) => notes.push(note));
    if (!oversubscribe && description !== undefined) checkCores(platform, placed, coresPerRank);
    return { placement: placed, name: 'hostfile', hostfile, notes };
  }
  const known = PLACEMENTS.find((p) => p === placement) ?? 'block';
  const placed = placeRanks(platform, ranks, known, coresPerRank);
  if (!oversubscribe) checkCores(platform, placed, coresPerRank);
  return { placement: placed, name: known, notes: [] };
}

/** The files that these options read, by their roles. Reads the machine file if it may name a file of rules. */
export function machineFiles(options: MachineOptions): { readonly [role in MachineRole]: string | undefined } {
  return { machine: machineFileOf(options), hostfile: hostfileOf(options), collectives: rulesFileOf(options) };
}

export function machineFileOf({ machine }: MachineOptions): string | undefined {
  return typeof machine === 'string' && builtInMachine(machine) === undefined ? machine : undefined;
}

export function hostfileOf({ hostfile, placement }: MachineOptions): string | undefined {
  return hostfile ?? (typeof placement !== 'string' || PLACEMENTS.some((p) => p === placement) ? undefined : placement);
}

/** The file of rules of collectives that the option names, or otherwise the machine. */
export function rulesFileOf(options: MachineOptions): string | undefined {
  const text = options.collectives ?? namedByMachine(options);
  return text === undefined ? undefined : ruleFileIn(text);
}

function namedByMachine(options: MachineOptions): string | undefined {
  const { machine } = options;
  const file = machineFileOf(options);
  if (file !== undefined)
    return MACHINE_ENDINGS.includes(extname(file)) && existsSync(file) ? readMachineFile(file).collectives : undefined;
  return typeof machine === 'object' && 'collectives' in machine && typeof machine.collectives === 'string'
    ? machine.collectives
    : undefined;
}
