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
