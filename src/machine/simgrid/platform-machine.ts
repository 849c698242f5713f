import { basename, extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fail, type Problem, quote } from '../../base/problem.ts';
import { descriptionPlace } from '../described-at.ts';
import { checkWritten } from '../description/machine-parameters.ts';
import { GROUP_NAME, type WrittenGroup } from '../description/machine-schema.ts';
import type { Machine } from '../machine.ts';
import { machineSetting, settingsOfMachine } from '../machine-settings.ts';
import { networkModel } from '../network-model.ts';
import { SETTING_NAMES } from '../network-settings.ts';
import type { Host, HostPower, Platform, Transport } from '../platform.ts';
import { changingPart } from '../profile.ts';
import { machinePlatform } from '../topology/machine-platform.ts';
import type { Network } from '../topology/topologies.ts';

/** Properties of the routes of one host. */
interface Spoke extends Transport {
  readonly intra: Transport;
}

/** The topology of a platform, and the cable and inner connection of each host. */
interface Shape {
  readonly network: Network;
  readonly spokes: readonly Spoke[];
}

/**
 * The machine with the hosts and routes of a SimGrid platform: under each network model of SimGrid, messages between hosts take
 * the same times. The thresholds are those of the platform, by default of SimGrid.
 *
 * Notes (MACH037) say what differs: names of hosts that no group of nodes has, and messages of a host to itself. All routes
 * between hosts are compared; those of a large cluster, which are all alike, in part.
 *
 * @throws InputError MACH036 with the reason why no machine is equal; PLAT020 for hosts without a route
 * @complexity quadratic in the hosts, linear for clusters of more than 512
 */
export function platformMachine(platform: Platform): { readonly machine: Machine; readonly notes: readonly Problem[] } {
  const place = descriptionPlace(platform) ?? { file: platform.name };
  const notes: Problem[] = [];
  const note = (message: string): void => void notes.push({ code: 'MACH037', message, place });
  const refuse: Refuse = (reason) => fail('MACH036', `no machine file describes this platform: ${reason}`, place);
  const { settings = {} } = platform;
  const { eagerBelow, detachedBelow } = { ...networkModel('simgrid-smpi'), ...settings };
  for (const key of Object.keys(settings) as (keyof typeof SETTING_NAMES)[])
    if (key !== 'eagerBelow' && key !== 'detachedBelow' && machineSetting(key) === undefined)
      refuse(`it sets ${SETTING_NAMES[key]}, and a machine file has no such setting of the network model`);
  const ofModel = settingsOfMachine(settings);
  if (ofModel === undefined) refuse('several times of a call have the same threshold');
  const own = platform.hosts.find(({ calls }) => calls !== undefined);
  const changing = changingPart(platform);
  if (changing !== undefined) refuse(`${changing} changes over time, and the routes that are compared do not`);
  if (own !== undefined)
    refuse(`host ${own.name} has its own times of calls, and the nodes of a machine file have none`);
  const { network, spokes } = shapeOf(platform, refuse, note);
  const name = basename(platform.name, extname(platform.name));
  const source = `SimGrid platform ${basename(platform.name)}`;
  const written = {
    name,
    source,
    groups: groupsOf(platform.hosts, spokes, note),
    network,
    eagerBelow,
    detachedBelow,
    ...ofModel,
  };
  const machine = checkWritten(written, name, `machine of ${platform.name}`);
  compareRoutes(platform, machinePlatform(machine), network.kind, refuse);
  return { machine, notes };
}

type Refuse = (reason: string) => never;

function shapeOf(platform: Platform, refuse: Refuse, note: (message: string) => void): Shape {
  const { hosts, links, cluster } = platform;
  const transport = (link: number): Transport => {
    const { latency, bandwidth } = links[link]!;
    return { latency, bandwidth };
  };
  const isShaped = cluster !== undefined && cluster.kind !== 'flat';
  /** The route between two hosts: up a cable, through the network, down a cable. */
  const crossed = (from: number, to: number): { up: number; inside: readonly number[]; down: number } => {
    const { links: route } = platform.route(from, to);
    if (route.length < (isShaped ? 1 : 2))
      refuse(`the route from ${hosts[from]!.name} to ${hosts[to]!.name} has no cable of each host`);
    return { up: route[0]!, inside: route.slice(1, -1), down: route.at(-1)! };
  };
  const inside = hosts.length < 2 || isShaped ? [] : crossed(0, 1).inside;
  if (inside.length > 1) refuse(`${inside.length} links are between the cables of two hosts, and a backbone is one`);
  const spokes = hosts.map(({ name, cores }, host): Spoke => {
    const intra = intraOf(platform, host);
    if (intra.crossed.length > 0) {
      if (cores > 1)
        refuse(`messages between the ranks of host ${name} cross ${intra.crossed}, as it has no loopback link`);
      if (host === 0)
        note(`a message of a host to itself shares no link with others, although it crosses ${intra.crossed}`);
    }
    if (hosts.length < 2) return { ...intra.transport, intra: intra.transport };
    const other = host === 0 ? 1 : 0;
    const { up } = crossed(host, other);
    const { down } = crossed(other, host);
    const [forth, back] = [transport(up), transport(down)];
    if (up === down)
      refuse(`link ${links[up]!.name} carries both directions, and a cable has a link for each (SPLITDUPLEX)`);
    if (forth.latency !== back.latency || forth.bandwidth !== back.bandwidth)
      refuse(`the links ${links[up]!.name} and ${links[down]!.name} differ, and the directions of a cable are equal`);
    return { ...forth, intra: intra.transport };
  });
  const [backbone] = inside;
  const network: Network = isShaped
    ? { ...cluster }
    : backbone === undefined
      ? { kind: 'crossbar' }
      : { kind: 'backbone', ...transport(backbone) };
  return { network, spokes };
}

