import { quote } from '../../base/problem.ts';
import type { Platform } from '../platform.ts';
import { dragonflyOf } from '../topology/dragonfly.ts';
import { limiterIds, nodesOfLevel, parseFatTreeShape } from '../topology/fat-tree-shape.ts';
import { product } from '../topology/topology.ts';
import { cableCount as torusCableCount } from '../topology/torus.ts';
import type { CableOptions, Cables } from '../topology/zones/cables.ts';
import {
  DragonflyCables,
  DragonflyZone,
  dragonflyCableCount,
  parseDragonflyShape,
} from '../topology/zones/dragonfly-zone.ts';
import { FatTreeCables } from '../topology/zones/fat-tree-cables.ts';
import { FatTreeZone } from '../topology/zones/fat-tree-zone.ts';
import type { PrivateLinks, ZonePlace } from '../topology/zones/leaf-zone.ts';
import { TorusCables, TorusZone } from '../topology/zones/torus-zone.ts';
import type { WrittenZone } from '../topology/zones/written-zone.ts';
import type { Zone } from '../topology/zones/zone.ts';
import { type ClusterArguments, hostName } from './cluster-arguments.ts';
import type { PlatformDraft } from './platform-draft.ts';

type Hierarchical = 'FAT_TREE' | 'TORUS' | 'DRAGONFLY';

/** The differences between the topologies of clusters with switches. */
interface Plan {
  readonly hosts: number;
  /** Numbers in the names of limiter links, of the hosts and then of the switches. */
  limiters(): Iterable<number>;
  readonly limiterCount: number;
  readonly cableCount: number;
  readonly cluster?: Platform['cluster'];
  cables(options: CableOptions): Cables;
  zone(place: ZonePlace, cables: Cables, links: PrivateLinks): Zone;
}

/** Adds a cluster of this topology to the draft; PLAT011 if its parameters are wrong or do not fit its number of hosts. */
export function addHierarchical(
  draft: PlatformDraft,
  cluster: ClusterArguments,
  topology: Hierarchical,
  parent: WrittenZone | undefined,
): Zone | undefined {
  const { element, id, radicals, loopback, limiter, bandwidth, latency, split } = cluster;
  const { place } = element;
  const { topo_parameters: text = '' } = element.attributes;
  const plan = planOf(topology, text, id, draft);
  if (typeof plan === 'string') {
    draft.problems.add('PLAT011', `topo_parameters ${quote(text)} of cluster ${quote(id)}: ${plan}`, place);
    return undefined;
  }
  if (plan.hosts !== radicals.length) {
    const message = `topo_parameters ${quote(text)} give ${plan.hosts} hosts, but the radical names ${radicals.length}`;
    draft.problems.add('PLAT011', message, place);
    return undefined;
  }
  const ofHosts = loopback === undefined ? 0 : plan.hosts;
  const limiters = limiter === undefined ? 0 : plan.limiterCount;
  if (!draft.roomFor(plan.hosts, ofHosts + limiters + plan.cableCount * (split ? 2 : 1), place)) return undefined;
  if (plan.cluster !== undefined) draft.clusters.push({ hosts: plan.hosts, topology: plan.cluster });
  const firstLoopback = loopback === undefined ? -1 : draft.links.length;
  if (loopback !== undefined)
    for (const radical of radicals)
      draft.addLink({ name: `${id}_link_${radical}_loopback`, ...loopback, fatpipe: true }, place);
  const firstLimiter = limiter === undefined ? -1 : draft.links.length;
  if (limiter !== undefined)
    for (const node of plan.limiters())
      draft.addLink({ name: `${id}_link_${node}_limiter`, bandwidth: limiter, latency: 0, fatpipe: false }, place);
  const cables = plan.cables({ bandwidth, latency, split, firstLink: draft.links.length });
  draft.addCables(cables, place);
  const at = parent?.points.length ?? 0;
  const zone = plan.zone({ name: id, parent, at }, cables, { firstLoopback, firstLimiter });
  const { speed, cores } = cluster;
  for (const [i, radical] of radicals.entries())
    draft.addHost({ name: hostName(cluster, radical), speed, cores }, zone, i, place);
  return zone;
}

function planOf(topology: Hierarchical, text: string, id: string, draft: PlatformDraft): Plan | string {
  switch (topology) {
    case 'FAT_TREE':
      return fatTreePlan(text, draft);
    case 'TORUS':
      return torusPlan(text, id);
    case 'DRAGONFLY':
      return dragonflyPlan(text, draft);
  }
}

function fatTreePlan(text: string, draft: PlatformDraft): Plan | string {
  const shape = parseFatTreeShape(text);
  if (typeof shape === 'string') return shape;
  const hosts = nodesOfLevel(shape, 0);
  const sizes = [...shape.down, 0].map((_, level) => nodesOfLevel(shape, level));
  const cableCount = shape.up.reduce((sum, up, level) => sum + sizes[level]! * up * shape.cables[level]!, 0);
  return {
    hosts,
    limiters: () => limiterIds(shape),
    limiterCount: sizes.reduce((a, b) => a + b, 0),
    cableCount,
    cluster: { kind: 'fat-tree', ...shape },
    cables: (options) =>
      new FatTreeCables(shape, { ...options, firstNumber: draft.numberCables('FAT_TREE', cableCount) }),
    zone: (place, { options }, links) => {
      const offset = draft.fatTreeHosts;
      draft.fatTreeHosts += hosts;
      return new FatTreeZone(
        place,
        shape,
        { ...links, firstCable: options.firstLink, perCable: options.split ? 2 : 1 },
        offset,
      );
    },
  };
}

const MAX_DIMENSIONS = 16;
const MAX_PRODUCT = 2 ** 31;

function torusPlan(text: string, id: string): Plan | string {
  const items = text.split(',').map((item) => item.trim());
  for (const item of items)
    if (!/^[1-9]\d{0,8}$/.test(item))
      return `expected the nodes along each dimension, such as "4,4,2", got ${JSON.stringify(item)}`;
  if (items.length > MAX_DIMENSIONS) return `expected at most ${MAX_DIMENSIONS} dimensions, got ${items.length}`;
  const sizes = items.map(Number);
  const hosts = product(sizes);
  if (hosts > MAX_PRODUCT) return 'the torus is too large';
  return {
    hosts,
    limiters: () => Array(hosts).keys(),
    limiterCount: hosts,
    cableCount: torusCableCount(sizes),
    cluster: { kind: 'torus', sizes },
    cables: (options) => new TorusCables(id, sizes, options),
    zone: (place, cables, links) => new TorusZone(place, sizes, cables as TorusCables, links),
  };
}

function dragonflyPlan(text: string, draft: PlatformDraft): Plan | string {
  const shape = parseDragonflyShape(text);
  if (typeof shape === 'string') return shape;
  const routers = shape.groups * shape.chassis * shape.blades;
  const hosts = routers * shape.nodes;
  const cables = dragonflyCableCount(shape);
  if (Math.max(hosts, cables) > MAX_PRODUCT) return 'the dragonfly is too large';
  return {
    hosts,
    *limiters() {
      yield* Array(hosts).keys();
      for (let router = 1; router <= routers; router++) yield 2 * hosts - router;
    },
    limiterCount: hosts + routers,
    cableCount: cables,
    cluster: { kind: 'dragonfly', ...dragonflyOf(shape) },
    cables: (options) =>
      new DragonflyCables(shape, { ...options, firstNumber: draft.numberCables('DRAGONFLY', cables) }),
    zone: (place, made, links) => new DragonflyZone(place, shape, made as DragonflyCables, links),
  };
}
