import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import type { PagedColumn } from '../../src/base/columns.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToJson } from '../../src/net/json/json-write.ts';
import type { Net } from '../../src/net/net.ts';
import { netHash } from '../../src/net/net-hash.ts';
import type { Term } from '../../src/net/term.ts';
import { add, div, eq, lt, when } from '../../src/net/terms.ts';
import { netToText } from '../../src/net/text/text.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { problemsOf } from '../net/problems.ts';
import { compare } from './agree.ts';

/** A paged column with an arbitrary, possibly faulty, page loader. */
const column = (load: (page: number) => unknown, more: object = {}): PagedColumn<never> =>
  ({ length: 64, shift: 5, pages: [], load, ...more }) as unknown as PagedColumn<never>;

/** A token that uses the entries of a table one after the other as delays. */
function walk(
  values: PagedColumn<never> | Int32Array | Uint8Array | Float64Array,
  kind: 'int' | 'real',
  bounds = { low: 0, high: 9 },
): Net {
  const n = new NetBuilder('walk');
  const { length } = values;
  const p = n.place('p', { i: n.range('I', 0, length) }, { initial: [{ i: 0 }] });
  const table =
    kind === 'int' ? n.intTable('t', values as Int32Array, bounds) : n.realTable('t', values as Float64Array);
  n.transition('go', (t) => {
    const { i } = t.take(p);
    t.guard(lt(i, length));
    t.delay(table.at(i));
    t.put(p, { i: add(i, 1) });
  });
  return n.build();
}

function ints(value: number, length = 32): () => Int32Array {
  return () => new Int32Array(length).fill(value);
}
function reals(value: number, length = 32): () => Float64Array {
  return () => new Float64Array(length).fill(value);
}

describe('an invalid page is rejected when it is loaded', () => {
  test.each<[string, 'int' | 'real', () => unknown, string]>([
    ['an entry outside the bounds', 'int', ints(77), "page 0 has an entry 77 outside the table's bounds 0 … 9"],
    ['no number', 'real', reals(Number.NaN), 'page 0 has an entry that is not a number'],
    ['of the other kind', 'int', reals(1), 'page 0 is a Float64Array: expected an Int32Array'],
    ['of the other kind', 'real', () => new Int32Array(1), 'page 0 is an Int32Array: expected a Float64Array'],
    ['a list', 'real', () => [1, 2], 'page 0 is a list: expected a Float64Array'],
    ['a promise', 'real', async () => reals(1)(), 'page 0 is an object: expected a Float64Array'],
    ['nothing', 'int', () => undefined, 'page 0 is nothing: expected an Int32Array'],
    ['too long', 'int', ints(1, 33), 'page 0 has 33 entries: expected at most 32'],
  ])('a page is refused when it is loaded: %s', (_, kind, load, message) => {
    const net = walk(column(load), kind);
    const expected = [`NET007 table t: ${message}`];
    expect(problemsOf(() => simulate(net))).toEqual(expected);
    expect(problemsOf(() => netToJson(net))).toEqual(expected);
    expect(problemsOf(() => netHash(net))).toEqual(expected);
    expect(problemsOf(() => netToText(net))).toEqual(expected);
    expect(problemsOf(() => unfold(net))).toEqual(expected);
  });
});

test('a short page is rejected if 0 is out of bounds', () => {
  const short = (length: number): Net => walk(column(ints(5, 20), { length }), 'int', { low: 5, high: 9 });
  expect(problemsOf(() => simulate(short(32)))).toEqual([
    "NET007 table t: page 0 has 20 entries: expected 32, because 0 is outside the table's bounds 5 … 9",
  ]);
  expect(simulate(short(20)).time).toBe(100);
});

test('cells beyond a page are 0, also after reuse of its buffer', () => {
  // Enough pages that the memory of the first is reused.
  const pages = 2000;
  const short = column((page) => (page % 2 === 0 ? reals(1)() : reals(1, 5)()), { length: 32 * pages });
  const run = simulate(walk(short, 'real'));
  expect(run.time).toBe((pages / 2) * (32 + 5));
});

