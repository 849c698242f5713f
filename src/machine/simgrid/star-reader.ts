import { quote } from '../../base/problem.ts';
import { MAX_HOSTS, suggest } from '../platform.ts';
import { FloydZone, MAX_FLOYD } from '../topology/zones/shortest-path-zone.ts';
import { StarZone, VivaldiZone } from '../topology/zones/star-zone.ts';
import type { WrittenZone } from '../topology/zones/written-zone.ts';
import type { Coordinates, NetPoint } from '../topology/zones/zone.ts';
import { parseRadical } from './cluster-arguments.ts';
import { bandwidthUnits, type PlatformDraft, speedUnits, timeUnits } from './platform-draft.ts';
import { HOST_FILES, type ProfileReader, profilesIn } from './profile-reader.ts';
import type { XmlElement } from './xml-reader.ts';

/** The links of a point to and from the centre of its star. */
interface Arm {
  readonly point: NetPoint;
  readonly up: number;
  readonly down: number;
  readonly element: XmlElement;
}

/**
 * Reads the parts of zones of routing Cluster and Vivaldi: `<host_link>`, `<cabinet>`, `<backbone>` and `<peer>`. The
 * backbone of a zone may come after the hosts that use it, so routes are set at the end of the zone. Problems are added to
 * the draft.
 */
export class StarReader {
  readonly #draft: PlatformDraft;
  readonly #profiles: ProfileReader;
  readonly #arms = new Map<WrittenZone, Arm[]>();
  readonly #backbones = new Map<WrittenZone, number>();

  constructor(draft: PlatformDraft, profiles: ProfileReader) {
    this.#draft = draft;
    this.#profiles = profiles;
  }

  /** Start tag of a part of `zone`. */
  part(element: XmlElement, zone: WrittenZone): void {
    const routing = element.name === 'peer' ? 'Vivaldi' : 'Cluster';
    const fits = routing === 'Vivaldi' ? zone instanceof VivaldiZone : isCluster(zone);
    if (!fits) {
      const message = `<${element.name}> in zone ${quote(zone.name)}: expected a zone of routing ${routing}`;
      this.#draft.problems.add('PLAT005', message, element.place);
    } else if (element.name === 'peer') this.#peer(element, zone);
    else if (element.name === 'cabinet') this.#cabinet(element, zone);
    else if (element.name === 'backbone') this.#backbone(element, zone);
    else this.#hostLink(element, zone);
  }

  /** End tag of a zone. */
  end(zone: WrittenZone, { place }: XmlElement): void {
    if (zone instanceof FloydZone && zone.points.length > MAX_FLOYD) {
      const message = `zone ${quote(zone.name)} of routing Floyd has ${zone.points.length} points: expected at most ${MAX_FLOYD}; use Dijkstra`;
      this.#draft.problems.add('PLAT010', message, place);
    }
    if (!(zone instanceof StarZone)) return;
    const backbone = this.#backbones.get(zone);
    const middle = backbone === undefined ? [] : [backbone];
    for (const { point, up, down, element } of this.#arms.get(zone) ?? [])
      if (!zone.addSpoke(point.at, { up: [up, ...middle], down: [...middle, down] }))
        this.#draft.duplicate('host_link of host', point.name, element.place);
  }

  #arm(zone: WrittenZone, arm: Arm): void {
    const arms = this.#arms.get(zone);
    if (arms === undefined) this.#arms.set(zone, [arm]);
    else arms.push(arm);
  }

  #backbone(element: XmlElement, zone: WrittenZone): void {
    const draft = this.#draft;
    const { id: name = '' } = element.attributes;
    const bandwidth = draft.quantity(element, 'bandwidth', bandwidthUnits, 'positive') ?? 1;
    const latency = draft.quantity(element, 'latency', timeUnits, 'zero') ?? 0;
    if (this.#backbones.has(zone)) draft.duplicate('backbone of zone', zone.name, element.place);
    this.#backbones.set(zone, draft.addLink({ name, bandwidth, latency, fatpipe: false }, element.place));
  }

