import { Graph } from '@dagrejs/graphlib';
import type { InputArc, Net, OutputArc, Place, Transition } from '../net.ts';
import { Inscriptions } from '../text/inscription.ts';
import { byText, sortedByName } from '../text/text-terms.ts';
import { assertNet } from '../validation/validate-shape.ts';

/** What a node of the graph stands for, with its data. */
export type NetGraphNode =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'transition'; readonly transition: Transition };

/** What an edge stands for: an arc with its data, and what is written on it ('' for one token without colour). */
export type NetGraphEdge =
  | { readonly kind: InputArc['kind']; readonly arc: InputArc; readonly inscription: string }
  | { readonly kind: 'put'; readonly arc: OutputArc; readonly inscription: string };

export interface NetGraphLabel {
  readonly name: string;
}

/** The id of a place's node: places and transitions may bear the same name. */
export function placeNode(name: string): string {
  return `place:${name}`;
}

/** The id of a transition's node. */
export function transitionNode(name: string): string {
  return `transition:${name}`;
}

/**
 * The valid net as a directed multigraph of graphlib, on which its algorithms run (components, cycles, paths).
 *
 * - nodes: `place:NAME` and `transition:NAME`, labelled with their data
 * - edges: place → transition for every arc that takes, reads, inhibits or resets, transition → place for every arc
 *   that puts; labelled with the arc's data. Parallel edges are told apart by the names `0`, `1` …
 * - the graph's label: the name of the net
 *
 * Nodes and edges are in the order of names and inscriptions, not of declaration. graphlib's algorithms recurse: on
 * paths of about 5,000 nodes they overflow the stack. O(size of the net · its logarithm).
 *
 * @throws InputError NET037 for what is no net
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
