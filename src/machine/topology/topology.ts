import { amount, count, type Form, list, type Member, required } from '../../base/form.ts';
import type { Rate, Time } from '../../base/units.ts';
import { type Link, MAX_HOSTS, type Transport } from '../platform.ts';
import type { NetPoint, Zone } from './zones/zone.ts';

/** A node as its network sees it; in a topology with equal cables, all have the same `link`. */
export interface Ends {
  readonly name: string;
  readonly link: Transport;
}

/** Why a network does not fit, and the member that is wrong (absent: several together). */
export interface Misfit {
  readonly message: string;
  readonly member?: string;
}

/** Members of a machine file that are read as `W`. */
type MembersOf<W> = {
  readonly [K in keyof W]-?: Member<Exclude<W[K], undefined>, undefined extends W[K] ? false : true>;
};

/**
 * A topology of the network between nodes. Each has its own file. Links are numbered from 0 in the order of `links`.
 *
 * `N` is a network of this topology, `W` a network as read, without defaults, and `G` as given, with units.
 */
export interface Topology<N, W = N, G = W> {
  /** In messages: `a torus`. */
  readonly what: string;
  readonly members: MembersOf<W>;
  /** True if all cables are equal, so that groups cannot have different links. */
  readonly equalCables: boolean;
  /** Why the network does not connect this number of nodes, or those of these names; absent if it connects any. */
  misfit?(network: N, nodes: number, names: () => readonly string[]): Misfit | undefined;
  /** A network of this number of nodes, for random machines; undefined if the topology has none of this size. */
  example(nodes: number, link: Transport, names: readonly string[]): G | undefined;
  /** Number of links, computed without creating them. */
  linkCount(network: N, nodes: number): number;
  links(network: N, nodes: readonly Ends[]): Iterable<Link>;
  /** The links of a message from one node to another, in the order of travel. */
  route(network: N, nodes: readonly Ends[]): (from: number, to: number) => readonly number[];
}

/** The two directions of a cable. */
export function cable(name: string, { latency, bandwidth }: Transport): [up: Link, down: Link] {
  const link = (direction: 'up' | 'down'): Link => ({
    name: `${name}.${direction}`,
    latency,
    bandwidth,
    fatpipe: false,
  });
  return [link('up'), link('down')];
}

/** Routes between the hosts of a zone; for zones that have a route between any two. */
export function routesOf(zone: Zone): (from: number, to: number) => readonly number[] {
  const point = (at: number): NetPoint => ({ name: '', kind: 'host', zone, at, host: at });
  return (from, to) => {
    const route = zone.localRoute(point(from), point(to));
    if (typeof route === 'string') throw new Error(route);
    return route.links;
  };
}

/** The cable of each node to its switch. */
export function* nodeCables(nodes: readonly Ends[]): Generator<Link> {
  for (const { name, link } of nodes) yield* cable(name, link);
}

/** Latency and bandwidth of a connection: SI numbers, or strings with units. */
export interface TransportOptions {
  /** Time to cross the connection: seconds, or `'1.5us'`. */
  readonly latency: Time;
  /** Bytes per second, or `'12.5GB/s'`, `'100Gb/s'`. */
  readonly bandwidth: Rate;
}

export const transportMembers = {
  latency: required(amount('time', 'zero', 'Latency: seconds, or with a unit, "1.5us".'), '1us'),
  bandwidth: required(amount('rate', 'positive', 'Bytes per second, or with a unit: "12.5GB/s", "100Gb/s".'), '10GB/s'),
};

/** Maximum number of levels of a fat tree and of dimensions of a torus. */
const MAX_LEVELS = 16;

/** One number for each level or dimension. */
export const levels = (description: string): Form<readonly number[]> =>
  list(count(MAX_HOSTS, 'An integer from 1.'), 1, MAX_LEVELS, description);

export const product = (numbers: readonly number[]): number => numbers.reduce((a, b) => a * b, 1);

/** `2 × 3 = 6 places for 4 nodes: …`, with the number of nodes that fits. */
export function placesText(numbers: readonly number[], places: number, nodes: number): string {
  const factors = numbers.length === 1 ? '' : `${numbers.join(' × ')} = `;
  return `${factors}${places} places for ${nodes} nodes: give ${places} nodes in all, or other numbers here`;
}

/** The misfit of a network whose number of places is the product of a member; undefined if there is a place for each node. */
export function placesMisfit(member: string, numbers: readonly number[], nodes: number): Misfit | undefined {
  const places = product(numbers);
  if (places === nodes) return undefined;
  return { message: placesText(numbers, places, nodes), member };
}
