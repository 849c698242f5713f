/** A point of a drawing. */
export type At = readonly [x: number, y: number];

/** Points by which a cubic curve is replaced. */
const SAMPLES = 16;

/** The polyline of a path of cubic curves: control points a, b, c, d, then three for each further curve. */
export function polyline(points: readonly At[]): At[] {
  const line: At[] = [points[0]!];
  for (let k = 0; k + 3 < points.length; k += 3) {
    const [a, b, c, d] = points.slice(k, k + 4) as [At, At, At, At];
    for (let n = 1; n <= SAMPLES; n++) {
      const t = n / SAMPLES;
      const u = 1 - t;
      const of = (axis: 0 | 1): number =>
        u ** 3 * a[axis] + 3 * u * u * t * b[axis] + 3 * u * t * t * c[axis] + t ** 3 * d[axis];
      line.push([of(0), of(1)]);
    }
  }
  return line;
}

/** Number of crossings of the lines with each other: proper intersections of segments; ends that touch do not count. O(segments²). */
export function crossings(lines: readonly (readonly At[])[]): number {
  const boxes = lines.map((line) => {
    const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
  });
  let count = 0;
  for (let i = 0; i < lines.length; i++)
    for (let j = i + 1; j < lines.length; j++) {
      const [a, b] = [boxes[i]!, boxes[j]!];
      if (a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3]) continue;
      count += between(lines[i]!, lines[j]!);
    }
  return count;
}

function between(one: readonly At[], other: readonly At[]): number {
  let count = 0;
  for (let i = 0; i + 1 < one.length; i++)
    for (let j = 0; j + 1 < other.length; j++) if (cross(one[i]!, one[i + 1]!, other[j]!, other[j + 1]!)) count++;
  return count;
}

/** True if the segments a–b and c–d have a common point inside of both; a common end of half-open segments counts once. */
export function cross(a: At, b: At, c: At, d: At): boolean {
  const side = (p: At, q: At, r: At): number => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  const [p, q] = [side(a, b, c) > 0, side(a, b, d) > 0];
  const [r, s] = [side(c, d, a) > 0, side(c, d, b) > 0];
  return p !== q && r !== s;
}
