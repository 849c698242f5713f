import { quote } from '../../base/problem.ts';
import { suggest } from '../platform.ts';
import { StarZone } from '../topology/zones/star-zone.ts';
import { RoutedZone, type WrittenZone } from '../topology/zones/written-zone.ts';
import type { Gateways, NetPoint, Zone } from '../topology/zones/zone.ts';
import type { PlatformDraft } from './platform-draft.ts';
import type { XmlElement } from './xml-reader.ts';

/** One `link_ctn`: the link of the forward route, and the link of the return route if the route is symmetrical. */
interface Step {
  readonly there: number;
  readonly back: number;
}

/**
 * Reads `<route>`, `<zoneRoute>` and their bypasses. Routes are symmetrical unless declared otherwise: the return route has
 * the links in reverse order, with the other half of SPLITDUPLEX links, and the gateways exchanged. Bypasses are one-way.
 * Problems are added to the draft: PLAT012, and PLAT008 for a second route between the same two points.
 */
export class RouteReader {
  readonly #draft: PlatformDraft;
  #steps: Step[] = [];
  #sound = true;

  constructor(draft: PlatformDraft) {
    this.#draft = draft;
  }

  /** Start tag of a route; `sound` is false if its attributes have problems. */
  begin(sound: boolean): void {
    this.#steps = [];
    this.#sound = sound;
  }

  /** A `link_ctn` of the route. A SPLITDUPLEX link needs a direction, unless it is given by the name of one of its halves. */
  step(element: XmlElement): void {
    const draft = this.#draft;
    const { id = '' } = element.attributes;
    const direction = this.#draft.choice(element, 'direction', ['NONE', 'UP', 'DOWN']);
    const split = draft.splitLink(id);
    const link = draft.link(id);
    if (direction === undefined) this.#sound = false;
    else if (direction === 'NONE') {
      if (link !== undefined) this.#steps.push({ there: link, back: link });
      else if (split !== undefined)
        this.#wrong(`link ${quote(id)} is SPLITDUPLEX: give direction="UP" or "DOWN"`, element);
      else this.#wrong(`unknown link ${quote(id)}.${suggest(id, draft.linkNames(), draft.links.length)}`, element);
    } else if (split !== undefined) {
      const { up, down } = split;
      this.#steps.push(direction === 'UP' ? { there: up, back: down } : { there: down, back: up });
    } else {
      const known = suggest(id, draft.splitNames(), draft.splitCount);
      const help = link === undefined ? known : ' It is not SPLITDUPLEX: omit the direction.';
      this.#wrong(`no SPLITDUPLEX link ${quote(id)} to use with direction="${direction}".${help}`, element);
    }
  }

