import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommonParts } from '../../src/engine/emit/common-parts.ts';
import { emitValue, type Scope } from '../../src/engine/emit/expression.ts';
import { declareRows, elementOf, fillRows, rowsOf } from '../../src/engine/emit/table-rows.ts';
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
const rows = rowsOf(TABLES);
const places = new Map(
  rows.flatMap((r) => r.columns.map(({ table, word }) => [table.name, { rows: r, word }] as const)),
);

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
function valuesOf(code: string, values: readonly string[]): number[] {
  const text = `${rows.map(declareRows).join('\n')}
declare const K3: ints;
let out: nums = nums(${values.length});
export function f(va, vb) { ${code} ${values.map((v, k) => `out[${k}] = ${v};`).join(' ')} }`;
  const given: Record<string, KernelArray | Contents> = { K3: ALONE };
  for (const r of rows)
    given[`T${r.number}`] = {
      length: r.length * r.words,
      write: (to) => fillRows(r, to as Int32Array<ArrayBuffer>),
    };
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
      const common = new CommonParts(scope, all).emit();
      if (common.code !== '') named++;
      expect(
        valuesOf(
          common.code,
          all.map((e) => emitValue(e, common.scope)),
        ),
      ).toEqual(
        valuesOf(
          '',
          all.map((e) => emitValue(e, scope)),
        ),
      );
    }),
    { numRuns: effort(400) },
  );
  expect(named).toBeGreaterThan(atFullEffort(200));
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
  expect(elementOf(places.get('other')!, 'int', 'i')).toBe('T0[i * 4 + 3]');
  expect(elementOf(places.get('real')!, 'real', 'i')).toBe('TD0[i * 2 + 0]');
});
