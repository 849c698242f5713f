import { StarZone } from '../topology/zones/star-zone.ts';
import type { WrittenZone } from '../topology/zones/written-zone.ts';
import type { Zone } from '../topology/zones/zone.ts';
import { type ClusterArguments, hostName, linkPair, readArguments } from './cluster-arguments.ts';
import { addHierarchical } from './hierarchical-cluster.ts';
import type { PlatformDraft } from './platform-draft.ts';
import type { XmlElement } from './xml-reader.ts';

/**
 * Adds the hosts, links and zone of a `<cluster>` to the draft and to its parent, with SimGrid 3.32's names:
 * `ID_link_N_UP`, `ID_link_N_DOWN`, `ID_link_N_loopback`, `ID_link_N_limiter`, `ID_backbone`; cables of fat trees, tori and
 * dragonflies as their files say. Problems are added to the draft.
 *
 * @returns the zone, or undefined after a problem
 */
export function addCluster(
  draft: PlatformDraft,
  element: XmlElement,
  parent: WrittenZone | undefined,
): Zone | undefined {
  const before = draft.problems.found.length;
  const topology = draft.choice(element, 'topology', ['FLAT', 'FAT_TREE', 'TORUS', 'DRAGONFLY']);
  const read = readArguments(draft, element);
  if (topology === undefined || read === undefined || draft.problems.found.length > before) return undefined;
  if (topology === 'FLAT') return addFlat(draft, read, parent);
  const zone = addHierarchical(draft, read, topology, parent);
  if (zone !== undefined) parent?.points.push(zone.point);
  return zone;
}

function addFlat(draft: PlatformDraft, cluster: ClusterArguments, parent: WrittenZone | undefined): Zone | undefined {
  const { element, id, radicals, bandwidth, latency, limiter, loopback } = cluster;
  const { place } = element;
  if (!draft.roomFor(radicals.length, radicals.length * 4, place)) return undefined;
  draft.clusters.push({ hosts: radicals.length, topology: { kind: 'flat' } });
  const zone = new StarZone(id, parent);
  const backbone = addBackbone(draft, cluster);
  for (const radical of radicals) {
    const stem = `${id}_link_${radical}`;
    const at = zone.points.length;
    const host = { name: hostName(cluster, radical), speed: cluster.speed, cores: cluster.cores };
    zone.points.push(draft.addHost(host, zone, at, place));
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
    zone.addSpoke(at, {
      up: backbone === undefined ? forth : [...forth, backbone],
      down: backbone === undefined ? back : [backbone, ...back],
    });
    if (loop !== undefined) zone.setLoopback(at, [loop]);
  }
  const { prefix = '', suffix = '', router_id: routerId = '' } = element.attributes;
  const router = routerId === '' ? `${prefix}${id}_router${suffix}` : routerId;
  zone.points.push(draft.addRouter(router, zone, zone.points.length, place));
  return zone;
}

function addBackbone(draft: PlatformDraft, cluster: ClusterArguments): number | undefined {
  const { element, id } = cluster;
  const backbone = linkPair(draft, element, 'bb_bw', 'bb_lat');
  const policy = draft.choice(element, 'bb_sharing_policy', ['SHARED', 'FATPIPE']);
  if (backbone === undefined) return undefined;
  return draft.addLink({ name: `${id}_backbone`, ...backbone, fatpipe: policy === 'FATPIPE' }, element.place);
}
