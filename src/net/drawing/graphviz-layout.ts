import { type Content, DETAIL, type DrawnNode, LINE } from './svg-content.ts';
import { type Box, isMarked, type Layout, MARGIN, type PlacedArc, type Point, sizeOf } from './svg-layout.ts';
import { widthOf } from './svg-text.ts';

/** The parts of Graphviz's output format `json0` that a layout needs. Lengths are points, y goes up. */
export interface GraphvizOutput {
  readonly bb: string;
  readonly objects?: readonly { readonly name: string; readonly pos?: string; readonly bb?: string }[];
  readonly edges?: readonly { readonly id?: string; readonly pos: string; readonly lp?: string }[];
}

/** The order of nodes, at the first of which dot breaks cycles. Marked places first: layers start there. */
export type NodeOrder = 'marked first' | 'by name' | 'reversed';

/**
 * The content as a graph for Graphviz's dot: boxes of the sizes of nodes and labels, modules as clusters. Edges lead to the
 * borders of the boxes.
 */
export function graphvizInput(content: Content, order: NodeOrder = 'marked first'): string {
  const inches = (points: number): string => (points / 72).toFixed(4);
  const module = new Map(content.modules.map((name, k) => [name, k]));
  const node = (n: DrawnNode): string => {
    const { width, height } = symmetric(n);
    return `${n.id} [width=${inches(width)},height=${inches(height)}];`;
  };
  const free = content.nodes.filter((n) => n.module === undefined);
  const marked = [...free.filter(isMarked), ...free.filter((n) => !isMarked(n))];
  const ordered = order === 'marked first' ? marked : order === 'reversed' ? marked.toReversed() : free;
  return [
    'digraph {',
    'graph [rankdir=LR,nodesep=0.25,ranksep=0.45];',
    'node [shape=box,fixedsize=true,label=""];',
    'edge [arrowhead=none];',
    ...content.modules.map((name) => {
      const own = content.nodes.filter((n) => n.module === name).map(node);
      return `subgraph cluster_${module.get(name)!} { margin=10; ${own.join(' ')} }`;
    }),
    ...ordered.map(node),
    ...content.arcs.map(({ from, to, lines }, k) => {
      const width = Math.max(0, ...lines.map((line) => widthOf(line, DETAIL))) + 6;
      const label =
        lines.length === 0
          ? ''
          : `,label=<<TABLE BORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD FIXEDSIZE="TRUE" WIDTH="${Math.ceil(width)}" HEIGHT="${lines.length * LINE}"></TD></TR></TABLE>>`;
      return `${from} -> ${to} [id="e${k}"${label}];`;
    }),
    '}',
  ].join('\n');
}

/** Positions from the answer of Graphviz to {@link graphvizInput}. */
export function graphvizLayout(content: Content, { bb, objects = [], edges = [] }: GraphvizOutput): Layout {
  const [, , right = 0, top = 0] = numbers(bb);
  const point = (x: number, y: number): Point => ({ x: x + MARGIN, y: top - y + MARGIN });
  const named = new Map(objects.map((one) => [one.name, one]));
  const drawn = new Map(edges.map((edge) => [edge.id, edge]));
  const boxOf = (k: number): Box => {
    const [x = 0, y = 0, to = 0, up = 0] = numbers(named.get(`cluster_${k}`)!.bb!);
    return { ...point((x + to) / 2, (y + up) / 2), width: to - x, height: up - y };
  };
  const centres = new Map(
    content.nodes.map(({ id }) => {
      const [x = 0, y = 0] = numbers(named.get(id)!.pos!);
      return [id, point(x, y)];
    }),
  );
  return {
    width: right + 2 * MARGIN,
    height: top + 2 * MARGIN,
    nodes: content.nodes.map((n) => {
      const centre = centres.get(n.id)!;
      return { ...n, centre, box: { ...centre, ...symmetric(n) } };
    }),
    arcs: content.arcs.map((arc, k): PlacedArc => {
      const { pos, lp } = drawn.get(`e${k}`)!;
      // Parts of an edge that runs through several splines are apart by semicolons; edges without heads have one.
      const curve = pos.split(' ').map((pair) => {
        const [x = 0, y = 0] = numbers(pair);
        return point(x, y);
      });
      // Straight on to the centres: lines to one centre do not cross each other.
      const [begin, end] = [centres.get(arc.from)!, centres.get(arc.to)!];
      const route = [begin, ...between(begin, curve[0]!), ...curve, ...between(curve.at(-1)!, end), end];
      const [x = 0, y = 0] = lp === undefined ? [] : numbers(lp);
      return { ...arc, bends: [], route, label: lp === undefined ? route[0]! : point(x, y) };
    }),
    modules: content.modules.map((name, k) => ({ name, box: boxOf(k) })),
  };
}

/** Control points of a straight line. */
const between = (a: Point, b: Point): readonly Point[] =>
  [1 / 3, 2 / 3].map((t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }));

const numbers = (text: string): number[] => text.split(',').map(Number);

/** The size of a node whose shape is in the middle of its box. */
function symmetric(n: DrawnNode): { width: number; height: number } {
  const { width, height, lower } = sizeOf(n);
  return { width, height: height + lower };
}