  /** End tag of a `<route>` or `<bypassRoute>` in `zone`. */
  endRoute(element: XmlElement, zone: WrittenZone): void {
    const source = this.#point(element, 'src');
    const target = this.#point(element, 'dst');
    if (source === undefined || target === undefined) return;
    for (const point of [source, target]) {
      if (point.zone === zone) continue;
      const where = `${point.kind} ${quote(point.name)} is in zone ${quote(point.zone?.name ?? '')}`;
      this.#wrong(
        `${where}, not in ${quote(zone.name)}: a route connects hosts and routers of its zone; use <zoneRoute>`,
        element,
      );
      return;
    }
    this.#connect(element, zone, source, target, undefined);
  }

  /** End tag of a `<zoneRoute>` or `<bypassZoneRoute>` in `zone`. A bypass may connect zones at any depth. */
  endZoneRoute(element: XmlElement, zone: WrittenZone): void {
    const isBypass = element.name.startsWith('bypass');
    const source = this.#zone(element, 'src');
    const target = this.#zone(element, 'dst');
    const leave = this.#point(element, 'gw_src');
    const enter = this.#point(element, 'gw_dst');
    if (source === undefined || target === undefined || leave === undefined || enter === undefined) return;
    for (const [inner, gateway] of [
      [source, leave],
      [target, enter],
    ] as const) {
      let message: string | undefined;
      if (inner === zone)
        message = `zone ${quote(inner.name)} contains this route: expected zones inside it${this.#zonesIn(zone)}`;
      else if (!isBypass && inner.parent !== zone)
        message = `zone ${quote(inner.name)} is not directly in ${quote(zone.name)}${this.#zonesIn(zone)}`;
      else if (!liesIn(inner.point, zone))
        message = `zone ${quote(inner.name)} is not in ${quote(zone.name)}${this.#zonesIn(zone)}`;
      else if (!liesIn(gateway, inner))
        message = `gateway ${quote(gateway.name)} is not in ${quote(inner.name)}, but in ${quote(gateway.zone?.name ?? '')}${this.#pointsIn(inner)}`;
      if (message === undefined) continue;
      this.#wrong(message, element);
      return;
    }
    if (source === target) this.#wrong(`a zoneRoute from zone ${quote(source.name)} to itself`, element);
    else this.#connect(element, zone, source.point, target.point, { source: leave, target: enter });
  }

  #connect(
    element: XmlElement,
    zone: WrittenZone,
    source: NetPoint,
    target: NetPoint,
    gateways: Gateways | undefined,
  ): void {
    const symmetrical = this.#draft.choice(element, 'symmetrical', ['YES', 'yes', 'NO', 'no']);
    if (!this.#sound || symmetrical === undefined) return;
    const steps = this.#steps;
    if (steps.length === 0) {
      this.#wrong(`the route from ${quote(source.name)} to ${quote(target.name)} has no links`, element);
      return;
    }
    const links = steps.map((step) => step.there);
    if (element.name.startsWith('bypass')) {
      if (!zone.addBypass(source, target, gateways === undefined ? { links } : { links, gateways }))
        this.#draft.problems.add(
          'PLAT008',
          `duplicate bypass from ${quote(source.name)} to ${quote(target.name)}`,
          element.place,
        );
      return;
    }
    if (zone instanceof StarZone && source === target && gateways === undefined) {
      zone.setLoopback(source.at, links);
      return;
    }
    if (!(zone instanceof RoutedZone)) {
      this.#wrong(
        `zone ${quote(zone.name)} takes no routes: expected a zone of routing Full, Floyd or Dijkstra`,
        element,
      );
      return;
    }
    if (!zone.addRoute(source, target, gateways === undefined ? { links } : { links, gateways })) {
      this.#known(source, target, element);
      return;
    }
    if (symmetrical.toUpperCase() === 'NO' || source === target) return;
    const back = steps.map((step) => step.back).reverse();
    const turned = gateways && { source: gateways.target, target: gateways.source };
    if (!zone.addRoute(target, source, turned === undefined ? { links: back } : { links: back, gateways: turned })) {
      this.#known(target, source, element);
    }
  }

  #known(source: NetPoint, target: NetPoint, element: XmlElement): void {
    const message = `duplicate route from ${quote(source.name)} to ${quote(target.name)}`;
    const hint = '(routes are symmetrical unless symmetrical="NO")';
    this.#draft.problems.add('PLAT008', `${message} ${hint}`, element.place);
  }

  /** The zones directly in a zone, for messages. */
  #zonesIn(zone: Zone): string {
    return listed([...this.#draft.zoneByName.values()].filter(({ parent }) => parent === zone));
  }

  /** Hosts and routers of a zone, for messages. */
  #pointsIn(zone: Zone): string {
    const found: NetPoint[] = [];
    for (const point of this.#draft.pointByName.values())
      if (found.length <= MAX_LISTED && liesIn(point, zone)) found.push(point);
    return listed(found);
  }

  #point(element: XmlElement, attribute: string): NetPoint | undefined {
    return this.#named(element, attribute, 'host or router', this.#draft.pointByName);
  }

  #zone(element: XmlElement, attribute: string): Zone | undefined {
    return this.#named(element, attribute, 'zone', this.#draft.zoneByName);
  }

  #named<T>(element: XmlElement, attribute: string, kind: string, known: ReadonlyMap<string, T>): T | undefined {
    const name = element.attributes[attribute];
    if (name === undefined) return undefined;
    const found = known.get(name);
    if (found === undefined && !this.#draft.incomplete) {
      const help = suggest(name, known.keys(), known.size);
      this.#wrong(`${attribute}: unknown ${kind} ${quote(name)}.${help}`, element);
    }
    return found;
  }

  #wrong(message: string, element: XmlElement): void {
    this.#sound = false;
    this.#draft.problems.add('PLAT012', message, element.place);
  }
}

/** Maximum number of names in a message. */
const MAX_LISTED = 4;

const listed = (parts: readonly { readonly name: string }[]): string =>
  parts.length === 0
    ? ''
    : `; ${parts
        .slice(0, MAX_LISTED)
        .map(({ name }) => quote(name))
        .join(', ')}${parts.length > MAX_LISTED ? ', …' : ''} ${parts.length === 1 ? 'is' : 'are'}`;

function liesIn(point: NetPoint, zone: Zone): boolean {
  for (let at: Zone | undefined = point.zone; at !== undefined; at = at.parent) if (at === zone) return true;
  return false;
}
