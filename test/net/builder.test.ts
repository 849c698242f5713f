import { describe, expect, test } from 'vitest';
import { codesOf as listedCodes } from '../../scripts/errors.ts';
import { type Exports, NetBuilder, type TermsOf, type TransitionBuilder } from '../../src/net/builder/builder.ts';
import type { Colour } from '../../src/net/builder/builder-types.ts';
import * as draw from '../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer, lcfsPr, priority, processorSharing } from '../../src/net/builder/stations.ts';
import type { Place, Transition } from '../../src/net/net.ts';
import { add, and, eq, lt, mul, ne, not, type Term, when } from '../../src/net/terms.ts';
import { codesOf, problemsOf } from './problems.ts';

/** Type errors are also run-time errors; `tsc -p tsconfig.test.json` checks the types. */
function parts() {
  const n = new NetBuilder('typed');
  const Rank = n.range('Rank', 0, 3);
  const Flag = n.bool('Flag');
  const Sort = n.enumeration('Sort', 'work', 'stop');
  const a = n.place('a', { r: Rank, f: Flag, s: Sort }, { initial: [{ r: 0, f: 0, s: 0 }] });
  const b = n.place('b', { r: Rank });
  return { n, Rank, Flag, Sort, a, b };
}

/** As {@link parts}, with composite colours. */
function composites() {
  const { n, Rank, Flag, Sort } = parts();
  const Nothing = n.unit('Nothing');
  const Position = n.record('Position', { x: Rank, y: Rank });
  const Pair = n.product('Pair', Sort, Position, Nothing);
  const c = n.place('c', { p: Position, q: Pair, f: Flag });
  return { n, Rank, Flag, Sort, Position, Pair, Nothing, c };
}

/** The transition that a block makes; its net must be valid. */
function transitionOf(n: NetBuilder, block: (t: TransitionBuilder) => void): Transition {
  n.transition('made', block);
  return n.build().transitions.find((t) => t.name === 'made')!;
}

function placeOf(n: NetBuilder, name: string): Place {
  return n.build().places.find((p) => p.name === name)!;
}

const num = (value: number) => ({ op: 'const', value });
const v = (name: string) => ({ op: 'var', name });

describe('wrong code neither compiles nor passes validation', () => {
  test('a term of another colour set', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { s } = t.take(a);
      // @ts-expect-error an enumeration value is not a number
      t.put(b, { r: s });
    });
    expect(problemsOf(() => n.build())).toEqual([expect.stringMatching(/^NET022 transition t, arc to b.*Sort/)]);
  });

  test('a number where a boolean is expected', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { r } = t.take(a);
      // @ts-expect-error a guard must be boolean
      t.guard(add(r, 1));
      t.put(b, { r });
    });
    expect(problemsOf(() => n.build())).toEqual([
      expect.stringMatching(/^NET022 transition t, guard: expected a boolean/),
    ]);
  });

  test('an operand of the wrong kind', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { r, s } = t.take(a);
      // @ts-expect-error only numbers can be added
      t.put(b, { r: add(s, 1) });
      // @ts-expect-error only booleans can be negated
      t.guard(not(r));
    });
    expect(codesOf(() => n.build())).toEqual(['NET022', 'NET022']);
  });

  test('two sides that differ', () => {
    const { n, a, Sort } = parts();
    n.transition('t', (t) => {
      const { r, f } = t.take(a);
      // @ts-expect-error a number cannot be compared with an enumeration value
      t.guard(eq(r, Sort.is('work')));
      // @ts-expect-error both branches must have the same type
      t.guard(eq(when(f, Sort.is('work'), r), r));
    });
    expect(codesOf(() => n.build())).toEqual(['NET022', 'NET022']);
  });

  test('a missing field', () => {
    const { n, a } = parts();
    n.transition('t', (t) => {
      const { r, s } = t.take(a);
      // @ts-expect-error f is not given
      t.put(a, { r, s });
    });
    expect(problemsOf(() => n.build())).toEqual([expect.stringMatching(/^NET017 transition t, arc to a: .*"f"/)]);
  });

  test('an unknown field', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { r } = t.take(a);
      // @ts-expect-error b has no field q
      t.put(b, { r, q: r });
    });
    expect(problemsOf(() => n.build())).toEqual([
      expect.stringMatching(/^NET017 transition t, arc to b: .*"q". Known: r\.$/),
    ]);
  });

  test('an unknown field of a pattern', () => {
    const { n, b } = parts();
    n.transition('t', (t) => {
      // @ts-expect-error b has no field rank
      t.take(b, { rank: 1 });
    });
    expect(codesOf(() => n.build())).toEqual(['NET017']);
  });

  test('an unknown field of a key', () => {
    const { n, Rank } = parts();
    // @ts-expect-error there is no field q
    n.place('c', { r: Rank }, { order: { fifo: ['q'] } });
    expect(codesOf(() => n.build())).toEqual(['NET013']);
  });

  test('an unknown value of an enumeration', () => {
    const { Sort } = parts();
    // @ts-expect-error Sort has no value rest
    expect(problemsOf(() => Sort.is('rest'))).toEqual(['NET003 enumeration Sort has no value "rest": work, stop']);
  });

  test('an initial token without a field', () => {
    const { n, Rank } = parts();
    // @ts-expect-error r is not given
    n.place('c', { r: Rank }, { initial: [{}] });
    expect(codesOf(() => n.build())).toEqual(['NET014']);
  });
});

