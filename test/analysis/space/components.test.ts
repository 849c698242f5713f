import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Components, components } from '../../../src/analysis/petri/components.ts';
import type { StateGraph } from '../../../src/analysis/space/state-space.ts';
import { effort } from '../../effort.ts';
import { graphOf } from './table-space.ts';

type Rows = readonly (readonly number[])[];

/** Reference implementation: two states are in one component if each is reachable from the other. */
function naive(rows: Rows): { partition: string; bottoms: number } {
  const reach = rows.map((_, s) => {
    const seen = new Set([s]);
    for (const v of seen) for (const w of rows[v]!) seen.add(w);
    return seen;
  });
  const of = rows.map((_, s) => [...reach[s]!].filter((w) => reach[w]!.has(s)).sort((a, b) => a - b));
  const bottom = rows.map((_, s) => [...reach[s]!].every((w) => reach[w]!.has(s)));
  return {
    partition: of.map((c) => c.join(' ')).join(', '),
    bottoms: new Set(of.filter((_, s) => bottom[s]).map((c) => c[0])).size,
  };
}

function partition(found: Components): string {
  const members = Array.from({ length: found.count }, (): number[] => []);
  found.of.forEach((c, s) => {
    members[c]!.push(s);
  });
  return [...found.of].map((c) => members[c]!.join(' ')).join(', ');
}

const graphs = fc
  .integer({ min: 0, max: 14 })
  .chain((n) =>
    n === 0
      ? fc.constant([] as Rows)
      : fc.array(fc.array(fc.integer({ min: 0, max: n - 1 }), { maxLength: 3 }), { minLength: n, maxLength: n }),
  );

describe('components', () => {
  test('agree with the definition, and edges lead to equal or smaller numbers', () => {
    fc.assert(
      fc.property(graphs, (rows) => {
        const found = components(graphOf(rows));
        const expected = naive(rows);
        expect(partition(found)).toBe(expected.partition);
        expect(found.bottoms).toBe(expected.bottoms);
        expect(found.count).toBe(new Set(found.of).size);
        for (const [s, row] of rows.entries())
          for (const w of row) expect(found.of[w]!).toBeLessThanOrEqual(found.of[s]!);
        for (let c = 0; c < found.count; c++) {
          const members = [...found.of.keys()].filter((s) => found.of[s] === c);
          expect(found.sizes[c]).toBe(members.length);
          const stays = members.every((s) => rows[s]!.every((w) => found.of[w] === c));
          expect(found.bottom[c]).toBe(stays ? 1 : 0);
        }
      }),
      { numRuns: effort(2000) },
    );
  });

  test('a chain of a million states has a million components, a ring one', () => {
    const n = 1_000_000;
    const start = Uint32Array.from({ length: n + 1 }, (_, s) => s);
    const ring: StateGraph = { states: n, edges: n, start, target: (edge) => (edge + 1) % n };
    expect(components(ring)).toMatchObject({ count: 1, bottoms: 1, sizes: Uint32Array.of(n) });
    start[n] = n - 1;
    const chain = components({ ...ring, edges: n - 1 });
    expect(chain).toMatchObject({ count: n, bottoms: 1 });
    expect(chain.of[n - 1]).toBe(0);
    expect(chain.bottom[0]).toBe(1);
  });

  test('row starts may be doubles, for more than 2³² edges', () => {
    const far = 2 ** 33;
    const graph: StateGraph = {
      states: 2,
      edges: 2,
      start: Float64Array.of(far, far + 1, far + 2),
      target: (edge) => Math.min(1, edge - far + 1),
    };
    expect(components(graph)).toMatchObject({ count: 2, bottoms: 1 });
  });
});
