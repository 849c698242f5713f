import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SparseVector } from '../../../src/analysis/flows/elimination.ts';
import { semiflows, shareOf } from '../../../src/analysis/flows/semiflows.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { bruteSemiflows } from './brute-semiflows.ts';

const rowsOf = (matrix: readonly (readonly number[])[]): SparseVector[] =>
  matrix.map((row) => new Map(row.flatMap((value, c) => (value === 0 ? [] : [[c, value] as const]))));

const shown = (flows: readonly SparseVector[]): string[] =>
  flows
    .map((flow) =>
      [...flow]
        .sort(([a], [b]) => a - b)
        .map(([k, v]) => `${v}·${k}`)
        .join(' + '),
    )
    .sort();

/** Matrices with few columns and small numbers, which usually have semiflows. */
const matrices = fc
  .record({
    rows: fc.integer({ min: 1, max: 8 }),
    columns: fc.integer({ min: 1, max: 5 }),
    most: fc.constantFrom(1, 1, 2, 5),
  })
  .chain(({ rows, columns, most }) =>
    fc.array(fc.array(fc.integer({ min: -most, max: most }), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  );

function isSemiflow(matrix: readonly (readonly number[])[], flow: SparseVector): boolean {
  const columns = matrix[0]!.length;
  const zero = Array.from({ length: columns }, (_, c) =>
    [...flow].reduce((sum, [k, v]) => sum + BigInt(v) * BigInt(matrix[k]![c]!), 0n),
  );
  return flow.size > 0 && [...flow.values()].every((v) => v > 0 && Number.isInteger(v)) && zero.every((v) => v === 0n);
}

describe('semiflows', () => {
  test('are exactly the minimal ones', () => {
    let some = 0;
    fc.assert(
      fc.property(matrices, (matrix) => {
        const { flows, complete } = semiflows(rowsOf(matrix));
        expect(complete).toBe(true);
        expect(shown(flows)).toEqual(shown(bruteSemiflows(matrix)));
        some += flows.length;
      }),
      { numRuns: effort(600) },
    );
    expect(some).toBeGreaterThan(atFullEffort(1000));
  });

  test('of an aborted search are semiflows', () => {
    let given = 0;
    let found = 0;
    fc.assert(
      fc.property(matrices, fc.nat({ max: 60 }), (matrix, effort) => {
        const { flows, complete } = semiflows(rowsOf(matrix), effort);
        for (const flow of flows) expect(isSemiflow(matrix, flow)).toBe(true);
        if (complete) expect(shown(flows)).toEqual(shown(bruteSemiflows(matrix)));
        given += Number(!complete);
        found += complete ? 0 : flows.length;
      }),
      { numRuns: effort(600) },
    );
    expect(given).toBeGreaterThan(atFullEffort(100));
    expect(found).toBeGreaterThan(atFullEffort(20));
  });

  test('a search for 2ⁿ is aborted, and a few are found at once', () => {
    // A chain of n pairs of places; each place of a pair passes tokens to the next pair.
    const n = 40;
    const matrix = Array.from({ length: 2 * n }, () => new Array<number>(n).fill(0));
    for (let k = 0; k < n; k++)
      for (const side of [0, 1]) {
        matrix[2 * k + side]![k] = 1;
        matrix[2 * k + side]![(k + 1) % n] = -1;
      }
    const { flows, complete } = semiflows(rowsOf(matrix));
    expect(complete).toBe(false);
    expect(new Set(flows.flatMap((f) => [...f.keys()])).size).toBe(2 * n);
  });

  test('with numbers beyond a double are omitted', () => {
    // y_k+1 = 1000 · y_k, seven times: 10²¹.
    const matrix = Array.from({ length: 8 }, (_, k) =>
      Array.from({ length: 7 }, (_, c) => (k === c ? 1000 : k === c + 1 ? -1 : 0)),
    );
    expect(bruteSemiflows(matrix).map((f) => f.get(7))).toEqual([1e21]);
    expect(semiflows(rowsOf(matrix))).toEqual({ flows: [], complete: false });
  });

  test('of a net of a few places', () => {
    // 2·a → b; b → 2·a
    expect(
      shown(
        semiflows(
          rowsOf([
            [-2, 2],
            [1, -1],
          ]),
        ).flows,
      ),
    ).toEqual(['1·0 + 2·1']);
    expect(semiflows([])).toEqual({ flows: [], complete: true });
    expect(shown(semiflows(rowsOf([[0], [1]])).flows)).toEqual(['1·0']);
  });
});

test('the share of a semiflow that covers a sum', () => {
  const flow = new Map([
    [0, 2],
    [1, 3],
    [2, 1],
  ]);
  expect(
    shareOf(
      new Map([
        [0, 1],
        [1, 1],
      ]),
      flow,
    ),
  ).toEqual({ times: 1, of: 2 });
  expect(shareOf(new Map([[3, 1]]), flow)).toBeUndefined();
  expect(
    shareOf(
      new Map([
        [3, -1],
        [2, 2],
      ]),
      flow,
    ),
  ).toEqual({ times: 2, of: 1 });
  expect(shareOf(new Map([[0, -1]]), flow)).toBeUndefined();
});
