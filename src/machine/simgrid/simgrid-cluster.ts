import { quote } from '../../base/problem.ts';
import { MAX_HOSTS } from '../platform.ts';
import { type FatTreeShape, limiterIds, nodesOfLevel, parseFatTreeShape } from '../topology/fat-tree-shape.ts';
import { FatTreeZone } from '../topology/fat-tree-zone.ts';
import type { LocalRoute, NetPoint, Zone } from '../topology/zone.ts';
import { bandwidthUnits, type PlatformDraft, speedUnits, timeUnits } from './platform-draft.ts';
import type { XmlElement } from './xml-reader.ts';

/** A `<cluster>` whose attributes have been read and checked; SI units. */
interface ClusterArguments {
  readonly element: XmlElement;
  readonly id: string;
  readonly radicals: readonly number[];
  readonly speed: number;
  readonly cores: number;
  readonly bandwidth: number;
  readonly latency: number;
  /** True for SPLITDUPLEX and FULLDUPLEX. SHARED and FATPIPE both give one shared link for both directions (SimGrid 3.32). */
  readonly split: boolean;
  readonly limiter: number | undefined;
  readonly loopback: { readonly bandwidth: number; readonly latency: number } | undefined;
}

/**
 * Adds the hosts, links and zone of a `<cluster>` (FLAT or FAT_TREE) to the draft, with SimGrid 3.32's names:
 * `ID_link_N_UP`, `ID_link_N_DOWN`, `ID_link_N_loopback`, `ID_link_N_limiter`, `ID_backbone`, and in fat trees
 * `link_from_LOWER_UPPER_NUMBER`. Problems are added to the draft.
 *
 * @param at number of the cluster among the points of its parent
 * @returns the zone, or undefined after a problem
 */
export function addCluster(
  draft: PlatformDraft,
  element: XmlElement,
  parent: Zone | undefined,
  at: number,
): Zone | undefined {
  const before = draft.problems.found.length;
  const topology = draft.choice(element, 'topology', ['FLAT', 'FAT_TREE']);
  const read = readArguments(draft, element);
  if (topology === undefined || read === undefined || draft.problems.found.length > before) return undefined;
  return topology === 'FLAT' ? addFlat(draft, read, parent, at) : addFatTree(draft, read, parent, at);
}

function readArguments(draft: PlatformDraft, element: XmlElement): ClusterArguments | undefined {
  const { attributes, place } = element;
  const speed = draft.speed(element, speedUnits);
  const cores = draft.count(element, 'core');
  const bandwidth = draft.quantity(element, 'bw', bandwidthUnits, 'positive');
  const latency = draft.quantity(element, 'lat', timeUnits, 'zero');
  const policy = draft.choice(element, 'sharing_policy', ['SPLITDUPLEX', 'FULLDUPLEX', 'SHARED', 'FATPIPE']);
  const limiter = optionalBandwidth(draft, element, 'limiter_link');
  const loopback = linkPair(draft, element, 'loopback_bw', 'loopback_lat');
  const { id = '', radical: text } = attributes;
  if (text === undefined) return undefined;
  const radicals = parseRadical(text, MAX_HOSTS);
  if (typeof radicals === 'string') {
    draft.problems.add('PLAT010', `radical ${quote(text)}: ${radicals}`, place);
    return undefined;
  }
  if (speed === undefined || cores === undefined || bandwidth === undefined || latency === undefined) return undefined;
  const split = policy === 'SPLITDUPLEX' || policy === 'FULLDUPLEX';
  return { element, id, radicals, speed, cores, bandwidth, latency, split, limiter, loopback };
}

/** A bandwidth; undefined if the attribute is absent, empty or zero. */
function optionalBandwidth(draft: PlatformDraft, element: XmlElement, attribute: string): number | undefined {
  if ((element.attributes[attribute] ?? '') === '') return undefined;
  const value = draft.quantity(element, attribute, bandwidthUnits, 'zero');
  return value === 0 ? undefined : value;
}

