import { isAs } from '../../base/options.ts';
import { fail, InputError, type Problem, quote, shown } from '../../base/problem.ts';
import { DEFAULT_COSTS } from '../../base/thread-costs.ts';
import { changed, type Measure, measureOf, readChange } from '../change.ts';
import { checkMachine } from '../cluster.ts';
import { type Machine, nodeCount } from '../machine.ts';
import { type HostPower, type Platform, SLOWER_HOSTS, slowerHostsText, suggest } from '../platform.ts';
import { logGopsMeasure } from '../topology/loggops.ts';
import { NETWORK_KINDS, type Network, quantitiesOf } from '../topology/topologies.ts';
import { THREAD_COSTS, type WrittenMachine } from './machine-schema.ts';

/** A numeric parameter of a machine or platform that can be changed. */
export interface MachineParameter {
  /** Path of the parameter: `link.latency`, or `groups.NAME.link.latency` for one of several groups. */
  readonly path: string;
  /** Unit of the value. */
  readonly unit: Measure['unit'];
  /** Value in `unit`; undefined if it is not given, or if groups (or hosts, or links) have different values. */
  readonly value: number | undefined;
}

const COUNT: Measure = { dimension: 'count', unit: '1' };
const FACTOR: Measure = { dimension: 'factor', unit: '1' };
const WATTS: Measure = { dimension: 'factor', unit: 'W' };
const TIME = measureOf('time');
const RATE = measureOf('rate');
const SIZE = measureOf('size');

/** Parameters of each group of nodes, by their path in the written machine. */
const OF_GROUP: Readonly<Record<string, Measure>> = {
  nodes: COUNT,
  coresPerNode: COUNT,
  speed: measureOf('speed'),
  memory: RATE,
  memoryPerCore: RATE,
  'link.latency': TIME,
  'link.bandwidth': RATE,
  'intraNode.latency': TIME,
  'intraNode.bandwidth': RATE,
};
const OF_MACHINE: Readonly<Record<string, Measure>> = {
  eagerBelow: SIZE,
  detachedBelow: SIZE,
  'overhead.send': TIME,
  'overhead.receive': TIME,
  'overhead.perByte': { dimension: 'time', unit: 's/B' },
  gap: TIME,
  'storage.latency': TIME,
  'storage.bandwidth': RATE,
};
const OF_THREADS: Readonly<Record<string, Measure>> = Object.fromEntries(
  THREAD_COSTS.map((name) => [`threads.${name}`, TIME]),
);

/** Power of a node. */
export const POWER: Readonly<Record<`power.${Exclude<keyof HostPower, 'off'>}`, Measure>> = {
  'power.idle': WATTS,
  'power.busy': WATTS,
  'power.full': WATTS,
};

/** The factors on the speed of cores by the number of busy ones, as many as the longest list has: `turbo.1`, `turbo.2`, … */
const ofTurbo = (nodes: Machine['nodes']): [path: string, measure: Measure][] =>
  Array.from({ length: Math.max(...nodes.map(({ turbo = [] }) => turbo.length)) }, (_, k) => [
    `turbo.${k + 1}`,
    FACTOR,
  ]);

/** Parameters whose default is another one: they change with it while they equal it. */
const FOLLOWERS: readonly (readonly [leader: string, follower: string])[] = [
  ['eagerBelow', 'detachedBelow'],
  ['power.idle', 'power.busy'],
];

type Keys = readonly (string | number)[];

/** A parameter, and the positions of its values in the written machine. */
interface Found {
  readonly path: string;
  readonly measure: Measure;
  readonly places: readonly Keys[];
}

/** `turbo.2` is the factor for two busy cores, the second of the list. */
const keysOf = (path: string): Keys => {
  const [key, part] = path.split('.');
  return key === 'turbo' ? [key, Number(part) - 1] : path.split('.');
};
const ofGroups = (path: string, groups: Iterable<number>): Keys[] =>
  Array.from(groups, (k) => ['groups', k, ...keysOf(path)]);

/** Parameters of a network: the members of its topology that are quantities. */
const ofNetwork = (kind: Network['kind']): Readonly<Record<string, Measure>> =>
  Object.fromEntries(
    quantitiesOf(kind).map(([name, dimension]) => [
      `network.${name}`,
      kind === 'loggops' ? logGopsMeasure(name) : measureOf(dimension),
    ]),
  );

/** All parameters: of all groups together, of the machine and, if there are several groups, of each group. */
function allOf({ nodes, network, storage, threads }: Machine): Found[] {
  const ofThreads = threads === undefined ? {} : OF_THREADS;
  const ofMachine = Object.entries({ ...ofNetwork(network.kind), ...OF_MACHINE, ...ofThreads }).filter(
    ([path]) => storage !== undefined || !path.startsWith('storage.'),
  );
  const ofPower = nodes.some(({ power }) => power !== undefined) ? Object.entries(POWER) : [];
  const ofGroup = [...Object.entries(OF_GROUP), ...ofTurbo(nodes), ...ofPower];
  return [
    ...ofGroup.map(([path, measure]) => ({ path, measure, places: ofGroups(path, nodes.keys()) })),
    ...ofMachine.map(([path, measure]) => ({ path, measure, places: [keysOf(path)] })),
    ...(nodes.length < 2 ? [] : nodes).flatMap(({ name }, k) =>
      ofGroup.map(([path, measure]) => ({ path: `groups.${name}.${path}`, measure, places: ofGroups(path, [k]) })),
    ),
  ];
}

