import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { components } from '../../../src/analysis/petri/components.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { homeStates, type Liveness, livenessLevels } from '../../../src/analysis/space/liveness.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort, FULL_EFFORT } from '../../effort.ts';
import { netOf, num, put, take } from '../../reference/nets.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { stochasticNet } from '../markov/stochastic-nets.ts';
import { tables, truncated } from './random-table.ts';
import { graphOf, type SpaceTable, tableSpace } from './table-space.ts';

const never = (): boolean => false;

function levels(space: StateSpace, stop: () => boolean = never): Liveness[] {
  const graph = space.complete ? space.graph() : undefined;
  const parts = graph && components(graph);
  return livenessLevels(space, { graph, components: parts, missing: 'no graph', stop, stopped: () => 'stopped' });
}

/** The net, unless its immediate transitions are refused. */
function netWithout(make: () => Net): Net | undefined {
  try {
    return make();
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

const reachOf = (targets: readonly (readonly number[])[]): Set<number>[] =>
  targets.map((_, s) => {
    const seen = new Set([s]);
    for (const v of seen) for (const w of targets[v]!) seen.add(w);
    return seen;
  });

/** By definition: an edge can be repeated if its source can be reached again from its target. */
function defined(
  firings: readonly (readonly (readonly [transition: number, target: number])[])[],
  reach: readonly ReadonlySet<number>[],
  transitions: number,
): number[] {
  return Array.from({ length: transitions }, (_, t) => {
    const edges = firings.flatMap((row, s) => row.filter(([u]) => u === t).map(([, to]) => [s, to] as const));
    const sources = edges.map(([s]) => s);
    if (edges.length === 0) return 0;
    if (reach.every((states) => sources.some((s) => states.has(s)))) return 4;
    return edges.some(([s, to]) => reach[to]!.has(s)) ? 3 : 1;
  });
}

const reachOfTable = ({ firings }: SpaceTable): Set<number>[] => reachOf(firings.map((row) => row.map(([, to]) => to)));
const definedOf = (table: SpaceTable): number[] => defined(table.firings, reachOfTable(table), table.transitions);

test('levels and home states of complete spaces agree with the definitions', () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(tables, (table) => {
      const space = tableSpace(table);
      const found = levels(space);
      const reach = reachOfTable(table);
      expect(found.map(({ level }) => level)).toEqual(definedOf(table));
      for (const [t, { level, lostFrom, because }] of found.entries()) {
        seen.add(level!);
        expect(because).not.toBe('');
        expect(lostFrom !== undefined).toBe(level === 1 || level === 3);
        // The witness: no state reachable from there enables the transition.
        if (lostFrom !== undefined)
          expect([...reach[lostFrom]!].some((s) => table.firings[s]!.some(([u]) => u === t))).toBe(false);
      }
      const homes = table.tokens.filter((_, s) => reach.every((states) => states.has(s)));
      expect(homeStates(components(space.graph()!))).toBe(homes.length);
    }),
    { numRuns: effort(2000) },
  );
  expect([...seen].sort()).toEqual([0, 1, 3, 4]);
});

test('levels of truncated spaces, without a graph and after a stop are unknown', () => {
  fc.assert(
    fc.property(tables, fc.nat(), (table, seed) => {
      const part = tableSpace(truncated(table, seed % table.tokens.length));
      const expected = part.complete ? definedOf(table) : part.net.transitions.map(() => undefined);
      expect(levels(part).map(({ level }) => level)).toEqual(expected);
      const whole = tableSpace({ ...table, graphBytes: 0 });
      const dead = definedOf(table).map((level) => (level === 0 ? 0 : undefined));
      expect(levels(whole).map(({ level }) => level)).toEqual(dead);
      expect(levels(whole, () => true).every(({ level }) => level === undefined)).toBe(true);
    }),
    { numRuns: effort(1000) },
  );
});

test('levels of random nets agree with the definition, in both explorers', () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(plainNet, ({ initial, transitions }) => {
      const net = netWithout(() => stochasticNet('random', initial, transitions));
      if (net === undefined) return;
      for (const engine of ['packed', 'general'] as const) {
        const space = explore(net, { engine, maxStates: 60 });
        if (!space.complete) return;
        const steps = Array.from({ length: space.states }, (_, s) => space.firings(s));
        const reach = reachOf(steps.map((row) => row.map(({ target }) => target)));
        const found = levels(space).map(({ level }) => level!);
        const starts = steps.map((row) => row.filter(({ kind }) => kind === 'fire' || kind === 'start'));
        const edges = starts.map((row) => row.map(({ node, target }) => [node, target] as const));
        expect(found).toEqual(defined(edges, reach, net.transitions.length));
        for (const level of found) seen.add(level);
      }
    }),
    { numRuns: effort(500) },
  );
  expect(seen.size).toBeGreaterThanOrEqual(FULL_EFFORT ? 4 : 1);
});

test('a start inside a component counts, the end of another firing does not', () => {
  const net = netOf({
    places: { p: { tokens: 1 }, q: { tokens: 0 } },
    transitions: {
      loop: { inputs: [take('p')], outputs: [put('p')], delay: num(1) },
      leave: { inputs: [take('p')], outputs: [put('q')], delay: num(1) },
    },
  });
  expect(levels(explore(net)).map(({ level }) => level)).toEqual([3, 1]);
});

test('without a single bottom component there is no home state', () => {
  expect(homeStates(components(graphOf([[1, 2], [], []])))).toBe(0);
  expect(homeStates(components(graphOf([[1], [2], [1]])))).toBe(2);
});
