import { Graph } from '@dagrejs/graphlib';
import { assertIs } from '../../base/options.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../net.ts';
import { byText, Inscriptions, sortedByName } from '../text/text-terms.ts';
import { assertNet } from '../validation/validate-shape.ts';

/** A node of the graph: a place or a transition with its data. */
export type NetGraphNode =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'transition'; readonly transition: Transition };

/** An edge of the graph: an arc with its data and its inscription ('' for one token without colour). */
export type NetGraphEdge =
  | { readonly kind: InputArc['kind']; readonly arc: InputArc; readonly inscription: string }
  | { readonly kind: 'put'; readonly arc: OutputArc; readonly inscription: string };

/** The label of the graph. */
export interface NetGraphLabel {
  /** Name of the net. */
  readonly name: string;
}

/** The node id of a place. Prefixed, because a place and a transition may have the same name. */
export function placeNode(name: string): string {
  assertIs('placeNode', 'name', name, 'a string', 'APP061');
  return `place:${name}`;
}

/** The node id of a transition. */
export function transitionNode(name: string): string {
  assertIs('transitionNode', 'name', name, 'a string', 'APP061');
  return `transition:${name}`;
}

/**
 * A valid net as a directed graphlib multigraph, for graphlib's algorithms (components, cycles, paths).
 *
 * - nodes: `place:NAME` and `transition:NAME`, labelled with their data
 * - edges: place → transition for take, read, inhibit and reset arcs; transition → place for put arcs; labelled with
 *   the arc's data. Parallel edges are named `0`, `1` …
 * - graph label: the name of the net
 *
 * Nodes and edges are sorted by name and inscription, not by declaration. graphlib's algorithms are recursive: they
 * overflow the stack on paths of about 5,000 nodes. O(n log n) in the size of the net.
 *
 * @throws InputError NET037 if the value is not a net
 */
export function netGraph(net: Net): Graph<NetGraphLabel, NetGraphNode, NetGraphEdge> {
  assertNet(net);
  const graph = new Graph<NetGraphLabel, NetGraphNode, NetGraphEdge>({ directed: true, multigraph: true });
  graph.setGraph({ name: net.name });
  for (const place of sortedByName(net.places)) graph.setNode(placeNode(place.name), { kind: 'place', place });
  const written = new Inscriptions(net);
  for (const transition of sortedByName(net.transitions)) {
    const node = transitionNode(transition.name);
    graph.setNode(node, { kind: 'transition', transition });
    const edges: NetGraphEdge[] = [
      ...transition.inputs.map((arc) => ({ kind: arc.kind, arc, inscription: written.input(arc) })),
      ...transition.outputs.map((arc) => ({ kind: 'put' as const, arc, inscription: written.output(arc) })),
    ];
    edges.sort(
      (a, b) => byText(a.arc.place, b.arc.place) || byText(a.kind, b.kind) || byText(a.inscription, b.inscription),
    );
    edges.forEach((edge, k) => {
      const place = placeNode(edge.arc.place);
      if (edge.kind === 'put') graph.setEdge(node, place, edge, String(k));
      else graph.setEdge(place, node, edge, String(k));
    });
  }
  return graph;
}
