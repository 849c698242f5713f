import { stepGraphOf } from '../../../src/analysis/space/general/general-space.ts';
import type { Firing, MarkingView, StateGraph, StateSpace } from '../../../src/analysis/space/state-space.ts';
import type { Net } from '../../../src/net/net.ts';

/** A state space as a table, for tests: by state, its tokens by place and its firings. */
export interface SpaceTable {
  /** Tokens by state and place. */
  readonly tokens: readonly (readonly number[])[];
  /** By state: (transition, target); −1 for a target that is not stored. */
  readonly firings: readonly (readonly (readonly [number, number])[])[];
  readonly transitions: number;
  /** States from here on were found, but not expanded. */
  readonly expanded?: number;
  /** Size of the graph in bytes: with a smaller memory limit it is unavailable. */
  readonly graphBytes?: number;
}

export function graphOf(rows: readonly (readonly number[])[]): StateGraph {
  const start = new Uint32Array(rows.length + 1);
  rows.forEach((row, s) => {
    start[s + 1] = start[s]! + row.length;
  });
  const targets = Uint32Array.from(rows.flat());
  return { states: rows.length, edges: targets.length, start, target: (edge) => targets[edge]! };
}

/** A net without arcs, with the given number of places and transitions; a table defines its behaviour. */
function bare(places: number, transitions: number): Net {
  return {
    name: 'table',
    colours: [],
    tables: [],
    places: Array.from({ length: places }, (_, p) => ({
      name: `p${p}`,
      fields: [],
      order: 'bag' as const,
      key: [],
      initial: [],
    })),
    transitions: Array.from({ length: transitions }, (_, t) => ({
      name: `t${t}`,
      // These arcs prevent conclusions about places without exploring states.
      inputs: Array.from({ length: places }, (_, p) => ({
        kind: 'take' as const,
        place: `p${p}`,
        pattern: {},
        count: 1,
      })),
      outputs: [],
    })),
  };
}

/** The space of a table; markings are token counts. */
export function tableSpace(table: SpaceTable): StateSpace {
  const { tokens, firings } = table;
  const n = tokens.length;
  const places = tokens[0]?.length ?? 0;
  const expanded = table.expanded ?? n;
  const edges = firings.slice(0, expanded).reduce((sum, row) => sum + row.length, 0);
  const distance = new Array<number>(n).fill(-1);
  distance[0] = 0;
  const queue = [0];
  for (let head = 0; head < queue.length; head++)
    for (const [, to] of firings[queue[head]!]!)
      if (to >= 0 && distance[to] === -1) {
        distance[to] = distance[queue[head]!]! + 1;
        queue.push(to);
      }
  const levels = distance.flatMap((d, s) => (s === 0 || distance[s - 1] !== d ? [s] : []));
  const between = <T extends Int32Array | Float64Array | Uint8Array>(
    array: T,
    from: number,
    value: (s: number) => number,
  ): T => {
    for (let s = 0; s < array.length; s++) array[s] = value(from + s);
    return array;
  };
  const space: StateSpace = {
    net: bare(places, table.transitions),
    states: n,
    expanded,
    edges,
    complete: expanded === n,
    truncation: expanded === n ? undefined : 'states',
    order: 'breadth',
    levels,
    bytes: 8 * n,
    seconds: 0,
    maxTokensPerMarking: Math.max(0, ...tokens.map((row) => row.reduce((a, b) => a + b, 0))),
    maxTokensInPlace: Math.max(0, ...tokens.flat()),
    tokens: (group, from, to) =>
      between(new Float64Array(to - from), from, (s) => group.reduce((sum, p) => sum + tokens[s]![p]!, 0)),
    classes: () => () => [],
    enabled: (group, from, to) =>
      between(new Uint8Array(to - from), from, (s) => Number(firings[s]!.some(([t]) => group.includes(t)))),
    neverEnabled: (group, from, to, within = () => true) => {
      const seen = firings
        .slice(from, to)
        .flatMap((row, k) => (within(from + k) ? row : []))
        .map(([t]) => t);
      return group.filter((t) => !seen.includes(t));
    },
    outDegree: (from, to) => between(new Int32Array(to - from), from, (s) => firings[s]!.length),
    firings: (s): Firing[] =>
      firings[s]!.map(([node, target]) => ({ kind: 'fire' as const, node, binding: {}, target })),
    marking: (s): MarkingView => ({
      places: tokens[s]!.flatMap((count, place) =>
        count === 0 ? [] : [{ place, tokens: [{ values: [], count, where: 'place' as const }] }],
      ),
      busy: [],
    }),
    graph: (bytes = Number.POSITIVE_INFINITY) =>
      4 * (n + edges) > Math.min(bytes, table.graphBytes ?? Number.POSITIVE_INFINITY)
        ? undefined
        : graphOf(firings.map((row, s) => (s < expanded ? row.flatMap(([, to]) => (to < 0 ? [] : [to])) : []))),
    stepGraph: (stop) => stepGraphOf(space, (s) => space.firings(s), stop),
  };
  return space;
}
