import { type At, crossings, polyline } from './crossings.ts';
import { type ArcPath, type Bezier, corners, type Head, headsOf, moved, pathOf, samples } from './svg-curve.ts';
import type { Layout, PlacedArc, PlacedNode, Point } from './svg-layout.ts';
import { routedPath } from './svg-route.ts';

/** Intersection of an arc with the outline of a shape, and the outward direction there. */
interface End {
  readonly at: Point;
  readonly out: Point;
}

/** Number of crossings of the arcs of a layout, as they are drawn. O(arcs²). */
export function arcCrossings({ arcs, nodes }: Pick<Layout, 'arcs' | 'nodes'>): number {
  const paths = arcPaths(arcs, new Map(nodes.map((node) => [node.id, node])));
  return crossings(
    paths.map(({ parts }) => {
      const [first] = parts[0]!;
      return polyline([first, ...parts.flatMap(([, b, c, d]) => [b, c, d])].map(({ x, y }): At => [x, y]));
    }),
  );
}

/**
 * The curves of all arcs, from shape to shape through their bends. On one side of a transition, arcs are spread over
 * its height. At a place, arcs leave to the left or right, away from the name and the details below.
 */
export function arcPaths(arcs: readonly PlacedArc[], nodes: ReadonlyMap<string, PlacedNode>): ArcPath[] {
  if (arcs.some(({ route }) => route !== undefined))
    return arcs.map(({ kind, route, from, to }) => routedPath(kind, route!, nodes.get(from)!, nodes.get(to)!));
  const ports = portsOf(arcs, nodes);
  return arcs.map((arc, k) => {
    const from = endAt(nodes.get(arc.from)!, arc.bends[0]!, ports.get(`${k} from`)!);
    const to = endAt(nodes.get(arc.to)!, arc.bends.at(-1)!, ports.get(`${k} to`)!);
    /** The curve, shortened at the end by the length of the heads. */
    const drawn = (length: number, heads: readonly Head[]): ArcPath => {
      const begin = arc.kind === 'read' ? { ...from, at: moved(from.at, from.out, length) } : from;
      const parts = curve(begin, arc.bends, { ...to, at: moved(to.at, to.out, length) });
      const outlines = heads.flatMap((h) => (h.kind === 'triangle' ? h.points : corners(h.centre, h.radius)));
      return { path: pathOf(parts), parts, heads, extent: [...parts.flatMap(samples), ...outlines] };
    };
    const { length, heads } = headsOf(arc.kind, to.at, to.out);
    return drawn(length, [...heads, ...(arc.kind === 'read' ? headsOf('read', from.at, from.out).heads : [])]);
  });
}

/** Steepest direction in which arcs leave a place, and minimum distance between them, in radians. */
const STEEPEST = 0.65;
const MIN_ANGLE = 0.3;

/**
 * Port of each arc end. Transition: vertical offset from the centre, in the order of the arcs' directions. Place: angle
 * of departure, following the arc's direction but kept apart from the others.
 */
function portsOf(arcs: readonly PlacedArc[], nodes: ReadonlyMap<string, PlacedNode>): Map<string, number> {
  const sides = new Map<string, { readonly key: string; readonly node: PlacedNode; readonly slope: number }[]>();
  arcs.forEach((arc, k) => {
    for (const [which, id, next] of [
      ['from', arc.from, arc.bends[0]!],
      ['to', arc.to, arc.bends.at(-1)!],
    ] as const) {
      const node = nodes.get(id)!;
      const [dx, dy] = [next.x - node.centre.x, next.y - node.centre.y];
      const side = `${id} ${dx < 0 ? 'left' : 'right'}`;
      const list = sides.get(side) ?? [];
      list.push({ key: `${k} ${which}`, node, slope: Math.atan2(dy, Math.abs(dx)) });
      sides.set(side, list);
    }
  });
  const ports = new Map<string, number>();
  for (const list of sides.values()) {
    list.sort((a, b) => a.slope - b.slope);
    const { shape } = list[0]!.node;
    const last = list.length - 1;
    if (shape.kind === 'place') {
      const spacing = Math.min(MIN_ANGLE, (2 * STEEPEST) / Math.max(1, last));
      let next = -STEEPEST;
      list.forEach(({ key, slope }, k) => {
        next = Math.max(next, Math.min(slope, STEEPEST - (last - k) * spacing));
        ports.set(key, next);
        next += spacing;
      });
    } else {
      const spacing = Math.min(11, (shape.height - 8) / Math.max(1, last));
      list.forEach(({ key }, k) => {
        ports.set(key, (k - last / 2) * spacing);
      });
    }
  }
  return ports;
}

function endAt({ shape, centre }: PlacedNode, next: Point, port: number): End {
  const side = next.x < centre.x ? -1 : 1;
  if (shape.kind !== 'place')
    return { at: { x: centre.x + (side * shape.width) / 2, y: centre.y + port }, out: { x: side, y: 0 } };
  const out = { x: side * Math.cos(port), y: Math.sin(port) };
  return { at: moved(centre, out, 1 / Math.hypot(out.x / shape.rx, out.y / shape.ry)), out };
}

/**
 * A smooth SVG path. Between the ends, y is a monotone cubic function of x from bend to bend (Steffen, _Astronomy and
 * Astrophysics_ 239, 1990), so the curve does not overshoot.
 */
function curve(from: End, bends: readonly Point[], to: End): Bezier[] {
  const points = [from.at, ...bends, to.at];
  const run = (k: number): number => points[k + 1]!.x - points[k]!.x;
  const rise = (k: number): number => (points[k + 1]!.y - points[k]!.y) / (run(k) || 1e-6);
  const slopes = points.map((_, k): number => {
    if (k === 0) return from.out.y / from.out.x;
    if (k === points.length - 1) return to.out.y / to.out.x;
    const [a, b] = [rise(k - 1), rise(k)];
    const mean = (a * run(k) + b * run(k - 1)) / (run(k - 1) + run(k) || 1e-6);
    return (Math.sign(a) + Math.sign(b)) * Math.min(Math.abs(a), Math.abs(b), Math.abs(mean) / 2);
  });
  return points.slice(1).map((b, k): Bezier => {
    const [a, handle] = [points[k]!, run(k) / 3];
    return [
      a,
      { x: a.x + handle, y: a.y + handle * slopes[k]! },
      { x: b.x - handle, y: b.y - handle * slopes[k + 1]! },
      b,
    ];
  });
}