test('pages of a column that is declared valid are not scanned', () => {
  const run = simulate(walk(column(ints(1), { sound: true }), 'int', { low: 2, high: 9 }));
  expect(run.time).toBe(64);
});

test.each([
  [{ length: -1 }],
  [{ length: 0.5 }],
  [{ length: Number.NaN }],
  [{ length: 2 ** 31 }],
  [{ length: Number.POSITIVE_INFINITY }],
  [{ shift: 4 }],
  [{ shift: 21 }],
  [{ shift: 5.5 }],
  [{ shift: undefined }],
])('rejects a column: %o', (more) => {
  expect(problemsOf(() => walk(column(ints(1), { length: 32, ...more }), 'int'))[0]).toMatch(/a paged column/);
});

test('rejects empty bounds', () => {
  expect(problemsOf(() => walk(column(ints(5)), 'int', { low: 5, high: 2 }))).toEqual([
    'NET007 table t: no entry fits its bounds 5 … 2',
  ]);
});

test.each([5, 12, 17, 18, 19, 20])('loads and drops pages of 2^%i positions', (shift) => {
  const pages = Math.max(40, 2 ** (14 - shift));
  const size = 2 ** shift;
  const n = new NetBuilder('large');
  const p = n.place('p', { i: n.range('I', 0, size * pages) }, { initial: [{ i: 0 }] });
  const one = new Int32Array(size);
  const load = (page: number): Int32Array => {
    one[0] = page;
    return one;
  };
  const table = n.intTable('t', column(load, { length: size * pages, shift }), { low: 0, high: pages });
  n.transition('go', (t) => {
    const { i } = t.take(p);
    t.guard(lt(i, size * pages));
    t.delay(table.at(i));
    t.put(p, { i: add(i, size) });
  });
  const game = compile(n.build()).start();
  game.run(1e6);
  expect([game.steps, game.now]).toEqual([2 * pages, (pages * (pages - 1)) / 2]);
});

test('arrays of another realm are checked, too', () => {
  const foreign = vm.runInNewContext('[Int32Array.of(3, 77), Float64Array.of(1, NaN)]') as [Int32Array, Float64Array];
  expect(problemsOf(() => walk(foreign[0], 'int'))).toEqual(['NET007 table t: entry 77 is outside its bounds 0 … 9']);
  expect(problemsOf(() => walk(foreign[1], 'real'))).toEqual(['NET007 table t: an entry is not a number']);
  const n = new NetBuilder('own bounds');
  n.intTable('t', foreign[0]);
  expect(n.build().tables).toMatchObject([{ low: 3, high: 77 }]);
});

test('−0 in a table is 0', () => {
  const zeros = Float64Array.of(-0, 1);
  const inRows = [zeros, Float64Array.of(2, -0)];
  const paged = column(() => Float64Array.of(-0), { length: 32 });
  for (const tables of [[zeros], inRows, [paged]]) {
    const n = new NetBuilder('zeros');
    const p = n.place('p', {}, { initial: 1 });
    const q = n.place('q', { a: n.range('A', 0, 9), b: n.range('B', 0, 9) });
    const [first] = tables.map((values, k) => n.realTable(`t${k}`, values));
    const step = n.stepTable('s', Float64Array.of(0), Float64Array.of(-0));
    n.transition('go', (t) => {
      t.take(p);
      const sign = (x: Term<number>): Term<number> => when(eq(div(1, x), Number.POSITIVE_INFINITY), 1, 2);
      t.put(q, { a: sign(first!.at(0)), b: sign(step.of(1)) });
    });
    const net = n.build();
    compare(net);
    expect(simulate(net).run.tokens('q')).toMatchObject([{ values: [1, 1] }]);
  }
});

