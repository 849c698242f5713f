import { coordinate, pair } from '../../../net/drawing/svg-curve.ts';
import type { Box, LayoutEngine, Point } from '../../../net/drawing/svg-layout.ts';
import { escaped } from '../../../net/drawing/svg-text.ts';
import type { GraphContent } from './graph-content.ts';
import { type GraphLayout, graphLayout, LINE, type PlacedEdge, type PlacedState } from './graph-layout.ts';
import { GRAPH_STYLE, TINTS } from './graph-style.ts';

/**
 * Draws the graph of a small state space as SVG. The initial state has a heavy frame, dead states are red, final ones have a
 * double frame. Components of several states are tinted; bottom components have a dashed frame. Edges are labelled with their
 * steps. Three dots mark states with unknown successors. Tooltips show the whole marking. Follows the light or dark theme;
 * self-contained.
 */
export function graphSvg(content: GraphContent, engine: LayoutEngine): string {
  return svgOf(content.title, graphLayout(content, engine));
}

function svgOf(name: string, layout: GraphLayout): string {
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  const title = escaped(name);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="state-graph" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${GRAPH_STYLE}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...layout.edges.map(edgeElement),
    ...layout.states.map(stateElement),
    ...layout.edges.map(labelElement),
    '</svg>',
    '',
  ].join('\n');
}

const HEAD = { length: 8, width: 6 };

function edgeElement({ from, to, points, about }: PlacedEdge): string {
  const tip = points.at(-1)!;
  const before = points.at(-2) ?? { x: tip.x, y: tip.y - 1 };
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const along = { x: (tip.x - before.x) / length, y: (tip.y - before.y) / length };
  const base = { x: tip.x - along.x * HEAD.length, y: tip.y - along.y * HEAD.length };
  const side = { x: (-along.y * HEAD.width) / 2, y: (along.x * HEAD.width) / 2 };
  const head = [tip, { x: base.x + side.x, y: base.y + side.y }, { x: base.x - side.x, y: base.y - side.y }];
  const title = escaped([`${from} → ${to}`, ...about].join(' · '));
  return `<g class="edge"><title>${title}</title><path d="${curveThrough([...points.slice(0, -1), base])}"/><polygon points="${head.map(pair).join(' ')}"/></g>`;
}

function stateElement(s: PlacedState): string {
  const kinds = [
    'state',
    s.initial ? 'initial' : '',
    s.dead ? (s.final ? 'final' : 'dead') : '',
    s.bottom && !s.dead ? 'bottom' : '',
    s.component === undefined ? '' : `tint${s.component % TINTS.length}`,
  ].filter((kind) => kind !== '');
  const { box } = s;
  const top = box.y - box.height / 2 + LINE;
  const texts = s.lines.map(
    (line, k) =>
      `<text class="${k === 0 ? 'number' : 'detail'}" x="${coordinate(box.x)}" y="${coordinate(top + k * LINE)}">${escaped(line)}</text>`,
  );
  const facts = [
    `state ${s.state}`,
    ...(s.initial ? ['initial'] : []),
    ...(s.dead ? [s.final ? 'final' : 'dead'] : []),
    ...(s.cut > 0 ? [`${s.cut} steps to states that were not stored`] : []),
    ...s.about,
  ];
  const inner = s.final && s.dead ? rect(box, 3) : '';
  return `<g class="${kinds.join(' ')}" data-about="${escaped(facts.join(' | '))}"><title>${escaped(facts.join(' · '))}</title>${rect(box, 0)}${inner}${texts.join('')}${s.cut > 0 ? dots(box) : ''}</g>`;
}

function rect({ x, y, width, height }: Box, inside: number): string {
  const [left, top] = [x - width / 2 + inside, y - height / 2 + inside];
  return `<rect x="${coordinate(left)}" y="${coordinate(top)}" width="${coordinate(width - 2 * inside)}" height="${coordinate(height - 2 * inside)}" rx="6"/>`;
}

/** Three dots below a state with unknown successors. */
function dots({ x, y, height }: Box): string {
  const at = y + height / 2 + 6;
  return [-6, 0, 6].map((by) => `<circle cx="${coordinate(x + by)}" cy="${coordinate(at)}" r="1.5"/>`).join('');
}

function labelElement({ label, lines }: PlacedEdge): string {
  const [width, height] = [label.width - 4, label.height - 2];
  const plate = `<rect class="plate" x="${coordinate(label.x - width / 2)}" y="${coordinate(label.y - height / 2)}" width="${coordinate(width)}" height="${coordinate(height)}" rx="2"/>`;
  const top = label.y - (lines.length * LINE) / 2 + LINE / 2 + 3.5;
  const texts = lines.map(
    (line, k) =>
      `<text class="step" x="${coordinate(label.x)}" y="${coordinate(top + k * LINE)}">${escaped(line)}</text>`,
  );
  return `<g class="label">${plate}${texts.join('')}</g>`;
}

/**
 * A smooth SVG path through points. If y is strictly monotone, x is a monotone cubic function of y (Steffen, _Astronomy and
 * Astrophysics_ 239, 1990), so the curve passes its label and does not overshoot. Otherwise (a loop around a state) it is a
 * quadratic spline.
 */
function curveThrough(points: readonly Point[]): string {
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
