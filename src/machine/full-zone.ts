import type { LocalRoute, NetPoint, Zone } from './zone.ts';

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
