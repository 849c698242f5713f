import { fail, quote, shown } from '../base/problem.ts';
import { changed, type Measure, readChange } from './change.ts';
import { type Machine, nodeCount } from './machine.ts';
import { suggest } from './suggest.ts';
import { checkWritten, writtenMachine } from './written-machine.ts';

/** A number that describes a machine and can be changed. */
export interface MachineParameter {
  /** How it is called: `link.latency`, and of one group among several `groups.NAME.link.latency`. */
  readonly path: string;
  readonly unit: Measure['unit'];
  /** In this unit; undefined where it is not given, and where groups (or hosts, or links) differ in it. */
  readonly value: number | undefined;
}

const COUNT: Measure = { dimension: 'count', unit: '1' };
const TIME: Measure = { dimension: 'time', unit: 's' };
const RATE: Measure = { dimension: 'rate', unit: 'B/s' };
const SIZE: Measure = { dimension: 'size', unit: 'B' };

/** Parameters of each group of nodes, by their way in the written machine. */
const OF_GROUP: Readonly<Record<string, Measure>> = {
  nodes: COUNT,
  coresPerNode: COUNT,
  speed: { dimension: 'speed', unit: 'flop/s' },
  memory: RATE,
  memoryPerCore: RATE,
  'link.latency': TIME,
  'link.bandwidth': RATE,
  'intraNode.latency': TIME,
  'intraNode.bandwidth': RATE,
};
/** Of a backbone. */
const OF_NETWORK: Readonly<Record<string, Measure>> = { 'network.latency': TIME, 'network.bandwidth': RATE };
const OF_MACHINE: Readonly<Record<string, Measure>> = {
  ...OF_NETWORK,
  eagerBelow: SIZE,
  detachedBelow: SIZE,
  'overhead.send': TIME,
  'overhead.receive': TIME,
  'overhead.perByte': { dimension: 'time', unit: 's/B' },
  gap: TIME,
  'storage.latency': TIME,
  'storage.bandwidth': RATE,
};

type Keys = readonly (string | number)[];

/** A parameter, and where its values stand in the written machine. */
interface Found {
  readonly path: string;
  readonly measure: Measure;
  readonly places: readonly Keys[];
}

const keysOf = (path: string): Keys => path.split('.');
const ofGroups = (path: string, groups: Iterable<number>): Keys[] =>
  Array.from(groups, (k) => ['groups', k, ...keysOf(path)]);

/** All parameters: of all groups together, of the machine, and, where there are several groups, of each of them. */
function allOf({ nodes, network, storage }: Machine): Found[] {
  const ofMachine = Object.entries(OF_MACHINE).filter(
    ([path]) =>
      (network.kind === 'backbone' || !Object.hasOwn(OF_NETWORK, path)) &&
      (storage !== undefined || !path.startsWith('storage.')),
  );
  const ofGroup = Object.entries(OF_GROUP);
  return [
    ...ofGroup.map(([path, measure]) => ({ path, measure, places: ofGroups(path, nodes.keys()) })),
    ...ofMachine.map(([path, measure]) => ({ path, measure, places: [keysOf(path)] })),
    ...(nodes.length < 2 ? [] : nodes).flatMap(({ name }, k) =>
      ofGroup.map(([path, measure]) => ({ path: `groups.${name}.${path}`, measure, places: ofGroups(path, [k]) })),
    ),
  ];
}

/**
 * The parameters of a machine. `link.latency` is that of all groups, `groups.NAME.link.latency` that of one of several;
 * `nodes` is their sum.
 *
 * @complexity linear in the groups
 */
export function machineParameters(machine: Machine): MachineParameter[] {
  const written = writtenMachine(machine);
  return allOf(machine).map(({ path, measure, places }) => {
    const values = places.map((keys) => valueAt(written, keys));
    const value = path === 'nodes' ? nodeCount(machine) : common(values);
    return { path, unit: measure.unit, value };
  });
}

/** The value that all of these have, if there is one. */
export function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/**
 * A machine with one parameter changed; the machine that is given stays as it is. A path without a group changes all
 * groups; a factor those of them that have the parameter. `eagerBelow` takes `detachedBelow` along where the two are equal,
 * as they are where only one was given (so that what makes them equal is not undone by its reverse). Nothing else follows: an
 * `intraNode` that was left out got the numbers of `link` when the machine was made, and keeps them.
 *
 * @param path one of {@link machineParameters}
 * @param change the new value, in SI or with a unit (`'2us'`), a factor (`'x0.5'`) or a percentage (`'-5%'`)
 * @throws InputError MACH030 (no such parameter), MACH031 (no change), MACH032 (nothing there to multiply, or one number
 * of nodes for several groups), UNIT001 to UNIT003; and what `cluster` says of the result: MACH008, MACH011, MACH012
 */
export function changeMachine(machine: Machine, path: string, change: string | number): Machine {
  const { measure, places } = allOf(machine).find((one) => one.path === path) ?? unknown(machine, path);
  const read = readChange(measure, change);
  if ('code' in read) return fail(read.code, read.message, { part: path });
  if ('to' in read && path === 'nodes' && places.length > 1) {
    const one = `groups.${machine.nodes[0]!.name}.nodes`;
    fail('MACH032', `the nodes are in ${places.length} groups; change ${one}, or all by a factor`, { part: path });
  }
  let written: object = writtenMachine(machine);
  let there = 0;
  const tied = path === 'eagerBelow' && machine.detachedBelow === machine.eagerBelow ? [['detachedBelow']] : [];
  for (const keys of [...places, ...tied]) {
    const old = valueAt(written, keys);
    if (old === undefined && !('to' in read)) continue;
    there++;
    written = replaced(written, keys, changed(old ?? 0, read, measure));
  }
  if (there === 0)
    fail('MACH032', `the machine has none that ${shown(change)} could multiply; give one with its unit`, {
      part: path,
    });
  return checkWritten(written, machine.name, `${path} ${change}`);
}

function unknown(machine: Machine, path: string): never {
  const { kind } = machine.network;
  if (Object.hasOwn(OF_NETWORK, path))
    fail('MACH030', `the machine has no parameter ${quote(path)}: its network is a ${kind}, no backbone`);
  if (typeof path !== 'string') fail('MACH030', `${shown(path)} is no path of a parameter; expected a text`);
  const known = allOf(machine).map((one) => one.path);
  return fail('MACH030', `the machine has no parameter ${quote(path)}.${suggest(path, known, known.length)}`);
}

/** The number at the end of a way, if there is one. */
function valueAt(tree: object, keys: Keys): number | undefined {
  let at: unknown = tree;
  for (const key of keys) at = (at as Record<string, unknown> | undefined)?.[key];
  return at as number | undefined;
}

/** A copy with another number at the end of a way; what does not lie on the way is shared. */
function replaced<T extends object>(tree: T, [key, ...rest]: Keys, value: number): T {
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string, unknown>;
  copy[key!] = rest.length === 0 ? value : replaced(copy[key!] as object, rest, value);
  return copy as T;
}
