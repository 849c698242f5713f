import nodeCrypto, { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NetBuilder, type TransitionBuilder } from '../../src/net/builder/builder.ts';
import { type Expression, operands } from '../../src/net/expression.ts';
import { guardingAmbient } from '../../src/net/functions/ambient.ts';
import type { Net, Table } from '../../src/net/net.ts';
import { lt, type Term, when } from '../../src/net/terms.ts';
import { evaluate } from '../reference/evaluate.ts';
import { codesOf, problemsOf } from './problems.ts';

const COLOURS = ['red', 'green', 'blue'] as const;
type Colour = (typeof COLOURS)[number];

/** A net with one place of many colours, whose only transition is made by `say` from functions. */
function netOf(
  say: (t: TransitionBuilder, token: Token, places: ReturnType<typeof parts>) => void,
  options?: Options,
): Net {
  const made = parts(options);
  made.n.transition('t', (t) => say(t, t.take(made.p), made));
  return made.n.build();
}

interface Options {
  readonly tableLimit?: number;
  /** Use larger ranges. */
  readonly wide?: boolean;
}

type Token = ReturnType<TransitionBuilder['take']> & ReturnType<typeof tokenOf>;
const tokenOf = (t: TransitionBuilder, { p }: ReturnType<typeof parts>) => t.take(p);

function parts({ wide = false, ...options }: Options = {}) {
  const n = new NetBuilder('functions', options);
  const I = n.range('I', -2, wide ? 9 : 3);
  const R = n.range('R', 0, wide ? 7 : 4);
  const Flag = n.bool('Flag');
  const Hue = n.enumeration('Hue', ...COLOURS);
  const Count = n.integer('Count');
  const Pair = n.product('Pair', R, I);
  const p = n.place('p', { i: I, r: R, f: Flag, h: Hue, pair: Pair, count: Count });
  return { n, I, R, Flag, Hue, Count, p };
}

const numbersOf = (t: Table | undefined): number[] =>
  t?.kind === 'int' || t?.kind === 'real' ? [...(t.values as Int32Array)] : [];
const tablesOf = (net: Net): Map<string, Table> => new Map(net.tables.map((t) => [t.name, t]));
/** Value of an expression of a net; the binding contains all its variables. */
const valueIn = (net: Net, e: Expression, binding: Record<string, number>): number =>
  evaluate(e, binding, tablesOf(net), new Map(net.functions?.map((f) => [f.name, f])));

interface State {
  readonly i: number;
  readonly r: number;
  readonly f: boolean;
  readonly h: Colour;
}
const range = (low: number, high: number): number[] => Array.from({ length: high - low + 1 }, (_, k) => low + k);
const STATES: readonly State[] = range(-2, 9).flatMap((i) =>
  range(0, 7).flatMap((r) => [false, true].flatMap((f) => COLOURS.map((h) => ({ i, r, f, h })))),
);
const bindingOf = (s: State): Record<string, number> => ({ i: s.i, r: s.r, f: Number(s.f), h: COLOURS.indexOf(s.h) });

/** A small function as data. */
type Code =
  | { readonly op: 'const'; readonly value: number }
  | { readonly op: 'i' | 'r' }
  | { readonly op: 'add' | 'mul' | 'mod' | 'max'; readonly a: Code; readonly b: Code }
  | { readonly op: 'by'; readonly variable: 'i' | 'r'; readonly ways: readonly Code[] }
  | { readonly op: 'if'; readonly test: Test; readonly a: Code; readonly b: Code };
type Test =
  | { readonly op: 'f' }
  | { readonly op: 'is'; readonly hue: Colour }
  | { readonly op: 'lt' | 'eq'; readonly a: Code; readonly b: Code }
  | { readonly op: 'and' | 'or'; readonly a: Test; readonly b: Test };

function run(c: Code, s: State): number {
  switch (c.op) {
    case 'const':
      return c.value;
    case 'i':
    case 'r':
      return s[c.op];
    case 'add':
      return run(c.a, s) + run(c.b, s);
    case 'mul':
      return run(c.a, s) * run(c.b, s);
    case 'mod':
      return run(c.a, s) % (Math.abs(run(c.b, s)) + 1);
    case 'max':
      return Math.max(run(c.a, s), run(c.b, s));
    case 'by':
      return run(c.ways[(s[c.variable] + 2) % c.ways.length]!, s);
    case 'if':
      return holds(c.test, s) ? run(c.a, s) : run(c.b, s);
  }
}