function linkPair(
  draft: PlatformDraft,
  element: XmlElement,
  bw: string,
  lat: string,
): { bandwidth: number; latency: number } | undefined {
  const bandwidth = optionalBandwidth(draft, element, bw);
  const hasLatency = (element.attributes[lat] ?? '') !== '';
  const latency = hasLatency ? (draft.quantity(element, lat, timeUnits, 'zero') ?? 0) : 0;
  if (bandwidth !== undefined) return { bandwidth, latency };
  if (latency > 0) draft.problems.add('PLAT006', `<cluster> has ${lat} but no ${bw} > 0`, element.place);
  return undefined;
}

function hostName(cluster: ClusterArguments, radical: number): string {
  const { prefix, suffix } = cluster.element.attributes;
  return `${prefix ?? ''}${radical}${suffix ?? ''}`;
}

function addFlat(
  draft: PlatformDraft,
  cluster: ClusterArguments,
  parent: Zone | undefined,
  at: number,
): Zone | undefined {
  const { element, id, radicals, bandwidth, latency, limiter, loopback } = cluster;
  const { place } = element;
  if (!draft.roomFor(radicals.length, radicals.length * 4, place)) return undefined;
  draft.clusters.push({ hosts: radicals.length, topology: { kind: 'flat' } });
  const zone = new StarZone(id, parent, at);
  const backbone = addBackbone(draft, cluster);
  for (const radical of radicals) {
    const stem = `${id}_link_${radical}`;
    draft.addHost(
      { name: hostName(cluster, radical), speed: cluster.speed, cores: cluster.cores },
      zone,
      zone.size,
      place,
    );
    const loop = loopback && draft.addLink({ name: `${stem}_loopback`, ...loopback, fatpipe: true }, place);
    const limit =
      limiter && draft.addLink({ name: `${stem}_limiter`, bandwidth: limiter, latency: 0, fatpipe: false }, place);
    const link = { name: stem, bandwidth, latency, fatpipe: false };
    let up: number;
    let down: number;
    if (cluster.split) ({ up, down } = draft.addSplitLink(link, place));
    else up = down = draft.addLink(link, place);
    const forth = limit === undefined ? [up] : [limit, up];
    const back = limit === undefined ? [down] : [down, limit];
    zone.add({
      up: backbone === undefined ? forth : [...forth, backbone],
      down: backbone === undefined ? back : [backbone, ...back],
      ...(loop === undefined ? {} : { loopback: [loop] }),
    });
  }
  const { prefix = '', suffix = '', router_id: routerId = '' } = element.attributes;
  draft.addRouter(routerId === '' ? `${prefix}${id}_router${suffix}` : routerId, zone, zone.size, place);
  zone.add({ up: [], down: [] });
  return zone;
}

function addBackbone(draft: PlatformDraft, cluster: ClusterArguments): number | undefined {
  const { element, id } = cluster;
  const backbone = linkPair(draft, element, 'bb_bw', 'bb_lat');
  const policy = draft.choice(element, 'bb_sharing_policy', ['SHARED', 'FATPIPE']);
  if (backbone === undefined) return undefined;
  return draft.addLink({ name: `${id}_backbone`, ...backbone, fatpipe: policy === 'FATPIPE' }, element.place);
}

