import {
  type ArcPath,
  type Bezier,
  CIRCLE,
  corners,
  HEAD,
  type Head,
  headsOf,
  pathOf,
  SAMPLES,
  samples,
  split,
} from './svg-curve.ts';
import type { PlacedArc, PlacedNode, Point } from './svg-layout.ts';

/** Reach of the heads of each kind of arc, by which its curve ends before the shape. */
const REACH: Readonly<Record<PlacedArc['kind'], number>> = {
  take: HEAD.length - 1,
  put: HEAD.length - 1,
  reset: 2 * HEAD.length - 1,
  inhibit: 2 * CIRCLE,
  read: HEAD.length - 1,
};

/** An arc along a given route from centre to centre: cut where it leaves the first shape, and where it enters the last one. */
export function routedPath(
  kind: PlacedArc['kind'],
  route: readonly Point[],
  from: PlacedNode,
  to: PlacedNode,
): ArcPath {
  const parts: Bezier[] = [];
  for (let k = 0; k + 3 < route.length; k += 3) parts.push([route[k]!, route[k + 1]!, route[k + 2]!, route[k + 3]!]);
  const left = cutInside(parts, from, kind === 'read' ? REACH.read : 0);
  const back = reversed(left);
  const tip = cutInside(back, to, 0)[0]![0];
  const body = reversed(cutInside(back, to, REACH[kind]));
  /** Heads at a tip, in the direction in which the curve goes on from there. */
  const at = (tip: Point, end: Point): readonly Head[] => {
    const [dx, dy] = [end.x - tip.x, end.y - tip.y];
    const far = Math.hypot(dx, dy);
    return headsOf(kind, tip, far < 1e-9 ? { x: -1, y: 0 } : { x: dx / far, y: dy / far }).heads;
  };
  const heads = [
    ...at(tip, body.at(-1)![3]),
    ...(kind === 'read' ? at(cutInside(parts, from, 0)[0]![0], body[0]![0]) : []),
  ];
  const outlines = heads.flatMap((h) => (h.kind === 'triangle' ? h.points : corners(h.centre, h.radius)));
  return { path: pathOf(body), parts: body, heads, extent: [...body.flatMap(samples), ...outlines] };
}

const reversed = (parts: readonly Bezier[]): Bezier[] => parts.map(([a, b, c, d]): Bezier => [d, c, b, a]).reverse();

/** The curve without the part before it leaves the outline of a shape, grown by a distance, for the last time. */
function cutInside(parts: readonly Bezier[], { shape, centre }: PlacedNode, grown: number): Bezier[] {
  const inside = (p: Point): boolean => {
    const [dx, dy] = [Math.abs(p.x - centre.x), Math.abs(p.y - centre.y)];
    if (shape.kind === 'place') return Math.hypot(dx / (shape.rx + grown), dy / (shape.ry + grown)) < 1;
    return dx < shape.width / 2 + grown && dy < shape.height / 2 + grown;
  };
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k]!;
    const last = samples(part).findLastIndex(inside);
    if (last < 0) return parts.slice(k);
    if (last === SAMPLES) continue;
    let [low, high] = [last / SAMPLES, (last + 1) / SAMPLES];
    for (let n = 0; n < 30; n++) {
      const middle = (low + high) / 2;
      if (inside(split(part, middle)[0]![3])) low = middle;
      else high = middle;
    }
    return [split(part, high)[1]!, ...parts.slice(k + 1)];
  }
  return parts.slice(-1);
}
