import { count, fraction, list, object, required, text, usually } from '../../base/form.ts';
import { didYouMean, quote } from '../../base/problem.ts';
import { MAX_HOSTS, MAX_LINKS } from '../platform.ts';
import { cable, type Misfit, routesOf, type Topology } from './topology.ts';
import { DijkstraZone } from './zones/shortest-path-zone.ts';
import type { NetPoint } from './zones/zone.ts';

/** Nodes and switches, joined by cables. A node passes messages on, too, as in a torus. */
export interface Graph {
  readonly cables: readonly GraphCable[];
}

/** A cable between two nodes or switches. A name that no node has is that of a switch. */
export interface GraphCable {
  readonly between: readonly string[];
  /** Factor on the bandwidth of the machine's `link`. */
  readonly wires: number;
  /** Factor on the latency of the machine's `link`. */
  readonly length: number;
}

/** `wires` and `length` are 1 by default. */
type Written = {
  readonly cables: readonly (Pick<GraphCable, 'between'> & Partial<GraphCable>)[];
};

/** Link names have this sign between two points. */
const NAME = { pattern: '^[^/\\s]+$', words: 'a name without spaces and /' };
const MAX_LENGTH = 1e9;

const cableForm = object('the cable', {
  between: required(list(text('A node, such as node0, or a switch of any other name.', NAME), 2, 2, 'Both ends.')),
  wires: usually(1, count(MAX_HOSTS, 'Factor on the bandwidth of `link`; default 1.')),
  length: usually(1, fraction(MAX_LENGTH, 'Factor on the latency of `link`; default 1.')),
});

/** Any graph of cables. Routes cross the fewest cables; equal ones are decided as in a SimGrid zone of routing Dijkstra. */
export const graph: Topology<Graph, Written> = {
  what: 'a graph',
  members: {
    cables: required(list(cableForm, 1, MAX_LINKS / 2, 'Cables between nodes and switches, both directions each.')),
  } as Topology<Graph, Written>['members'],
  equalCables: true,
  misfit: ({ cables }, nodes, names) => (nodes === 1 ? undefined : cableFault(cables, names())),
  example: (_, __, names) => {
    const ring = names.map((name, k) => ({ between: [name, names[(k + 1) % names.length]!], length: 2 }));
    if (names.length > 3) return { cables: ring };
    return { cables: names.map((name) => ({ between: [name, 'switch'], wires: 2 })) };
  },
  linkCount: ({ cables }) => 2 * cables.length,
  *links({ cables }, nodes) {
    const { latency, bandwidth } = nodes[0]!.link;
    for (const { between, wires, length } of cables)
      yield* cable(between.join('/'), { latency: latency * length, bandwidth: bandwidth * wires });
  },
  route({ cables }, nodes) {
    const zone = new DijkstraZone('graph', undefined, -1);
    const points = new Map<string, NetPoint>();
    const add = (name: string): NetPoint => {
      const at = points.size;
      const point: NetPoint = { name, kind: at < nodes.length ? 'host' : 'router', zone, at };
      zone.points.push(point);
      points.set(name, point);
      return point;
    };
    for (const { name } of nodes) add(name);
    cables.forEach(({ between }, k) => {
      const [a, b] = between.map((name) => points.get(name) ?? add(name)) as [NetPoint, NetPoint];
      zone.addRoute(a, b, { links: [2 * k] });
      zone.addRoute(b, a, { links: [2 * k + 1] });
    });
    return routesOf(zone);
  },
};

/** Why cables do not join these nodes. */
function cableFault(cables: readonly GraphCable[], nodes: readonly string[]): Misfit | undefined {
  const member = 'cables';
  const neighbours = new Map<string, Set<string>>(nodes.map((name) => [name, new Set()]));
  const of = (name: string): Set<string> => {
    const known = neighbours.get(name);
    if (known !== undefined) return known;
    const made = new Set<string>();
    neighbours.set(name, made);
    return made;
  };
  for (const { between } of cables) {
    const [a, b] = between as readonly [string, string];
    if (a === b) return { message: `a cable from ${quote(a)} to itself joins nothing`, member };
    if (of(a).has(b))
      return { message: `two cables join ${quote(a)} and ${quote(b)}: write one with wires: 2`, member };
    of(a).add(b);
    of(b).add(a);
  }
  const isNode = new Set(nodes);
  for (const [name, { size }] of neighbours) {
    if (isNode.has(name) && size === 0) return { message: `node ${quote(name)} has no cable`, member };
    if (!isNode.has(name) && size === 1)
      return {
        message: `switch ${quote(name)} has one cable: expected two or more.${didYouMean(name, nodes)}`,
        member,
      };
  }
  const reached = new Set([nodes[0]!]);
  for (const name of reached) for (const next of neighbours.get(name)!) reached.add(next);
  const apart = nodes.find((name) => !reached.has(name));
  if (apart === undefined) return undefined;
  return { message: `no path of cables joins ${quote(nodes[0]!)} and ${quote(apart)}`, member };
}
