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
  /** Vivaldi coordinates: two of a plane and a height, in milliseconds. */
  readonly coordinates?: Coordinates;
}

export type Coordinates = readonly [x: number, y: number, height: number];

/** The points where a route leaves the zone of its source and enters the zone of its target. */
export interface Gateways {
  readonly source: NetPoint;
  readonly target: NetPoint;
}

/** A route through one zone. Between sub-zones it has the gateways where it leaves the source zone and enters the target zone. */
export interface LocalRoute {
  readonly links: readonly number[];
  readonly gateways?: Gateways;
  /** Latency in seconds beyond that of the links; absent: 0. */
  readonly delay?: number;
  /** The link that SimGrid lists first. Absent: the first one of the way. */
  readonly first?: number;
}

/** A part of the network with its own routing (SimGrid's NetZone). */
export interface Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  /** The point that represents this zone in its parent. */
  readonly point: NetPoint;
  /** Routes that replace those of the zone. */
  readonly bypasses?: Bypasses | undefined;
  /** The route between two points directly in this zone, or a message that explains why no route exists. */
  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string;
}

/** A route between any two hosts: links, and latency beyond theirs in seconds. */
export interface WholeRoute {
  readonly links: readonly number[];
  readonly delay: number;
  readonly first: number | undefined;
}

/** Routes by their ends, which are hosts, routers or zones. */
export class Bypasses {
  readonly #routes = new Map<NetPoint, Map<NetPoint, LocalRoute>>();

  /** Adds a route; false if there is one already. */
  add(source: NetPoint, target: NetPoint, route: LocalRoute): boolean {
    let row = this.#routes.get(source);
    if (row === undefined) {
      row = new Map();
      this.#routes.set(source, row);
    }
    if (row.has(target)) return false;
    row.set(target, route);
    return true;
  }

  of(source: NetPoint, target: NetPoint): LocalRoute | undefined {
    return this.#routes.get(source)?.get(target);
  }
}

/**
 * The links from one point to another: the route through their common zone and, recursively, the routes to and from the
 * gateways of its sub-zones. A bypass of the common zone replaces that route. As in SimGrid's
 * `NetZoneImpl::get_global_route`.
 *
 * @returns the route, or a message that explains why no route exists
 * @complexity linear in the length of the route and quadratic in the depth of the zones
 */
export function globalRoute(source: NetPoint, target: NetPoint): WholeRoute | string {
  const route = new RouteInProgress();
  const problem = route.append(source, target);
  return problem ?? route;
}

/** Terminates because a gateway lies inside the sub-zone that it connects: each recursive call is at least one zone deeper. */
class RouteInProgress implements WholeRoute {
  readonly links: number[] = [];
  delay = 0;
  first: number | undefined;

  /** Appends the route between two points; returns a message if no route exists. */
  append(source: NetPoint, target: NetPoint): string | undefined {
    let up = source;
    let down = target;
    const above: NetPoint[] = [];
    const below: NetPoint[] = [];
    while (up.zone !== down.zone) {
      const upDepth = up.zone?.depth ?? -1;
      const downDepth = down.zone?.depth ?? -1;
      if (upDepth >= downDepth) {
        up = up.zone!.point;
        above.push(up);
      }
      if (downDepth >= upDepth) {
        down = down.zone!.point;
        below.push(down);
      }
    }
    const zone = up.zone;
    if (zone === undefined) return `${source.name} and ${target.name} have no common zone.`;
    const isInZone = up === source && down === target;
    const bypass =
      zone.bypasses && (isInZone ? zone.bypasses.of(source, target) : nearestBypass(zone.bypasses, above, below));
    if (isInZone) {
      const local = bypass ?? zone.localRoute(up, down);
      if (typeof local === 'string') return local;
      // SimGrid puts these links in front of those that the message crosses earlier.
      if (local.first !== undefined) this.first = local.first;
      this.#take(local);
      return undefined;
    }
    if (bypass?.gateways !== undefined) return this.#through(source, bypass, bypass.gateways, target, true);
    const local = zone.localRoute(up, down);
    if (typeof local === 'string') return local;
    const { gateways } = local;
    if (gateways === undefined)
      return `the route from ${up.name} to ${down.name} in zone ${zone.name} has no gateways.`;
    return this.#through(source, local, gateways, target, false);
  }

  /** As in SimGrid, a bypass also crosses the loopback link of a host that is its gateway. */
  #through(
    source: NetPoint,
    local: LocalRoute,
    gateways: Gateways,
    target: NetPoint,
    isBypass: boolean,
  ): string | undefined {
    if (gateways.source !== source || isBypass) {
      const problem = this.append(source, gateways.source);
      if (problem !== undefined) return problem;
    }
    this.#take(local);
    if (gateways.target === target && !isBypass) return undefined;
    return this.append(gateways.target, target);
  }

  #take({ links, delay = 0, first }: LocalRoute): void {
    if (this.links.length === 0 && first !== undefined) this.first ??= first;
    for (const link of links) this.links.push(link);
    this.delay += delay;
  }
}

/** The bypass between the zones of source and target that are nearest to them; zones in ascending order of their distance. */
function nearestBypass(
  bypasses: Bypasses,
  above: readonly NetPoint[],
  below: readonly NetPoint[],
): LocalRoute | undefined {
  const at = (i: number, j: number): LocalRoute | undefined =>
    i < above.length && j < below.length ? bypasses.of(above[i]!, below[j]!) : undefined;
  for (let max = 0; max < Math.max(above.length, below.length); max++) {
    for (let i = 0; i < max; i++) {
      const found = at(i, max) ?? at(max, i);
      if (found !== undefined) return found;
    }
    const found = at(max, max);
    if (found !== undefined) return found;
  }
  return undefined;
}
