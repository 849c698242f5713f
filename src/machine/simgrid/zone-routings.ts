import { DijkstraZone, FloydZone } from '../topology/zones/shortest-path-zone.ts';
import { StarZone, VivaldiZone } from '../topology/zones/star-zone.ts';
import { EmptyZone, FullZone, type WrittenZone } from '../topology/zones/written-zone.ts';

/** Creates a zone; `loopback` is the index of the platform's default loopback link. */
type NewZone = (name: string, parent: WrittenZone | undefined, loopback: number) => WrittenZone;

export const newFull: NewZone = (...given) => new FullZone(...given);

/** SimGrid's values of `routing`, which are compared without regard to case. */
const BY_NAME: Readonly<Record<string, NewZone>> = {
  Full: newFull,
  Floyd: (...given) => new FloydZone(...given),
  Dijkstra: (...given) => new DijkstraZone(...given),
  DijkstraCache: (...given) => new DijkstraZone(...given),
  Cluster: (name, parent) => new StarZone(name, parent),
  Vivaldi: (name, parent) => new VivaldiZone(name, parent),
  None: (name, parent) => new EmptyZone(name, parent),
};

export const ROUTINGS: ReadonlyMap<string, NewZone> = new Map(
  Object.entries(BY_NAME).map(([name, create]) => [name.toLowerCase(), create]),
);

/** For messages. */
export const ROUTING_NAMES: string = Object.keys(BY_NAME).join(', ');