test('a variable of another transition is refused, even under an equal name', () => {
  const { n, a, b } = parts();
  let stolen: Term<number> = { op: 'const', value: 0 };
  n.transition('first', (t) => {
    const { r } = t.take(b);
    stolen = r;
    t.put(b, { r });
  });
  const uses: ((t: TransitionBuilder) => void)[] = [
    (t) => t.put(b, { r: add(1, stolen) }),
    (t) => t.put(b, { r: 0 }, stolen),
    (t) => t.take(b, { r: stolen }),
    (t) => t.inhibit(b, { r: stolen }),
    (t) => t.reset(b, { r: stolen }),
    (t) => t.guard(lt(stolen, 2)),
    (t) => t.delay(stolen),
    (t) => t.delay(draw.exponential(stolen)),
    (t) => t.race({ delay: draw.uniform(0, stolen) }),
    (t) => t.weight(stolen),
    (t) => t.process(stolen),
    (t) => t.label('l', { stolen }),
    (t) => t.fn({ stolen }, (s) => s.stolen),
  ];
  for (const use of uses)
    expect(
      problemsOf(() =>
        n.transition('second', (t) => {
          t.take(a);
          use(t);
        }),
      ),
    ).toEqual([expect.stringMatching(/^NET047 transition second: variable "r" belongs to another/)]);
  for (const service of [fcfs({ time: stolen }), priority({ time: 1, priority: stolen })])
    expect(codesOf(() => n.place('d', {}, { service }))).toEqual(['NET047']);
  expect(codesOf(() => n.place('d', {}, { order: { priority: () => stolen } }))).toEqual(['NET047']);
});

test('a variable that nothing binds is refused', () => {
  const { n, a, b } = parts();
  n.transition('t', (t) => {
    t.take(a, { r: 0 });
    t.put(b, { r: { op: 'var', name: 'r' } });
  });
  expect(problemsOf(() => n.build())).toEqual([
    expect.stringMatching(/^NET021 transition t, arc to b.*Known: f, s\.$/),
  ]);
});

test('a block is closed when it ends', () => {
  const { n, b, Rank } = parts();
  let leaked: Parameters<Parameters<NetBuilder['transition']>[1]>[0] | undefined;
  n.transition('t', (t) => {
    t.take(b);
    leaked = t;
  });
  const late: ((t: NonNullable<typeof leaked>) => void)[] = [
    (t) => t.take(b),
    (t) => t.read(b),
    (t) => t.inhibit(b),
    (t) => t.put(b, { r: 0 }),
    (t) => t.guard(true),
    (t) => t.delay(1),
    (t) => t.kind('control'),
    (t) => t.process(0),
    (t) => t.reset(b),
    (t) => t.free('k', Rank),
    (t) => t.priority(1),
    (t) => t.weight(1),
    (t) => t.race({ delay: 1 }),
    (t) => t.label('l'),
    (t) => t.fn({}, () => 1),
  ];
  for (const use of late)
    expect(problemsOf(() => use(leaked!))).toEqual(['NET005 transition t: used after its block has ended']);
});

test('fields that are not given are bound to fresh variables', () => {
  const { n, b } = parts();
  const seen: TermsOf<typeof b.fields>[] = [];
  n.transition('t', (t) => {
    seen.push(t.take(b), t.take(b), t.read(b, { r: 2 }));
    t.put(b, { r: 0 });
  });
  expect(seen).toEqual([
    { r: { op: 'var', name: 'r' } },
    { r: { op: 'var', name: 'r2' } },
    { r: { op: 'const', value: 2 } },
  ]);
  expect(n.build().transitions[0]!.inputs.map((i) => i.kind)).toEqual(['take', 'take', 'read']);
});

test('several guards must all hold', () => {
  const { n, a } = parts();
  n.transition('t', (t) => {
    const { r, f } = t.take(a);
    t.guard(lt(r, 2));
    t.guard(and(f, true, not(false)));
  });
  expect(n.build().transitions[0]!.guard).toMatchObject({ op: 'and', a: { op: 'lt' }, b: { op: 'and' } });
});

test('a guard may be a plain boolean', () => {
  const { n, b } = parts();
  n.transition('t', (t) => {
    t.take(b);
    t.guard(false);
  });
  expect(problemsOf(() => n.build())).toEqual([]);
});

describe('tables', () => {
  test('the bounds of an array are found', () => {
    const n = new NetBuilder('tables');
    n.intTable('up', Int32Array.of(3, 9, 4));
    n.intTable('down', Int32Array.of(-3, -9));
    n.intTable('none', new Int32Array(0));
    expect(n.build().tables).toMatchObject([
      { low: 3, high: 9 },
      { low: -9, high: -3 },
      { low: 0, high: 0 },
    ]);
  });

  test('a paged table must state its bounds', () => {
    const n = new NetBuilder('tables');
    const paged = { length: 1, shift: 7, pages: [], load: () => Int32Array.of(7) };
    expect(codesOf(() => n.intTable('t', paged))).toEqual(['NET004']);
    expect(codesOf(() => n.intTable('t', paged, { low: 0, high: 7 }))).toEqual([]);
  });
});

