import { count, list, required, usually } from '../../base/form.ts';
import { MAX_HOSTS } from '../platform.ts';
import { cable, placesText, routesOf, type Topology } from './topology.ts';
import { DragonflyCables, type DragonflyShape, DragonflyZone, dragonflyCableCount } from './zones/dragonfly-zone.ts';

/** Groups of chassis of blades; each blade has one router. */
export interface Dragonfly {
  readonly groups: number;
  /** Chassis per group. */
  readonly chassis: number;
  /** Blades per chassis. */
  readonly blades: number;
  /** Nodes per blade. */
  readonly perBlade: number;
  /** Wires of a cable between two groups, between two chassis of a group (for each blade), and between two blades of a chassis. */
  readonly wires: readonly number[];
}

/** `wires` are 1 by default. */
type Written = Omit<Dragonfly, 'wires'> & Partial<Dragonfly>;

const parts = (description: string) => required(count(MAX_HOSTS, description));

/** A dragonfly with minimal routing, as SimGrid routes it. */
export const dragonfly: Topology<Dragonfly, Written> = {
  what: 'a dragonfly',
  members: {
    groups: parts('Groups; blade n of a chassis leads to group n, so at most as many as blades.'),
    chassis: parts('Chassis per group.'),
    blades: parts('Blades per chassis, each with one router.'),
    perBlade: parts('Nodes per blade.'),
    wires: usually(
      () => [1, 1, 1],
      list(
        count(MAX_HOSTS, 'An integer from 1.'),
        3,
        3,
        'Wires between two groups, two chassis, two blades: factors on the bandwidth of `link`; default 1.',
      ),
    ),
  },
  equalCables: true,
  misfit({ groups, chassis, blades, perBlade }, nodes) {
    const places = groups * chassis * blades * perBlade;
    if (places !== nodes) return { message: placesText([groups, chassis, blades, perBlade], places, nodes) };
    if (groups > blades)
      return {
        message: `blade n of a chassis leads to group n: at most ${blades} ${blades === 1 ? 'group' : 'groups'}, as many as blades, got ${groups}`,
        member: 'groups',
      };
    return undefined;
  },
  example: (nodes) =>
    nodes % 8 === 0
      ? { groups: 2, chassis: 2, blades: 2, perBlade: nodes / 8, wires: [2, 1, 3] }
      : { groups: 1, chassis: 1, blades: nodes, perBlade: 1 },
  linkCount: (network) => 2 * dragonflyCableCount(shapeOf(network)),
  *links(network, nodes) {
    const { link } = nodes[0]!;
    const cables = cablesOf(network);
    const local = nodes.length;
    for (let k = 0; k < cables.count; k++) {
      const name = k < local ? nodes[k]!.name : cables.name(k);
      yield* cable(name, { latency: link.latency, bandwidth: link.bandwidth * cables.wires(k) });
    }
  },
  route(network) {
    const shape = shapeOf(network);
    const links = { firstLoopback: -1, firstLimiter: -1 };
    return routesOf(
      new DragonflyZone({ name: 'dragonfly', parent: undefined, at: 0 }, shape, cablesOf(network), links),
    );
  },
};

function shapeOf({ groups, chassis, blades, perBlade, wires }: Dragonfly): DragonflyShape {
  const [blue, black, green] = wires as readonly [number, number, number];
  return { groups, blue, chassis, black, blades, green, nodes: perBlade };
}

/** The cables as in a SimGrid platform, each with two directions. */
const cablesOf = (network: Dragonfly): DragonflyCables =>
  new DragonflyCables(shapeOf(network), { bandwidth: 1, latency: 0, split: true, firstLink: 0, firstNumber: 0 });

/** The network of a shape of a SimGrid platform. */
export const dragonflyOf = ({ groups, blue, chassis, black, blades, green, nodes }: DragonflyShape): Dragonfly => ({
  groups,
  chassis,
  blades,
  perBlade: nodes,
  wires: [blue, black, green],
});
