import type { Net, Place, Transition } from '../net.ts';
import { raceWords } from '../race-timing.ts';
import { byText, counted, orderText, shownName, sortedByName, TextTerms } from '../text/text-terms.ts';
import { netGraph } from './graph.ts';
import { aboutText, drawn, widthOf } from './svg-text.ts';

/** Font sizes, line height and shape sizes, in pixels. */
export const NAME = 12;
export const DETAIL = 10;
export const LINE = 13;
const RADIUS = 18;
const BAR = { width: 7, height: 40 };
const BOX = { width: 18, height: 40 };

/** A node to draw: shape, name above, details below; `about` is the tooltip. */
export interface DrawnNode {
  readonly id: string;
  readonly name: string;
  readonly details: readonly string[];
  readonly about: string;
  /** The module whose box contains the node. */
  readonly module: string | undefined;
  readonly shape: Shape;
  readonly node: { readonly place: Place } | { readonly transition: Transition };
}

/** Half-axes of an ellipse or sides of a box, and the drawing style. */
export type Shape =
  | {
      readonly kind: 'place';
      readonly rx: number;
      readonly ry: number;
      readonly queue: boolean;
      readonly tokens: number;
    }
  | { readonly kind: 'bar' | 'box'; readonly width: number; readonly height: number };

/** An arc to draw; all arcs of one kind between two nodes are drawn as one. */
export interface DrawnArc {
  readonly kind: 'take' | 'read' | 'inhibit' | 'reset' | 'put';
  readonly from: string;
  readonly to: string;
  readonly lines: readonly string[];
  readonly about: string;
}

export interface Content {
  readonly nodes: readonly DrawnNode[];
  readonly arcs: readonly DrawnArc[];
  readonly modules: readonly string[];
}

/** The drawn content of a valid net, in the order of names. */
export function contentOf(net: Net): Content {
  const terms = new TextTerms(net);
  const graph = netGraph(net);
  const ids = new Map(graph.nodes().map((node, k) => [node, `n${k}`]));
  const nodes = graph.nodes().map((node): DrawnNode => {
    const id = ids.get(node)!;
    const label = graph.node(node);
    return label.kind === 'place' ? placeNode(id, label.place, terms) : transitionNode(id, label.transition, terms);
  });
  const arcs = new Map<string, { readonly arc: Omit<DrawnArc, 'lines' | 'about'>; readonly inscriptions: string[] }>();
  for (const e of graph.edges()) {
    const { kind, inscription } = graph.edge(e);
    const key = `${kind} ${e.v} ${e.w}`;
    const found = arcs.get(key) ?? { arc: { kind, from: ids.get(e.v)!, to: ids.get(e.w)! }, inscriptions: [] };
    found.inscriptions.push(inscription);
    arcs.set(key, found);
  }
  const names = new Map(nodes.map((n) => [n.id, 'place' in n.node ? n.node.place.name : n.node.transition.name]));
  return {
    nodes,
    arcs: [...arcs.values()].map(({ arc, inscriptions }) => {
      // One token without colour has no inscription, unless several arcs share the line.
      const lines =
        inscriptions.length === 1 ? inscriptions.filter((l) => l !== '') : inscriptions.map((l) => l || '1');
      const about = aboutText([`${arc.kind}: ${names.get(arc.from)} → ${names.get(arc.to)}`, ...lines]);
      return { ...arc, lines: lines.map(drawn), about };
    }),
    modules: [...new Set(nodes.flatMap((n) => (n.module === undefined ? [] : [n.module])))].sort(byText),
  };
}

function placeNode(id: string, p: Place, terms: TextTerms): DrawnNode {
  const tokens = p.initial.reduce((sum, t) => sum + t.count, 0);
  const details = [
    p.fields.length === 0 ? '' : `(${p.fields.map((f) => f.name).join(', ')})`,
    p.order === 'bag' ? '' : orderText(p),
    p.priority === undefined ? '' : `priority ${terms.expression(p.priority)}`,
    ...serviceLines(p, terms),
    p.capacity === undefined ? '' : `at most ${p.capacity}`,
  ].filter((line) => line !== '');
  const facts = [
    `place ${p.name}`,
    p.kind,
    p.owner === undefined ? undefined : `of ${p.owner}`,
    ...details,
    ...p.fields.map((f) => `${f.name}: ${f.colour}`),
    tokens === 0 ? undefined : counted(tokens, 'token'),
    ...(p.fields.length === 0 ? [] : markingLines(p, terms)),
    modulesText(p.modules),
  ];
  const number = tokens > 4 ? widthOf(String(tokens), NAME) / 2 + 7 : 0;
  return {
    id,
    name: drawn(p.name),
    details: details.map(drawn),
    about: aboutText(facts),
    module: onlyModule(p.modules),
    shape: { kind: 'place', rx: Math.max(RADIUS, number), ry: RADIUS, queue: p.service !== undefined, tokens },
    node: { place: p },
  };
}

/** Maximum number of token colours listed. */
const MAX_COLOURS = 8;

function markingLines(p: Place, terms: TextTerms): string[] {
  const counts = new Map<string, number>();
  for (const { values, count } of p.initial) {
    const token = terms.token(p, values);
    if (count > 0) counts.set(token, (counts.get(token) ?? 0) + count);
  }
  const lines = [...counts].sort(([a], [b]) => byText(a, b)).map(([token, count]) => `${count} × ${token}`);
  return lines.length <= MAX_COLOURS ? lines : [...lines.slice(0, MAX_COLOURS), '…'];
}

function serviceLines({ service: s }: Place, terms: TextTerms): string[] {
  if (s === undefined) return [];
  if (s.kind === 'max-min') return [`max-min, ${counted(s.links.length, 'link')}`];
  const servers = s.kind === 'is' ? '' : `, ${counted(s.servers, 'server')}`;
  return [`${s.kind}${servers}`, terms.delay(s.time)];
}

function transitionNode(id: string, t: Transition, terms: TextTerms): DrawnNode {
  const race = t.timing === 'race' ? 'race ' : '';
  const details = [
    ...sortedByName(t.free ?? []).map((f) => `any ${shownName(f.name)}: ${shownName(f.colour)}`),
    t.guard === undefined ? '' : `[${terms.expression(t.guard)}]`,
    t.delay === undefined ? '' : `${race}${terms.delay(t.delay)}`,
    ...raceWords(t),
    ...(t.counts ?? []).map((c) => `${shownName(c.name)} = #${shownName(c.place)}`),
    t.speed === undefined ? '' : `speed ${terms.expression(t.speed)}`,
    t.priority === undefined || t.priority === 0 ? '' : `priority ${t.priority}`,
    t.weight === undefined ? '' : `weight ${terms.expression(t.weight)}`,
    t.label === undefined ? '' : `label ${t.label.name}`,
  ].filter((line) => line !== '');
  const facts = [`transition ${t.name}`, t.kind, ...details, modulesText(t.modules)];
  return {
    id,
    name: drawn(t.name),
    details: details.map(drawn),
    about: aboutText(facts),
    module: onlyModule(t.modules),
    shape: t.delay === undefined ? { kind: 'bar', ...BAR } : { kind: 'box', ...BOX },
    node: { transition: t },
  };
}

function modulesText(modules: readonly string[] | undefined): string | undefined {
  return modules === undefined || modules.length === 0 ? undefined : `from ${modules.join(', ')}`;
}

/** The module of the node; undefined for nodes shared by several modules, which are drawn between the boxes. */
function onlyModule(modules: readonly string[] | undefined): string | undefined {
  return modules?.length === 1 ? modules[0] : undefined;
}