describe('composite colours', () => {
  test('are data by their parts', () => {
    const { n } = composites();
    expect(n.build().colours.slice(3)).toEqual([
      { kind: 'unit', name: 'Nothing' },
      {
        kind: 'record',
        name: 'Position',
        fields: [
          { name: 'x', colour: 'Rank' },
          { name: 'y', colour: 'Rank' },
        ],
      },
      { kind: 'product', name: 'Pair', parts: ['Sort', 'Position', 'Nothing'] },
    ]);
  });

  test('are bound and put by columns', () => {
    const { n, c } = composites();
    const made = transitionOf(n, (t) => {
      const { p, q, f } = t.take(c, { q: ['work', { y: 2 }] });
      t.inhibit(c, { p: { x: 1 }, f: true });
      t.put(c, { p: { x: p.y, y: 0 }, q: [q[0], { x: q[1].x, y: q[1].y }, null], f });
      t.put(c, { p, q, f: false });
    });
    expect(made.inputs).toEqual([
      {
        kind: 'take',
        place: 'c',
        pattern: {
          'q.1': { op: 'const', value: 0, colour: 'Sort' },
          'q.2.y': num(2),
          'p.x': v('p.x'),
          'p.y': v('p.y'),
          'q.2.x': v('q.2.x'),
          f: v('f'),
        },
        count: 1,
      },
      { kind: 'inhibit', place: 'c', pattern: { 'p.x': num(1), f: num(1) }, count: 1 },
    ]);
    const work = { op: 'const', value: 0, colour: 'Sort' };
    expect(made.outputs.map((o) => o.values)).toEqual([
      { 'p.x': v('p.y'), 'p.y': num(0), 'q.1': work, 'q.2.x': v('q.2.x'), 'q.2.y': num(2), f: v('f') },
      { 'p.x': v('p.x'), 'p.y': v('p.y'), 'q.1': work, 'q.2.x': v('q.2.x'), 'q.2.y': num(2), f: num(0) },
    ]);
  });

  test('a pattern may omit parts of a product', () => {
    const { n, c } = composites();
    const made = transitionOf(n, (t) => {
      t.take(c, { q: [undefined, { x: 3 }] });
    });
    expect(made.inputs[0]!.pattern).toMatchObject({ 'q.1': v('q.1'), 'q.2.x': num(3), 'q.2.y': v('q.2.y') });
  });

  test('a composite free variable is one variable per column', () => {
    const { n, Pair, c } = composites();
    const made = transitionOf(n, (t) => {
      t.take(c);
      const [sort, { x, y }, nothing] = t.free('k', Pair);
      expect(nothing).toBe(null);
      t.put(c, { p: { x, y }, q: [sort, { x: 0, y: 0 }, nothing], f: eq(sort, 'stop') });
    });
    expect(made.free).toEqual([
      { name: 'k.1', colour: 'Sort' },
      { name: 'k.2.x', colour: 'Rank' },
      { name: 'k.2.y', colour: 'Rank' },
    ]);
    expect(made.outputs[0]!.values).toMatchObject({ 'p.x': v('k.2.x'), 'q.1': v('k.1') });
  });

  test('wrong shapes neither compile nor run', () => {
    const { n, c } = composites();
    const wrong: ((t: TransitionBuilder, token: TermsOf<typeof c.fields>) => void)[] = [
      // @ts-expect-error number instead of a record
      (t, token) => t.put(c, { ...token, p: 3 }),
      // @ts-expect-error term instead of a record
      (t, token) => t.put(c, { ...token, p: token.f }),
      // @ts-expect-error list instead of a record
      (t, token) => t.put(c, { ...token, p: [1, 2] }),
      // @ts-expect-error object instead of a product
      (t, token) => t.put(c, { ...token, q: { 1: 'work' } }),
      // @ts-expect-error a value for the unit colour
      (t, token) => t.put(c, { ...token, q: [token.q[0], token.q[1], 0] }),
      // @ts-expect-error object instead of a number
      (t, token) => t.put(c, { ...token, p: { x: {}, y: 0 } }),
      // @ts-expect-error list instead of an object of fields
      (t) => t.take(c, []),
      // @ts-expect-error null instead of a number
      (t) => t.take(c, { p: { x: null } }),
      // @ts-expect-error string instead of a number
      (t) => t.take(c, { p: { x: 'work' } }),
    ];
    for (const use of wrong) expect(codesOf(() => n.transition('t', (t) => use(t, t.take(c))))).toEqual(['NET040']);
    expect(problemsOf(() => n.transition('t', (t) => wrong[0]!(t, t.take(c))))).toEqual([
      'NET040 transition t, arc to c: field "p": expected an object with x, y, got 3',
    ]);
  });

  test('parts that are missing or unknown are named', () => {
    const { n, c } = composites();
    n.transition('t', (t) => {
      const token = t.take(c);
      // @ts-expect-error y is not given
      t.put(c, { ...token, p: { x: 0 } });
      // @ts-expect-error there is no field z
      t.take(c, { p: { z: 0 } });
      // @ts-expect-error a pair has three parts
      t.take(c, { q: [undefined, undefined, null, 4] });
    });
    expect(problemsOf(() => n.build())).toEqual([
      expect.stringMatching(/^NET017 transition t, arc from c: .*"p\.z"/),
      expect.stringMatching(/^NET017 transition t, arc from c: .*"q\.4"/),
      expect.stringMatching(/^NET017 transition t, arc to c: .*"p\.y"/),
    ]);
  });

  test('a field may be called as the parts of expressions are', () => {
    const n = new NetBuilder('names');
    const Sort = n.enumeration('Sort', 'add', 'const');
    const Inner = n.record('Inner', { op: Sort, name: Sort });
    const p = n.place(
      'p',
      { op: Sort, inner: Inner },
      { initial: [{ op: 'const', inner: { op: 'add', name: 'add' } }] },
    );
    const made = transitionOf(n, (t) => {
      t.take(p, { op: 'const', inner: { op: 'add' } });
      t.put(p, { op: 'add', inner: { op: 'const', name: 'add' } });
    });
    expect(Object.keys(made.outputs[0]!.values)).toEqual(['op', 'inner.op', 'inner.name']);
  });
});

