import type { Net } from '../net.ts';
import type { Arranger } from './svg.ts';
import { type DrawnNode, LINE } from './svg-content.ts';
import { type Box, type Layout, MARGIN, type PlacedArc, type Point, sizeOf } from './svg-layout.ts';

/** Positions of places and transitions in the drawing of a file, by name, in the file's units; y goes down. */
export interface NodePositions {
  readonly places: ReadonlyMap<string, Point>;
  readonly transitions: ReadonlyMap<string, Point>;
}

/** Largest factor by which a layout grows so that shapes do not touch; above it, nodes touch as in the file. */
const MAX_FACTOR = 4;
/** Least distance between shapes; one above the other, a name stands between them. */
const GAP = 8;
/** Distance between two arcs that join the same nodes. */
const BEND = 26;

/** True if every place and transition of a net has a distinct position. */
export function isPlaced(net: Net, { places, transitions }: NodePositions): boolean {
  const points = [
    ...net.places.map(({ name }) => places.get(name)),
    ...net.transitions.map(({ name }) => transitions.get(name)),
  ];
  const different = new Set(points.map((p) => (p === undefined ? '' : `${p.x} ${p.y}`)));
  return different.size === points.length && !different.has('');
}

/**
 * Positions of a file, larger by one factor so that shapes do not touch. Arcs are straight; several arcs between two nodes bend to both
 * sides. O(nodes² + arcs).
 */
export const keptLayout = (positions: NodePositions): Arranger => ({
  arrange: (content): Layout => {
    const given = new Map(content.nodes.map((n) => [n.id, givenAt(n, positions)]));
    const factor = factorOf(content.nodes, given);
    const boxes = content.nodes.map((n): Box => {
      const { x, y } = given.get(n.id)!;
      const { width, height, lower } = sizeOf(n);
      return { x: x * factor, y: y * factor, width, height: height + lower };
    });
    const left = Math.min(...boxes.map(({ x, width }) => x - width / 2)) - MARGIN;
    const top = Math.min(...boxes.map(({ y, height }) => y - height / 2)) - MARGIN;
    const placed = new Map(
      content.nodes.map((n, k) => [n.id, { ...boxes[k]!, x: boxes[k]!.x - left, y: boxes[k]!.y - top }]),
    );
    const all = [...placed.values()];
    const between = new Map<string, number>();
    const countOf = new Map<string, number>();
    for (const { from, to } of content.arcs) countOf.set(pairOf(from, to), (countOf.get(pairOf(from, to)) ?? 0) + 1);
    return {
      width: Math.max(...all.map(({ x, width }) => x + width / 2)) + MARGIN,
      height: Math.max(...all.map(({ y, height }) => y + height / 2)) + MARGIN,
      nodes: content.nodes.map((n) => {
        const box = placed.get(n.id)!;
        return { ...n, box, centre: { x: box.x, y: box.y } };
      }),
      arcs: content.arcs.map((arc): PlacedArc => {
        const key = pairOf(arc.from, arc.to);
        const index = between.get(key) ?? 0;
        between.set(key, index + 1);
        // Seen from the same end, so that arcs of both directions bend apart.
        const aside = (index - (countOf.get(key)! - 1) / 2) * BEND * (arc.from < arc.to ? 1 : -1);
        return { ...arc, bends: [], ...bent(placed.get(arc.from)!, placed.get(arc.to)!, aside) };
      }),
      modules: content.modules.map((name) => ({
        name,
        box: around(content.nodes.filter(({ module }) => module === name).map(({ id }) => placed.get(id)!)),
      })),
    };
  },
});

const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

const givenAt = ({ node }: DrawnNode, { places, transitions }: NodePositions): Point =>
  'place' in node ? places.get(node.place.name)! : transitions.get(node.transition.name)!;

/** The least factor with which no two shapes touch. */
function factorOf(nodes: readonly DrawnNode[], given: ReadonlyMap<string, Point>): number {
  let factor = 1;
  nodes.forEach((a, k) => {
    const at = given.get(a.id)!;
    for (const b of nodes.slice(k + 1)) {
      const to = given.get(b.id)!;
      const [dx, dy] = [Math.abs(at.x - to.x), Math.abs(at.y - to.y)];
      const [wide, high] = [halfOf(a).x + halfOf(b).x + GAP, halfOf(a).y + halfOf(b).y + GAP + LINE];
      // They are apart as soon as they are in one direction.
      const own = Math.min(
        dx === 0 ? Number.POSITIVE_INFINITY : wide / dx,
        dy === 0 ? Number.POSITIVE_INFINITY : high / dy,
      );
      factor = Math.max(factor, own);
    }
  });
  return Math.min(MAX_FACTOR, factor);
}

const halfOf = ({ shape }: DrawnNode): Point =>
  shape.kind === 'place' ? { x: shape.rx, y: shape.ry } : { x: shape.width / 2, y: shape.height / 2 };

/** A curve from centre to centre that is away from the straight line by a distance, and its middle. */
function bent(from: Point, to: Point, aside: number): Pick<PlacedArc, 'route' | 'label'> {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(dx, dy) || 1;
  // Three quarters of the distance of the control points is that of the curve.
  const [ox, oy] = [(-dy / far) * aside * (4 / 3), (dx / far) * aside * (4 / 3)];
  const on = (t: number): Point => ({ x: from.x + dx * t + ox, y: from.y + dy * t + oy });
  const middle = { x: from.x + dx / 2 + ox * 0.75, y: from.y + dy / 2 + oy * 0.75 };
  return { route: [from, on(1 / 3), on(2 / 3), to], label: middle };
}

/** The box around boxes, with a margin. */
function around(boxes: readonly Box[]): Box {
  const side = (of: (box: Box) => number, pick: (...values: number[]) => number): number => pick(...boxes.map(of));
  const left = side(({ x, width }) => x - width / 2, Math.min) - 10;
  const right = side(({ x, width }) => x + width / 2, Math.max) + 10;
  const top = side(({ y, height }) => y - height / 2, Math.min) - 10;
  const bottom = side(({ y, height }) => y + height / 2, Math.max) + 10;
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}