function holds(c: Test, s: State): boolean {
  switch (c.op) {
    case 'f':
      return s.f;
    case 'is':
      return s.h === c.hue;
    case 'lt':
      return run(c.a, s) < run(c.b, s);
    case 'eq':
      return run(c.a, s) === run(c.b, s);
    case 'and':
      return holds(c.a, s) && holds(c.b, s);
    case 'or':
      return holds(c.a, s) || holds(c.b, s);
  }
}

const { code, test: condition } = fc.letrec<{ code: Code; test: Test }>((tie) => ({
  code: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Code>({ op: 'i' }, { op: 'r' }),
    fc.record({ op: fc.constant('const' as const), value: fc.constantFrom(0, 1, 2, -3, 0.5, 2 ** 31, 2 ** 40) }),
    fc.record({ op: fc.constantFrom('add' as const, 'mul', 'mod', 'max'), a: tie('code'), b: tie('code') }),
    fc.record({
      op: fc.constant('by' as const),
      variable: fc.constantFrom('i' as const, 'r'),
      ways: fc.array(tie('code'), { minLength: 2, maxLength: 5 }),
    }),
    fc.record({ op: fc.constant('if' as const), test: tie('test'), a: tie('code'), b: tie('code') }),
  ),
  test: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant<Test>({ op: 'f' }),
    fc.record({ op: fc.constant('is' as const), hue: fc.constantFrom(...COLOURS) }),
    fc.record({ op: fc.constantFrom('lt' as const, 'eq'), a: tie('code'), b: tie('code') }),
    fc.record({ op: fc.constantFrom('and' as const, 'or'), a: tie('test'), b: tie('test') }),
  ),
}));

/** Number of distinct paths through the function: sequences of variables read and their values. */
function pathsOf(f: (s: State) => unknown): number {
  const paths = new Set<string>();
  for (const state of STATES) {
    const read = new Map<string, unknown>();
    f(
      new Proxy(state, {
        get: (_, key) => {
          const value = state[key as keyof State];
          read.set(key as string, value);
          return value;
        },
      }),
    );
    paths.add(JSON.stringify([...read]));
  }
  return paths.size;
}

// Functions are evaluated inside one guard, because installing it takes longer than most of them.
describe.each([
  ['tabulated', 2 ** 20],
  ['called', 0],
])('a function that is %s', (_, tableLimit) => {
  test('has the same numbers everywhere', () => {
    fc.assert(
      fc.property(code, (c) => {
        const f = (s: State): number => run(c, s);
        // Wrapped in a comparison, which accepts any number.
        const net = netOf((t, token) => t.guard(lt(t.fn(token, f), 0)), { tableLimit, wide: true });
        const [number] = operands(net.transitions[0]!.guard!);
        const found = guardingAmbient(() => STATES.map((s) => valueIn(net, number!, bindingOf(s))));
        expect(found).toEqual(STATES.map((s) => f(s) + 0));
        expect(net.functions === undefined).toBe(tableLimit > 0);
      }),
    );
  });

  test('has the same booleans everywhere', () => {
    fc.assert(
      fc.property(condition, (c) => {
        const f = (s: State): boolean => holds(c, s);
        const net = netOf((t, token) => t.guard(t.fn(token, f)), { tableLimit, wide: true });
        const { guard } = net.transitions[0]!;
        const found = guardingAmbient(() => STATES.map((s) => valueIn(net, guard!, bindingOf(s))));
        expect(found).toEqual(STATES.map((s) => Number(f(s))));
      }),
    );
  });

  test('has the same values of an enumeration everywhere', () => {
    fc.assert(
      fc.property(code, condition, (c, d) => {
        const f = (s: State): Colour => (holds(d, s) ? s.h : COLOURS[Math.abs(Math.trunc(run(c, s))) % 3]!);
        const net = netOf((t, token, { p }) => t.put(p, { ...token, h: t.fn(token, f) }), { tableLimit, wide: true });
        const { h } = net.transitions[0]!.outputs[0]!.values;
        const found = guardingAmbient(() => STATES.map((s) => COLOURS[valueIn(net, h!, bindingOf(s))]));
        expect(found).toEqual(STATES.map(f));
      }),
    );
  });
});

