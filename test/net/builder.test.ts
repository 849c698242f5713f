import { describe, expect, test } from 'vitest';
import { NetBuilder, type TermsOf } from '../../src/net/builder.ts';
import { add, and, eq, lt, not, type Term, when } from '../../src/net/terms.ts';
import { codesOf, problemsOf } from './problems.ts';

/** What is wrong for the compiler is wrong at run time too: `tsc -p tsconfig.test.json` checks the first half. */
function parts() {
  const n = new NetBuilder('typed');
  const Rank = n.range('Rank', 0, 3);
  const Flag = n.bool('Flag');
  const Sort = n.enumeration('Sort', 'work', 'stop');
  const a = n.place('a', { r: Rank, f: Flag, s: Sort }, { initial: [{ r: 0, f: 0, s: 0 }] });
  const b = n.place('b', { r: Rank });
  return { n, Rank, Flag, Sort, a, b };
}

describe('wrong code neither compiles nor passes validation', () => {
  test('a term of another colour set', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { s } = t.take(a);
      // @ts-expect-error a value of an enumeration is no number
      t.put(b, { r: s });
    });
    expect(problemsOf(() => n.build())).toEqual([
      'NET022 transition t, arc to b: field "r" is of colour Rank (int), the expression is enum Sort',
    ]);
  });

  test('a number where a truth value is due', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { r } = t.take(a);
      // @ts-expect-error a guard is a truth value
      t.guard(add(r, 1));
      t.put(b, { r });
    });
    expect(problemsOf(() => n.build())).toEqual(['NET022 transition t: the guard must be a truth value, not int']);
  });

  test('an operand of the wrong kind', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { r, s } = t.take(a);
      // @ts-expect-error only numbers can be added
      t.put(b, { r: add(s, 1) });
      // @ts-expect-error only truth values can be negated
      t.guard(not(r));
    });
    expect(codesOf(() => n.build())).toEqual(['NET022', 'NET022']);
  });

  test('two sides that differ', () => {
    const { n, a, Sort } = parts();
    n.transition('t', (t) => {
      const { r, f } = t.take(a);
      // @ts-expect-error a number is never equal to a value of an enumeration
      t.guard(eq(r, Sort.is('work')));
      // @ts-expect-error both branches must be of one kind
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
    expect(problemsOf(() => n.build())).toEqual(['NET017 transition t, arc to a: field "f" is not given']);
  });

  test('an unknown field', () => {
    const { n, a, b } = parts();
    n.transition('t', (t) => {
      const { r } = t.take(a);
      // @ts-expect-error b has no field q
      t.put(b, { r, q: r });
    });
    expect(problemsOf(() => n.build())).toEqual(['NET017 transition t, arc to b: unknown field "q". Known: r.']);
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

test('a variable of another transition is refused', () => {
  const { n, a, b } = parts();
  let stolen: Term<number> = { op: 'const', value: 0 };
  n.transition('first', (t) => {
    const { r } = t.take(b);
    stolen = r;
    t.put(b, { r });
  });
  n.transition('second', (t) => {
    t.take(a, { r: 0 });
    t.put(b, { r: stolen });
  });
  expect(problemsOf(() => n.build())).toEqual([
    expect.stringMatching(
      /^NET021 transition second, arc to b: variable "r" is bound by no input arc\..* Known: f, s\.$/,
    ),
  ]);
});

test('a block is closed when it ends', () => {
  const { n, b } = parts();
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

test('a guard may be a plain truth value', () => {
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
    const paged = { length: 1, pages: [], load: () => Int32Array.of(7) };
    expect(codesOf(() => n.intTable('t', paged))).toEqual(['NET004']);
    expect(codesOf(() => n.intTable('t', paged, { low: 0, high: 7 }))).toEqual([]);
  });
});
