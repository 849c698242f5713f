import { type Content, DETAIL, type DrawnArc, type DrawnNode, LINE, NAME } from './svg-content.ts';
import { widthOf } from './svg-text.ts';

/**
 * The layout engine, dagre, loaded on demand. Its own declarations compile with `skipLibCheck` only, so that those of this package must not
 * import them.
 */
export interface LayoutEngine {
  readonly Graph: new (options: {
    readonly directed: boolean;
    readonly multigraph: boolean;
    readonly compound?: boolean;
  }) => LayoutGraph;
  layout(graph: LayoutGraph): unknown;
}

/** The graph of the engine: labels are options before the layout, and positions after it. */
interface LayoutGraph {
  setGraph(options: Readonly<Record<string, string | number>>): unknown;
  setDefaultEdgeLabel(label: () => object): unknown;
  setNode(id: string, size: object): unknown;
  setParent(id: string, parent: string): unknown;
  setEdge(from: string, to: string, label: object, name: string): unknown;
  /** The size of the drawing. */
  graph(): { readonly width?: number; readonly height?: number };
  node(id: string): Box;
  edge(from: string, to: string, name: string): Partial<Box> & { readonly points: Point[] };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle, given by its centre. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A positioned node: the box around shape and texts, and the centre of the shape. */
export interface PlacedNode extends DrawnNode {
  readonly box: Box;
  readonly centre: Point;
}

/** A positioned arc: its bends between the two shapes, and the centre of its label. */
export interface PlacedArc extends DrawnArc {
  readonly bends: readonly Point[];
  /** Control points of cubic Bézier curves from centre to centre, as Graphviz routes arcs; they replace the bends. */
  readonly route?: readonly Point[];
  readonly label: Point;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly arcs: readonly PlacedArc[];
  readonly modules: readonly { readonly name: string; readonly box: Box }[];
}

export const MARGIN = 24;

/**
 * Positions nodes and arcs in layers from left to right (Sugiyama's method as implemented by dagre: Gansner et al.
 * 1993, Brandes & Köpf 2001), modules in boxes. Deterministic for equal content in equal order. About O(nodes · arcs).
 */
export function layoutOf(content: Content, engine: LayoutEngine): Layout {
  const graph = new engine.Graph({ directed: true, multigraph: true, compound: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 18, edgesep: 14, ranksep: 34, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const module = new Map(content.modules.map((name, k) => [name, `m${k}`]));
  for (const id of module.values()) graph.setNode(id, {});
  // Marked places go first, so that layers start there: dagre breaks cycles at the first node.
  for (const n of [...content.nodes].sort((a, b) => Number(isMarked(b)) - Number(isMarked(a)))) {
    const { width, height } = sizeOf(n);
    graph.setNode(n.id, { width, height });
    if (n.module !== undefined) graph.setParent(n.id, module.get(n.module)!);
  }
  content.arcs.forEach((a, k) => {
    const width = Math.max(0, ...a.lines.map((line) => widthOf(line, DETAIL)));
    const label = a.lines.length === 0 ? { width: 0, height: 0 } : { width: width + 6, height: a.lines.length * LINE };
    graph.setEdge(a.from, a.to, { ...label, labelpos: 'c' }, `e${k}`);
  });
  engine.layout(graph);
  const boxOf = (id: string): Box => {
    const { x, y, width, height } = graph.node(id);
    return { x, y, width, height };
  };
  const { width, height } = graph.graph();
  return {
    // dagre reports −∞ for an empty graph.
    width: Math.max(width!, 2 * MARGIN),
    height: Math.max(height!, 2 * MARGIN),
    nodes: content.nodes.map((n) => {
      const box = boxOf(n.id);
      const { above, shape } = heightsOf(n);
      return { ...n, box, centre: { x: box.x, y: box.y - box.height / 2 + above + shape / 2 } };
    }),
    arcs: content.arcs.map((a, k) => {
      const edge = graph.edge(a.from, a.to, `e${k}`);
      const points: readonly Point[] = edge.points;
      // dagre's end points lie on the boxes around the nodes; the arc continues to the shapes.
      return { ...a, bends: points.slice(1, -1), label: { x: edge.x ?? points[0]!.x, y: edge.y ?? points[0]!.y } };
    }),
    modules: content.modules.map((name) => ({ name, box: boxOf(module.get(name)!) })),
  };
}

export function isMarked(n: DrawnNode): boolean {
  return n.shape.kind === 'place' && n.shape.tokens > 0;
}

/**
 * Heights of name, shape and details. Above and below are equal where possible, so that arcs meet the shape straight.
 */
function heightsOf(n: DrawnNode): { above: number; shape: number; below: number } {
  const shape = n.shape.kind === 'place' ? 2 * n.shape.ry : n.shape.height;
  const side = Math.max(LINE + 3, n.details.length * LINE + 3);
  return { above: n.details.length > 2 ? LINE + 3 : side, shape, below: side };
}

/** The size of a node with its texts; `lower` is how much lower than the middle its texts reach, compared with those above it. */
export function sizeOf(n: DrawnNode): { width: number; height: number; lower: number } {
  const { above, shape, below } = heightsOf(n);
  const own = n.shape.kind === 'place' ? 2 * n.shape.rx : n.shape.width;
  const texts = [widthOf(n.name, NAME), ...n.details.map((line) => widthOf(line, DETAIL))];
  return { width: Math.max(own, ...texts) + 4, height: above + shape + below, lower: Math.abs(below - above) };
}
