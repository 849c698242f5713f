import type { Box, LayoutEngine, Point } from '../../../net/drawing/svg-layout.ts';
import { widthOf } from '../../../net/drawing/svg-text.ts';
import type { DrawnEdge, DrawnState, GraphContent } from './graph-content.ts';

/** Font sizes and line height in pixels. */
export const NAME = 12;
export const DETAIL = 10;
export const LINE = 13;
/** Space between a state's text and its outline, in pixels. */
const PADDING = 7;
const MARGIN = 24;

export interface PlacedState extends DrawnState {
  readonly box: Box;
}

export interface PlacedEdge extends DrawnEdge {
  /** From the outline of one state to that of the other. */
  readonly points: readonly Point[];
  readonly label: Box;
}

/** A laid-out drawing, in pixels. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly edges: readonly PlacedEdge[];
}

/**
 * Layered layout from the initial state downwards, with room for edge labels (Sugiyama's method as in dagre). For layering,
 * every edge points from the smaller to the larger state number; with breadth-first numbering, more distant states are lower.
 * Deterministic. About O(states · edges).
 */
export function graphLayout({ states, edges }: GraphContent, engine: LayoutEngine): GraphLayout {
  const graph = new engine.Graph({ directed: true, multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 24, edgesep: 14, ranksep: 26, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const s of states) graph.setNode(String(s.state), sizeOf(s));
  for (const [k, { from, to, lines }] of edges.entries()) {
    const width = Math.max(...lines.map((line) => widthOf(line, DETAIL))) + 8;
    const [upper, lower] = from < to ? [from, to] : [to, from];
    graph.setEdge(String(upper), String(lower), { width, height: lines.length * LINE + 4, labelpos: 'c' }, `e${k}`);
  }
  engine.layout(graph);
  const { width, height } = graph.graph();
  return {
    width: Math.max(width!, 2 * MARGIN),
    height: Math.max(height!, 2 * MARGIN),
    states: states.map((s) => {
      const { x, y, width, height } = graph.node(String(s.state));
      return { ...s, box: { x, y, width, height } };
    }),
    edges: edges.map((e, k) => {
      const [upper, lower] = e.from < e.to ? [e.from, e.to] : [e.to, e.from];
      const { points, x, y, width, height } = graph.edge(String(upper), String(lower), `e${k}`);
      return {
        ...e,
        points: e.from <= e.to ? points : [...points].reverse(),
        label: { x: x!, y: y!, width: width!, height: height! },
      };
    }),
  };
}

function sizeOf({ lines }: DrawnState): { width: number; height: number } {
  const [number = '', ...details] = lines;
  const widest = Math.max(widthOf(number, NAME), ...details.map((line) => widthOf(line, DETAIL)));
  return { width: Math.max(34, widest + 2 * PADDING), height: lines.length * LINE + PADDING };
}
