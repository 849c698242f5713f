import { components } from '../space/components.ts';
import type { Petri } from '../space/petri.ts';
import { type Arcs, arcsOf } from './arcs.ts';

/**
 * Classes of place/transition nets, in the names and with the meaning of the Model Checking Contest: weights matter to
 * `ordinary` and the two kinds of conservation only.
 */
export interface NetClasses {
  /** All weights are 1. */
  readonly ordinary: boolean;
  /** Transitions that share an input place have no other. */
  readonly simple_free_choice: boolean;
  /** Transitions that share an input place have the same input places. */
  readonly extended_free_choice: boolean;
  /** Every transition has one input and one output place. */
  readonly state_machine: boolean;
  /** Every place has one input and one output transition. */
  readonly marked_graph: boolean;
  /** There is a way between any two nodes, whatever the direction of the arcs. */
  readonly connected: boolean;
  readonly strongly_connected: boolean;
  /** Some place, some transition, has no input, no output. */
  readonly source_place: boolean;
  readonly sink_place: boolean;
  readonly source_transition: boolean;
  readonly sink_transition: boolean;
  /** No transition has a place as input and as output. */
  readonly loop_free: boolean;
  /** Every transition brings as many tokens as it takes. */
  readonly conservative: boolean;
  /** No transition brings more tokens than it takes. */
  readonly subconservative: boolean;
}

/** The classes of a net; undefined where it has arcs of other kinds, that test for few tokens or reset. O(size of the net × log). */
export function netClasses(petri: Petri): NetClasses | undefined {
  if (petri.transitions.some((t) => t.limits.length > 0 || t.resets.length > 0)) return undefined;
  const arcs = arcsOf(petri);
  const { inputs, outputs, producers, consumers } = arcs;
  const sum = (list: readonly (readonly [number, number])[]): number => list.reduce((total, [, n]) => total + n, 0);
  const shared = consumers.filter((list) => list.length > 1);
  const names = inputs.map((list) => list.map(([p]) => p).join());
  const graph = graphOf(arcs);
  return {
    ordinary: [...inputs, ...outputs].every((list) => list.every(([, n]) => n === 1)),
    simple_free_choice: shared.every((list) => list.every((t) => inputs[t]!.length === 1)),
    extended_free_choice: shared.every((list) => list.every((t) => names[t] === names[list[0]!])),
    state_machine: inputs.every((list, t) => list.length === 1 && outputs[t]!.length === 1),
    marked_graph: producers.every((list, p) => list.length === 1 && consumers[p]!.length === 1),
    connected: isConnected(arcs),
    strongly_connected: graph.states === 0 || components(graph).count === 1,
    source_place: producers.some((list) => list.length === 0),
    sink_place: consumers.some((list) => list.length === 0),
    source_transition: inputs.some((list) => list.length === 0),
    sink_transition: outputs.some((list) => list.length === 0),
    loop_free: inputs.every((list, t) => {
      const out = new Set(outputs[t]!.map(([p]) => p));
      return list.every(([p]) => !out.has(p));
    }),
    conservative: inputs.every((list, t) => sum(list) === sum(outputs[t]!)),
    subconservative: inputs.every((list, t) => sum(list) >= sum(outputs[t]!)),
  };
}

/** Places and, behind them, transitions as nodes. */
function graphOf({ places, inputs, outputs, consumers }: Arcs): {
  states: number;
  edges: number;
  start: Float64Array;
  target(edge: number): number;
} {
  const rows = [
    ...consumers.map((list) => list.map((t) => places + t)),
    ...outputs.map((list) => list.map(([p]) => p)),
  ];
  const start = new Float64Array(rows.length + 1);
  rows.forEach((row, k) => {
    start[k + 1] = start[k]! + row.length;
  });
  const targets = rows.flat();
  return { states: places + inputs.length, edges: targets.length, start, target: (edge) => targets[edge]! };
}

function isConnected({ places, inputs, outputs }: Arcs): boolean {
  // Each node points to one of its part; at the end all parts have one such node.
  const of = Array.from({ length: places + inputs.length }, (_, k) => k);
  const root = (k: number): number => {
    let at = k;
    while (of[at] !== at) {
      of[at] = of[of[at]!]!;
      at = of[at]!;
    }
    return at;
  };
  let parts = of.length;
  for (const lists of [inputs, outputs])
    lists.forEach((list, t) => {
      for (const [p] of list) {
        const [a, b] = [root(p), root(places + t)];
        if (a === b) continue;
        of[a] = b;
        parts--;
      }
    });
  return parts <= 1;
}
