import { required, usually } from '../../base/form.ts';
import { cablesOf, type FatTreeShape, nodesOfLevel, shapeFault } from './fat-tree-shape.ts';
import { cable, type Ends, levels, placesMisfit, routesOf, type Topology } from './topology.ts';
import { FatTreeZone } from './zones/fat-tree-zone.ts';

/** `cables` are 1 by default. */
type Written = Omit<FatTreeShape, 'cables'> & Partial<FatTreeShape>;

/** A fat tree with D-mod-k routing. */
export const fatTree: Topology<FatTreeShape, Written> = {
  what: 'a fat tree',
  members: {
    down: required(levels('Children of a switch, level by level from the nodes up.')),
    up: required(levels('Parents of a node or switch, level by level.')),
    cables: usually(
      ({ down }: Written) => down.map(() => 1),
      levels('Parallel cables to each parent, level by level; default 1.'),
    ),
  },
  equalCables: true,
  misfit(shape, nodes) {
    const message = shapeFault(shape);
    return message === undefined ? placesMisfit('down', shape.down, nodes) : { message };
  },
  example: (nodes) => ({ down: [nodes], up: [1] }),
  linkCount: (shape) =>
    shape.up.reduce((sum, up, level) => sum + 2 * nodesOfLevel(shape, level) * up * shape.cables[level]!, 0),
  *links(shape, nodes) {
    for (const name of cableNames(shape, nodes)) yield* cable(name, nodes[0]!.link);
  },
  route(shape) {
    const links = { firstCable: 0, perCable: 2, firstLoopback: -1, firstLimiter: -1 } as const;
    return routesOf(new FatTreeZone({ name: 'fat-tree', parent: undefined, at: 0 }, shape, links, 0));
  },
};

/** Names of the cables: `LOWER-UPPER`, with a number appended from the second parallel cable on. */
function* cableNames(shape: FatTreeShape, nodes: readonly Ends[]): Generator<string> {
  const n = nodes.length;
  const switchName = (id: number): string => `switch${2 * n - 1 - id}`;
  let left = n * shape.up[0]! * shape.cables[0]!;
  let before = '';
  let number = 0;
  for (const { lower, upper } of cablesOf(shape)) {
    const both = `${left-- > 0 ? nodes[lower]!.name : switchName(lower)}-${switchName(upper)}`;
    number = both === before ? number + 1 : 0;
    before = both;
    yield number === 0 ? both : `${both}.${number}`;
  }
}