describe('initial tokens', () => {
  test('are plain values, with a count if above 1', () => {
    const { n, Rank, Flag, Sort } = parts();
    const Position = n.record('Position', { y: Rank, x: Rank });
    const Pair = n.product('Pair', Position, Sort);
    n.place(
      'c',
      { s: Sort, f: Flag, q: Pair },
      {
        initial: [{ s: 'stop', f: true, q: [{ x: 1, y: 2 }, 'work'] }, [{ q: [{ y: 0, x: 3 }, 1], s: 0, f: false }, 4]],
      },
    );
    expect(placeOf(n, 'c').initial).toEqual([
      { values: [1, 1, 2, 1, 0], count: 1 },
      { values: [0, 0, 0, 3, 1], count: 4 },
    ]);
  });

  test('of a place without fields are a number', () => {
    const { n } = parts();
    n.place('c', {}, { initial: 3 });
    n.place('d', {}, { initial: [{}, {}] });
    n.place('e', {}, { initial: 0 });
    expect(['c', 'd', 'e'].map((name) => placeOf(n, name).initial)).toEqual([
      [{ values: [], count: 3 }],
      [
        { values: [], count: 1 },
        { values: [], count: 1 },
      ],
      [],
    ]);
  });

  test('of other kinds neither compile nor run', () => {
    const { n, Rank, Sort } = parts();
    // @ts-expect-error tokens without colours
    expect(codesOf(() => n.place('c', { r: Rank }, { initial: 3 }))).toEqual(['NET045']);
    // @ts-expect-error Sort has no value rest
    expect(codesOf(() => n.place('c', { s: Sort }, { initial: [{ s: 'rest' }] }))).toEqual(['NET003']);
    // @ts-expect-error r is a number
    expect(codesOf(() => n.place('c', { r: Rank }, { initial: [{ r: 'work' }] }))).toEqual(['NET040']);
    // @ts-expect-error r is a number
    expect(codesOf(() => n.place('c', { r: Rank }, { initial: [{ r: null }] }))).toEqual(['NET040']);
    // @ts-expect-error there is no field q
    expect(codesOf(() => n.place('c', { r: Rank }, { initial: [{ r: 0, q: 0 }] }))).toEqual(['NET017']);
    // @ts-expect-error the count must be a number
    n.place('c', { r: Rank }, { initial: [[{ r: 0 }, 'two']] });
    expect(codesOf(() => n.build())).toEqual(['NET037']);
  });
});

describe('enumerations', () => {
  test('a string is a value where its enumeration is unambiguous', () => {
    const { n, a, Sort } = parts();
    const work = { op: 'const', value: 0, colour: 'Sort' };
    const stop = { op: 'const', value: 1, colour: 'Sort' };
    const made = transitionOf(n, (t) => {
      const { r, f, s } = t.take(a);
      t.read(a, { s: 'stop' });
      t.guard(eq(s, 'work'));
      t.guard(ne('stop', s));
      t.guard(eq(when(f, s, 'stop'), 'work'));
      t.guard(eq(when(f, 'work', 'stop'), s));
      t.guard(eq(Sort.is('work'), 'work'));
      t.put(a, { r, f, s: when(f, 'work', 'stop') });
    });
    expect(made.inputs[1]!.pattern).toMatchObject({ s: stop });
    expect(made.guard).toMatchObject({
      a: {
        a: {
          a: {
            a: { op: 'eq', a: v('s'), b: work },
            b: { op: 'ne', a: stop, b: v('s') },
          },
          b: { op: 'eq', a: { op: 'if', test: v('f'), a: v('s'), b: stop }, b: work },
        },
        b: { op: 'eq', a: { op: 'if', a: work, b: stop }, b: v('s') },
      },
      b: { op: 'eq', a: work, b: work },
    });
    expect(made.outputs[0]!.values).toMatchObject({ s: { op: 'if', test: v('f'), a: work, b: stop } });
  });

  test('a string of no known enumeration is rejected', () => {
    const { n, a } = parts();
    const wrong: ((t: TransitionBuilder, token: TermsOf<typeof a.fields>) => unknown)[] = [
      () => eq('work', 'stop'),
      // @ts-expect-error add takes numbers
      () => add('work', 1),
      // @ts-expect-error a number is not a string
      (_, { r }) => when(true, 'work', r),
      // @ts-expect-error a guard must be boolean
      (t, { f }) => t.guard(when(f, 'work', 'stop')),
      (t, { f }) => t.fn({ x: when(f, 'work', 'stop') }, (s) => s.x === 'stop'),
      // @ts-expect-error a weight must be a number
      (t, { r }) => t.weight(t.fn({ r }, () => 'work')),
    ];
    for (const use of wrong)
      expect(codesOf(() => n.transition('t', (t) => void use(t, t.take(a))))).toEqual(['NET041']);
  });

  test('a string that is not a value is rejected', () => {
    const { n, a } = parts();
    const wrong: ((t: TransitionBuilder, token: TermsOf<typeof a.fields>) => unknown)[] = [
      // @ts-expect-error Sort has no value rest
      (_, { s }) => eq(s, 'rest'),
      // @ts-expect-error Sort has no value rest
      (t, token) => t.put(a, { ...token, s: 'rest' }),
      // @ts-expect-error Sort has no value rest
      (t) => t.take(a, { s: 'rest' }),
      // @ts-expect-error Sort has no value rest
      (t, token) => t.put(a, { ...token, s: when(token.f, 'rest', 'work') }),
      // @ts-expect-error Sort has no value rest
      (t, token) => t.put(a, { ...token, s: t.fn(token, (s) => (s.f ? 'rest' : 'work')) }),
    ];
    for (const use of wrong)
      expect(codesOf(() => n.transition('t', (t) => void use(t, t.take(a))))).toEqual(['NET003']);
  });
});