/**
 * The parameters of a machine. `link.latency` refers to all groups, `groups.NAME.link.latency` to one of several
 * groups. `nodes` is the number of nodes of all groups. Costs of threads (`threads.steal`) are listed if the machine gives any.
 *
 * @complexity linear in the groups
 */
export function machineParameters(machine: Machine): MachineParameter[] {
  assertMachine(machine);
  const written = writtenMachine(machine);
  return allOf(machine).map(({ path, measure, places }) => {
    const values = places.map((keys) => valueAt(written, keys));
    const value = path === 'nodes' ? nodeCount(machine) : common(values);
    return { path, unit: measure.unit, value };
  });
}

/** The machine with all costs of thread operations: its own, or the defaults. */
export function withThreadCosts(machine: Machine): Machine {
  return machine.threads === undefined ? { ...machine, threads: DEFAULT_COSTS } : machine;
}

/** The common value of a list; undefined if the values differ. */
export function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/**
 * A copy of the machine with one parameter changed. A path without a group changes all groups; a factor or percentage
 * skips groups that do not have the parameter. A change of `eagerBelow` also changes `detachedBelow` if the two are
 * equal, as they are if only `eagerBelow` was given; the inverse change then restores both. So does `power.idle` with `power.busy`. No other parameter follows:
 * an omitted `intraNode` got the numbers of `link` when the machine was created, and keeps them.
 *
 * @param path a path of {@link machineParameters}
 * @param change the new value in SI units or with a unit (`'2us'`), a factor (`'x0.5'`) or a percentage (`'-5%'`)
 * @throws InputError MACH030 (unknown parameter), MACH031 (not a change), MACH032 (no value to multiply, or one number
 * of nodes for several groups), UNIT001 to UNIT003; for the changed machine MACH008, MACH011, MACH012 as `cluster`
 */
export function changeMachine(given: Machine, path: string, change: string | number): Machine {
  return changeMachineBy(given, [[path, change]]);
}

/**
 * As {@link changeMachine}, with several parameters that share no value ({@link sharedParameters}). All changes refer to the given
 * machine, and only the result is checked, so that their order does not matter. `eagerBelow` takes `detachedBelow` with it only if
 * that is not changed as well.
 */
export function changeMachineBy(
  given: Machine,
  changes: readonly (readonly [path: string, change: string | number])[],
): Machine {
  assertMachine(given);
  const machine = changes.some(([path]) => Object.hasOwn(OF_THREADS, path)) ? withThreadCosts(given) : given;
  const before = writtenMachine(machine);
  const paths = changes.map(([path]) => path);
  let written: object = before;
  for (const [path, change] of changes)
    written = changedPart(machine, written, path, change, tiedTo(before, path, paths));
  return checkWritten(written, machine.name, changes.map(([path, change]) => `${path} ${change}`).join(', '));
}

/** Positions of values that follow a changed one because they equal it, as their defaults do, and that no change names. */
function tiedTo(written: object, path: string, paths: readonly string[]): (keys: Keys) => readonly Keys[] {
  const follower = FOLLOWERS.find(([leader]) => path === leader || String(path).endsWith(`.${leader}`))?.[1];
  const isNamed = paths.some(
    (other) => follower !== undefined && (other === follower || String(other).endsWith(`.${follower}`)),
  );
  if (follower === undefined || isNamed) return () => [];
  return (keys) => {
    const own = [...keys.slice(0, -1), keysOf(follower).at(-1)!];
    return valueAt(written, own) === valueAt(written, keys) ? [own] : [];
  };
}

/** The written machine with one parameter of `machine` changed. */
function changedPart(
  machine: Machine,
  before: object,
  path: string,
  change: string | number,
  tied: (keys: Keys) => readonly Keys[],
): object {
  const { measure, places } = allOf(machine).find((one) => one.path === path) ?? unknown(machine, path);
  const read = readChange(measure, change);
  if ('code' in read) return fail(read.code, read.message, { part: path });
  if ('to' in read && path === 'nodes' && places.length > 1) {
    const one = `groups.${machine.nodes[0]!.name}.nodes`;
    fail('MACH032', `the nodes are in ${places.length} groups; change ${one}, or use a factor for all`, { part: path });
  }
  let written = before;
  let there = 0;
  for (const keys of places.flatMap((own) => [own, ...tied(own)])) {
    const old = valueAt(written, keys);
    // Groups with shorter lists of factors keep theirs, and groups without a power have none.
    if (old === undefined && (!('to' in read) || measure.dimension === 'factor')) continue;
    there++;
    written = replaced(written, keys, changed(old ?? 0, read, measure));
  }
  if (there === 0)
    fail('MACH032', `the machine has no value to multiply by ${shown(change)}; give a value with its unit`, {
      part: path,
    });
  return written;
}