  #hostLink(element: XmlElement, zone: WrittenZone): void {
    const { id = '' } = element.attributes;
    const point = this.#draft.pointByName.get(id);
    if (point?.kind !== 'host' || point.zone !== zone) {
      const hosts = zone.points.filter(({ kind }) => kind === 'host').map(({ name }) => name);
      const message = `host_link: zone ${quote(zone.name)} has no host ${quote(id)}.${suggest(id, hosts, hosts.length)}`;
      this.#draft.problems.add('PLAT012', message, element.place);
      return;
    }
    const up = this.#link(element, 'up');
    const down = this.#link(element, 'down');
    if (up !== undefined && down !== undefined) this.#arm(zone, { point, up, down, element });
  }

  #link(element: XmlElement, attribute: 'up' | 'down'): number | undefined {
    const draft = this.#draft;
    const name = element.attributes[attribute] ?? '';
    const link = draft.link(name);
    if (link === undefined) {
      const help = suggest(name, draft.linkNames(), draft.links.length);
      draft.problems.add('PLAT012', `host_link: unknown link ${quote(name)}.${help}`, element.place);
    }
    return link;
  }

  #cabinet(element: XmlElement, zone: WrittenZone): void {
    const draft = this.#draft;
    const { place, attributes } = element;
    const { prefix = '', suffix = '', radical: text = '' } = attributes;
    const speed = draft.speed(element, speedUnits);
    const bandwidth = draft.quantity(element, 'bw', bandwidthUnits, 'positive');
    const latency = draft.quantity(element, 'lat', timeUnits, 'zero');
    const radicals = parseRadical(text, MAX_HOSTS);
    if (typeof radicals === 'string') {
      draft.problems.add('PLAT010', `radical ${quote(text)}: ${radicals}`, place);
      return;
    }
    if (speed === undefined || bandwidth === undefined || latency === undefined) return;
    if (!draft.roomFor(radicals.length, 2 * radicals.length, place)) return;
    for (const radical of radicals) {
      const name = `${prefix}${radical}${suffix}`;
      const point = draft.addHost({ name, speed, cores: 1 }, zone, zone.points.length, place);
      zone.points.push(point);
      const link = { bandwidth, latency, fatpipe: false };
      const up = draft.addLink({ name: `link_${name}_UP`, ...link }, place);
      const down = draft.addLink({ name: `link_${name}_DOWN`, ...link }, place);
      this.#arm(zone, { point, up, down, element });
    }
  }

  #peer(element: XmlElement, zone: WrittenZone): void {
    const draft = this.#draft;
    const { place, attributes } = element;
    const { id: name = '' } = attributes;
    const speed = draft.speed(element, speedUnits) ?? 1;
    const into = draft.quantity(element, 'bw_in', bandwidthUnits, 'positive') ?? 1;
    const out = draft.quantity(element, 'bw_out', bandwidthUnits, 'positive') ?? 1;
    const where = readCoordinates(draft, element);
    const profiles = this.#profiles.ofAttributes(element, HOST_FILES);
    if (!draft.roomFor(1, 2, place)) return;
    const point = draft.addHost(
      { name, speed, cores: 1, ...profilesIn(profiles) },
      zone,
      zone.points.length,
      place,
      where,
    );
    zone.points.push(point);
    const up = draft.addLink({ name: `link_${name}_UP`, bandwidth: out, latency: 0, fatpipe: false }, place);
    const down = draft.addLink({ name: `link_${name}_DOWN`, bandwidth: into, latency: 0, fatpipe: false }, place);
    this.#arm(zone, { point, up, down, element });
  }
}

function isCluster(zone: WrittenZone): boolean {
  return zone instanceof StarZone && !(zone instanceof VivaldiZone);
}

/** The Vivaldi coordinates of a point; undefined if it has none or after a problem (PLAT007). */
export function readCoordinates(draft: PlatformDraft, element: XmlElement): Coordinates | undefined {
  const { coordinates: text = '' } = element.attributes;
  if (text === '') return undefined;
  const numbers = text.trim().split(/\s+/).map(Number);
  if (numbers.length === 3 && numbers.every(Number.isFinite)) return numbers as [number, number, number];
  const message = `coordinates ${quote(text)} of <${element.name}>: expected three numbers in milliseconds, such as "1.5 -3 0.2"`;
  draft.problems.add('PLAT007', message, element.place);
  return undefined;
}
