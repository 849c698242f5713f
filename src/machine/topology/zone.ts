/** A point of the network at which routes begin or end, or through which they pass. */
export interface NetPoint {
  readonly name: string;
  readonly kind: 'host' | 'router' | 'zone';
  /** The zone that contains it; undefined for the root zone. */
  readonly zone: Zone | undefined;
  /** Its number among the points of its zone. */
  readonly at: number;
  /** Index into the platform's hosts, if it is a host. */
  readonly host?: number;
}

/** A route through one zone. Between sub-zones it has the gateways where it leaves the source zone and enters the target zone. */
export interface LocalRoute {
  readonly links: readonly number[];
  readonly gateways?: { readonly source: NetPoint; readonly target: NetPoint };
}

/** A part of the network with its own routing (SimGrid's NetZone). */
export interface Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  /** The point that represents this zone in its parent. */
  readonly point: NetPoint;
  /** The route between two points directly in this zone, or a message that explains why no route exists. */
  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string;
}

/**
 * The links from one point to another: the route through their common zone and, recursively, the routes to and from the
 * gateways of its sub-zones. As in SimGrid's `NetZoneImpl::get_global_route`, without bypass routes.
 *
 * @returns the links, or a message that explains why there is no route
 * @complexity linear in the length of the route and the depth of the zones
 */
export function globalRoute(source: NetPoint, target: NetPoint): readonly number[] | string {
  const links: number[] = [];
  const problem = append(source, target, links);
  return problem ?? links;
}

/** Terminates because a gateway lies inside the sub-zone that it connects: each recursive call is at least one zone deeper. */
function append(source: NetPoint, target: NetPoint, links: number[]): string | undefined {
  let up = source;
  let down = target;
  while (up.zone !== down.zone) {
    const upDepth = up.zone?.depth ?? -1;
    const downDepth = down.zone?.depth ?? -1;
    if (upDepth >= downDepth) up = up.zone!.point;
    if (downDepth >= upDepth) down = down.zone!.point;
  }
  const zone = up.zone;
  if (zone === undefined) return `${source.name} and ${target.name} have no common zone.`;
  const local = zone.localRoute(up, down);
  if (typeof local === 'string') return local;
  if (up === source && down === target) {
    for (const link of local.links) links.push(link);
    return undefined;
  }
  const { gateways } = local;
  if (gateways === undefined) return `the route from ${up.name} to ${down.name} in zone ${zone.name} has no gateways.`;
  if (gateways.source !== source) {
    const problem = append(source, gateways.source, links);
    if (problem !== undefined) return problem;
  }
  for (const link of local.links) links.push(link);
  return gateways.target === target ? undefined : append(gateways.target, target, links);
}

/** Maximum number of routes listed in the message about a missing route. */
const LISTED = 8;

/**
 * A zone with explicit routes (SimGrid's routing="Full"). A host without a route to itself uses the platform's default
 * loopback link, provided that the zone contains no other zones.
 */
export class FullZone implements Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  readonly point: NetPoint;
  readonly points: NetPoint[] = [];
  readonly #routes = new Map<number, Map<number, LocalRoute>>();
  readonly #loopback: number;

  /** @param loopback index of the platform's default loopback link */
  constructor(name: string, parent: FullZone | undefined, loopback: number) {
    this.name = name;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.#loopback = loopback;
    this.point = { name, kind: 'zone', zone: parent, at: parent === undefined ? 0 : parent.points.length };
    parent?.points.push(this.point);
  }

  /** Adds the route from one point of this zone to another; false if there is one already. */
  addRoute(source: NetPoint, target: NetPoint, route: LocalRoute): boolean {
    let row = this.#routes.get(source.at);
    if (row === undefined) {
      row = new Map();
      this.#routes.set(source.at, row);
    }
    if (row.has(target.at)) return false;
    row.set(target.at, route);
    return true;
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    const row = this.#routes.get(source.at);
    const route = row?.get(target.at);
    if (route !== undefined) return route;
    if (source === target && source.kind !== 'zone') return { links: [this.#loopback] };
    const from = `${source.kind} ${source.name}`;
    const missing = `Zone ${this.name} has no route from ${from} to ${target.kind} ${target.name}`;
    const reached = [...(row?.keys() ?? [])].map((at) => this.points[at]!.name);
    const listed = reached.slice(0, LISTED).join(', ') + (reached.length > LISTED ? ', …' : '');
    return `${missing}; ${reached.length === 0 ? 'it has no routes from there.' : `routes from there lead to: ${listed}.`}`;
  }
}
