import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/engine/compile.ts';
import {
  BINARY,
  conjuncts,
  type Expression,
  expressionText,
  sameExpression,
  UNARY,
  variablesOf,
} from '../../src/net/expression.ts';
import type { Net, Table } from '../../src/net/net.ts';
import { add, and, div, eq, floor, lt, max, mod, not, or, sub, when } from '../../src/net/terms.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { evaluate, RunError } from '../reference/evaluate.ts';
import { codesOf } from './problems.ts';

const v = (name: string): Expression => ({ op: 'var', name });
const num = (value: number): Expression => ({ op: 'const', value });
const RUNS = effort(250);

describe('text', () => {
  const cases: [Expression, string][] = [
    [add(v('a'), 1), 'a + 1'],
    [sub(add(v('a'), 1), div(v('b'), 2)), '(a + 1) - (b / 2)'],
    [max(v('a'), mod(v('b'), 3)), 'max(a, b % 3)'],
    [floor(add(v('a'), 0.5)), 'floor(a + 0.5)'],
    [not(lt(v('a'), 1)), '!(a < 1)'],
    [{ op: 'neg', a: v('a') }, '-a'],
    [and(lt(v('a'), 1), eq<number>(v('b'), 2), or(v('c'), v('d'))), '((a < 1) && (b == 2)) && (c || d)'],
    [when<number>(lt(v('a'), 1), v('b'), 0), '(a < 1) ? b : 0'],
    [add(when<number>(v('c'), 1, 2), 3), '(c ? 1 : 2) + 3'],
    [{ op: 'at', table: 'cost', index: add(v('a'), 1) }, 'cost[a + 1]'],
    [{ op: 'step', table: 'factor', index: v('a') }, 'factor{a}'],
    [{ op: 'const', value: 1, colour: 'Sort' }, 'Sort#1'],
  ];
  test.each(cases)('the text of expression %# is written with brackets', (e, text) => {
    expect(expressionText(e)).toBe(text);
  });
});

test('variables, each once, in the order of their first occurrence', () => {
  const e = when(lt(v('b'), v('a')), { op: 'at', table: 't', index: v('c') }, add(v('a'), v('b')));
  expect([...variablesOf(e)]).toEqual(['b', 'a', 'c']);
});

test('conjuncts are the separate conditions of a guard', () => {
  const parts = [lt(v('a'), 1), or(v('b'), v('c')), not(v('d'))] as const;
  expect(conjuncts(and(...parts))).toEqual(parts);
  expect(conjuncts(and(parts[0], and(parts[1], parts[2])))).toEqual(parts);
  expect(conjuncts(undefined)).toEqual([]);
});

const TABLES: Table[] = [
  { kind: 'int', name: 'whole', values: Int32Array.of(3, -1, 0, 7, 2), low: -1, high: 7 },
  { kind: 'real', name: 'real', values: Float64Array.of(0.25, Number.POSITIVE_INFINITY, 1e-300, -2) },
  {
    kind: 'step',
    name: 'step',
    from: Float64Array.of(Number.NEGATIVE_INFINITY, -1, 0.5, 3),
    values: Float64Array.of(5, -0.5, 2, 1e9),
  },
];

/** Expressions by type of their value, over the variables i (−3 … 5), n (any integer) and f (a boolean). */
const { number: numberExpression, truth: truthExpression } = fc.letrec<{
  whole: Expression;
  number: Expression;
  truth: Expression;
}>((tie) => {
  const [w, n, t] = [tie('whole'), tie('number'), tie('truth')];
  const two = (ops: readonly string[], a: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc.record({ op: fc.constantFrom(...ops), a, b: a }) as fc.Arbitrary<Expression>;
  const one = (op: string, a: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc.record({ op: fc.constant(op), a }) as fc.Arbitrary<Expression>;
  const either = (a: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc.record({ op: fc.constant('if' as const), test: t, a, b: a });
  const look = (op: 'at' | 'step', table: string, index: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc.record({ op: fc.constant(op), table: fc.constant(table), index });
  const arithmetic = ['add', 'sub', 'mul', 'mod', 'min', 'max'];
  return {
    whole: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(v('i'), v('n')),
      fc.integer({ min: -5, max: 9 }).map(num),
      two(arithmetic, w),
      one('neg', w),
      one('floor', n),
      either(w),
      look('at', 'whole', w),
    ),
    number: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      w,
      fc.constantFrom(0.5, 1e300, 5e-324, -0.1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY).map(num),
      two([...arithmetic, 'div'], n),
      one('neg', n),
      either(n),
      look('at', 'real', w),
      look('step', 'step', n),
    ),
    truth: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(v('f'), num(0), num(1)),
      two(['eq', 'ne', 'lt', 'le', 'gt', 'ge'], n),
      two(['and', 'or', 'eq', 'ne'], t),
      one('not', t),
      either(t),
    ),
  };
});

/** A net whose only transition fires if the guard holds, with a duration of `delay` seconds. */
function netOf(binding: Readonly<Record<string, number>>, guard: Expression, delay: Expression): Net {
  const fields = [
    { name: 'i', colour: 'Index' },
    { name: 'n', colour: 'Whole' },
    { name: 'f', colour: 'Flag' },
  ];
  return {
    name: 'expression',
    colours: [
      { kind: 'range', name: 'Index', low: -3, high: 5 },
      { kind: 'integer', name: 'Whole' },
      { kind: 'bool', name: 'Flag' },
    ],
    tables: TABLES,
    places: [
      {
        name: 'in',
        fields,
        order: 'bag',
        key: [],
        initial: [{ values: fields.map((f) => binding[f.name]!), count: 1 }],
      },
      { name: 'out', fields: [], order: 'bag', key: [], initial: [] },
    ],
    transitions: [
      {
        name: 't',
        inputs: [{ kind: 'take', place: 'in', pattern: { i: v('i'), n: v('n'), f: v('f') }, count: 1 }],
        guard,
        delay,
        outputs: [{ place: 'out', values: {}, count: num(1) }],
      },
    ],
  };
}

/** Result of the generated code: time of the firing, `undefined` if the guard does not hold, or the code of a failure. */
function generated(net: Net): number | string | undefined {
  let end: number | undefined;
  const codes = codesOf(() => {
    const game = compile(net, { observers: { t: { end: (time) => (end = time) } } }).start();
    game.run(10);
  });
  return codes[0] ?? end;
}

function defined(binding: Readonly<Record<string, number>>, guard: Expression, delay: Expression): unknown {
  const tables = new Map(TABLES.map((t) => [t.name, t]));
  try {
    if (evaluate(guard, binding, tables) === 0) return undefined;
    const seconds = evaluate(delay, binding, tables);
    return seconds >= 0 && seconds < Number.POSITIVE_INFINITY ? 0 + seconds : 'RUN004';
  } catch (e) {
    if (e instanceof RunError) return e.code;
    throw e;
  }
}

/** True if some part of the guard is defined and false. */
function excluded(binding: Readonly<Record<string, number>>, guard: Expression): boolean {
  return conjuncts(guard).some((part) => defined(binding, part, num(0)) === undefined);
}

const bindings = fc.record({
  i: fc.integer({ min: -3, max: 5 }),
  n: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.maxSafeInteger()),
  f: fc.integer({ min: 0, max: 1 }),
});

