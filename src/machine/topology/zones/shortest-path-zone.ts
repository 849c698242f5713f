import { RoutedZone } from './written-zone.ts';
import { globalRoute, type LocalRoute, type NetPoint } from './zone.ts';

/** Predecessors of all points on the shortest paths from one point; −1: not reached. */
type Predecessors = Int32Array;

/**
 * A zone in which a route is a path of written routes with the fewest links. Between the zones of a zone, a path also
 * crosses each zone that it visits, from gateway to gateway.
 */
abstract class ShortestPathZone extends RoutedZone {
  /** Predecessors of all points on paths from `source`. */
  protected abstract predecessors(source: NetPoint): Predecessors;

  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    if (source === target && source.kind === 'zone') return this.missing(source, target);
    const before = this.predecessors(source);
    const path: LocalRoute[] = [];
    let at = target.at;
    do {
      const from = before[at]!;
      if (from < 0) return this.missing(source, target);
      path.push(this.written(this.points[from]!, this.points[at]!)!);
      at = from;
    } while (at !== source.at);
    const route = joined(path.reverse());
    return typeof route === 'string' ? route : this.listed(route, path[0]!);
  }

  /** The route with the link that SimGrid lists first, where it is not the first link of the way. */
  protected listed(route: LocalRoute, _start: LocalRoute): LocalRoute {
    return route;
  }
}

/** One route along a path of routes. */
function joined(path: readonly LocalRoute[]): LocalRoute | string {
  if (path.length === 1) return path[0]!;
  const links: number[] = [];
  let delay = 0;
  let entered: NetPoint | undefined;
  for (const route of path) {
    const leaves = route.gateways?.source;
    if (entered !== undefined && leaves !== undefined && entered !== leaves) {
      const inner = globalRoute(entered, leaves);
      if (typeof inner === 'string') return inner;
      for (const link of inner.links) links.push(link);
      delay += inner.delay;
    }
    for (const link of route.links) links.push(link);
    delay += route.delay ?? 0;
    entered = route.gateways?.target;
  }
  const [source, target] = [path[0]!.gateways?.source, path.at(-1)!.gateways?.target];
  const gateways = source && target && { source, target };
  return { links, ...(delay === 0 ? {} : { delay }), ...(gateways === undefined ? {} : { gateways }) };
}

/** Maximum number of points of a zone of routing Floyd: its table takes time cubic in them, 3 to 7 s here. */
export const MAX_FLOYD: number = 1024;

const UNREACHED = 2 ** 30;

/**
 * SimGrid's routing="Floyd": the table of all shortest paths is computed when the first route is needed. Of equally short
 * paths the one found first is used, with intermediate points in the order of the file, as in SimGrid 3.32.
 *
 * Source: Floyd, Algorithm 97: shortest path, 1962.
 *
 * @complexity cubic in the points, once
 */
export class FloydZone extends ShortestPathZone {
  #rows: Predecessors[] | undefined;

  protected predecessors(source: NetPoint): Predecessors {
    this.#rows ??= this.#table();
    return this.#rows[source.at]!;
  }

  #table(): Predecessors[] {
    const n = this.points.length;
    const cost = Array.from({ length: n }, () => new Int32Array(n).fill(UNREACHED));
    const before = Array.from({ length: n }, () => new Int32Array(n).fill(-1));
    for (const [from, row] of this.routes) {
      for (const [to, { links }] of row) {
        cost[from]![to] = links.length;
        before[from]![to] = from;
      }
    }
    for (const [at, point] of this.points.entries()) {
      if (before[at]![at]! >= 0 || this.written(point, point) === undefined) continue;
      cost[at]![at] = 1;
      before[at]![at] = at;
    }
    for (let middle = 0; middle < n; middle++) {
      const [onward, last] = [cost[middle]!, before[middle]!];
      for (let from = 0; from < n; from++) {
        const [row, rowBefore] = [cost[from]!, before[from]!];
        const there = row[middle]!;
        if (there >= UNREACHED) continue;
        for (let to = 0; to < n; to++) {
          const through = there + onward[to]!;
          if (through >= row[to]!) continue;
          row[to] = through;
          rowBefore[to] = last[to]!;
        }
      }
    }
    return before;
  }
}

/** Maximum number of predecessors that are kept. */
const KEPT = 2 ** 22;

/**
 * SimGrid's routing="Dijkstra" and "DijkstraCache", which have the same routes. Of equally short paths the one found first
 * is used: points are visited by their distance and then in the order in which the routes name them, as in SimGrid 3.32.
 *
 * Source: Dijkstra, A note on two problems in connexion with graphs, 1959.
 *
 * @complexity O((points + routes) · log points) for the first route from a point; linear in its length for later ones
 */
export class DijkstraZone extends ShortestPathZone {
  /** Points in the order in which routes name them. */
  readonly #named: number[] = [];
  readonly #order = new Map<number, number>();
  readonly #kept = new Map<number, Predecessors>();

  override addRoute(source: NetPoint, target: NetPoint, route: LocalRoute): boolean {
    for (const { at } of [source, target]) {
      if (this.#order.has(at)) continue;
      this.#order.set(at, this.#named.length);
      this.#named.push(at);
    }
    return super.addRoute(source, target, route);
  }

  override localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    if (source === target && source.kind !== 'zone') {
      const own = this.written(source, target)!;
      return this.listed(own, own);
    }
    return super.localRoute(source, target);
  }

  /** SimGrid puts the links of each written route in front of the list, one after the other. */
  protected override listed(route: LocalRoute, { links }: LocalRoute): LocalRoute {
    return links.length === 0 ? route : { ...route, first: links.at(-1)! };
  }

  protected predecessors(source: NetPoint): Predecessors {
    const known = this.#kept.get(source.at);
    if (known !== undefined) return known;
    const found = this.#search(source.at);
    if ((this.#kept.size + 1) * this.points.length > KEPT) this.#kept.clear();
    this.#kept.set(source.at, found);
    return found;
  }

  #search(source: number): Predecessors {
    const n = this.points.length;
    const before = new Int32Array(n).fill(-1);
    const cost = new Int32Array(n).fill(UNREACHED);
    const waiting = new CostHeap();
    cost[source] = 0;
    const start = this.#order.get(source);
    if (start !== undefined) waiting.push(0, start);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const at = this.#named[next.order]!;
      if (next.cost > cost[at]!) continue;
      for (const [to, { links }] of this.routes.get(at) ?? []) {
        const through = next.cost + links.length;
        if (through >= cost[to]!) continue;
        cost[to] = through;
        before[to] = at;
        waiting.push(through, this.#order.get(to)!);
      }
    }
    return before;
  }
}

interface Visit {
  readonly cost: number;
  readonly order: number;
}

/** Binary heap of visits; the smallest cost, then the smallest order, comes first. */
class CostHeap {
  readonly #items: Visit[] = [];

  push(cost: number, order: number): void {
    const items = this.#items;
    const visit = { cost, order };
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(visit, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = visit;
  }

  pop(): Visit | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
      if (!isBefore(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}

function isBefore(a: Visit, b: Visit): boolean {
  return a.cost < b.cost || (a.cost === b.cost && a.order < b.order);
}
