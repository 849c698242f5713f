import { InputError } from '../../base/problem.ts';
import { isPlaced, keptLayout, type NodePositions } from '../../net/drawing/kept-layout.ts';
import { layeredLayout } from '../../net/drawing/layered-layout.ts';
import { drawingOf, type NetDrawing } from '../../net/drawing/svg.ts';
import type { Net } from '../../net/net.ts';
import { GRAPHVIZ_SECONDS, graphviz, LayoutTimeout } from './graphviz.ts';

/** Nodes up to which a net is drawn. */
export const MAX_NODES = 2000;

/**
 * The drawing of a net for pages and files: as its file draws it, else by Graphviz, else in layers with straight arcs. The note says why
 * Graphviz did not draw it.
 *
 * @throws InputError SVG001 a net of more than {@link MAX_NODES} nodes or four times as many arcs
 */
export function netDrawing(
  net: Net,
  positions: NodePositions | undefined,
  seconds: number = GRAPHVIZ_SECONDS,
): { readonly drawing: NetDrawing; readonly notes: readonly string[] } {
  const limit = { limit: MAX_NODES };
  if (positions !== undefined && isPlaced(net, positions))
    return { drawing: drawingOf(net, keptLayout(positions), limit), notes: [] };
  try {
    return { drawing: drawingOf(net, graphviz(seconds), limit), notes: [] };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const why =
      error instanceof LayoutTimeout
        ? `Graphviz did not lay out the net in ${seconds} s`
        : `Graphviz failed (${(error as Error).message})`;
    return {
      drawing: drawingOf(net, layeredLayout, limit),
      notes: [`${why}: the net is drawn in plain layers, with straight arcs.`],
    };
  }
}