test('generated code equals the definition bit for bit', () => {
  const seen = { value: 0, held: 0, code: 0 };
  fc.assert(
    fc.property(bindings, truthExpression, numberExpression, (binding, guard, delay) => {
      const net = netOf(binding, guard, delay);
      expect(validate(net)).toEqual([]);
      const expected = defined(binding, guard, delay);
      const got = generated(net);
      // S7: a failure is not reported if another part of the guard excludes the candidate.
      if (got !== undefined || !excluded(binding, guard)) expect(got).toBe(expected);
      seen[typeof expected === 'string' ? 'code' : expected === undefined ? 'held' : 'value']++;
    }),
    { numRuns: RUNS },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(atFullEffort(RUNS / 50));
});

test('a part of a guard protects table look-ups of later parts', () => {
  const guard = and({ op: 'ge', a: v('i'), b: num(0) }, eq({ op: 'at', table: 'whole', index: v('i') }, num(1)));
  const binding = { i: -1, n: 0, f: 0 };
  expect(defined(binding, guard, num(1))).toBe(undefined);
  expect(generated(netOf(binding, guard, num(1)))).toBe(undefined);
});

test('a constant −0 is 0', () => {
  const guard: Expression = { op: 'lt', a: v('i'), b: { op: 'div', a: num(-1), b: num(-0) } };
  const binding = { i: 0, n: 0, f: 0 };
  expect(generated(netOf(binding, guard, num(1)))).toBe(defined(binding, guard, num(1)));
});

test('every operator is among the random expressions', () => {
  const seen = new Set<string>();
  const walk = (e: unknown): void => {
    if (typeof e !== 'object' || e === null) return;
    if ('op' in e) seen.add(String(e.op));
    Object.values(e).forEach(walk);
  };
  fc.sample(fc.tuple(truthExpression, numberExpression), { numRuns: 2000, seed: 1 }).forEach((pair) => {
    pair.forEach(walk);
  });
  expect([...seen].sort()).toEqual([...UNARY, ...BINARY, 'at', 'const', 'if', 'step', 'var'].sort());
});

test('an expression equals its copy and no other', () => {
  fc.assert(
    fc.property(numberExpression, numberExpression, (a, b) => {
      expect(sameExpression(a, structuredClone(a))).toBe(true);
      expect(sameExpression(a, b)).toBe(JSON.stringify(form(a)) === JSON.stringify(form(b)));
    }),
  );
});

test.each<[string, Expression, Expression]>([
  ['the table', { op: 'at', table: 'a', index: v('i') }, { op: 'at', table: 'b', index: v('i') }],
  ['the table of steps', { op: 'step', table: 'a', index: v('i') }, { op: 'step', table: 'b', index: v('i') }],
  ['the function', { op: 'call', function: 'f', args: [] }, { op: 'call', function: 'g', args: [] }],
  ['the number of arguments', { op: 'call', function: 'f', args: [] }, { op: 'call', function: 'f', args: [num(1)] }],
  ['the enumeration', { op: 'const', value: 0, colour: 'A' }, { op: 'const', value: 0, colour: 'B' }],
  ['the sign of zero', num(0), num(-0)],
  ['the variable', v('i'), v('n')],
  ['the order of operands', sub(v('i'), v('n')), sub(v('n'), v('i'))],
])('expressions that differ only in %s are different', (_, a, b) => {
  expect([sameExpression(a, b), sameExpression(b, a)]).toEqual([false, false]);
  expect([sameExpression(a, a), sameExpression(b, b)]).toEqual([true, true]);
});

/** A string that distinguishes expressions; plain JSON loses −0 and infinities. */
function form(e: unknown): unknown {
  if (typeof e === 'number') return Object.is(e, -0) ? '-0' : String(e);
  if (typeof e !== 'object' || e === null) return e;
  return Object.fromEntries(
    Object.entries(e)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, x]) => [k, form(x)]),
  );
}