test('a table has at most one entry per path through the reads', () => {
  fc.assert(
    fc.property(code, (c) => {
      const f = (s: State): number => run(c, s);
      const net = netOf((t, token) => t.guard(lt(t.fn(token, f), 0)), { wide: true });
      const paths = pathsOf(f);
      expect(numbersOf(tablesOf(net).get('t.fn1')).length).toBeLessThanOrEqual(paths === 1 ? 0 : paths);
    }),
  );
});

describe('the entries follow from the reads', () => {
  const weightOf = (say: (t: TransitionBuilder, token: Token) => Parameters<TransitionBuilder['weight']>[0]) => {
    const net = netOf((t, token) => t.weight(say(t, token)));
    return { weight: net.transitions[0]!.weight!, tables: net.tables };
  };
  const guardOf = (say: (t: TransitionBuilder, token: Token) => Parameters<TransitionBuilder['guard']>[0]) => {
    const net = netOf((t, token) => t.guard(say(t, token)));
    return { guard: net.transitions[0]!.guard!, tables: net.tables };
  };
  const v = (name: string): Expression => ({ op: 'var', name });
  const num = (value: number): Expression => ({ op: 'const', value });

  test('nothing read: a constant', () => {
    expect(weightOf((t, token) => t.fn(token, () => 7))).toEqual({ weight: num(7), tables: [] });
    expect(guardOf((t, token) => t.fn(token, () => true))).toEqual({ guard: num(1), tables: [] });
  });

  test('one variable read: one entry for each of its values', () => {
    expect(weightOf((t, token) => t.fn(token, (s) => [3, 1, 4, 1, 5][s.r]!))).toEqual({
      weight: { op: 'at', table: 't.fn1', index: v('r') },
      tables: [{ kind: 'int', name: 't.fn1', values: Int32Array.of(3, 1, 4, 1, 5), low: 1, high: 5 }],
    });
    expect(weightOf((t, { i }) => t.fn({ i }, (s) => s.i / 2))).toEqual({
      weight: { op: 'at', table: 't.fn1', index: { op: 'add', a: v('i'), b: num(2) } },
      tables: [{ kind: 'real', name: 't.fn1', values: Float64Array.of(-1, -0.5, 0, 0.5, 1, 1.5) }],
    });
  });

  test('two variables read: one entry for each pair, the first variable varying slowest', () => {
    const { weight, tables } = weightOf((t, { i, r }) => t.fn({ r, i }, (s) => 10 * s.i + s.r));
    expect(weight).toEqual({
      op: 'at',
      table: 't.fn1',
      index: {
        op: 'add',
        a: { op: 'add', a: { op: 'mul', a: v('r'), b: num(6) }, b: v('i') },
        b: num(2),
      },
    });
    expect(numbersOf(tables[0]!)).toEqual([0, 1, 2, 3, 4].flatMap((r) => [-2, -1, 0, 1, 2, 3].map((i) => 10 * i + r)));
  });

  test('only the part of a product that is read', () => {
    const { weight, tables } = weightOf((t, token) => t.fn(token, ({ pair: [first] }) => first ** 3));
    expect(weight).toEqual({ op: 'at', table: 't.fn1', index: v('pair.1') });
    expect(numbersOf(tables[0]!)).toEqual([0, 1, 8, 27, 64]);
  });

  test('a variable read on one path only counts on that path', () => {
    const { guard, tables } = guardOf((t, token) => t.fn(token, (s) => s.f && [1, 3, 4].includes(s.r * s.r)));
    expect(guard).toEqual({
      op: 'and',
      a: v('f'),
      b: { op: 'eq', a: { op: 'at', table: 't.fn1', index: v('r') }, b: num(1) },
    });
    expect(numbersOf(tables[0]!)).toEqual([0, 1, 1, 0, 0]);
  });

  test('other variables on other paths: the sum, not the product', () => {
    const n = new NetBuilder('sum');
    const K = n.range('K', 0, 99);
    const p = n.place('p', { k: K, a: K, b: K, c: K });
    n.transition('t', (t) => {
      t.weight(t.fn(t.take(p), (s) => (s.k % 3 === 0 ? s.a ** 2 + 1 : s.k % 3 === 1 ? s.b ** 3 : s.k % 2 ? 1 : 2)));
    });
    const net = n.build();
    // 100 entries select the path, and each of the two longer paths needs 100 more.
    expect(net.tables.map((t) => [t.name, numbersOf(t).length])).toEqual([
      ['t.fn1', 200],
      ['t.fn1.branch', 100],
    ]);
    for (let k = 0; k < 100; k++) {
      const expected = k % 3 === 0 ? 7 ** 2 + 1 : k % 3 === 1 ? 8 ** 3 : k % 2 ? 1 : 2;
      expect(valueIn(net, net.transitions[0]!.weight!, { k, a: 7, b: 8, c: 9 })).toBe(expected);
    }
  });

  test('a table over a class of values has one row for each class', () => {
    const n = new NetBuilder('classes');
    const K = n.range('K', 0, 99);
    const p = n.place('p', { k: K, a: K });
    n.transition('t', (t) => t.weight(t.fn(t.take(p), (s) => (7 * (s.k % 5) + s.a) % 11)));
    expect(n.build().tables.map((t) => [t.name, numbersOf(t).length])).toEqual([
      ['t.fn1', 500],
      ['t.fn1.branch', 100],
    ]);
  });

  test('paths with different continuations are distinguished by a table', () => {
    const n = new NetBuilder('ways');
    const K = n.range('K', 0, 99);
    const Flag = n.bool('Flag');
    const p = n.place('p', { k: K, a: K, b: K, f: Flag });
    const f = (s: { k: number; a: number; b: number; f: boolean }): number =>
      s.k % 2 === 1 ? (s.f ? s.a ** 2 : 3) : s.f ? 4 : s.b ** 3;
    n.transition('t', (t) => t.weight(t.fn(t.take(p), f)));
    const net = n.build();
    expect(net.tables.map((t) => numbersOf(t).length)).toEqual([200, 100]);
    for (const k of [0, 1, 50, 99])
      for (const flag of [false, true])
        expect(valueIn(net, net.transitions[0]!.weight!, { k, a: 5, b: 6, f: Number(flag) })).toBe(
          f({ k, a: 5, b: 6, f: flag }),
        );
  });

  test('a comparison if that is smaller', () => {
    const n = new NetBuilder('comparisons');
    const K = n.range('K', 1, 1000);
    const p = n.place('p', { k: K });
    const guard = (f: (s: { k: number }) => boolean): Expression => {
      const n = new NetBuilder('comparison');
      const p = n.place('p', { k: n.range('K', 1, 1000) });
      n.transition('t', (t) => t.guard(t.fn(t.take(p), f)));
      const net = n.build();
      expect(net.tables).toEqual([]);
      return net.transitions[0]!.guard!;
    };
    expect(guard((s) => s.k < 10)).toEqual({ op: 'lt', a: v('k'), b: num(10) });
    expect(guard((s) => s.k >= 10)).toEqual({ op: 'not', a: { op: 'lt', a: v('k'), b: num(10) } });
    expect(guard((s) => s.k === 500)).toEqual({ op: 'eq', a: v('k'), b: num(500) });
    expect(guard((s) => s.k !== 500)).toEqual({ op: 'not', a: { op: 'eq', a: v('k'), b: num(500) } });
    n.transition('t', (t) => t.weight(t.fn(t.take(p), (s) => (s.k <= 10 ? 1 : s.k <= 100 ? 2.5 : 4))));
    expect(n.build()).toMatchObject({
      tables: [],
      transitions: [
        {
          weight: {
            op: 'if',
            test: { op: 'lt', a: v('k'), b: num(11) },
            a: num(1),
            b: { op: 'if', test: { op: 'lt', a: v('k'), b: num(101) }, a: num(2.5), b: num(4) },
          },
        },
      ],
    });
  });

  test('values of an enumeration are compared, booleans are tested', () => {
    expect(weightOf((t, token) => t.fn(token, (s) => (s.h === 'green' ? 2 : 3)))).toEqual({
      weight: {
        op: 'if',
        test: { op: 'eq', a: v('h'), b: { op: 'const', value: 1, colour: 'Hue' } },
        a: num(2),
        b: num(3),
      },
      tables: [],
    });
    expect(guardOf((t, token) => t.fn(token, (s) => !s.f)).guard).toEqual({ op: 'not', a: v('f') });
    expect(guardOf((t, token) => t.fn(token, (s) => s.f)).guard).toEqual(v('f'));
  });

  test('a value fixed by a pattern is not a variable', () => {
    const { n, p } = parts();
    n.transition('t', (t) => {
      const token = t.take(p, { h: 'green', r: 3, f: true });
      t.weight(t.fn(token, (s) => (s.h === 'green' && s.f ? s.r : s.i)));
    });
    expect(n.build()).toMatchObject({ tables: [], transitions: [{ weight: num(3) }] });
  });

  test('an entry of a table of integers, a condition and a choice can be read', () => {
    const { n, p } = parts();
    const next = n.intTable('next', Int32Array.of(5, 6, 8, 9, 7));
    n.transition('t', (t) => {
      const { r, h, f } = t.take(p);
      const reads = { next: next.at(r), early: lt(r, 2), hue: when(f, h, 'red') };
      t.weight(t.fn(reads, (s) => (s.early ? 0 : s.next ** 2)));
      t.guard(t.fn(reads, (s) => s.hue === 'blue'));
    });
    const net = n.build();
    expect(net.tables.map((t) => [t.name, ...numbersOf(t)])).toEqual([
      ['next', 5, 6, 8, 9, 7],
      ['t.fn1', 25, 36, 49, 64, 81],
    ]);
    const { weight, guard } = net.transitions[0]!;
    expect([0, 1, 2, 3, 4].map((r) => valueIn(net, weight!, { r }))).toEqual([0, 0, 64, 81, 49]);
    expect([0, 1, 2].map((h) => valueIn(net, guard!, { h, f: 1 }))).toEqual([0, 0, 1]);
    expect([0, 1, 2].map((h) => valueIn(net, guard!, { h, f: 0 }))).toEqual([0, 0, 0]);
  });

  test('integers beyond 32 bits stay integers', () => {
    const net = netOf((t, token, { p }) => t.put(p, { ...token, count: t.fn(token, (s) => 1e10 + s.r * s.r) }));
    const { count } = net.transitions[0]!.outputs[0]!.values;
    expect(net.tables[0]).toMatchObject({ kind: 'real', name: 't.fn1' });
    expect([0, 1, 2, 3, 4].map((r) => valueIn(net, count!, { r }))).toEqual([0, 1, 4, 9, 16].map((x) => 1e10 + x));
  });
});