describe('places', () => {
  test('tokens leave by priority', () => {
    const { n, Rank } = parts();
    const Position = n.record('Position', { x: Rank, y: Rank });
    n.place('c', { r: Rank, p: Position }, { order: { priority: ({ p }) => add(p.x, 1), key: ['p', 'r'] } });
    n.place('d', { r: Rank }, { order: { priority: ({ r }) => r } });
    n.place('e', { r: Rank, p: Position }, { order: { fifo: ['p'] } });
    expect(placeOf(n, 'c')).toMatchObject({
      order: 'priority',
      key: ['p.x', 'p.y', 'r'],
      priority: { op: 'add', a: v('p.x'), b: num(1) },
    });
    expect(placeOf(n, 'd')).toMatchObject({ order: 'priority', key: [], priority: v('r') });
    expect(placeOf(n, 'e')).toMatchObject({ order: 'fifo', key: ['p.x', 'p.y'] });
  });

  test('have a capacity and an owner', () => {
    const { n, Rank } = parts();
    n.place('c', { r: Rank }, { capacity: 2, owner: 'node 1' });
    expect(placeOf(n, 'c')).toMatchObject({ capacity: 2, owner: 'node 1' });
    expect(Object.keys(placeOf(n, 'b'))).toEqual(['name', 'fields', 'order', 'key', 'initial']);
  });

  test.each([
    [fcfs({ time: 2 }), { kind: 'fcfs', servers: 1, time: num(2) }],
    [lcfsPr({ time: 2, servers: 3 }), { kind: 'lcfs-pr', servers: 3, time: num(2) }],
    [
      processorSharing({ time: draw.exponential(2) }),
      { kind: 'ps', servers: 1, time: { dist: 'exponential', rate: num(2) } },
    ],
    [infiniteServer({ time: 0.5 }), { kind: 'is', time: num(0.5) }],
    [
      priority({ time: 1, priority: 4 }),
      { kind: 'priority', servers: 1, time: num(1), priority: num(4), preemptive: false },
    ],
  ])('a station %#', (service, expected) => {
    const { n, Rank } = parts();
    n.place('c', { r: Rank }, { service });
    expect(placeOf(n, 'c').service).toEqual(expected);
  });

  test('a station whose times and priorities depend on the token', () => {
    const { n, Rank } = parts();
    const time = n.realTable('time', Float64Array.of(1, 2, 3, 4));
    n.place(
      'c',
      { r: Rank },
      {
        service: ({ r }) => priority({ time: draw.exponential(time.at(r)), priority: r, preemptive: true, servers: 2 }),
      },
    );
    expect(placeOf(n, 'c').service).toEqual({
      kind: 'priority',
      servers: 2,
      time: { dist: 'exponential', rate: { op: 'at', table: 'time', index: v('r') } },
      priority: v('r'),
      preemptive: true,
    });
  });

  test('functions make priorities and times', () => {
    const { n, Rank } = parts();
    n.place(
      'c',
      { r: Rank },
      {
        order: { priority: ({ r }, fn) => fn({ r }, (s) => (s.r * 3) % 4) },
        service: ({ r }, fn) => fcfs({ time: fn({ r }, (s) => s.r ** 2) }),
      },
    );
    const c = placeOf(n, 'c');
    expect(c).toMatchObject({
      priority: { op: 'at', table: 'c.fn1', index: v('r') },
      service: { time: { op: 'at', table: 'c.fn2', index: v('r') } },
    });
    expect(n.build().tables).toMatchObject([
      { name: 'c.fn1', values: Int32Array.of(0, 3, 2, 1) },
      { name: 'c.fn2', values: Int32Array.of(0, 1, 4, 9) },
    ]);
  });
});

