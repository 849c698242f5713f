import { alg } from '@dagrejs/graphlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { netGraph, placeNode, transitionNode } from '../../src/net/drawing/graph.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { philosophers } from './contest-nets.ts';
import { reordered } from './reordered.ts';
import { smallNet } from './small-net.ts';

test('a node for every place and transition, an edge for every arc, with their data', () => {
  fc.assert(
    fc.property(arbitraryNet, (net) => {
      const graph = netGraph(net);
      expect(graph.nodeCount()).toBe(net.places.length + net.transitions.length);
      for (const place of net.places) expect(graph.node(placeNode(place.name))).toEqual({ kind: 'place', place });
      for (const transition of net.transitions) {
        const node = transitionNode(transition.name);
        expect(graph.node(node)).toEqual({ kind: 'transition', transition });
        const into = (graph.inEdges(node) ?? []).map((e) => graph.edge(e).arc);
        const outOf = (graph.outEdges(node) ?? []).map((e) => graph.edge(e).arc);
        expect(new Set(into)).toEqual(new Set(transition.inputs));
        expect(new Set(outOf)).toEqual(new Set(transition.outputs));
        expect([into.length, outOf.length]).toEqual([transition.inputs.length, transition.outputs.length]);
      }
    }),
    { numRuns: effort(200) },
  );
});

test('the order of declaration does not matter', () => {
  const told = (graph: ReturnType<typeof netGraph>): unknown => [
    graph.nodes(),
    graph.edges().map((e) => [e, graph.edge(e).inscription]),
  ];
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 20 }), (net, turn) => {
      expect(told(netGraph(reordered(net, turn)))).toEqual(told(netGraph(net)));
    }),
    { numRuns: effort(200) },
  );
});

test('graphlib finds the cycles: philosophers are strongly connected, the small net is not', () => {
  expect(alg.tarjan(netGraph(philosophers(3)))).toHaveLength(1);
  expect(alg.tarjan(netGraph(smallNet())).length).toBeGreaterThan(1);
});

test('edges have distinct ids and their inscriptions', () => {
  const graph = netGraph(smallNet());
  const edges = (graph.nodeEdges(transitionNode('work')) ?? []).map((e) => {
    const { kind, inscription } = graph.edge(e);
    return `${e.v} ${kind} ${inscription} ${e.w}`;
  });
  expect(edges.sort()).toMatchSnapshot();
});
