import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decider } from '../../../src/analysis/properties/decide.ts';
import { type Evidence, Evidences } from '../../../src/analysis/properties/evidence.ts';
import type { Formula } from '../../../src/analysis/properties/property.ts';
import { StateFormulas } from '../../../src/analysis/properties/state-formula.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { INT, netOf, take, x } from '../../reference/nets.ts';
import { formulas } from './formulas.ts';
import { explorationOf, type Kripke, kripke, naive } from './kripke.ts';

const formula = formulas({ places: ['p', 'q'], transitions: ['odd', 'even'] });
const runs = { numRuns: effort(1500) };

type Graph = Kripke & { readonly levels: number[] };

function decided(graph: Graph, asked: readonly Formula[], maxStates?: number): Decider {
  const exploration = explorationOf(graph, maxStates);
  const decider = new Decider(
    exploration,
    asked.map((f) => ({ kind: 'formula', formula: f })),
    { bytes: 1e9 },
  );
  decider.run();
  return decider;
}

test('verdicts on random graphs agree with the definitions', () => {
  fc.assert(
    fc.property(kripke, fc.array(formula, { minLength: 1, maxLength: 3 }), (graph, asked) => {
      const values = decided(graph, asked).decisions.map((d) => d.value);
      expect(values).toEqual(asked.map((f) => naive(f, graph).has(0)));
    }),
    runs,
  );
});

test('sets of states agree with the definitions', () => {
  fc.assert(
    fc.property(kripke, formula, (graph, f) => {
      const decider = decided(graph, [{ op: 'AG', of: { op: 'EX', of: { op: 'true' } } }]);
      // The formula above may have been decided before the space was complete.
      fc.pre(decider.space.complete);
      const { must, may } = decider.ctl()!.holding(f);
      expect(new Set([...must.keys()].filter((s) => must[s] === 1))).toEqual(naive(f, graph));
      expect(may).toEqual(must);
    }),
    runs,
  );
});

test('equal tokens at several positions of a queue are counted together', () => {
  const net = netOf({
    places: { p: { fields: [{ name: 'k', colour: INT }], order: 'fifo', tokens: [[0], [1], [0]] } },
    transitions: { t: { inputs: [take('p', { k: x('k') })] } },
  });
  const space = explore(net);
  expect(space.maxTokensInPlace).toBe(2);
  expect([...new StateFormulas(space).holds({ op: 'within', tokens: 1 }, 0, space.states)]).toEqual([0, 1, 1, 1]);
});

test('equal tokens in a place and in its service are counted together', () => {
  const n = new NetBuilder('station');
  const K = n.range('K', 0, 1);
  n.place('p', { k: K }, { initial: [{ k: 0 }, { k: 1 }, { k: 0 }], service: fcfs({ time: 1 }) });
  const space = explore(n.build());
  const within = new StateFormulas(space).holds({ op: 'within', tokens: 1 }, 0, space.states);
  expect([...within].map((holds, s) => [holds, space.marking(s).places[0]!.tokens.length])).toContainEqual([0, 3]);
});

test('verdicts on a part of the graph are true of the whole graph', () => {
  let known = 0;
  fc.assert(
    fc.property(kripke, formula, fc.integer({ min: 1, max: 10 }), (graph, f, most) => {
      const decider = decided(graph, [f], most);
      const value = decider.decisions[0]!.value as boolean | undefined;
      if (decider.space.complete) expect(value).not.toBe(undefined);
      else if (value !== undefined) known++;
      if (value !== undefined) expect(value).toBe(naive(f, graph).has(0));
    }),
    runs,
  );
  expect(known).toBeGreaterThan(atFullEffort(runs.numRuns / 20));
});

test('a reachable state is found at its distance, without further exploration', () => {
  fc.assert(
    fc.property(kripke, formulas({ places: ['p', 'q'], transitions: ['odd', 'even'] }, false), (graph, goal) => {
      const decider = decided(graph, [{ op: 'EF', of: goal }]);
      const holds = naive(goal, graph);
      const first = Math.min(...holds);
      const [decision] = decider.decisions;
      if (holds.size === 0) return;
      const way = new Evidences(decider, 1e9).of(decision!)!;
      expect(way.steps.length).toBe(graph.levels.filter((s) => s <= first).length - 1);
      expect(ends(way, graph)).toBe(first);
    }),
    runs,
  );
});

/** Follows a path and returns its last state. */
function ends({ from, steps }: Evidence, graph: Graph): number {
  let state = from;
  for (const step of steps) {
    expect(graph.edges[state]).toContain(step.target);
    state = step.target;
  }
  return state;
}

describe('paths demonstrate their statements', () => {
  const state = formulas({ places: ['p', 'q'], transitions: ['odd', 'even'] }, false);
  const visited = ({ from, steps }: Evidence): number[] => [from, ...steps.map((s) => s.target)];

  test.each(['EG', 'AF'] as const)('%s: a loop, or an end', (op) => {
    let shown = 0;
    fc.assert(
      fc.property(kripke, state, (graph, of) => {
        const f: Formula = { op, of };
        const decider = decided(graph, [f]);
        const way = new Evidences(decider, 1e9).of(decider.decisions[0]!);
        const holds = naive(of, graph);
        expect(way !== undefined).toBe(naive(f, graph).has(0) === (op === 'EG'));
        if (way === undefined) return;
        shown++;
        const last = ends(way, graph);
        for (const s of visited(way)) expect(holds.has(s)).toBe(op === 'EG');
        if (way.loop !== undefined) expect(visited(way)[way.loop]).toBe(last);
        else if (decider.space.complete) expect(graph.edges[last]).toEqual([]);
      }),
      runs,
    );
    expect(shown).toBeGreaterThan(atFullEffort(50));
  });

  test('EU: through states of one to a state of the other', () => {
    fc.assert(
      fc.property(kripke, state, state, (graph, a, b) => {
        const decider = decided(graph, [{ op: 'EU', a, b }]);
        const way = new Evidences(decider, 1e9).of(decider.decisions[0]!);
        expect(way !== undefined).toBe(naive({ op: 'EU', a, b }, graph).has(0));
        if (way === undefined) return;
        const path = visited(way);
        expect(naive(b, graph).has(ends(way, graph))).toBe(true);
        for (const s of path.slice(0, -1)) expect(naive(a, graph).has(s)).toBe(true);
      }),
      runs,
    );
  });

  test('a violated AG EF: to a state without a way back', () => {
    fc.assert(
      fc.property(kripke, state, (graph, goal) => {
        const f: Formula = { op: 'AG', of: { op: 'EF', of: goal } };
        const decider = decided(graph, [f]);
        const [decision] = decider.decisions;
        expect(decision!.value).toBe(naive(f, graph).has(0));
        if (decision!.value !== false) return;
        const last = ends(new Evidences(decider, 1e9).of(decision!)!, graph);
        expect(naive({ op: 'EF', of: goal }, graph).has(last)).toBe(false);
      }),
      runs,
    );
  });
});
