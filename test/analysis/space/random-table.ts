import * as fc from 'fast-check';
import type { SpaceTable } from './table-space.ts';

interface Draft {
  readonly tokens: readonly (readonly number[])[];
  readonly firings: readonly (readonly (readonly [number, number])[])[];
  readonly transitions: number;
}

/** Random systems of a few states, restricted to the reachable ones and numbered breadth-first. */
export const tables: fc.Arbitrary<SpaceTable> = fc
  .record({
    n: fc.integer({ min: 1, max: 12 }),
    places: fc.integer({ min: 1, max: 3 }),
    transitions: fc.integer({ min: 1, max: 4 }),
    most: fc.integer({ min: 1, max: 2 }),
    branching: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ n, places, transitions, most, branching }) =>
    fc.record({
      transitions: fc.constant(transitions),
      tokens: fc.array(fc.array(fc.integer({ min: 0, max: most }), { minLength: places, maxLength: places }), {
        minLength: n,
        maxLength: n,
      }),
      firings: fc.array(
        fc.array(fc.tuple(fc.integer({ min: 0, max: transitions - 1 }), fc.integer({ min: 0, max: n - 1 })), {
          maxLength: branching,
        }),
        { minLength: n, maxLength: n },
      ),
    }),
  )
  .map(reachable);

function reachable({ tokens, firings, transitions }: Draft): SpaceTable {
  const number = new Map([[0, 0]]);
  for (const s of number.keys()) for (const [, to] of firings[s]!) if (!number.has(to)) number.set(to, number.size);
  return {
    transitions,
    tokens: [...number.keys()].map((s) => tokens[s]!),
    firings: [...number.keys()].map((s) => firings[s]!.map(([t, to]) => [t, number.get(to)!] as const)),
  };
}

/** The truncated space in which only the first states are expanded. */
export function truncated({ tokens, firings, transitions }: SpaceTable, expanded: number): SpaceTable {
  const found = new Set([0]);
  for (const row of firings.slice(0, expanded)) for (const [, to] of row) found.add(to);
  // With breadth-first numbers, the states found are the first ones.
  const states = Math.max(expanded, found.size);
  return {
    transitions,
    expanded,
    tokens: tokens.slice(0, states),
    firings: firings.slice(0, states).map((row) => row.map(([t, to]) => [t, to < states ? to : -1] as const)),
  };
}
