import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CommonParts } from '../../src/engine/emit/common-parts.ts';
import { emitValue, type Scope } from '../../src/engine/emit/expression.ts';
import {
  declareRows,
  elementOf,
  fillRows,
  rowsOf,
  shapeOfRows,
  type TableRows,
  valuesOf,
} from '../../src/engine/emit/table-rows.ts';
import { type Contents, compileKernel, Kernel, type KernelArray } from '../../src/kernel/kernel.ts';
import type { Expression } from '../../src/net/expression.ts';
import type { Table } from '../../src/net/net.ts';
import { atFullEffort, effort } from '../effort.ts';

const ALONE = Int32Array.of(3, 1, 4);
const TABLES: readonly Table[] = [
  { kind: 'int', name: 'small', values: Int32Array.of(4, -2, 0, 7, 1), low: -2, high: 7 },
  { kind: 'real', name: 'real', values: Float64Array.of(0.5, -1.25, 3, 1e300, 2) },
  { kind: 'int', name: 'other', values: Int32Array.of(1, 0, 1, 0, 1), low: 0, high: 1 },
  { kind: 'int', name: 'alone', values: ALONE, low: 1, high: 4 },
];
const placesOf = (rows: readonly TableRows[]) =>
  new Map(rows.flatMap((r) => r.columns.map((column) => [column.table.name, { rows: r, column }] as const)));
const rows = rowsOf(TABLES);
const places = placesOf(rows);
/** As in very long tables. */
const packedRows = rowsOf(TABLES, 0);
const packedPlaces = placesOf(packedRows);

const scope: Scope = {
  names: new Map([
    ['a', 'va'],
    ['b', 'vb'],
  ]),
  ranges: new Map([
    ['a', { low: 0, high: 4, integer: true }],
    ['b', { low: -3, high: 3, integer: true }],
  ]),
  tables: new Map(TABLES.map((t) => [t.name, t])),
  tableName: (name) => `K${TABLES.findIndex((t) => t.name === name)}`,
  columnOf: (name) => places.get(name),
  functionName: () => '',
};
const packed: Scope = { ...scope, columnOf: (name) => packedPlaces.get(name) };

const a: Expression = { op: 'var', name: 'a' };
const { value } = fc.letrec<{ value: Expression; truth: Expression }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'common' },
    fc.constantFrom<Expression>(a, { op: 'var', name: 'b' }),
    fc.constantFrom<Expression>(
      { op: 'at', table: 'small', index: a },
      { op: 'at', table: 'real', index: a },
      { op: 'at', table: 'other', index: a },
      { op: 'at', table: 'alone', index: { op: 'at', table: 'other', index: a } },
    ),
    fc.constantFrom(0, 1, -1, 2.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY).map((v): Expression => {
      return { op: 'const', value: v };
    }),
    fc
      .tuple(fc.constantFrom('add', 'sub', 'mul', 'div', 'min', 'max'), tie('value'), tie('value'))
      .map(([op, x, y]): Expression => ({ op: op as 'add', a: x, b: y })),
    tie('value').map((x): Expression => ({ op: 'floor', a: x })),
    fc.tuple(tie('truth'), tie('value'), tie('value')).map(([test, x, y]): Expression => {
      return { op: 'if', test, a: x, b: y };
    }),
  ),
  truth: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'common' },
    fc
      .tuple(fc.constantFrom('lt', 'eq'), tie('value'), tie('value'))
      .map(([op, x, y]): Expression => ({ op: op as 'lt', a: x, b: y })),
    tie('truth').map((x): Expression => ({ op: 'not', a: x })),
    fc.tuple(tie('truth'), tie('truth')).map(([x, y]): Expression => ({ op: 'and', a: x, b: y })),
  ),
}));