/** The connection within a host, and the names of the links that it shares with other messages. */
function intraOf({ route, links }: Platform, host: number): { transport: Transport; crossed: string } {
  const { links: own, latency } = route(host, host);
  const bandwidth = Math.min(...own.map((link) => links[link]!.bandwidth));
  const shared = own.filter((link) => !links[link]!.fatpipe).map((link) => links[link]!.name);
  return { transport: { latency, bandwidth }, crossed: shared.join(', ') };
}

/** Machines that fail are not written, and nodes of machine files take no power then. */
const writtenPower = ({ off: _, ...power }: HostPower): HostPower => power;

/** Groups of equal hosts, in the order of the platform. */
function groupsOf(hosts: readonly Host[], spokes: readonly Spoke[], note: (message: string) => void): WrittenGroup[] {
  const grouped = (nameOf: (host: Host) => string): WrittenGroup[] => {
    const groups: WrittenGroup[] = [];
    hosts.forEach((host, k) => {
      const { intra: intraNode, ...link } = spokes[k]!;
      const power = host.power === undefined ? {} : { power: writtenPower(host.power) };
      const own = { coresPerNode: host.cores, speed: host.speed, ...power, link, intraNode };
      const alone = { name: nameOf(host), nodes: 1, ...own };
      const last = groups.at(-1);
      if (last === undefined || !isDeepStrictEqual({ ...last, nodes: 1 }, alone)) groups.push(alone);
      else groups[groups.length - 1] = { ...last, nodes: last.nodes + 1 };
    });
    return groups;
  };
  const named = grouped(({ name }) => name.replace(/(?<!\d)\d+$/, ''));
  const names = named.flatMap(({ name, nodes }) => Array.from({ length: nodes }, (_, k) => `${name}${k}`));
  const isDistinct = new Set(named.map(({ name }) => name)).size === named.length;
  const isGroup = new RegExp(GROUP_NAME.pattern);
  if (isDistinct && named.every(({ name }) => isGroup.test(name!)) && hosts.every(({ name }, k) => name === names[k]))
    return named;
  const groups = grouped(() => '');
  const renamed = groups.map((group, k) => ({ ...group, name: groups.length === 1 ? 'node' : `group${k}-` }));
  const first = `${quote(hosts[0]!.name)} becomes ${quote(`${renamed[0]!.name}0`)}`;
  note(`the names of the hosts change: ${first}, and so on in the order of the platform`);
  return renamed;
}

/** Clusters of more hosts are compared in part. */
const ALL_PAIRS = 512;

/** Compares the routes between hosts, link by link: equal properties, and the same links shared by the same routes. */
function compareRoutes(platform: Platform, own: Platform, kind: string, refuse: Refuse): void {
  const n = platform.hosts.length;
  const isPartial = platform.cluster !== undefined && n > ALL_PAIRS;
  const ownOf = new Map<number, number>();
  const taken = new Map<number, number>();
  for (let from = 0; from < n; from++) {
    const targets = isPartial ? [0, (from + 1) % n, n >> 1, n - 1] : Array(n).keys();
    for (const to of targets) {
      if (from === to) continue;
      const [a, b] = [platform.route(from, to).links, own.route(from, to).links];
      const isSame =
        a.length === b.length &&
        a.every((link, k) => {
          const [given, machine] = [platform.links[link]!, own.links[b[k]!]!];
          if (!ownOf.has(link) && !taken.has(b[k]!)) {
            ownOf.set(link, b[k]!);
            taken.set(b[k]!, link);
          }
          const isEqual = given.latency === machine.latency && given.bandwidth === machine.bandwidth && !given.fatpipe;
          return isEqual && ownOf.get(link) === b[k]! && taken.get(b[k]!) === link;
        });
      if (isSame) continue;
      const names = a.map((link) => platform.links[link]!.name + (platform.links[link]!.fatpipe ? ' (FATPIPE)' : ''));
      const route = `the route from ${platform.hosts[from]!.name} to ${platform.hosts[to]!.name} crosses ${names.join(', ')}`;
      refuse(`${route}, which is no route of a ${kind} with links that only its cables share`);
    }
  }
}
