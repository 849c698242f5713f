import { type Form, kinds, type Members, object, required, word } from '../../base/form.ts';
import type { Dimension } from '../../base/units.ts';
import type { Transport } from '../platform.ts';
import { backbone } from './backbone.ts';
import { crossbar } from './crossbar.ts';
import { type Dragonfly, dragonfly } from './dragonfly.ts';
import { fatTree } from './fat-tree.ts';
import type { FatTreeShape } from './fat-tree-shape.ts';
import { type Graph, graph } from './graph.ts';
import { type LogGopsNetwork, loggops } from './loggops.ts';
import type { Topology } from './topology.ts';
import { type Torus, torus } from './torus.ts';

/** All topologies, by their names in machine files. */
export const TOPOLOGIES = { crossbar, backbone, 'fat-tree': fatTree, torus, dragonfly, graph, loggops } satisfies {
  readonly [K in Kind]: Pick<Topology<Networks[K]>, 'linkCount' | 'links' | 'route'>;
};

/** Parameters of a network of each topology. */
export interface Networks {
  /** One switch that is never a bottleneck. */
  readonly crossbar: Readonly<Record<never, never>>;
  /** One switch with an internal bandwidth that all messages between nodes share. */
  readonly backbone: Transport;
  /** Switches in levels; D-mod-k routing. */
  readonly 'fat-tree': FatTreeShape;
  /** A grid of nodes, closed to a ring in each dimension; dimension-order routing. */
  readonly torus: Torus;
  /** Groups of chassis of blades, all joined directly; minimal routing. */
  readonly dragonfly: Dragonfly;
  /** Any nodes, switches and cables; shortest paths. */
  readonly graph: Graph;
  /** No links: messages take the times of LogGOPS. */
  readonly loggops: LogGopsNetwork;
}

type Kind = keyof Networks;
type GivenFor<K extends Kind> = NonNullable<ReturnType<(typeof TOPOLOGIES)[K]['example']>>;

/** Topology of the network between nodes. Every cable carries both directions at the same time. */
export type Network = { [K in Kind]: { readonly kind: K } & Networks[K] }[Kind];

/**
 * Topology of the network between nodes: as {@link Network}, with quantities as numbers or strings with units. `cables` of a
 * fat tree are 1 by default. A topology without members is also given as its name.
 */
export type NetworkOptions =
  | { [K in Kind]: { readonly kind: K } & GivenFor<K> }[Kind]
  | { [K in Kind]: object extends GivenFor<K> ? K : never }[Kind];

/** A topology as code sees it that follows its description. */
export type AnyTopology = Topology<unknown, unknown, Readonly<Record<string, unknown>>> & { readonly members: Members };

export const topologyOf = ({ kind }: { readonly kind: Kind }): AnyTopology =>
  TOPOLOGIES[kind] as unknown as AnyTopology;

export const NETWORK_KINDS = Object.keys(TOPOLOGIES) as (keyof typeof TOPOLOGIES)[];

/** The kinds of networks whose messages cross links. */
export const TOPOLOGY_NAMES = NETWORK_KINDS.filter((kind): kind is Exclude<Kind, 'loggops'> => kind !== 'loggops');

/** The form of a network. */
export const networkForm = kinds(
  'the network',
  Object.fromEntries(
    NETWORK_KINDS.map((kind) => {
      const { what, members } = topologyOf({ kind });
      return [kind, object(what, { kind: required(word(kind)), ...members })];
    }),
  ),
  NETWORK_KINDS.filter((kind) => Object.keys(TOPOLOGIES[kind].members).length === 0),
  'Topology between the nodes; default: crossbar.',
) as Form<{ readonly kind: Kind }>;

/** The members of a topology that are quantities, with their dimensions. */
export function quantitiesOf(kind: Kind): [name: string, dimension: Dimension][] {
  return Object.entries(topologyOf({ kind }).members).flatMap(([name, { form }]) =>
    form.kind === 'amount' ? [[name, form.dimension]] : [],
  );
}

/** A network of this topology for a number of nodes, with the default names `node0`, `node1`, …; a crossbar if none fits. */
export function exampleNetwork(
  kind: Kind,
  nodes: number,
  link: Transport,
  names: readonly string[] = Array.from({ length: nodes }, (_, k) => `node${k}`),
): NetworkOptions {
  const members = topologyOf({ kind }).example(nodes, link, names);
  return members === undefined ? 'crossbar' : ({ kind, ...members } as NetworkOptions);
}