describe('names', () => {
  test('are those of the transition or place, counted', () => {
    const { n, p, R } = parts();
    n.realTable('u.fn1', Float64Array.of(1));
    n.place('q', { r: R }, { order: { priority: (token, fn) => fn(token, (s) => (s.r * 2) % 5) } });
    for (const name of ['t', 'u'])
      n.transition(name, (t) => {
        const token = t.take(p);
        t.weight(t.fn(token, (s) => (s.r * 3) % 5));
        t.delay(t.fn(token, (s) => (s.r * 4) % 5));
      });
    expect(n.build().tables.map((t) => t.name)).toEqual(['u.fn1', 'q.fn1', 't.fn1', 't.fn2', 'u.fn2', 'u.fn3']);
  });

  test('one function as values of two enumerations', () => {
    const { n, p, R } = parts();
    const Other = n.enumeration('Other', 'blue', 'black', 'red');
    const q = n.place('q', { o: Other, r: R });
    n.transition('t', (t) => {
      const token = t.take(p);
      const hue = t.fn(token, (s) => (['red', 'blue', 'blue', 'red', 'blue'] as const)[s.r]!);
      t.put(p, { ...token, h: hue });
      t.put(q, { o: hue, r: 0 });
      t.put(q, { o: hue, r: 1 });
    });
    const net = n.build();
    const values = net.transitions[0]!.outputs.map((o) => o.values['h'] ?? o.values['o']!);
    const at = (e: Expression): number[] => [0, 1, 2, 3, 4].map((r) => valueIn(net, e, { r }));
    expect(values.map(at)).toEqual([
      [0, 2, 2, 0, 2],
      [2, 0, 0, 2, 0],
      [2, 0, 0, 2, 0],
    ]);
  });
});

