import * as fc from 'fast-check';
import type { Formula } from '../../../src/analysis/properties/property.ts';
import { stepGraphOf } from '../../../src/analysis/space/general/general-space.ts';
import type { Exploration, Firing, StateSpace } from '../../../src/analysis/space/state-space.ts';
import type { Net } from '../../../src/net/net.ts';

/** A graph with token counts of `p` and `q` by state. State 0 is initial; the others are numbered breadth-first. */
export interface Kripke {
  readonly edges: readonly (readonly number[])[];
  readonly p: readonly number[];
  readonly q: readonly number[];
}

/** The reachable part, renumbered breadth-first. */
function reachable({ edges, p, q }: Kripke): Kripke & { readonly levels: number[] } {
  const order = [0];
  const number = new Map([[0, 0]]);
  const levels = [0];
  let end = 1;
  for (let k = 0; k < order.length; k++) {
    if (k === end) {
      levels.push(k);
      end = order.length;
    }
    for (const t of edges[order[k]!]!)
      if (!number.has(t)) {
        number.set(t, order.length);
        order.push(t);
      }
  }
  return {
    edges: order.map((s) => edges[s]!.map((t) => number.get(t)!)),
    p: order.map((s) => p[s]!),
    q: order.map((s) => q[s]!),
    levels,
  };
}

export const kripke: fc.Arbitrary<Kripke & { readonly levels: number[] }> = fc
  .integer({ min: 1, max: 14 })
  .chain((n) =>
    fc.record({
      edges: fc.array(fc.array(fc.nat({ max: n - 1 }), { maxLength: 3 }), { minLength: n, maxLength: n }),
      p: fc.array(fc.nat({ max: 2 }), { minLength: n, maxLength: n }),
      q: fc.array(fc.nat({ max: 2 }), { minLength: n, maxLength: n }),
    }),
  )
  .map(reachable);

const place = (name: string): Net['places'][number] => ({ name, fields: [], order: 'bag', key: [], initial: [] });
const NET: Net = {
  name: 'graph',
  colours: [],
  tables: [],
  places: [place('p'), place('q')],
  transitions: ['odd', 'even'].map((name) => ({ name, inputs: [], outputs: [] })),
};

/** `odd` is enabled in states with an edge to an odd state, `even` likewise. */
const transitionTo = (t: number): number => (t % 2 === 1 ? 0 : 1);

/** A minimal exploration of a given graph that fulfils the contract of explorers. */
export function explorationOf(
  graph: Kripke & { readonly levels: number[] },
  maxStates: number = Infinity,
): Exploration {
  let states = 1;
  let expanded = 0;
  let truncated = false;
  const most = Math.min(maxStates, graph.edges.length);
  const successors = (s: number): Firing[] =>
    graph.edges[s]!.map((t) => ({ kind: 'fire', node: transitionTo(t), binding: {}, target: t < states ? t : -1 }));
  const map = <A>(from: number, to: number, of: (s: number) => A): A[] =>
    Array.from({ length: to - from }, (_, k) => of(from + k));
  const space: StateSpace = {
    net: NET,
    get states() {
      return states;
    },
    get expanded() {
      return expanded;
    },
    get edges() {
      return graph.edges.slice(0, expanded).reduce((sum, e) => sum + e.length, 0);
    },
    get complete() {
      return expanded === graph.edges.length && !truncated;
    },
    get truncation() {
      return truncated ? ('states' as const) : undefined;
    },
    order: 'breadth',
    get levels() {
      return graph.levels.filter((s) => s < states);
    },
    bytes: 0,
    seconds: 0,
    maxTokensPerMarking: 0,
    get maxTokensInPlace() {
      return Math.max(...graph.p.slice(0, states), ...graph.q.slice(0, states));
    },
    tokens: (places, from, to) =>
      Float64Array.from(map(from, to, (s) => places.reduce((sum, k) => sum + [graph.p, graph.q][k]![s]!, 0))),
    classes: () => () => [],
    enabled: (transitions, from, to) =>
      Uint8Array.from(
        map(from, to, (s) => (graph.edges[s]!.some((t) => transitions.includes(transitionTo(t))) ? 1 : 0)),
      ),
    neverEnabled: (transitions, from, to, within = () => true) => {
      const seen = new Set(map(from, to, (s) => (within(s) ? graph.edges[s]!.map(transitionTo) : [])).flat());
      return transitions.filter((t) => !seen.has(t));
    },
    outDegree: (from, to) => Int32Array.from(map(from, to, (s) => graph.edges[s]!.length)),
    firings: successors,
    marking: (s) => ({
      places: [graph.p, graph.q].map((x, k) => ({ place: k, tokens: [{ values: [], count: x[s]!, where: 'place' }] })),
      busy: [],
    }),
    graph() {
      const start = new Uint32Array(states + 1);
      const targets: number[] = [];
      for (let s = 0; s < states; s++) {
        targets.push(...(s < expanded ? successors(s) : []).map((f) => f.target).filter((t) => t >= 0));
        start[s + 1] = targets.length;
      }
      return { states, edges: targets.length, start, target: (e) => targets[e]! };
    },
    stepGraph: (stop) => stepGraphOf(space, successors, stop),
  };
  return {
    space,
    advance() {
      if (truncated || expanded === graph.edges.length) return false;
      const found = Math.max(states, ...graph.edges[expanded]!.map((t) => t + 1));
      states = Math.min(most, found);
      if (found > most) truncated = true;
      else expanded++;
      return !truncated && expanded < graph.edges.length;
    },
  };
}

