import { didYouMean, type Place, Problems, quote } from '../../base/problem.ts';
import { inSi, type LowerBound, outOfRange, prefixed, splitQuantity, type Units } from '../../base/units.ts';
import { LinkList } from '../link-list.ts';
import { type Host, type Link, MAX_HOSTS, MAX_LINKS, type Platform } from '../platform.ts';
import type { Cables } from '../topology/zones/cables.ts';
import type { Coordinates, NetPoint, Zone } from '../topology/zones/zone.ts';
import type { XmlElement } from './xml-reader.ts';

/** A SPLITDUPLEX link: the indexes of its two halves. */
export interface SplitLink {
  readonly up: number;
  readonly down: number;
}

/** A platform while its file is read: the parts read so far, by index and by name, and the problems found. */
export class PlatformDraft {
  readonly hosts: Host[] = [];
  readonly hostPoints: NetPoint[] = [];
  readonly links: LinkList = new LinkList();
  readonly #linkByName = new Map<string, number>();
  readonly #splitByName = new Map<string, SplitLink>();
  readonly #cables: Cables[] = [];
  readonly #cableNumbers = { FAT_TREE: 0, DRAGONFLY: 0 };
  /** Hosts and routers. */
  readonly pointByName: Map<string, NetPoint> = new Map();
  readonly zoneByName: Map<string, Zone> = new Map();
  /** The clusters so far, each with its number of hosts. */
  readonly clusters: { readonly hosts: number; readonly topology: NonNullable<Platform['cluster']> }[] = [];
  readonly problems: Problems;
  /** Number of hosts of all fat trees so far; SimGrid continues the numbering from one tree to the next. */
  fatTreeHosts = 0;

  /** A cluster was rejected. Unknown names in routes may be its hosts, so they are not reported. */
  incomplete = false;

  constructor(maxProblems: number) {
    this.problems = new Problems(maxProblems);
  }

  /** Adds a link and returns its index; a duplicate name is a problem (PLAT008). */
  addLink(link: Link, place: Place): number {
    if (this.link(link.name) !== undefined) this.duplicate('link', link.name, place);
    this.#linkByName.set(link.name, this.links.length);
    return this.links.add(link);
  }

  /** Adds `NAME_UP` and `NAME_DOWN` at consecutive indexes. */
  addSplitLink(link: Link, place: Place): SplitLink {
    if (this.splitLink(link.name) !== undefined) this.duplicate('link', link.name, place);
    const up = this.addLink({ ...link, name: `${link.name}_UP` }, place);
    const down = this.addLink({ ...link, name: `${link.name}_DOWN` }, place);
    const split = { up, down };
    this.#splitByName.set(link.name, split);
    return split;
  }

