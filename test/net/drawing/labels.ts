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

/** A text of a drawing, and the box of its letters by its middle. */
interface DrawnText {
  readonly kind: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function textsOf(svg: string): DrawnText[] {
  return [...svg.matchAll(/<text class="(name|detail|inscription)" x="([^"]+)" y="([^"]+)">([^<]*)<\/text>/g)].map(
    ([, kind, x, y, escaped]) => {
      const text = ENTITIES.reduce((of, [from, to]) => of.replace(from, to), escaped!);
      const size = SIZES[kind!]!;
      // Letters reach from the base line up to three quarters of their size.
      const height = 0.7 * size;
      return { kind: kind!, text, x: Number(x), y: Number(y) - height / 2, width: widthOf(text, size) / 1.06, height };
    },
  );
}

/** Pairs of texts whose letters overlap, and texts that overlap the shape of a place or transition. O(texts²). */
export function overlappingTexts(svg: string): string[] {
  const texts = textsOf(svg);
  const number = (tag: string, name: string): number => Number(new RegExp(` ${name}="([^"]+)"`).exec(tag)![1]);
  const shapes = [
    ...svg.matchAll(/<title>(?:place|transition) ([^<]*?)(?: · [^<]*)?<\/title>(<(?:ellipse|rect)[^>]*>)/g),
  ].map(([, name, tag]) => {
    const of = (key: string): number => number(tag!, key);
    const box = tag!.startsWith('<ellipse')
      ? { x: of('cx'), y: of('cy'), width: 2 * of('rx'), height: 2 * of('ry') }
      : { x: of('x') + of('width') / 2, y: of('y') + of('height') / 2, width: of('width'), height: of('height') };
    return { text: `shape of ${name}`, ...box };
  });
  return texts.flatMap((a, k) =>
    [...texts.slice(k + 1), ...shapes]
      .filter((b) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2)
      .map((b) => `${a.text} | ${b.text}`),
  );
}

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
  return textsOf(svg).flatMap(({ kind, text, x, y, width, height }) =>
    points.some(([px, py]) => Math.abs(px! - x) < width / 2 && Math.abs(py! - y) < height / 2) ? [{ kind, text }] : [],
  );
}
