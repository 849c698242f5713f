import { fail } from '../../base/problem.ts';
import { assertGiven } from '../members.ts';
import type { Net } from '../net.ts';
import { counted } from '../text/text-terms.ts';
import { withoutAssumedDelays } from '../untimed.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { arcPaths } from './svg-arc.ts';
import { type Content, contentOf, DETAIL, LINE } from './svg-content.ts';
import { type ArcPath, coordinate, pair } from './svg-curve.ts';
import { inscriptionOf, type PlacedTexts, placedTexts } from './svg-labels.ts';
import {
  type Box,
  type Layout,
  type LayoutEngine,
  layoutOf,
  type PlacedArc,
  type PlacedNode,
  type Point,
} from './svg-layout.ts';
import { drawn, escaped, widthOf } from './svg-text.ts';

/** Options of {@link netToSvg}. */
export interface SvgOptions {
  /** Maximum number of places and transitions. Default 300: larger layouts take seconds and are unreadable. */
  readonly limit?: number;
}

/** Default of {@link SvgOptions.limit}. */
export const SVG_LIMIT = 300;
/** Maximum number of arcs, as a multiple of the node limit. */
const ARCS_PER_NODE = 4;

/**
 * A valid net as an SVG drawing, laid out from left to right.
 *
 * - places: circles with up to four tokens as dots, more as a number; double circles for places with a service; tinted
 *   by kind
 * - transitions: a bar if immediate, an open box if timed, as in GSPN
 * - arcs: with their inscriptions; arcs of one kind between two nodes are drawn as one. An inhibitor arc ends in a
 *   circle, a reset arc in two arrow heads, a read arc is dashed and has a head at both ends
 * - modules: nodes of exactly one module are drawn in its box
 *
 * Long texts are shortened; the tooltip has the full text. The drawing supports light and dark mode and needs no
 * external resources. Its bytes depend on the net only, not on its declaration order.
 *
 * dagre is loaded by the first call. About O(nodes · arcs).
 *
 * @throws InputError SVG001 for more than `limit` nodes or four times as many arcs; NET037 if the value is not a net;
 * NET040, NET058 for invalid options
 */
export async function netToSvg(net: Net, options: SvgOptions = {}): Promise<string> {
  return drawNet(net, await import('@dagrejs/dagre'), options);
}

/** {@link netToSvg} with a layout engine that is already loaded. */
export const drawNet = (net: Net, engine: LayoutEngine, options: SvgOptions = {}): string =>
  drawingOf(net, engine, options).svg;

/** A drawing with the positions of its nodes, on which a page draws tokens and enabled transitions. */
export interface NetDrawing {
  readonly svg: string;
  /** The area of the drawing. */
  readonly view: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Centres of the shapes of places and transitions, by name. */
  readonly places: Readonly<Record<string, Point>>;
  readonly transitions: Readonly<Record<string, Point>>;
}

/** Another way to lay out a drawing. */
export interface Arranger {
  readonly arrange: (content: Content) => Layout;
}

/** As {@link drawNet}, with the positions of the nodes. */
export function drawingOf(net: Net, engine: LayoutEngine | Arranger, options: SvgOptions = {}): NetDrawing {
  assertNet(net);
  assertGiven('netToSvg', 'options', options, { limit: 'a number >= 0' });
  const { limit = SVG_LIMIT } = options;
  const nodes = net.places.length + net.transitions.length;
  const arcs = net.transitions.reduce((sum, t) => sum + t.inputs.length + t.outputs.length, 0);
  if (nodes > limit || arcs > ARCS_PER_NODE * limit)
    fail(
      'SVG001',
      `has ${nodes} nodes and ${arcs} arcs: a drawing has at most ${limit} nodes and ${ARCS_PER_NODE * limit} arcs. Convert it to .dot, which Graphviz lays out at any size, or draw part of it.`,
      { part: `net ${net.name}` },
    );
  const content = contentOf(withoutAssumedDelays(net));
  const { layout, paths, texts } = roomy('layout' in engine ? layoutOf(content, engine) : engine.arrange(content));
  const size = `${counted(net.places.length, 'place')}, ${counted(net.transitions.length, 'transition')}`;
  const title = escaped(`Petri net ${net.name}: ${size}`);
  const { x, y, width, height } = viewOf(layout, paths, texts.boxes);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="petri-net" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" ${x === 0 && y === 0 ? '' : `x="${x}" y="${y}" `}width="${width}" height="${height}"/>`,
    ...layout.modules.map(({ name, box }) => moduleElement(name, box)),
    ...layout.arcs.map((arc, k) => arcElement(arc, paths[k]!)),
    ...layout.nodes.map((node, k) => nodeElement(node, texts.nodes[k]!)),
    ...layout.arcs.flatMap((arc, k) => labelElement(arc, texts.arcs[k]!)),
    '</svg>',
    '',
  ].join('\n');
  const centres = (kind: 'place' | 'transition'): Record<string, Point> =>
    Object.fromEntries(
      layout.nodes.flatMap(({ node, centre }) => {
        const named = 'place' in node ? node.place : node.transition;
        return 'place' in node === (kind === 'place') ? [[named.name, centre]] : [];
      }),
    );
  return { svg, view: { x, y, width, height }, places: centres('place'), transitions: centres('transition') };
}