  /** Adds the links of all cables of a network; their first link is the next one. */
  addCables(cables: Cables, place: Place): void {
    for (const name of this.#linkByName.keys())
      if (cables.linkOf(name) !== undefined) this.duplicate('link', name, place);
    if (cables.options.split)
      for (const name of this.#splitByName.keys())
        if (cables.cableOf(name) !== undefined) this.duplicate('link', name, place);
    this.links.addCables(cables);
    this.#cables.push(cables);
  }

  /** The number of the next cable of a kind of network; SimGrid continues the numbering from one network to the next. */
  numberCables(kind: 'FAT_TREE' | 'DRAGONFLY', count: number): number {
    const first = this.#cableNumbers[kind];
    this.#cableNumbers[kind] += count;
    return first;
  }

  /** The index of the link of this name; undefined if it does not exist. */
  link(name: string): number | undefined {
    const known = this.#linkByName.get(name);
    if (known !== undefined) return known;
    for (const cables of this.#cables) {
      const link = cables.linkOf(name);
      if (link !== undefined) return link;
    }
    return undefined;
  }

  /** The SPLITDUPLEX link of this name; undefined if it does not exist. */
  splitLink(name: string): SplitLink | undefined {
    const known = this.#splitByName.get(name);
    if (known !== undefined) return known;
    for (const cables of this.#cables) {
      const cable = cables.options.split ? cables.cableOf(name) : undefined;
      if (cable === undefined) continue;
      const up = cables.options.firstLink + 2 * cable;
      return { up, down: up + 1 };
    }
    return undefined;
  }

  /** The names of all links, for messages. */
  linkNames(): Generator<string> {
    return this.links.names();
  }

  /** The names of all SPLITDUPLEX links, for messages. */
  *splitNames(): Generator<string> {
    yield* this.#splitByName.keys();
    for (const cables of this.#cables)
      if (cables.options.split) for (let cable = 0; cable < cables.count; cable++) yield cables.name(cable);
  }

  get splitCount(): number {
    return this.#cables.reduce((sum, c) => sum + (c.options.split ? c.count : 0), this.#splitByName.size);
  }

  addHost(host: Host, zone: Zone, at: number, place: Place, coordinates?: Coordinates): NetPoint {
    const where = coordinates === undefined ? {} : { coordinates };
    const point: NetPoint = { name: host.name, kind: 'host', zone, at, host: this.hosts.length, ...where };
    this.hosts.push(host);
    this.hostPoints.push(point);
    this.#addPoint(point, place);
    return point;
  }

  /** Gives the hosts from index `first` on their own times of calls, or their power. */
  setProperties(first: number, properties: Pick<Host, 'calls' | 'power'>): void {
    for (let k = first; k < this.hosts.length; k++) this.hosts[k] = { ...this.hosts[k]!, ...properties };
  }

  addRouter(name: string, zone: Zone, at: number, place: Place, coordinates?: Coordinates): NetPoint {
    const point: NetPoint = { name, kind: 'router', zone, at, ...(coordinates === undefined ? {} : { coordinates }) };
    this.#addPoint(point, place);
    return point;
  }

  #addPoint(point: NetPoint, place: Place): void {
    if (this.pointByName.has(point.name)) this.duplicate('host or router', point.name, place);
    this.pointByName.set(point.name, point);
  }

  addZone(zone: Zone, place: Place): void {
    if (this.zoneByName.has(zone.name)) this.duplicate('zone', zone.name, place);
    else this.zoneByName.set(zone.name, zone);
  }

  duplicate(kind: string, name: string, place: Place): void {
    this.problems.add('PLAT008', `duplicate ${kind} ${quote(name)}`, place);
  }

  /** True if the platform can take this number of further hosts and links; otherwise adds a problem (PLAT010). */
  roomFor(hosts: number, links: number, place: Place): boolean {
    if (this.hosts.length + hosts > MAX_HOSTS) {
      this.problems.add('PLAT010', `the platform has more than ${MAX_HOSTS} hosts`, place);
      return false;
    }
    if (this.links.length + links > MAX_LINKS) {
      this.problems.add('PLAT010', `the platform has more than ${MAX_LINKS} links`, place);
      return false;
    }
    return true;
  }

  /**
   * The value of an attribute with a unit; `lowerBound` is its lower limit. Undefined if the attribute is absent or after a
   * problem (PLAT007).
   */
  quantity(element: XmlElement, attribute: string, units: Units, lowerBound: LowerBound): number | undefined {
    const text = element.attributes[attribute];
    if (text === undefined) return undefined;
    return this.#sound(element, attribute, text, parseQuantity(text, units), lowerBound);
  }

  /** An entry of a comma-separated list of speeds: the one that `pstate` numbers, by default the first. */
  speed(element: XmlElement, units: Units): number | undefined {
    const { speed: text } = element.attributes;
    if (text === undefined) return undefined;
    const list = text.split(',');
    const { pstate: state = '0' } = element.attributes;
    const chosen = /^\d{1,6}(?:\.0*)?$/.test(state) ? list[Number(state)]?.trim() : undefined;
    if (chosen === undefined) {
      const message = `pstate ${quote(state)} of <${element.name}> is out of range: it has ${list.length} speeds`;
      this.problems.add('PLAT007', message, element.place);
      return undefined;
    }
    return this.#sound(element, 'speed', chosen, parseQuantity(chosen, units), 'positive');
  }

  /** An integer of at least 1; 1 if the attribute is absent. */
  count(element: XmlElement, attribute: string): number | undefined {
    const text = element.attributes[attribute] ?? '1';
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    const message = `${attribute} of <${element.name}>: expected an integer >= 1, got ${quote(text)}`;
    this.problems.add('PLAT007', message, element.place);
    return undefined;
  }

  /** One of the given words; the first if the attribute is absent. */
  choice<T extends string>(element: XmlElement, attribute: string, words: readonly [T, ...T[]]): T | undefined {
    const text = element.attributes[attribute];
    if (text === undefined) return words[0];
    const found = words.find((word) => word === text);
    if (found === undefined) {
      const message = `${attribute} ${quote(text)} of <${element.name}> is not supported.${didYouMean(text, words)}`;
      this.problems.add('PLAT009', message, element.place);
    }
    return found;
  }

  #sound(
    element: XmlElement,
    attribute: string,
    text: string,
    value: number | string,
    lowerBound: LowerBound,
  ): number | undefined {
    const wrong = typeof value === 'string' ? value : outOfRange(value, lowerBound);
    if (wrong === undefined) return value as number;
    const { id: name } = element.attributes;
    const of = name === undefined ? `<${element.name}>` : `${element.name} ${quote(name)}`;
    this.problems.add('PLAT007', `${attribute} ${quote(text)} of ${of}: ${wrong}`, element.place);
    return undefined;
  }
}

/** SimGrid's units of time: `w d h m s ms us ns ps`; `m` is a minute. */
export const timeUnits: Units = new Map([
  ...(['s', 'ms', 'us', 'ns', 'ps'] as const).map((name, k) => [name, { scale: 1, power: -3 * k }] as const),
  ['m', { scale: 60, power: 0 }],
  ['h', { scale: 3600, power: 0 }],
  ['d', { scale: 86400, power: 0 }],
  ['w', { scale: 604800, power: 0 }],
]);

/**
 * Bytes per second: `Bps` for bytes, `bps` for bits (1 Bps = 8 bps); prefixes k M G T P E (powers of 1000), Ki Mi Gi Ti
 * Pi Ei (1024).
 */
export const bandwidthUnits: Units = new Map([...prefixed('Bps', 1, 6, true), ...prefixed('bps', 0.125, 6, true)]);

/** Flop per second: `f` or `flops`; prefixes k M G T P E Z Y (powers of 1000), or spelled out: `gigaflops` and so on. */
export const speedUnits: Units = new Map([
  ['f', { scale: 1, power: 0 }],
  ['flops', { scale: 1, power: 0 }],
  ...prefixed('f', 1, 8),
  ...['kilo', 'mega', 'giga', 'tera', 'peta', 'exa', 'zetta', 'yotta'].map(
    (word, k) => [`${word}flops`, { scale: 1, power: 3 * k + 3 }] as const,
  ),
]);

const SAMPLES: ReadonlyMap<Units, string> = new Map([
  [timeUnits, '5us'],
  [bandwidthUnits, '1.25GBps'],
  [speedUnits, '1Gf'],
]);

/**
 * Parses a number with a unit and converts it to SI; a plain number is in SI. As in SimGrid, no blank may separate
 * number and unit.
 *
 * @returns the value, which is never NaN or infinite, or an error message
 */
export function parseQuantity(text: string, units: Units): number | string {
  const split = splitQuantity(text);
  if (split === undefined) return `it does not begin with a number: expected one such as "${SAMPLES.get(units)}"`;
  const unit = split.unit === '' ? { scale: 1, power: 0 } : units.get(split.unit);
  if (unit === undefined) return `unknown unit ${JSON.stringify(split.unit)}; known: ${[...units.keys()].join(', ')}`;
  const value = inSi(split.digits, unit);
  return Number.isFinite(value) ? value : 'it is too large for a double';
}