describe('a function that has no table', () => {
  const called = (e: Expression): string[] => [
    ...(e.op === 'call' ? [e.function] : []),
    ...operands(e).flatMap(called),
  ];

  test('is called by the net', () => {
    const net = netOf((t, token, { p }) => {
      t.guard(t.fn(token, (s) => s.f && s.count > 4));
      t.delay(t.fn({ c: token.count, h: token.h }, (s) => (s.h === 'red' ? s.c / 4 : -1)));
      t.put(p, { ...token, h: t.fn({ c: token.count }, (s) => COLOURS[s.c % 3]!) });
      t.put(p, { ...token, r: t.fn({ c: token.count }, (s) => s.c % 5) });
      // Unused functions are not part of the net.
      t.fn({ c: token.count }, (s) => s.c);
    });
    expect(net.tables).toEqual([]);
    expect(net.functions!.map((f) => f.name)).toEqual(['t.fn1', 't.fn2', 't.fn3', 't.fn4.whole']);
    const { guard, delay, outputs } = net.transitions[0]!;
    const state = { i: 0, r: 0, f: 1, h: 0, 'pair.1': 0, 'pair.2': 0, count: 7 };
    expect(called(guard!)).toEqual(['t.fn1']);
    expect(valueIn(net, guard!, state)).toBe(1);
    expect(valueIn(net, guard!, { ...state, count: 3 })).toBe(0);
    expect(valueIn(net, delay as Expression, state)).toBe(1.75);
    expect(valueIn(net, delay as Expression, { ...state, h: 1 })).toBe(-1);
    expect(valueIn(net, outputs[0]!.values['h']!, state)).toBe(1);
    expect(valueIn(net, outputs[1]!.values['r']!, state)).toBe(2);
  });

  test('may not return a non-number later', () => {
    const late = (make: (count: number) => unknown, whole = false): (() => number) => {
      const net = netOf((t, token, { p }) => {
        const e = t.fn({ c: token.count }, (s) => make(s.c) as number);
        if (whole) t.put(p, { ...token, r: e });
        else t.weight(e);
      });
      const { weight, outputs } = net.transitions[0]!;
      return () => valueIn(net, whole ? outputs[0]!.values['r']! : weight!, { count: 12345 });
    };
    const isLate = (c: number): boolean => c === 12345;
    for (const answer of [Number.NaN, undefined, true, 'red', {}])
      expect(problemsOf(late((c) => (isLate(c) ? answer : c)))).toEqual([
        expect.stringMatching(/^RUN009 transition t, fn1: returns .* where c = 12345: expected a number$/),
      ]);
    expect(late((c) => (isLate(c) ? 0.5 : c))()).toBe(0.5);
    expect(problemsOf(late((c) => (isLate(c) ? 0.5 : c), true))).toEqual([
      'RUN009 transition t, fn1: returns 0.5 where c = 12345: expected an integer',
    ]);
    expect(late((c) => (isLate(c) ? 3 : c), true)()).toBe(3);
    expect(codesOf(late((c) => (isLate(c) ? Math.random() : c)))).toEqual(['NET051']);
    expect(problemsOf(late((c) => (isLate(c) ? ([] as number[][])[0]!.length : c)))).toEqual([
      expect.stringMatching(/^NET056 transition t, fn1: throws .* where c = 12345$/),
    ]);
  });

  test('has more results than the limit', () => {
    const tables = (tableLimit: number, f: (s: State) => number): number =>
      netOf((t, token) => t.weight(t.fn(token, f)), { tableLimit }).tables.length;
    const of = (s: State): number => (s.r + 1) * (s.i + 10);
    expect([29, 30].map((limit) => tables(limit, of))).toEqual([0, 1]);
    // A path that reads fewer variables needs fewer entries.
    const less = (s: State): number => (s.f ? (s.r + 1) * (s.i + 10) : 0);
    expect([30, 31].map((limit) => tables(limit, less))).toEqual([0, 1]);
  });

  test('is tried at some states, twice', () => {
    let k = 0;
    expect(codesOf(() => netOf((t, { count }) => t.weight(t.fn({ count }, (s) => s.count + k++))))).toEqual(['NET052']);
    expect(problemsOf(() => netOf((t, { count }) => t.weight(t.fn({ count }, (s) => [1, 2, 3][s.count]!))))).toEqual([
      expect.stringMatching(/^NET053 transition t, fn1: returns undefined where count = 3: /),
    ]);
    expect(
      codesOf(() => netOf((t, { count }) => t.guard(t.fn({ count }, (s) => s.count > 1000 || (0 as never))))),
    ).toEqual(['NET054']);
  });
});

