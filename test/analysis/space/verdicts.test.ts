import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '../../../src/analysis/petri/components.ts';
import { degrees } from '../../../src/analysis/space/degrees.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { componentSizes, depthProfile, distances, levelOf } from '../../../src/analysis/space/statistics.ts';
import { type Verdicts, verdicts } from '../../../src/analysis/space/verdicts.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { netOf, num, put, take } from '../../reference/nets.ts';
import { tables, truncated } from './random-table.ts';
import { graphOf, type SpaceTable, tableSpace } from './table-space.ts';

type Values = Record<keyof Verdicts, boolean | null>;

const never = (): boolean => false;

function decided(space: StateSpace, graph = space.complete): Values {
  const rows = graph ? space.graph() : undefined;
  const known = {
    degrees: degrees(space, rows, undefined, never),
    components: rows === undefined ? undefined : components(rows),
    missing: 'no graph',
    stop: never,
  };
  const found = Object.entries(verdicts(space, known)).map(([name, v]) => {
    expect(v.because).not.toBe('');
    return [name, v.value];
  });
  return Object.fromEntries(found) as Values;
}

/** Reference implementation: verdicts by definition, from the states reachable from each state. */
function defined({ tokens, firings, transitions }: SpaceTable): Values {
  const reach = firings.map((_, s) => {
    const seen = new Set([s]);
    for (const v of seen) for (const [, w] of firings[v]!) seen.add(w);
    return [...seen];
  });
  const all = Array.from({ length: transitions }, (_, t) => t);
  const possible = (states: readonly number[], t: number): boolean =>
    states.some((s) => firings[s]!.some(([u]) => u === t));
  return {
    deadlock: firings.some((row) => row.length === 0),
    oneSafe: tokens.flat().every((count) => count <= 1),
    quasiLive: all.every((t) => possible(reach[0]!, t)),
    live: all.every((t) => reach.every((states) => possible(states, t))),
    stableMarking: tokens[0]!.some((count, p) => tokens.every((row) => row[p] === count)),
    reversible: reach.every((states) => states.includes(0)),
  };
}

describe('verdicts', () => {
  test('of complete spaces agree with the definitions', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(tables, (table) => {
        const values = defined(table);
        for (const [name, value] of Object.entries(values)) seen.add(`${name} ${value}`);
        expect(decided(tableSpace(table))).toEqual(values);
      }),
      { numRuns: effort(3000) },
    );
    // Every answer occurs.
    expect(seen.size).toBe(12);
  });

  test('of truncated spaces, and without a graph, are correct or unknown', () => {
    let known = 0;
    fc.assert(
      fc.property(tables, fc.nat(), (table, seed) => {
        const whole = defined(table);
        const part = tableSpace(truncated(table, seed % table.tokens.length));
        for (const values of [decided(part), decided(tableSpace(table), false)])
          for (const [name, value] of Object.entries(values) as [keyof Values, boolean | null][])
            if (value !== null) {
              known++;
              expect([name, value]).toEqual([name, whole[name]]);
            }
        // Properties that a single marking decides are decided.
        if (part.outDegree(0, part.states).includes(0))
          expect(decided(part)).toMatchObject({ deadlock: true, live: false });
        if (part.maxTokensInPlace > 1) expect(decided(part).oneSafe).toBe(false);
      }),
      { numRuns: effort(2000) },
    );
    expect(known).toBeGreaterThan(atFullEffort(2000));
  });

  test('of a stopped analysis are unknown if they need a search', () => {
    const space = tableSpace({
      transitions: 1,
      tokens: [
        [1, 0],
        [0, 1],
      ],
      firings: [[[0, 1]], [[0, 0]]],
    });
    const stop = (): boolean => true;
    const found = verdicts(space, { degrees: undefined, components: undefined, missing: 'stopped', stop });
    expect(Object.values(found).map((v) => v.value)).toEqual([null, true, null, null, null, null]);
    expect(degrees(space, undefined, undefined, stop)).toBeUndefined();
  });

  test('of a ring of half a million states need few queries of transitions', () => {
    const n = 500_000;
    const space = tableSpace({ transitions: 1, tokens: [[1]], firings: [[[0, 0]]] });
    let asked = 0;
    const ring: StateSpace = {
      ...space,
      states: n,
      levels: Array.from({ length: n }, (_, s) => s),
      tokens: (_, from, to) => new Float64Array(to - from).fill(1),
      enabled: (_, from, to) => new Uint8Array(to - from).fill(1),
      neverEnabled: () => {
        asked++;
        return [];
      },
    };
    const start = Uint32Array.from({ length: n + 1 }, (_, s) => s);
    const graph = { states: n, edges: n, start, target: (e: number) => (e + 1) % n };
    const found = verdicts(ring, {
      degrees: degrees(ring, graph, undefined, never),
      components: components(graph),
      missing: '',
      stop: never,
    });
    expect(Object.values(found).map((v) => v.value)).toEqual([false, true, true, true, true, true]);
    expect(asked).toBeLessThan(10);
  });
});

test('a place whose token is away during a firing has no constant number of tokens', () => {
  const net = (delay?: number) =>
    netOf({
      places: { p: { tokens: 1 } },
      transitions: {
        t: { inputs: [take('p')], outputs: [put('p')], ...(delay === undefined ? {} : { delay: num(delay) }) },
      },
    });
  const stable = (delay?: number) => {
    const space = explore(net(delay));
    const known = { degrees: undefined, components: undefined, missing: 'no graph', stop: never };
    return verdicts(space, known).stableMarking.value;
  };
  expect([stable(), stable(1)]).toEqual([true, false]);
});

describe('degrees', () => {
  test('count dead states and non-final dead states', () => {
    const table: SpaceTable = {
      transitions: 1,
      tokens: [[0], [2], [1]],
      firings: [
        [
          [0, 1],
          [0, 2],
        ],
        [],
        [],
      ],
    };
    const space = tableSpace(table);
    const found = degrees(space, undefined, { places: [0], tokens: 2 }, never);
    expect(found).toEqual({ least: 0, most: 2, mean: 2 / 3, dead: 2, firstDead: [1, 2], stuck: 1, firstStuck: [2] });
    expect(degrees(space, space.graph(), undefined, never)).toMatchObject({ stuck: 2, firstStuck: [1, 2] });
  });
});

describe('statistics', () => {
  test('distances equal breadth-first levels', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const space = tableSpace(table);
        const found = distances(space.graph()!);
        expect([...found]).toEqual([...found].map((_, s) => levelOf(space.levels, s)));
        expect(depthProfile({ ...space, order: 'depth' }, found)).toEqual(depthProfile(space, undefined));
        expect(depthProfile(space, undefined)!.states.reduce((a, b) => a + b, 0)).toBe(space.states);
      }),
    );
  });

  test('a long profile is grouped into slices', () => {
    const space = { ...tableSpace({ transitions: 0, tokens: [[]], firings: [[]] }), states: 1001 };
    const levels = Array.from({ length: 1001 }, (_, s) => s);
    const profile = depthProfile({ ...space, levels }, undefined)!;
    expect(profile).toMatchObject({ deepest: 1000, slice: 11 });
    expect(profile.states).toHaveLength(91);
    expect(profile.states.slice(-2)).toEqual([11, 11]);
  });

  test('components by size', () => {
    const rows = [[1], [0, 2], [3, 5], [2], [], []];
    expect(componentSizes(components(graphOf(rows)))).toEqual([
      { size: 2, count: 2, bottom: 0 },
      { size: 1, count: 2, bottom: 2 },
    ]);
  });
});
