import { type At, polyline } from '../../../src/net/drawing/crossings.ts';

/** Lines of the arcs of an SVG drawing of a net, as they are drawn. */
export function arcLines(svg: string): At[][] {
  return [...svg.matchAll(/<g class="arc [^>]*>.*?<path d="([^"]+)"/g)].map(([, path]) =>
    polyline(path!.match(/-?[\d.]+,-?[\d.]+/g)!.map((pair) => pair.split(',').map(Number) as unknown as At)),
  );
}