describe('forbidden in a function', () => {
  const problems = (f: (s: State) => unknown): string[] =>
    problemsOf(() => netOf((t, token) => t.guard(lt(t.fn(token, f as (s: State) => number), 0))));
  const codes = (f: (s: State) => unknown): string[] =>
    codesOf(() => netOf((t, token) => t.guard(lt(t.fn(token, f as (s: State) => number), 0))));

  const ambient: [string, () => unknown][] = [
    ['Math.random', () => Math.random()],
    ['Date.now', () => Date.now()],
    ['new Date()', () => new Date().getDate()],
    ['Date()', () => Date().length],
    ['performance.now', () => performance.now()],
    ['process.hrtime', () => process.hrtime()[0]],
    ['process.hrtime.bigint', () => Number(process.hrtime.bigint())],
    ['process.uptime', () => process.uptime()],
    ['crypto.randomUUID', () => crypto.randomUUID().length],
    ['crypto.getRandomValues', () => crypto.getRandomValues(new Uint8Array(1))[0]],
    ['randomInt of node:crypto', () => nodeCrypto.randomInt(2)],
  ];

  test.each(ambient)('use %s', (_, use) => {
    expect(problems(() => use())).toEqual([expect.stringMatching(/^NET051 transition t, fn1: reads /)]);
    expect(codes((s) => (s.r === 4 ? use() : 0))).toEqual(['NET051']);
    const caught = (s: State): number => {
      try {
        return s.r + Number(use());
      } catch {
        return 0;
      }
    };
    expect(codes(caught)).toEqual(['NET051']);
    // Afterwards their use is allowed again.
    expect(use()).toBeDefined();
  });

  test('side effects', () => {
    const look = (): unknown[] => [Math.random, Date, Date.now, performance.now, process.hrtime, crypto.randomUUID];
    const before = look();
    codes(() => Math.random());
    codes(() => {
      throw new Error('no');
    });
    expect(look()).toEqual(before);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
    expect(new Date() instanceof Date).toBe(true);
  });

  test('draw random numbers through a named import', () => {
    expect(codes((s) => randomInt(2 ** 40) + s.r)).toEqual(['NET051']);
  });

  test('a given date is data', () => {
    expect(problems((s) => new Date(2020, s.r, 1).getMonth())).toEqual([]);
    expect(problems(() => Date.UTC(2020, 0, 1))).toEqual([]);
  });

  test('depend on changing data', () => {
    let k = 0;
    expect(problems((s) => s.r + k++)).toEqual([
      expect.stringMatching(/^NET052 transition t, fn1: returns first 8, then 9 where r = 4: /),
    ]);
    expect(codes(() => k++)).toEqual(['NET052']);
    let flip = false;
    expect(
      codes(() => {
        flip = !flip;
        return flip ? 1 : 2;
      }),
    ).toEqual(['NET052']);
    // The choice of variable changes between calls.
    expect(codes((s) => (k++ % 3 === 0 ? s.r : s.i) * 0)).toEqual(['NET052']);
    const seen: number[] = [];
    expect(
      codes((s) => {
        seen.push(s.r);
        return seen.filter((x) => x === s.r).length;
      }),
    ).toEqual(['NET052']);
    let first = true;
    expect(
      codes((s) => {
        const answer = first ? s.r * 0 : 0;
        first = false;
        return answer;
      }),
    ).toEqual(['NET052']);
  });

  test('return a non-value', () => {
    expect(problems((s) => [4, 2][s.r])).toEqual([
      'NET053 transition t, fn1: returns undefined where r = 2: expected a number, boolean or string',
    ]);
    expect(problems((s) => (s.h === 'blue' && s.f ? Math.sqrt(-1) : 0))).toEqual([
      expect.stringMatching(/^NET053 transition t, fn1: returns NaN where h = "blue", f = true: /),
    ]);
    expect(codes(() => 3n)).toEqual(['NET053']);
    expect(codes((s) => s)).toEqual(['NET053']);
    expect(codes(() => null)).toEqual(['NET053']);
    expect(problems((s) => lt(s.r, 2))).toEqual([expect.stringMatching(/^NET053 .*compute with plain values inside/)]);
    expect(problems((s) => (s.i > 2 ? s.f : s.i))).toEqual([
      'NET054 transition t, fn1: returns a number in one state, but false where i = 3, f = false',
    ]);
    expect(problems((s) => Number.POSITIVE_INFINITY - s.r)).toEqual([]);
  });

  test('throw', () => {
    expect(problems((s) => ([[1], [2]] as number[][])[s.r]!.length)).toEqual([
      expect.stringMatching(/^NET056 transition t, fn1: throws Cannot read .* where r = 2$/),
    ]);
  });

  test('return a promise, also a rejected one', async () => {
    expect(codes(async (s) => s.r)).toEqual(['NET055']);
    expect(codes(async () => Math.random())).toEqual(['NET051']);
    expect(codes(() => Promise.reject(new Error('unheard')))).toEqual(['NET055']);
    // An unhandled rejection would end the process after this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('read data other than its argument', () => {
    const at = (f: (s: never) => unknown): string[] => problems(f as (s: State) => unknown);
    expect(at((s: { hh: string }) => s.hh.length)).toEqual([
      'NET050 transition t, fn1: reads "hh", which is not among its inputs. Did you mean "h"? Known: i, r, f, h, pair, count.',
    ]);
    expect(at((s: { pair: { x: number } }) => s.pair.x)).toEqual([
      expect.stringMatching(/^NET050 transition t, fn1: reads "pair\.x", which is not among its inputs\./),
    ]);
    expect(at((s: object) => ('toString' in s ? 1 : String(s).length))).toEqual([expect.stringMatching(/^NET050 /)]);
    netOf((t, { r }) => {
      // @ts-expect-error i is not given
      expect(codesOf(() => t.fn({ r }, (s) => s.i)).concat()).toEqual(['NET050']);
      // @ts-expect-error an enumeration is not a number
      t.guard(t.fn({ r }, (s) => s.r === 'red'));
    });
  });

  test('change its argument, or keep a reference to it', () => {
    // @ts-expect-error the state is read-only
    expect(codesOf(() => netOf((t, { r }) => t.fn({ r }, (s) => ++s.r)))).toEqual(['NET057']);
    expect(codes((s) => delete (s as { r?: number }).r)).toEqual(['NET057']);
    expect(codes((s) => Object.assign(s, { more: 1 }).more)).toEqual(['NET057']);
    const kept: State[] = [];
    expect(codes((s) => kept.push(s) * 0)).toEqual([]);
    expect(codesOf(() => kept[0]!.r)).toEqual(['NET057']);
  });

  test('use the builder, or evaluate another function', () => {
    const { n, p, R } = parts();
    const inside: ((t: TransitionBuilder) => unknown)[] = [
      (t) => t.take(p),
      (t) => t.guard(true),
      (t) => t.fn({}, () => 1),
      () => n.place('more', {}),
      () => n.transition('more', () => undefined),
      () => n.range('More', 0, 1),
      () => n.intTable('more', Int32Array.of(1)),
    ];
    for (const use of inside)
      expect(
        codesOf(() =>
          n.transition('t', (t) => {
            const { r } = t.take(p);
            t.fn({ r }, (s) => {
              use(t);
              return s.r;
            });
          }),
        ),
      ).toEqual(['NET048']);
    expect(R.set.name).toBe('R');
  });

  test('faults are rejected before any evaluation', () => {
    netOf((t, { r }) => {
      // @ts-expect-error a number is not a term
      expect(codesOf(() => t.fn({ r: 3 }, () => 1))).toEqual(['NET059']);
      // @ts-expect-error a term is not an object of terms
      expect(codesOf(() => t.fn(r, () => 1))).toEqual(['NET059']);
      // @ts-expect-error the function is missing
      expect(codesOf(() => t.fn({ r }))).toEqual(['NET059']);
    });
  });
});

