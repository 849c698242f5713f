import { assertNever } from '../../base/problem.ts';
import type { PlacedArc, Point } from './svg-layout.ts';

/** The path of an arc and its arrow heads. */
export interface ArcPath {
  readonly path: string;
  /** The curve of the path, without heads. */
  readonly parts: readonly Bezier[];
  /** Points whose smallest rectangle contains the curve and the heads. */
  readonly extent: readonly Point[];
  readonly heads: readonly Head[];
}

export type Head =
  | { readonly kind: 'triangle'; readonly points: readonly Point[] }
  | { readonly kind: 'circle'; readonly centre: Point; readonly radius: number };

export const HEAD = { length: 9, width: 7 };
export const CIRCLE = 4;

export function moved(p: Point, d: Point, by: number): Point {
  return { x: p.x + d.x * by, y: p.y + d.y * by };
}

/** The heads of an arc that ends at `tip`, and the length that they take of its curve. */
export function headsOf(kind: PlacedArc['kind'], tip: Point, out: Point): { length: number; heads: readonly Head[] } {
  const triangle = (tip: Point): Head => {
    const base = moved(tip, out, HEAD.length);
    const side = { x: -out.y * (HEAD.width / 2), y: out.x * (HEAD.width / 2) };
    return { kind: 'triangle', points: [tip, moved(base, side, 1), moved(base, side, -1)] };
  };
  switch (kind) {
    case 'take':
    case 'put':
      return { length: HEAD.length - 1, heads: [triangle(tip)] };
    case 'reset':
      return { length: 2 * HEAD.length - 1, heads: [triangle(tip), triangle(moved(tip, out, HEAD.length))] };
    case 'inhibit':
      return {
        length: 2 * CIRCLE,
        heads: [{ kind: 'circle', centre: moved(tip, out, CIRCLE), radius: CIRCLE }],
      };
    case 'read':
      // A second head is at the other end.
      return { length: HEAD.length - 1, heads: [triangle(tip)] };
    default:
      return assertNever(kind);
  }
}

/** The control points of a cubic Bézier curve. */
export type Bezier = readonly [Point, Point, Point, Point];

export function pathOf(parts: readonly Bezier[]): string {
  return [`M${pair(parts[0]![0])}`, ...parts.map(([, one, two, b]) => `C${pair(one)} ${pair(two)} ${pair(b)}`)].join(
    '',
  );
}

export const SAMPLES = 16;

/** Points on a curve. It deviates from the polygon through them by less than a hundredth of its length. */
export function samples([a, b, c, d]: Bezier): Point[] {
  return Array.from({ length: SAMPLES + 1 }, (_, k) => {
    const t = k / SAMPLES;
    const u = 1 - t;
    const at = (of: (p: Point) => number): number =>
      u ** 3 * of(a) + 3 * u * u * t * of(b) + 3 * u * t * t * of(c) + t ** 3 * of(d);
    return { x: at((p) => p.x), y: at((p) => p.y) };
  });
}

export const corners = ({ x, y }: Point, r: number): Point[] => [
  { x: x - r, y: y - r },
  { x: x + r, y: y + r },
];

/** A coordinate rounded to one decimal. */
export function coordinate(x: number): string {
  return String(Math.round(x * 10) / 10 + 0);
}

export function pair({ x, y }: Point): string {
  return `${coordinate(x)},${coordinate(y)}`;
}

/** The two parts of a curve (de Casteljau). */
export function split([a, b, c, d]: Bezier, t: number): readonly [Bezier, Bezier] {
  const mix = (p: Point, q: Point): Point => ({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t });
  const [ab, bc, cd] = [mix(a, b), mix(b, c), mix(c, d)];
  const [abc, bcd] = [mix(ab, bc), mix(bc, cd)];
  const at = mix(abc, bcd);
  return [
    [a, ab, abc, at],
    [at, bcd, cd, d],
  ];
}