/** Results of generated code for all a and b. */
function resultsOf(code: string, values: readonly string[], rows: readonly TableRows[]): number[] {
  const text = `${rows.map(declareRows).join('\n')}
declare const K3: ints;
let out: nums = nums(${values.length});
export function f(va, vb) { ${code} ${values.map((v, k) => `out[${k}] = ${v};`).join(' ')} }`;
  const given: Record<string, KernelArray | Contents> = { K3: ALONE };
  for (const r of rows) {
    given[`T${r.number}`] = {
      length: r.length * r.words,
      write: (to) => fillRows(r, to as Int32Array<ArrayBuffer>),
    };
    for (const [name, numbers] of valuesOf(r)) given[name] = numbers;
  }
  const kernel = new Kernel(compileKernel(text), {}, given);
  const all: number[] = [];
  for (let x = 0; x <= 4; x++)
    for (let y = -3; y <= 3; y++) {
      kernel.call['f']!(x, y);
      all.push(...kernel.array<Float64Array<ArrayBuffer>>('out'));
    }
  return all;
}

test('common subexpressions are evaluated once, with unchanged values', () => {
  let named = 0;
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (expressions) => {
      // Some expressions occur twice, and inside others.
      const all: Expression[] = [
        ...expressions,
        ...expressions.map((e): Expression => ({ op: 'add', a: e, b: structuredClone(e) })),
        { op: 'if', test: { op: 'lt', a, b: expressions[0]! }, a: expressions[0]!, b: a },
      ];
      const wanted = resultsOf(
        '',
        all.map((e) => emitValue(e, scope)),
        rows,
      );
      for (const [of, own] of [
        [scope, rows],
        [packed, packedRows],
      ] as const) {
        const common = new CommonParts(of, all).emit();
        if (common.code !== '') named++;
        const values = all.map((e) => emitValue(e, common.scope));
        expect(resultsOf(common.code, values, own)).toEqual(wanted);
      }
    }),
    { numRuns: effort(400) },
  );
  expect(named).toBeGreaterThan(atFullEffort(400));
});

test('a common subexpression gets a name only if it occurs twice', () => {
  const at = (table: string): Expression => ({ op: 'at', table, index: { op: 'var', name: 'a' } });
  const sum: Expression = { op: 'add', a: at('small'), b: at('other') };
  const { code, scope: inner } = new CommonParts(scope, [sum, structuredClone(sum), at('real')]).emit();
  expect(code.match(/const /g)).toHaveLength(1);
  expect(emitValue(sum, inner)).toMatch(/^x\d+$/);
  expect(emitValue(at('real'), inner)).toBe(emitValue(at('real'), scope));
});

test('an index that may be out of range is not evaluated earlier than written', () => {
  const outside: Expression = { op: 'at', table: 'alone', index: a };
  expect(new CommonParts(scope, [outside, outside]).emit().code).toBe('');
});

test('tables of equal length share rows in one cache line; single tables do not', () => {
  expect(
    rows.map(({ length, words, columns }) => ({ length, words, tables: columns.map((c) => c.table.name) })),
  ).toEqual([{ length: 5, words: 4, tables: ['real', 'small', 'other'] }]);
  expect(elementOf(places.get('other')!, 'i')).toBe('T0[i * 4 + 3]');
  expect(elementOf(places.get('real')!, 'i')).toBe('TD0[i * 2 + 0]');
});