function addFatTree(
  draft: PlatformDraft,
  cluster: ClusterArguments,
  parent: Zone | undefined,
  at: number,
): Zone | undefined {
  const { element, id, radicals, loopback, limiter } = cluster;
  const { place } = element;
  const { topo_parameters: text = '' } = element.attributes;
  const shape = parseFatTreeShape(text);
  if (typeof shape === 'string') {
    draft.problems.add('PLAT011', `topo_parameters ${quote(text)} of cluster ${quote(id)}: ${shape}`, place);
    return undefined;
  }
  const hosts = nodesOfLevel(shape, 0);
  if (hosts !== radicals.length) {
    const message = `topo_parameters ${quote(text)} give ${hosts} hosts, but the radical names ${radicals.length}`;
    draft.problems.add('PLAT011', message, place);
    return undefined;
  }
  if (!draft.roomFor(hosts, sizeInLinks(shape, cluster), place)) return undefined;
  draft.clusters.push({ hosts, topology: { kind: 'fat-tree', ...shape } });
  const offset = draft.fatTreeHosts;
  draft.fatTreeHosts += hosts;
  const firstLoopback = loopback === undefined ? -1 : draft.links.length;
  if (loopback !== undefined) {
    for (const radical of radicals) {
      draft.addLink({ name: `${id}_link_${radical}_loopback`, ...loopback, fatpipe: true }, place);
    }
  }
  const firstLimiter = limiter === undefined ? -1 : draft.links.length;
  if (limiter !== undefined) {
    for (const node of limiterIds(shape)) {
      draft.addLink({ name: `${id}_link_${node}_limiter`, bandwidth: limiter, latency: 0, fatpipe: false }, place);
    }
  }
  const { bandwidth, latency, split } = cluster;
  const firstCable = draft.addCables(shape, { bandwidth, latency, split }, place);
  const links = { firstCable, perCable: cluster.split ? 2 : 1, firstLoopback, firstLimiter } as const;
  const zone = new FatTreeZone(id, parent, at, shape, links, offset);
  for (const [i, radical] of radicals.entries()) {
    draft.addHost({ name: hostName(cluster, radical), speed: cluster.speed, cores: cluster.cores }, zone, i, place);
  }
  return zone;
}

function sizeInLinks(shape: FatTreeShape, cluster: ClusterArguments): number {
  let links = 0;
  for (let level = 0; level <= shape.down.length; level++) {
    const nodes = nodesOfLevel(shape, level);
    if (cluster.limiter !== undefined) links += nodes;
    if (level < shape.up.length) links += nodes * shape.up[level]! * shape.cables[level]! * (cluster.split ? 2 : 1);
  }
  return links + (cluster.loopback === undefined ? 0 : cluster.radicals.length);
}

/**
 * Expands a SimGrid radical: `0-3,7` is 0, 1, 2, 3, 7, in the written order. An interval whose end is less than its
 * start is an error (SimGrid takes it as no hosts).
 *
 * @param limit maximum number of hosts
 * @returns the numbers, at most `limit`, or an error message
 */
export function parseRadical(text: string, limit: number): readonly number[] | string {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,10})\s*(?:-\s*(\d{1,10})\s*)?$/.exec(part);
    if (match === null)
      return `expected a number or an interval such as 0-63, got ${JSON.stringify(part.slice(0, 40))}`;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (last < first) return `the interval ${first}-${last} is empty`;
    if (last > 0x7fffffff) return `${last} is larger than 2147483647`;
    if (numbers.length + (last - first + 1) > limit) return `it names more than ${limit} hosts`;
    for (let i = first; i <= last; i++) numbers.push(i);
  }
  return numbers;
}

/** The links between one point of a star and its centre. */
interface Spoke {
  readonly up: readonly number[];
  readonly down: readonly number[];
  /** Route of a host to itself; if absent, `up` followed by `down`. */
  readonly loopback?: readonly number[];
}

/**
 * A flat cluster (SimGrid's StarZone): a route goes from the source up to the centre and down to the target, and
 * contains no link twice.
 */
class StarZone implements Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  readonly point: NetPoint;
  readonly #spokes: Spoke[] = [];

  constructor(name: string, parent: Zone | undefined, at: number) {
    this.name = name;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.point = { name, kind: 'zone', zone: parent, at };
  }

  /** Adds the point with the number {@link size}. */
  add(spoke: Spoke): void {
    this.#spokes.push(spoke);
  }

  get size(): number {
    return this.#spokes.length;
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute {
    const from = this.#spokes[source.at]!;
    if (source === target && from.loopback !== undefined) return { links: from.loopback };
    const links = new Set(from.up);
    for (const link of this.#spokes[target.at]!.down) links.add(link);
    return { links: [...links] };
  }
}
