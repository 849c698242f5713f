import { widthOf } from '../../../src/net/drawing/svg-text.ts';
import { arcLines } from './arc-lines.ts';

/** Size in pixels and height of a line of each kind of text. */
const SIZES: Readonly<Record<string, number>> = { name: 12, detail: 10, inscription: 10 };

const ENTITIES: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&#39;/g, "'"],
  [/&amp;/g, '&'],
];

/** Texts of an SVG drawing that arcs run through, found by points on the arcs, half a pixel from each other. */
export function crossedTexts(svg: string): { readonly kind: string; readonly text: string }[] {
  const points = arcLines(svg).flatMap((line) =>
    line.slice(1).flatMap(([x, y], k) => {
      const [fromX, fromY] = line[k]!;
      const steps = Math.max(1, Math.ceil(2 * Math.hypot(x - fromX, y - fromY)));
      return Array.from({ length: steps + 1 }, (_, n) => [
        fromX + ((x - fromX) * n) / steps,
        fromY + ((y - fromY) * n) / steps,
      ]);
    }),
  );
  return [...svg.matchAll(/<text class="(name|detail|inscription)" x="([^"]+)" y="([^"]+)">([^<]*)<\/text>/g)].flatMap(
    ([, kind, x, y, escaped]) => {
      const text = ENTITIES.reduce((of, [from, to]) => of.replace(from, to), escaped!);
      const size = SIZES[kind!]!;
      // Letters reach from the base line up to three quarters of their size.
      const [half, low, high] = [widthOf(text, size) / 2 / 1.06, Number(y) - 0.7 * size, Number(y)];
      const isCrossed = points.some(([px, py]) => Math.abs(px! - Number(x)) < half && py! > low && py! < high);
      return isCrossed ? [{ kind: kind!, text }] : [];
    },
  );
}
