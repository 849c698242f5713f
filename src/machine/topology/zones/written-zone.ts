import { Bypasses, type LocalRoute, type NetPoint, type Zone } from './zone.ts';

/** Maximum number of routes listed in the message about a missing route. */
const LISTED = 8;

/** A zone whose points, and the routes between them, are written in the platform file. */
export abstract class WrittenZone implements Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  readonly point: NetPoint;
  readonly points: NetPoint[] = [];
  #bypasses: Bypasses | undefined;

  constructor(name: string, parent: WrittenZone | undefined) {
    this.name = name;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.point = { name, kind: 'zone', zone: parent, at: parent === undefined ? 0 : parent.points.length };
    parent?.points.push(this.point);
  }

  get bypasses(): Bypasses | undefined {
    return this.#bypasses;
  }

  /** Adds a route that replaces that of the zone; false if there is one already. */
  addBypass(source: NetPoint, target: NetPoint, route: LocalRoute): boolean {
    this.#bypasses ??= new Bypasses();
    return this.#bypasses.add(source, target, route);
  }

  abstract localRoute(source: NetPoint, target: NetPoint): LocalRoute | string;
}

/** A zone of SimGrid's routing None: it connects nothing. */
export class EmptyZone extends WrittenZone {
  localRoute(source: NetPoint, target: NetPoint): string {
    return `Zone ${this.name} of routing None connects no points, and ${source.name} and ${target.name} are in it.`;
  }
}

/** A zone with written routes; its subclasses say which of them lead from one point to another. */
export abstract class RoutedZone extends WrittenZone {
  /** Routes by the numbers of their ends, in the order of the file. */
  protected readonly routes: Map<number, Map<number, LocalRoute>> = new Map();
  readonly #loopback: number;

  /** @param loopback index of the platform's default loopback link */
  constructor(name: string, parent: WrittenZone | undefined, loopback: number) {
    super(name, parent);
    this.#loopback = loopback;
  }

  /** Adds the route from one point of this zone to another; false if there is one already. */
  addRoute(source: NetPoint, target: NetPoint, route: LocalRoute): boolean {
    let row = this.routes.get(source.at);
    if (row === undefined) {
      row = new Map();
      this.routes.set(source.at, row);
    }
    if (row.has(target.at)) return false;
    row.set(target.at, route);
    return true;
  }

  /** The written route; for a point without route to itself the default loopback link, provided that it is no zone. */
  protected written(source: NetPoint, target: NetPoint): LocalRoute | undefined {
    const route = this.routes.get(source.at)?.get(target.at);
    if (route !== undefined || source !== target || source.kind === 'zone') return route;
    return { links: [this.#loopback] };
  }

  /** The message about a missing route. */
  protected missing(source: NetPoint, target: NetPoint): string {
    const from = `${source.kind} ${source.name}`;
    const missing = `Zone ${this.name} has no route from ${from} to ${target.kind} ${target.name}`;
    const reached = [...(this.routes.get(source.at)?.keys() ?? [])].map((at) => this.points[at]!.name);
    const listed = reached.slice(0, LISTED).join(', ') + (reached.length > LISTED ? ', …' : '');
    const back = this.routes.get(target.at)?.has(source.at) === true;
    const oneWay = back ? ' The route back is written with symmetrical="NO".' : '';
    return `${missing}; ${reached.length === 0 ? 'it has no routes from there.' : `routes from there lead to: ${listed}.`}${oneWay}`;
  }
}

/** A zone in which only written routes exist (SimGrid's routing="Full"). */
export class FullZone extends RoutedZone {
  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    return this.written(source, target) ?? this.missing(source, target);
  }
}