/** Reference implementation: the states in which a formula holds, by recursion and fixpoint iteration. */
export function naive(f: Formula, { edges, p, q }: Kripke): Set<number> {
  const all = new Set(edges.keys());
  const sub = (g: Formula): Set<number> => naive(g, { edges, p, q });
  const some = (test: (s: number) => boolean): Set<number> => new Set([...all].filter(test));
  const fixed = (start: Set<number>, next: (x: Set<number>) => Set<number>): Set<number> => {
    for (let x = start; ; ) {
      const y = next(x);
      if (y.size === x.size) return x;
      x = y;
    }
  };
  switch (f.op) {
    case 'true':
      return all;
    case 'false':
      return new Set();
    case 'dead':
    case 'deadlock':
      return some((s) => edges[s]!.length === 0);
    case 'initial':
      return new Set([0]);
    case 'within':
      return some((s) => p[s]! <= f.tokens && q[s]! <= f.tokens);
    case 'enabled':
      return some((s) => edges[s]!.some((t) => f.transitions.includes(['odd', 'even'][transitionTo(t)]!)));
    case 'compare': {
      const value = (x: typeof f.left, s: number): number =>
        x.constant + x.terms.reduce((sum, t) => sum + t.factor * (t.place === 'p' ? p : q)[s]!, 0);
      return some((s) => {
        const [a, b] = [value(f.left, s), value(f.right, s)];
        return { '<': a < b, '<=': a <= b, '=': a === b, '!=': a !== b, '>=': a >= b, '>': a > b }[f.relation];
      });
    }
    case 'not': {
      const x = sub(f.of);
      return some((s) => !x.has(s));
    }
    case 'and': {
      const x = f.of.map(sub);
      return some((s) => x.every((y) => y.has(s)));
    }
    case 'or': {
      const x = f.of.map(sub);
      return some((s) => x.some((y) => y.has(s)));
    }
    case 'implies': {
      const [a, b] = [sub(f.a), sub(f.b)];
      return some((s) => !a.has(s) || b.has(s));
    }
    case 'EX': {
      const x = sub(f.of);
      return some((s) => edges[s]!.some((t) => x.has(t)));
    }
    case 'AX': {
      const x = sub(f.of);
      return some((s) => edges[s]!.every((t) => x.has(t)));
    }
    case 'EF':
      return naive({ op: 'EU', a: { op: 'true' }, b: f.of }, { edges, p, q });
    case 'AF':
      return naive({ op: 'AU', a: { op: 'true' }, b: f.of }, { edges, p, q });
    case 'EG': {
      const x = sub(f.of);
      return fixed(x, (y) => new Set([...y].filter((s) => edges[s]!.length === 0 || edges[s]!.some((t) => y.has(t)))));
    }
    case 'AG': {
      const x = sub(f.of);
      return fixed(x, (y) => new Set([...y].filter((s) => edges[s]!.every((t) => y.has(t)))));
    }
    case 'EU': {
      const [a, b] = [sub(f.a), sub(f.b)];
      return fixed(b, (y) => some((s) => y.has(s) || (a.has(s) && edges[s]!.some((t) => y.has(t)))));
    }
    case 'AU': {
      const [a, b] = [sub(f.a), sub(f.b)];
      return fixed(b, (y) =>
        some((s) => y.has(s) || (a.has(s) && edges[s]!.length > 0 && edges[s]!.every((t) => y.has(t)))),
      );
    }
  }
}
