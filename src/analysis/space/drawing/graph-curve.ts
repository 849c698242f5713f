import { pair } from '../../../net/drawing/svg-arc.ts';
import type { Point } from '../../../net/drawing/svg-layout.ts';

/**
 * A smooth SVG path through points. If y is strictly monotone, x is a monotone cubic function of y (Steffen, _Astronomy and
 * Astrophysics_ 239, 1990), so the curve passes its label and does not overshoot. Otherwise (a loop around a state) it is a
 * quadratic spline.
 */
export function curveThrough(points: readonly Point[]): string {
  const down = points.every((p, k) => k === 0 || p.y > points[k - 1]!.y);
  const up = points.every((p, k) => k === 0 || p.y < points[k - 1]!.y);
  return down || up ? monotone(points) : spline(points);
}

function monotone(points: readonly Point[]): string {
  const last = points.length - 1;
  const run = (k: number): number => points[k + 1]!.y - points[k]!.y;
  const rise = (k: number): number => (points[k + 1]!.x - points[k]!.x) / run(k);
  const slopes = points.map((_, k): number => {
    if (k === 0) return last === 0 ? 0 : rise(0);
    if (k === last) return rise(last - 1);
    const [a, b] = [rise(k - 1), rise(k)];
    const mean = (a * run(k) + b * run(k - 1)) / (run(k - 1) + run(k));
    return (Math.sign(a) + Math.sign(b)) * Math.min(Math.abs(a), Math.abs(b), Math.abs(mean) / 2);
  });
  const parts = [`M${pair(points[0]!)}`];
  for (let k = 0; k < last; k++) {
    const [a, b, handle] = [points[k]!, points[k + 1]!, run(k) / 3];
    const one = { x: a.x + handle * slopes[k]!, y: a.y + handle };
    const two = { x: b.x - handle * slopes[k + 1]!, y: b.y - handle };
    parts.push(`C${pair(one)} ${pair(two)} ${pair(b)}`);
  }
  return parts.join('');
}

function spline(points: readonly Point[]): string {
  const last = points.length - 1;
  const parts = [`M${pair(points[0]!)}`];
  for (let k = 1; k < last; k++) {
    const [bend, next] = [points[k]!, points[k + 1]!];
    const end = k + 1 === last ? next : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 };
    parts.push(`Q${pair(bend)} ${pair(end)}`);
  }
  if (last === 1) parts.push(`L${pair(points[1]!)}`);
  return parts.join('');
}