test('a function may destructure its argument, which reads every named field', () => {
  const net = netOf((t, { i, r, f }) =>
    t.weight(t.fn({ i, r, f }, ({ r, ...rest }) => r * 2 + Object.keys(rest).length)),
  );
  // i and f are read too, but nothing depends on them.
  expect(net.tables.map((t) => [t.name, ...numbersOf(t)])).toEqual([['t.fn1', 2, 4, 6, 8, 10]]);
});

test('the form of a function is local to its block', () => {
  const { n, p } = parts();
  for (const f of [(s: State) => s.f, (s: State) => s.r % 3 === 1, (s: State) => s.h === 'red']) {
    let kept: Term<boolean> = { op: 'const', value: 1 };
    n.transition('first', (t) => {
      kept = t.fn(t.take(p), f);
      t.guard(kept);
    });
    expect(codesOf(() => n.transition('second', (t) => t.guard(kept)))).toEqual(['NET047']);
  }
});

test('independent functions are tabulated separately', () => {
  const net = netOf((t, token) => {
    t.weight(t.fn(token, (s) => (s.r * 3) % 5));
    t.delay(t.fn(token, (s) => (s.r * 4) % 5));
  });
  const { weight, delay } = net.transitions[0]!;
  expect([0, 1, 2, 3, 4].map((r) => valueIn(net, weight!, { r }))).toEqual([0, 3, 1, 4, 2]);
  expect([0, 1, 2, 3, 4].map((r) => valueIn(net, delay as Expression, { r }))).toEqual([0, 4, 3, 2, 1]);
});