/** Factor of each growth of a drawing, and most growths. */
const GROWTH = 1.5;
const GROWTHS = 4;
/** A growth that leaves a larger share of the crossed texts does not lead to a drawing without them. */
const LEFT = 0.75;

/** A layout with the lines and texts that are drawn. */
interface Lines {
  readonly layout: Layout;
  readonly paths: readonly ArcPath[];
  readonly texts: PlacedTexts;
}

/**
 * A drawing in which no text is crossed, with more room between nodes if it takes that: shapes and texts keep their sizes. The layout
 * itself where more room does not help, as between many nodes that are all joined with each other.
 */
function roomy(layout: Layout): Lines {
  const first = linesOf(layout);
  let last = first;
  for (let growth = 1; last.texts.crossed > 0; growth++) {
    const next = linesOf(scaled(layout, GROWTH ** growth));
    if (growth > GROWTHS || next.texts.crossed > LEFT * last.texts.crossed) return first;
    last = next;
  }
  return last;
}

function linesOf(layout: Layout): Lines {
  const paths = arcPaths(layout.arcs, new Map(layout.nodes.map((n) => [n.id, n])));
  return { layout, paths, texts: placedTexts(layout.nodes, layout.arcs, paths) };
}

/** A layout with all distances larger by a factor. */
function scaled({ width, height, nodes, arcs, modules }: Layout, factor: number): Layout {
  const at = ({ x, y }: Point): Point => ({ x: x * factor, y: y * factor });
  return {
    width: width * factor,
    height: height * factor,
    nodes: nodes.map((n) => ({
      ...n,
      centre: at(n.centre),
      box: { ...n.box, ...at(n.centre), y: n.centre.y * factor + n.box.y - n.centre.y },
    })),
    arcs: arcs.map(({ bends, route, label, ...arc }) => ({
      ...arc,
      bends: bends.map(at),
      ...(route === undefined ? {} : { route: route.map(at) }),
      label: at(label),
    })),
    modules: modules.map(({ name, box }) => ({
      name,
      box: { ...at(box), width: box.width * factor, height: box.height * factor },
    })),
  };
}

/** Space between the outermost arc and the edge of the drawing. */
const EDGE = 4;

/** The area of the drawing: that of the layout, extended where arcs bend and texts lie beyond it. */
function viewOf({ width, height }: Layout, paths: readonly ArcPath[], boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [0, 0, width, height];
  const corners = boxes.map((box) =>
    [-1, 1].map((side) => ({ x: box.x + (side * box.width) / 2, y: box.y + (side * box.height) / 2 })),
  );
  for (const points of [...paths.map(({ extent }) => extent), ...corners])
    for (const p of points) {
      left = Math.min(left, p.x - EDGE);
      top = Math.min(top, p.y - EDGE);
      right = Math.max(right, p.x + EDGE);
      bottom = Math.max(bottom, p.y + EDGE);
    }
  const [x, y] = [Math.floor(left), Math.floor(top)];
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
}

/** Height of a module's title, in pixels. The layout does not know it; it is smaller than the gap between nodes. */
const TITLE = 10;

function moduleElement(name: string, { x, y, width, height }: Box): string {
  const [left, top] = [x - width / 2, y - height / 2 - TITLE];
  const text = textElement('title', { x: left + 8, y: top + 14 }, drawn(name));
  return `<g class="module"><rect ${rectangle(left, top, width, height + TITLE)} rx="8"/>${text}</g>`;
}

function arcElement(arc: PlacedArc, path: ArcPath): string {
  const heads = path.heads.map((h) =>
    h.kind === 'circle'
      ? `<circle class="hole" cx="${coordinate(h.centre.x)}" cy="${coordinate(h.centre.y)}" r="${h.radius}"/>`
      : `<polygon points="${h.points.map(pair).join(' ')}"/>`,
  );
  return `<g class="arc ${arc.kind}"><title>${escaped(arc.about)}</title><path d="${path.path}"/>${heads.join('')}</g>`;
}

/** Label lines beside an arc, on a background rectangle: where there is no room, it covers what is below. */
function labelElement(arc: PlacedArc, label: Point): string[] {
  if (arc.lines.length === 0) return [];
  const shown = inscriptionOf(arc);
  const width = Math.max(...shown.map((line) => widthOf(line, DETAIL))) + 2;
  const height = shown.length * LINE;
  const plate = `<rect class="plate" ${rectangle(label.x - width / 2, label.y - height / 2, width, height)} rx="2"/>`;
  const top = label.y - height / 2 + LINE / 2 + 3.5;
  return [plate, ...shown.map((line, k) => textElement('inscription', { x: label.x, y: top + k * LINE }, line))];
}