test('a table of bytes is the table of the same integers: run, JSON, text, hash', () => {
  const values = Array.from({ length: 300 }, (_, k) => (k * 7) % 256);
  const bounds = { low: 0, high: 255 };
  const [bytes, integers] = [
    walk(Uint8Array.from(values), 'int', bounds),
    walk(Int32Array.from(values), 'int', bounds),
  ];
  const sum = values.reduce((x, y) => x + y, 0);
  expect([simulate(bytes).time, simulate(integers).time]).toEqual([sum, sum]);
  expect(netToJson(bytes)).toEqual(netToJson(integers));
  expect(netToText(bytes)).toBe(netToText(integers));
  expect(netHash(bytes)).toBe(netHash(integers));
  // In rows with a table of the same length.
  const n = new NetBuilder('rows');
  const p = n.place('p', { i: n.range('I', 0, 300) }, { initial: [{ i: 0 }] });
  const [a, b] = [
    n.intTable('a', Uint8Array.from(values)),
    n.intTable(
      'b',
      Int32Array.from(values, (v) => -v),
    ),
  ];
  n.transition('go', (t) => {
    const { i } = t.take(p);
    t.guard(lt(i, 300));
    t.delay(add(add(a.at(i), a.at(i)), b.at(i)));
    t.put(p, { i: add(i, 1) });
  });
  expect(simulate(n.build()).time).toBe(sum);
});

test('very long tables in memory, which are packed: a net reads their numbers', () => {
  const length = 2 ** 21 + 1;
  const at = (k: number): number => Math.imul(k + 1, 0x2c1b3c6d);
  const few = Float64Array.from({ length }, (_, k) => (k % 3 === 0 ? 0 : (k % 5) / 8));
  const many = Float64Array.from({ length }, (_, k) => k / 7);
  const small = Int32Array.from({ length }, (_, k) => (k % 7) - 3);
  const wide = Int32Array.from({ length }, (_, k) => at(k));
  const n = new NetBuilder('long');
  const I = n.range('I', 0, length + 65_537);
  const real = n.integer('real');
  const p = n.place('p', { i: I }, { initial: [{ i: 0 }] });
  const out = n.place('out', { i: I, small: real, wide: real });
  const tables = [
    n.realTable('few', few),
    n.realTable('many', many),
    n.intTable('small', small),
    n.intTable('wide', wide),
  ];
  n.transition('go', (t) => {
    const { i } = t.take(p);
    t.guard(lt(i, length));
    t.delay(add(tables[0]!.at(i), tables[1]!.at(i)) as Term<number>);
    t.put(out, { i, small: tables[2]!.at(i), wide: tables[3]!.at(i) });
    t.put(p, { i: add(i, 65_537) });
  });
  const { game, time, ended } = simulate(n.build());
  expect(ended).toBe('quiescent');
  const seen = Array.from({ length: Math.ceil(length / 65_537) }, (_, k) => 65_537 * k);
  expect(game.tokens('out').map(({ values }) => values)).toEqual(seen.map((i) => [i, small[i], wide[i]]));
  expect(time).toBe(seen.reduce((sum, i) => sum + (few[i]! + many[i]!), 0));
});

test('two nets whose very long tables have the numbers of different values exchanged have code of their own', () => {
  // Two columns of doubles of this length take more than 64 MiB, and are packed.
  const length = 2 ** 22 + 1;
  const few = Float64Array.from({ length }, (_, k) => 1 + (k & 1));
  const many = Float64Array.from({ length }, (_, k) => 100 + (k % 300));
  const endOf = (first: Float64Array, second: Float64Array): number => {
    const n = new NetBuilder('two tables');
    const table = n.realTable('first', first);
    n.realTable('second', second);
    const p = n.place('p', { i: n.range('I', 0, length) }, { initial: [{ i: 0 }] });
    n.transition('go', (t) => {
      const { i } = t.take(p);
      t.guard(lt(i, 5));
      t.delay(table.at(i));
      t.put(p, { i: add(i, 1) });
    });
    return simulate(n.build()).time;
  };
  expect(endOf(few, many)).toBe(1 + 2 + 1 + 2 + 1);
  expect(endOf(many, few)).toBe(100 + 101 + 102 + 103 + 104);
  expect(
    endOf(
      few.map((v) => v + 5),
      many,
    ),
  ).toBe(32);
});
