import { components } from '../petri/components.ts';
import type { Petri } from '../petri/petri.ts';
import { type Arcs, arcsOf } from './siphons.ts';

/**
 * Classes of place/transition nets with the names and definitions of the Model Checking Contest. Arc weights matter only for
 * `ordinary`, `conservative` and `subconservative`.
 */
export interface NetClasses {
  /** All weights are 1. */
  readonly ordinary: boolean;
  /** Transitions that share an input place have no other input place. */
  readonly simple_free_choice: boolean;
  /** Transitions that share an input place have the same input places. */
  readonly extended_free_choice: boolean;
  /** Every transition has exactly one input place and one output place. */
  readonly state_machine: boolean;
  /** Every place has exactly one input transition and one output transition. */
  readonly marked_graph: boolean;
  /** Any two nodes are connected if arc directions are ignored. */
  readonly connected: boolean;
  /** Any two nodes are connected by directed paths in both directions. */
  readonly strongly_connected: boolean;
  /** Some place has no input transition. */
  readonly source_place: boolean;
  /** Some place has no output transition. */
  readonly sink_place: boolean;
  /** Some transition has no input place. */
  readonly source_transition: boolean;
  /** Some transition has no output place. */
  readonly sink_transition: boolean;
  /** No place is both an input and an output of the same transition. */
  readonly loop_free: boolean;
  /** Every transition produces as many tokens as it consumes. */
  readonly conservative: boolean;
  /** No transition produces more tokens than it consumes. */
  readonly subconservative: boolean;
}

/** The classes of a net; undefined if it has inhibitor, capacity or reset arcs. O(size of the net × log). */
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

/** The net as a directed graph: places first, then transitions. */
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
  // Union-find: each node points towards the representative of its component.
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