describe('transitions', () => {
  test('have all kinds of arcs', () => {
    const { n, b } = parts();
    const made = transitionOf(n, (t) => {
      t.take(b, { r: 1 }, 2);
      t.read(b, {}, 3);
      t.inhibit(b, { r: 0 }, 4);
      t.reset(b, { r: 3 });
      t.reset(b);
    });
    expect(made.inputs).toEqual([
      { kind: 'take', place: 'b', pattern: { r: num(1) }, count: 2 },
      { kind: 'read', place: 'b', pattern: { r: v('r') }, count: 3 },
      { kind: 'inhibit', place: 'b', pattern: { r: num(0) }, count: 4 },
      { kind: 'reset', place: 'b', pattern: { r: num(3) }, count: 1 },
      { kind: 'reset', place: 'b', pattern: {}, count: 1 },
    ]);
  });

  test('have priority, weight, free variables and labels', () => {
    const { n, a, Rank } = parts();
    const made = transitionOf(n, (t) => {
      const token = t.take(a);
      const k = t.free('k', Rank);
      const again = t.free('k', Rank);
      t.priority(-2);
      t.weight(add(k, 1));
      t.label('send', { from: token.r, k: again, rest: { f: token.f, list: [token.s] } });
      t.kind('communicate');
      t.process(token.r);
    });
    expect(made).toMatchObject({
      free: [
        { name: 'k', colour: 'Rank' },
        { name: 'k2', colour: 'Rank' },
      ],
      priority: -2,
      weight: { op: 'add', a: v('k'), b: num(1) },
      label: { name: 'send', exports: { from: 'r', k: 'k2', 'rest.f': 'f', 'rest.list.1': 's' } },
      kind: 'communicate',
      process: v('r'),
    });
  });

  test('a label exports variables only', () => {
    const { n, b } = parts();
    const exporting = (exports: object): string[] =>
      codesOf(() =>
        n.transition('t', (t) => {
          t.take(b);
          t.label('l', exports as { r: Term<number> });
        }),
      );
    expect(exporting({ r: add(1, 2) })).toEqual(['NET044']);
    // @ts-expect-error a number is not a term
    const wrong: Exports = { r: 3 };
    expect(exporting(wrong)).toEqual(['NET044']);
  });

  test('wait, or race', () => {
    const { n, a } = parts();
    const delay = (use: (t: TransitionBuilder, r: Term<number>) => void): Partial<Transition> => {
      const { n, a } = parts();
      const { delay, timing, servers } = transitionOf(n, (t) => use(t, t.take(a).r));
      return { ...(delay && { delay }), ...(timing && { timing }), ...(servers && { servers }) };
    };
    expect(delay((t) => t.delay(2))).toEqual({ delay: num(2) });
    expect(delay((t, r) => t.delay(draw.uniform(r, 3)))).toEqual({
      delay: { dist: 'uniform', low: v('r'), high: num(3) },
    });
    expect(delay((t, r) => t.race({ delay: r }))).toEqual({ delay: v('r'), timing: 'race' });
    expect(delay((t) => t.race({ delay: draw.exponential(1), servers: 'single' }))).toEqual({
      delay: { dist: 'exponential', rate: num(1) },
      timing: 'race',
      servers: 'single',
    });
    // @ts-expect-error a boolean is not a delay
    n.transition('t', (t) => t.delay(t.take(a).f));
    // @ts-expect-error a priority must be a number known at build time
    n.transition('u', (t) => t.priority(t.take(a).r));
    // @ts-expect-error a weight must be a number
    n.transition('v', (t) => t.weight(t.take(a).s));
    expect(codesOf(() => n.build())).toEqual(['NET037']);
  });

  test('single settings cannot be given twice', () => {
    const twice: ((t: TransitionBuilder) => void)[] = [
      (t) => t.delay(1),
      (t) => t.race({ delay: 1 }),
      (t) => t.priority(1),
      (t) => t.weight(1),
      (t) => t.kind('compute'),
      (t) => t.process(1),
      (t) => t.label('l'),
    ];
    for (const say of twice) {
      const { n, b } = parts();
      const block = (t: TransitionBuilder): void => {
        t.take(b);
        say(t);
        say(t);
      };
      expect(codesOf(() => n.transition('t', block))).toEqual(['NET043']);
    }
    const { n, b } = parts();
    const both = (t: TransitionBuilder): void => {
      t.take(b);
      t.delay(1);
      t.race({ delay: 2 });
    };
    expect(problemsOf(() => n.transition('t', both))).toEqual(['NET043 transition t: its delay is given twice']);
  });

  test('a block that returns a promise neither compiles nor runs', () => {
    const { n, b } = parts();
    expect(
      codesOf(() =>
        // @ts-expect-error statements after the first await would be lost
        n.transition('t', async (t) => {
          t.take(b);
        }),
      ),
    ).toEqual(['NET042']);
    // @ts-expect-error a service must be created synchronously
    expect(codesOf(() => n.place('c', {}, { service: async () => fcfs({ time: 1 }) }))).toEqual(['NET042']);
  });
});

test('parts of another net are refused, even under an equal name', () => {
  const { n, Rank, b } = parts();
  const other = new NetBuilder('other');
  const Own = other.range('Rank', 0, 7);
  other.place('b', { r: Own });
  expect(codesOf(() => other.place('c', { r: Rank }))).toEqual(['NET046']);
  expect(codesOf(() => other.record('R', { r: Rank }))).toEqual(['NET046']);
  expect(codesOf(() => other.product('P', Own, Rank))).toEqual(['NET046']);
  expect(codesOf(() => other.transition('t', (t) => t.take(b)))).toEqual(['NET046']);
  expect(codesOf(() => other.transition('t', (t) => t.free('k', Rank)))).toEqual(['NET046']);
  expect(codesOf(() => other.processes(Own, b))).toEqual(['NET046']);
  expect(codesOf(() => other.processes(Rank, b))).toEqual(['NET046']);
  expect(problemsOf(() => n.transition('t', (t) => void t.take(b)))).toEqual([]);
});

test('so are entries of its tables and values of its enumerations', () => {
  const of = (name: string, scale: number) => {
    const n = new NetBuilder(name);
    const Mood = n.enumeration('Mood', ...(scale === 1 ? (['good', 'bad'] as const) : (['bad', 'good'] as const)));
    return {
      n,
      Mood,
      whole: n.intTable('whole', Int32Array.of(scale)),
      real: n.realTable('real', Float64Array.of(scale)),
      step: n.stepTable('step', Float64Array.of(0), Float64Array.of(scale)),
      routes: n.routesTable('routes', Int32Array.of(0, 0), Int32Array.of(), Float64Array.of()),
      p: n.place('p', { m: Mood }),
    };
  };
  const mine = of('mine', 1);
  const theirs = of('theirs', 2);
  const using = (say: (from: typeof mine, t: TransitionBuilder) => void): string[][] =>
    [mine, theirs].map((from) => problemsOf(() => mine.n.transition('t', (t) => say(from, t))));
  const table = (name: string): string[][] => [[], [`NET046 transition t: table "${name}" belongs to another net`]];
  expect(using(({ whole }, t) => t.delay(whole.at(0)))).toEqual(table('whole'));
  expect(using(({ real }, t) => t.weight(add(real.at(0), 1)))).toEqual(table('real'));
  expect(using(({ step }, t) => t.guard(lt(mul(2, step.of(0)), 3)))).toEqual(table('step'));
  const value = [[], ['NET046 transition t: a value of enumeration Mood belongs to another net']];
  expect(using(({ Mood }, t) => void t.take(mine.p, { m: Mood.is('good') }))).toEqual(value);
  expect(using(({ Mood }, t) => t.put(mine.p, { m: when(true, Mood.is('good'), 'bad') }))).toEqual(value);
  const station = { links: [], amount: 1, weight: 1, bound: 1, route: 0 };
  const place = (routes: typeof mine.routes): string[] =>
    problemsOf(() => mine.n.place(`q${routes === mine.routes}`, {}, { service: { ...station, routes } }));
  expect([mine, theirs].map(({ routes }) => place(routes))).toEqual([
    [],
    ['NET046 place qfalse: table "routes" belongs to another net'],
  ]);
});