/**
 * Two parameters that share a value, as `speed` and `groups.big.speed` do, or undefined. Unknown paths share
 * nothing. O(groups × paths).
 */
export function sharedParameters(machine: Machine, paths: readonly string[]): readonly [string, string] | undefined {
  const all = allOf(withThreadCosts(machine));
  const owners = new Map<string, string>();
  for (const path of paths)
    for (const keys of all.find((one) => one.path === path)?.places ?? []) {
      const key = JSON.stringify(keys);
      const other = owners.get(key);
      if (other !== undefined) return [other, path];
      owners.set(key, path);
    }
  return undefined;
}

function unknown(machine: Machine, path: string): never {
  if (path === SLOWER_HOSTS) {
    const fastest = machine.nodes.reduce((most, { speed }) => Math.max(most, speed), 0);
    const slow = machine.nodes.filter(({ speed }) => speed < fastest).map(({ name }) => quote(`groups.${name}.speed`));
    fail('MACH030', slowerHostsText(slow.slice(0, 3)));
  }
  if (path === 'sharing')
    fail('MACH030', `"sharing" is no number: vary the network model, ${quote('network-model=foretoken,fcfs')}`);
  const { kind } = machine.network;
  const having = NETWORK_KINDS.filter((other) => Object.hasOwn(ofNetwork(other), path));
  if (having.length > 0)
    fail(
      'MACH030',
      `the machine has no parameter ${quote(path)}: its network is a ${kind}, not a ${having.join(' or ')}`,
    );
  if (typeof path !== 'string') fail('MACH030', `path of a parameter: expected a string, got ${shown(path)}`);
  const known = allOf(machine).map((one) => one.path);
  return fail('MACH030', `the machine has no parameter ${quote(path)}.${suggest(path, known, known.length)}`);
}

/** The number at a path; undefined if it does not exist. */
function valueAt(tree: object, keys: Keys): number | undefined {
  let at: unknown = tree;
  for (const key of keys) at = (at as Record<string, unknown> | undefined)?.[key];
  return at as number | undefined;
}

/** A copy with another number at a path; parts outside the path are shared with the original. */
function replaced<T extends object>(tree: T, [key, ...rest]: Keys, value: number): T {
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string, unknown>;
  copy[key!] = rest.length === 0 ? value : replaced(copy[key!] as object, rest, value);
  return copy as T;
}

/** The input from which `checkMachine` would create the same machine: with groups, and with all defaults filled in. */
export function writtenMachine(machine: Machine): WrittenMachine & Required<Pick<WrittenMachine, 'groups'>> {
  const { nodes, ...rest } = machine;
  const groups = nodes.map(({ count, sockets, cores, ...group }) => ({
    ...group,
    nodes: count,
    socketsPerNode: sockets,
    coresPerNode: cores,
  }));
  return { ...rest, groups };
}

/**
 * Creates a machine from its input, checked as by `cluster`.
 *
 * @param part place of all problems; equal problems of several groups are reported once
 * @throws InputError as `cluster`
 */
export function checkWritten(written: object, name: string, part: string): Machine {
  try {
    return checkMachine(written, name, () => ({ part }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError([...new Map<string, Problem>(error.problems.map((p) => [p.message, p])).values()]);
  }
}

/** Machines that have been checked. */
const checked = new WeakSet<object>();

/**
 * Checks a machine or platform that is given as an object. A machine that `cluster` did not make is checked in full. Plain
 * JavaScript would otherwise end in a TypeError.
 *
 * @param expected the accepted values, for messages
 * @throws InputError APP061 for other values; UNIT001 to UNIT003, MACH005 to MACH012 for members of a machine
 */
export function assertMachine(
  value: unknown,
  expected = 'a machine or a platform',
): asserts value is Machine | Platform {
  if (typeof value === 'object' && value !== null && checked.has(value)) return;
  const known = isAs(value, 'an object') ? (value as Readonly<Record<string, unknown>>) : {};
  const isPlatform = typeof known['route'] === 'function' && Array.isArray(known['hosts']) && 'links' in known;
  if (!isPlatform) {
    const { nodes, network } = known;
    const hasGroups = Array.isArray(nodes) && nodes.every((group) => isAs(group, 'an object'));
    if (!hasGroups || !isAs(network, 'an object')) {
      const options = ['nodes', 'groups', 'coresPerNode'].some((name) => name in known);
      const made = options ? ': cluster({ … }) makes a machine of these options' : '';
      fail('APP061', `machine: expected ${expected}, got ${shown(value)}${made}`);
    }
    checkWritten(writtenMachine(value as Machine), String(known['name']), 'machine');
  }
  checked.add(value as object);
}