function nodeElement(n: PlacedNode, at: PlacedTexts['nodes'][number]): string {
  const { shape } = n;
  const { name, details } = at;
  const first = details.y - (n.details.length * LINE) / 2 + LINE - 3;
  const texts = [
    textElement('name', { x: name.x, y: name.y + 3.5 }, n.name),
    ...n.details.map((line, k) => textElement('detail', { x: details.x, y: first + k * LINE }, line)),
  ];
  const kind = 'place' in n.node ? ` ${n.node.place.kind ?? ''}` : '';
  const type = 'place' in n.node ? 'place' : `transition ${shape.kind}`;
  return `<g class="${`${type}${kind}`.trim()}"><title>${escaped(n.about)}</title>${shapeElement(n)}${texts.join('')}</g>`;
}

function shapeElement({ shape, centre: c }: PlacedNode): string {
  if (shape.kind !== 'place')
    return `<rect ${rectangle(c.x - shape.width / 2, c.y - shape.height / 2, shape.width, shape.height)}/>`;
  const ellipse = (by: number): string =>
    `<ellipse cx="${coordinate(c.x)}" cy="${coordinate(c.y)}" rx="${coordinate(shape.rx - by)}" ry="${coordinate(shape.ry - by)}"/>`;
  return `${ellipse(0)}${shape.queue ? ellipse(3) : ''}${tokensElement(shape.tokens, c)}`;
}

/** Positions of up to four token dots, relative to the centre. */
const DOTS: readonly (readonly Point[])[] = [
  [],
  [{ x: 0, y: 0 }],
  [
    { x: -5, y: 0 },
    { x: 5, y: 0 },
  ],
  [
    { x: 0, y: -5 },
    { x: -5, y: 4 },
    { x: 5, y: 4 },
  ],
  [
    { x: -5, y: -5 },
    { x: 5, y: -5 },
    { x: -5, y: 5 },
    { x: 5, y: 5 },
  ],
];

function tokensElement(tokens: number, c: Point): string {
  const dots = DOTS[tokens];
  if (dots === undefined) return textElement('tokens', { x: c.x, y: c.y + 4 }, String(tokens));
  return dots
    .map((d) => `<circle class="token" cx="${coordinate(c.x + d.x)}" cy="${coordinate(c.y + d.y)}" r="3"/>`)
    .join('');
}

function textElement(kind: string, at: Point, text: string): string {
  return `<text class="${kind}" x="${coordinate(at.x)}" y="${coordinate(at.y)}">${escaped(text)}</text>`;
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}" height="${coordinate(height)}"`;
}

/**
 * CSS rules under `.petri-net`, so that they do not affect a surrounding page. No CSS variables: not all viewers
 * support them.
 */
const STYLE: string = [
  rules({ ink: '#1f2933', paper: '#ffffff', soft: '#52606d', box: '#f3f5f8', line: '#cbd2d9' }, [
    ['operation', '#e3f4e5'],
    ['message', '#e1effb'],
    ['synchronisation', '#f0e7fa'],
    ['resource', '#fdf1d6'],
    ['data', '#eceff2'],
  ]),
  '.petri-net text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif;text-anchor:middle;stroke:none}',
  '.petri-net .name,.petri-net .tokens{font-size:12px}.petri-net .detail,.petri-net .inscription{font-size:10px}',
  '.petri-net .title{font-size:11px;font-weight:bold;text-anchor:start}',
  '.petri-net .arc path{fill:none;stroke-width:1.1}.petri-net .read path{stroke-dasharray:4 3}',
  '.petri-net .name,.petri-net .detail{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}',
  `@media (prefers-color-scheme:dark){${rules(
    { ink: '#e4e7eb', paper: '#161b22', soft: '#9aa5b1', box: '#1f2630', line: '#3e4c59' },
    [
      ['operation', '#1f3a26'],
      ['message', '#1b3350'],
      ['synchronisation', '#382a4d'],
      ['resource', '#43361a'],
      ['data', '#2b333d'],
    ],
  )}}`,
].join('');

interface Palette {
  readonly ink: string;
  readonly paper: string;
  readonly soft: string;
  readonly box: string;
  readonly line: string;
}

function rules({ ink, paper, soft, box, line }: Palette, kinds: readonly (readonly [string, string])[]): string {
  return [
    `.petri-net .paper,.petri-net .plate{fill:${paper}}`,
    `.petri-net ellipse,.petri-net .box rect,.petri-net .hole{fill:${paper};stroke:${ink};stroke-width:1.3}`,
    `.petri-net .bar rect,.petri-net .token,.petri-net polygon{fill:${ink}}`,
    `.petri-net .arc path{stroke:${ink}}`,
    `.petri-net text{fill:${ink}}.petri-net .detail,.petri-net .title{fill:${soft}}`,
    `.petri-net .name,.petri-net .detail{stroke:${paper}}`,
    `.petri-net .module rect{fill:${box};stroke:${line}}`,
    ...kinds.map(([kind, tint]) => `.petri-net .${kind} ellipse{fill:${tint}}`),
  ].join('');
}
