import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Range, rangeOf } from '../../src/engine/emit/bindings/range.ts';
import { BINARY, type Expression, UNARY } from '../../src/net/expression.ts';
import type { Table } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { evaluate } from '../reference/evaluate.ts';

/** A variable per range, so that its values can be enumerated. */
const RANGES: Readonly<Record<string, readonly [low: number, high: number]>> = {
  negative: [-3, -1],
  around: [-2, 2],
  natural: [0, 3],
  positive: [1, 2],
};
const NAMES = Object.keys(RANGES);
const TABLES: readonly Table[] = [
  { kind: 'step', name: 'step', from: Float64Array.of(0, 1, 2), values: Float64Array.of(4, -1, 2.5) },
];
const tables = new Map(TABLES.map((t) => [t.name, t]));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const e = tie('expression');
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        fc.constantFrom(...NAMES).map((name): Expression => ({ op: 'var', name })),
        fc.constantFrom(-2, 0, 0.5, 3).map((value): Expression => ({ op: 'const', value })),
      ),
      fc.record({ op: fc.constantFrom(...UNARY), a: e }),
      fc.record({ op: fc.constantFrom(...BINARY), a: e, b: e }),
      fc.record({ op: fc.constant('if' as const), test: e, a: e, b: e }),
      fc.record({ op: fc.constant('step' as const), table: fc.constant('step'), index: e }),
    ),
  };
});

const variables = new Map(
  NAMES.map((name): [string, Range] => {
    const [low, high] = RANGES[name]!;
    return [name, { low, high, integer: true }];
  }),
);

/** All values of the variables. */
function bindings(): Record<string, number>[] {
  return NAMES.reduce<Record<string, number>[]>(
    (all, name) => {
      const [low, high] = RANGES[name]!;
      const values = Array.from({ length: high - low + 1 }, (_, k) => low + k);
      return all.flatMap((b) => values.map((value) => ({ ...b, [name]: value })));
    },
    [{}],
  );
}

test('the range of an expression contains its values, which are numbers if the range is finite', () => {
  const all = bindings();
  fc.assert(
    fc.property(expression, (e) => {
      const { low, high, integer } = rangeOf(e, variables, tables);
      for (const b of all) {
        const value = evaluate(e, b, tables);
        if (Number.isFinite(low)) expect([value >= low, value <= high]).toEqual([true, true]);
        if (integer) expect(value).toSatisfy(Number.isInteger);
      }
    }),
    { numRuns: effort(300) },
  );
});

const v = (name: string): Expression => ({ op: 'var', name });

test.each<[Expression, Range | undefined]>([
  [
    { op: 'sub', a: v('natural'), b: v('around') },
    { low: -2, high: 5, integer: true },
  ],
  [
    { op: 'neg', a: v('negative') },
    { low: 1, high: 3, integer: true },
  ],
  [
    { op: 'mul', a: v('negative'), b: v('around') },
    { low: -6, high: 6, integer: true },
  ],
  [
    { op: 'mod', a: v('around'), b: v('positive') },
    { low: -2, high: 1, integer: true },
  ],
  // The divisor may be 0.
  [{ op: 'mod', a: v('around'), b: v('natural') }, undefined],
  [{ op: 'div', a: v('around'), b: v('positive') }, undefined],
])('the range of %j has the bounds of its operands', (e, expected) => {
  const unbounded = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, integer: false };
  expect(rangeOf(e, variables, tables)).toEqual(expected ?? unbounded);
});