test('an operator of JavaScript on a term names the function to use', () => {
  const { n, b } = parts();
  const say = (use: (r: number) => unknown): string[] =>
    problemsOf(() =>
      n.transition('t', (t) => {
        const { r } = t.take(b);
        t.guard(use(r as unknown as number) as boolean);
      }),
    );
  const message = (term: string): string =>
    `NET080 JavaScript operators cannot be applied to the term ${term}: use add, sub, mul, div, mod, lt, le, gt, ge, eq, ne instead`;
  expect(say((r) => r > 1)).toEqual([message('r')]);
  expect(say((r) => lt(add(r, 1) as unknown as number, 2 * r))).toEqual([message('r')]);
  expect(say((r) => (add(r, 1) as unknown as number) < 2)).toEqual([message('r + 1')]);
  expect(say((r) => Number(not(lt(r, 2))))).toEqual([message('!(r < 2)')]);
  expect(say((r) => `${r}`)).toEqual([message('r')]);
  expect(say((r) => lt(Math.max(r, 2), 3))).toEqual([message('r')]);
  // A term is plain data nevertheless.
  n.transition('u', (t) => {
    const { r } = t.take(b);
    expect({ ...r }).toEqual({ op: 'var', name: 'r' });
    expect(structuredClone(add(r, 1))).toEqual({
      op: 'add',
      a: { op: 'var', name: 'r' },
      b: { op: 'const', value: 1 },
    });
    expect(JSON.stringify(r)).toBe('{"op":"var","name":"r"}');
  });
});

test('rejects values that are not places, colour sets, orders, services or lists', () => {
  const { n, Rank } = parts();
  const wrong: (() => unknown)[] = [
    // @ts-expect-error not a place
    () => n.transition('t', (t) => t.take(undefined)),
    // @ts-expect-error not a place
    () => n.transition('t', (t) => t.inhibit('b')),
    // @ts-expect-error not a colour set
    () => n.transition('t', (t) => t.free('k', 'Rank')),
    // @ts-expect-error not a colour set
    () => n.place('c', { r: 'Rank' }),
    // @ts-expect-error not a colour set
    () => n.product('P', Rank, undefined),
    // @ts-expect-error not a service
    () => n.place('c', { r: Rank }, { service: { time: 1 } }),
    // @ts-expect-error not a service
    () => n.place('c', { r: Rank }, { service: () => undefined }),
    // @ts-expect-error not a list
    () => n.place('c', { r: Rank }, { initial: { r: 0 } }),
  ];
  for (const make of wrong) expect(codesOf(make)).toEqual(['NET040']);
  // @ts-expect-error not an order
  expect(codesOf(() => n.place('c', { r: Rank }, { order: { by: 'r' } }))).toEqual(['NET058']);
});

test('a value that is not a term is reported with its transition', () => {
  const text = '1' as unknown as number;
  const uses: [string, (t: TransitionBuilder) => void][] = [
    ['delay', (t) => t.delay(text)],
    ['delay', (t) => t.race({ delay: text })],
    ['weight', (t) => t.weight(text)],
    ['guard', (t) => t.guard(text as unknown as boolean)],
  ];
  for (const [what, use] of uses)
    expect(problemsOf(() => new NetBuilder('n').transition('go', use))).toEqual([
      `NET041 transition go, ${what}: expected a number or a boolean, got "1" of an unknown enumeration: use colour.is(…)`,
    ]);
});

test('distributions are data', () => {
  const one = num(1);
  const two = num(2);
  const r = v('r');
  const term: Term<number> = { op: 'var', name: 'r' };
  expect(draw.exponential(term)).toEqual({ dist: 'exponential', rate: r });
  expect(draw.erlang(2, term)).toEqual({ dist: 'erlang', shape: two, rate: r });
  expect(draw.hyperExponential([{ probability: 1, rate: term }])).toEqual({
    dist: 'hyper-exponential',
    branches: [{ probability: one, rate: r }],
  });
  expect(draw.cox([{ rate: 1, onward: 2 }, { rate: term }])).toEqual({
    dist: 'cox',
    phases: [
      { rate: one, onward: two },
      { rate: r, onward: num(0) },
    ],
  });
  expect(draw.uniform(1, term)).toEqual({ dist: 'uniform', low: one, high: r });
  expect(draw.triangular(1, term, 2)).toEqual({ dist: 'triangular', low: one, mode: r, high: two });
  expect(draw.normal(1, term)).toEqual({ dist: 'normal', mean: one, deviation: r });
  expect(draw.lognormal(term, 2)).toEqual({ dist: 'lognormal', mean: r, deviation: two });
  expect(draw.weibull(1, term)).toEqual({ dist: 'weibull', shape: one, scale: r });
  expect(draw.gamma(1, term)).toEqual({ dist: 'gamma', shape: one, scale: r });
  expect(draw.discrete([{ value: 3, weight: 1 }])).toEqual({ dist: 'discrete', values: [{ value: 3, weight: 1 }] });
  expect(draw.empirical([10, 9, 1])).toEqual({ dist: 'empirical', samples: [1, 9, 10] });
  // @ts-expect-error a rate must be a number
  expect(codesOf(() => draw.exponential('fast'))).toEqual(['NET041']);
  // @ts-expect-error a rate is needed
  expect(codesOf(() => draw.exponential())).toEqual(['NET040']);
});