describe('very long tables', () => {
  test('integers share words, and doubles are stored once each', () => {
    expect(packedRows.map(({ words, columns }) => ({ words, tables: columns.map((c) => c.table.name) }))).toEqual([
      { words: 1, tables: ['small', 'real', 'other'] },
    ]);
    const code = (name: string): string => elementOf(packedPlaces.get(name)!, 'i');
    expect(code('small')).toBe('((T0[i * 1 + 0] & 15) + (-2) | 0)');
    expect(code('real')).toBe('TV0_1[((T0[i * 1 + 0] >>> 4) & 7)]');
    expect(code('other')).toBe('((T0[i * 1 + 0] >>> 7) & 1)');
  });

  const few = Float64Array.from({ length: 8 }, (_, k) => k % 2);
  const many = Float64Array.from({ length: 8 }, (_, k) => 100 + k);
  const pair = (a: Float64Array, b: Float64Array): TableRows[] =>
    rowsOf(
      [
        { kind: 'real', name: 'a', values: a },
        { kind: 'real', name: 'b', values: b },
      ],
      0,
    );

  test('rows of other code have other shapes: two tables with the numbers of values exchanged', () => {
    const [one, other] = [pair(few, many), pair(many, few)];
    expect(elementOf(placesOf(one).get('a')!, 'i')).not.toBe(elementOf(placesOf(other).get('a')!, 'i'));
    expect(shapeOfRows(one)).not.toEqual(shapeOfRows(other));
    expect(shapeOfRows(one)).toEqual(
      shapeOfRows(
        pair(
          few.map((v) => v + 5),
          many,
        ),
      ),
    );
  });

  test('an array that has changed since a net was compiled is refused', () => {
    const own = few.slice();
    const ints = new Int32Array(8);
    fillRows(pair(own, many)[0]!, ints);
    own[3] = 9;
    expect(() => fillRows(pair(own, many)[0]!, ints)).toThrow(
      'table a: entry 3 is 9, and had another value when a net with this array was compiled: give a new array',
    );
  });

  /** Tables of one length with all widths of integers, and doubles of few or many values. */
  const columns = fc
    .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 2, max: 9 }))
    .chain(([length, count]) =>
      fc.array(
        fc.oneof(
          fc
            .tuple(fc.integer(), fc.nat({ max: 32 }))
            .chain(([at, bits]) => {
              const low = Math.min(at, 2 ** 31 - 2 ** bits);
              const high = low + 2 ** bits - 1;
              const entry = fc.integer({ min: low, max: high });
              return fc.array(entry, { minLength: length, maxLength: length }).map((values) => ({ low, high, values }));
            })
            .map(({ low, high, values }): Omit<Table & { kind: 'int' }, 'name'> => {
              return { kind: 'int', low, high, values: Int32Array.from(values) };
            }),
          fc
            .array(fc.oneof(fc.constantFrom(0, -0, 1.5), fc.double({ noNaN: true })), {
              minLength: length,
              maxLength: length,
            })
            .map(
              (values): Omit<Table & { kind: 'real' }, 'name'> => ({ kind: 'real', values: Float64Array.from(values) }),
            ),
        ),
        { minLength: count, maxLength: count },
      ),
    )
    .map((tables) => tables.map((t, k): Table => ({ ...t, name: `t${k}` }) as Table));

  test.each([2 ** 16, 1])('the code reads the numbers of the tables, with at most %i different doubles', (most) => {
    fc.assert(
      fc.property(columns, (tables) => {
        const [own] = rowsOf(tables, 0, most) as [TableRows];
        const values = tables.map((t) => {
          const column = own.columns.find(({ table }) => table === t)!;
          return elementOf({ rows: own, column }, 'at');
        });
        const text = `${declareRows(own)}
let out: nums = nums(${values.length});
export function f(at) { ${values.map((v, k) => `out[${k}] = ${v};`).join(' ')} }`;
        const ints = { length: own.length * own.words, write: (to: KernelArray) => fillRows(own, to as never) };
        const given = Object.fromEntries<KernelArray | Contents>([['T0', ints], ...valuesOf(own)]);
        const kernel = new Kernel(compileKernel(text), {}, given);
        for (let at = 0; at < own.length; at++) {
          kernel.call['f']!(at);
          const wanted = tables.map((t) => (t as { values: Int32Array | Float64Array }).values[at]! + 0);
          expect([...kernel.array<Float64Array<ArrayBuffer>>('out')]).toEqual(wanted);
        }
        // Never longer than plain rows.
        expect(own.words).toBeLessThanOrEqual(rowsOf(tables, Number.POSITIVE_INFINITY)[0]!.words);
      }),
      { numRuns: effort(300) },
    );
  });
});