test('a net once built does not change', () => {
  const { n, b, Rank } = parts();
  const before = n.build();
  n.place('c', { r: Rank });
  n.transition('t', (t) => void t.take(b));
  n.range('More', 0, 1);
  n.realTable('table', Float64Array.of(1));
  expect([before.places, before.transitions, before.colours, before.tables].map((x) => x.length)).toEqual([2, 0, 3, 0]);
});

describe('every code of the builder is raised', () => {
  type Block = (t: TransitionBuilder, r: Term<number>) => unknown;
  const inBlock = (use: Block) => (): unknown => {
    const { n, b } = parts();
    return n.transition('t', (t) => void use(t, t.take(b).r));
  };
  let kept: TransitionBuilder | undefined;
  let count = 0;
  const raise: Record<string, () => unknown> = {
    NET003: () => parts().Sort.is('rest' as 'work'),
    NET004: () => parts().n.intTable('t', { length: 1, shift: 7, pages: [], load: () => Int32Array.of(7) }),
    NET005: () => {
      inBlock((t) => {
        kept = t;
      })();
      kept!.guard(true);
    },
    NET040: inBlock((t) => t.guard(undefined as unknown as boolean)),
    NET041: () => eq('work', 'stop'),
    NET042: () => parts().n.transition('t', (async () => undefined) as unknown as () => void),
    NET043: inBlock((t) => [t.delay(1), t.race({ delay: 2 })]),
    NET044: inBlock((t, r) => t.label('send', { r: add(r, 1) })),
    NET045: () => {
      const { n, Rank } = parts();
      n.place('p', { r: Rank }, { initial: 3 as unknown as [] });
    },
    NET046: () => new NetBuilder('other').place('p', { r: parts().Rank }),
    NET078: inBlock((t, r) => t.guard(lt(r, 3) && eq(r, 0))),
    NET047: inBlock((t) => {
      const { n, b } = parts();
      n.transition('u', (u) => t.guard(lt(u.take(b).r, 1)));
    }),
    NET048: inBlock((t, r) =>
      t.fn({ r }, (s) => {
        t.guard(true);
        return s.r;
      }),
    ),
    NET049: () => new NetBuilder('n', { tableLimit: -1 }),
    NET050: inBlock((t, r) => t.fn({ turn: r }, (s) => (s as unknown as { trun: number }).trun)),
    NET051: inBlock((t, r) => t.fn({ r }, (s) => s.r * Math.random())),
    NET052: inBlock((t, r) => t.fn({ r }, (s) => s.r + count++)),
    NET053: inBlock((t, r) => t.fn({ r }, (s) => [4, 2][s.r]!)),
    NET054: inBlock((t, r) => t.fn({ r }, (s) => s.r > 0 && s.r)),
    NET055: inBlock((t, r) => t.fn({ r }, (async () => 1) as unknown as () => number)),
    NET056: inBlock((t, r) => t.fn({ r }, (s) => [[1]][s.r]!.length)),
    NET057: inBlock((t, r) => t.fn({ r }, (s) => ++(s as { r: number }).r)),
    NET058: () => new NetBuilder('n').place('desk', {}, { capcity: 1 } as never),
    NET059: inBlock((t) => t.fn({ three: 3 as unknown as Term<number> }, () => 1)),
    NET080: inBlock((t, r) => t.guard((r as unknown as number) > 1)),
  };

  test('raises no other code', () => {
    expect(Object.keys(raise).sort()).toEqual(
      listedCodes('builder')
        .map((c) => c.code)
        .sort(),
    );
  });

  test.each(listedCodes('builder').map((c) => c.code))('%s is raised by its case', (code) => {
    expect(codesOf(raise[code]!)).toEqual([code]);
  });
});

describe('excessive nesting and width are rejected with a code', () => {
  test('a term', () => {
    for (const depth of [1001, 3000, 100_000]) {
      const n = new NetBuilder('deep');
      const p = n.place('p', { k: n.range('K', 0, 9) });
      const build = (): unknown => {
        n.transition('t', (t) => {
          let e: Term<number> = t.take(p).k;
          for (let k = 0; k < depth; k++) e = add(e, 1);
          t.delay(e);
        });
        return n.build();
      };
      expect(problemsOf(build)).toEqual([
        expect.stringMatching(/^NET026 transition t, .* is nested deeper than 1000$/),
      ]);
    }
  });

  test('a term that contains itself, or doubles with every part', () => {
    const itself = { op: 'neg', a: undefined as unknown };
    itself.a = itself;
    let doubled: Term<number> = add(1, 2);
    for (let k = 0; k < 60; k++) doubled = add(doubled, doubled);
    for (const delay of [itself as unknown as Term<number>, doubled]) {
      const n = new NetBuilder('large');
      const p = n.place('p', {});
      const build = (): unknown => {
        n.transition('t', (t) => {
          t.take(p);
          t.delay(delay);
        });
        return n.build();
      };
      expect(codesOf(build)).toEqual(['NET026']);
    }
  });

  test('a product of products, before anything is made for its columns', () => {
    const n = new NetBuilder('wide');
    let c: Colour<unknown> = n.bool('B');
    const build = (): void => {
      for (let k = 0; k < 60; k++) c = n.product(`P${k}`, c, c);
    };
    expect(problemsOf(build)).toEqual(['NET009 colour set P10: has 2048 columns: expected at most 1024']);
    n.place('p', { x: c });
    expect(n.build().places).toHaveLength(1);
  });

  test('a record in a record', () => {
    const n = new NetBuilder('deep');
    let c: Colour<unknown> = n.bool('B');
    const build = (): void => {
      for (let k = 1; k < 3000; k++) c = n.record(`R${k}`, { x: c });
    };
    expect(problemsOf(build)).toEqual(['NET009 colour set R33: is nested deeper than 32']);
  });
});
