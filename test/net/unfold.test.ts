import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NetBuilder, type NumberTable } from '../../src/net/builder/builder.ts';
import { exponential, uniform } from '../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer } from '../../src/net/builder/stations.ts';
import type { Net, Place, Transition } from '../../src/net/net.ts';
import { add, eq, ge, lt, mul, ne, sub, type Term } from '../../src/net/terms.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { RunError } from '../reference/evaluate.ts';
import { philosophers, tokenRing } from './contest-nets.ts';
import { codesOf, problemsOf } from './problems.ts';
import { finiteNet } from './random-finite-net.ts';
import { reordered } from './reordered.ts';
import { explore, type Space } from './untimed-explorer.ts';

const names = (items: readonly { readonly name: string }[]): string[] => items.map((x) => x.name);
const arcs = (net: Net): number => net.transitions.reduce((sum, t) => sum + t.inputs.length + t.outputs.length, 0);
const named = <T extends { readonly name: string }>(items: readonly T[], name: string): T =>
  items.find((x) => x.name === name)!;

/** Number of markings, of firings, and of dead markings. */
function size(space: Space): { markings: number; firings: number; dead: number } {
  const firings = [...space.values()].map((f) => f.length);
  return {
    markings: space.size,
    firings: firings.reduce((a, b) => a + b, 0),
    dead: firings.filter((n) => n === 0).length,
  };
}

describe('nets of the Model Checking Contest, with its figures', () => {
  test('five philosophers', () => {
    const flat = unfold(philosophers(5));
    expect([flat.places.length, flat.transitions.length, arcs(flat)]).toEqual([25, 25, 80]);
    expect(size(explore(flat, 1e3))).toEqual({ markings: 243, firings: 945, dead: 2 });
    expect(validate(flat)).toEqual([]);
  });

  test('the token ring of six machines', () => {
    const flat = unfold(tokenRing(5), { reachableOnly: false });
    expect([flat.places.length, flat.transitions.length, arcs(flat)]).toEqual([36, 156, 624]);
    expect(size(explore(flat, 1e3))).toEqual({ markings: 166, firings: 365, dead: 0 });
  });
});

test('three philosophers: 3 places and 3 transitions for each of 5, and 3³ markings', () => {
  const flat = unfold(philosophers(3));
  expect([flat.places.length, flat.transitions.length]).toEqual([15, 15]);
  expect(size(explore(flat, 1e3))).toMatchObject({ markings: 27, dead: 2 });
  expect(names(flat.places).slice(0, 4)).toEqual(['Think[0]', 'Think[1]', 'Think[2]', 'Fork[0]']);
  expect(names(flat.transitions).slice(0, 3)).toEqual(['FF1a[x=0]', 'FF1a[x=1]', 'FF1a[x=2]']);
  expect(flat.transitions[0]!.inputs).toEqual([
    { kind: 'take', place: 'Fork[2]', pattern: {}, count: 1 },
    { kind: 'take', place: 'Think[0]', pattern: {}, count: 1 },
  ]);
});

/** The space of an unfolded net in names of the folded one: without counter places for colours, and without bindings. */
function folded(space: Space): Space {
  const marking = (text: string): string =>
    text
      .split(' ')
      .filter((t) => !/\[[^\]]*\*/.test(t))
      .join(' ');
  return new Map(
    [...space].map(([m, firings]) => [
      marking(m),
      firings
        .map((f) => {
          const [transition, after] = f.split(' → ') as [string, string];
          return `${transition.replace(/\[.*$/, '')} → ${marking(after)}`;
        })
        .sort(),
    ]),
  );
}

test('a net and its unfolding reach the same markings by the same firings', () => {
  const outcomes = new Map<string, number>();
  const branching: number[] = [];
  let counted = 0;
  fc.assert(
    fc.property(finiteNet, fc.boolean(), (net, reachableOnly) => {
      expect(validate(net)).toEqual([]);
      const refused = codesOf(() => unfold(net, { reachableOnly }))[0];
      outcomes.set(refused ?? 'unfolded', (outcomes.get(refused ?? 'unfolded') ?? 0) + 1);
      let space: Space;
      try {
        space = explore(net, 4, 300);
      } catch (e) {
        // A run of the folded net may fail, but a run of the unfolded net cannot.
        if (!(e instanceof RunError)) throw e;
        expect(refused).toBeDefined();
        return;
      }
      fc.pre(refused === undefined);
      const flat = unfold(net, { reachableOnly });
      expect(validate(flat)).toEqual([]);
      expect(folded(explore(flat, 4, 300))).toEqual(space);
      branching.push(space.size);
      if (flat.transitions.some((t) => t.inputs.some((a) => a.kind === 'inhibit' && a.place.includes('*')))) counted++;
    }),
    { numRuns: effort(1000) },
  );
  expect(outcomes.get('unfolded') ?? 0).toBeGreaterThan(atFullEffort(700));
  expect(branching.filter((n) => n > 5).length).toBeGreaterThan(atFullEffort(250));
  expect(counted).toBeGreaterThan(atFullEffort(5));
  for (const code of ['UNF004', 'UNF006', 'UNF009']) expect(outcomes.get(code) ?? 0).toBeGreaterThan(atFullEffort(5));
});

test('the order of declaration does not change the nodes', () => {
  const sorted = (net: Net): unknown => {
    const byName = <T extends { readonly name: string }>(items: readonly T[]): T[] =>
      [...items].sort((a, b) => (a.name < b.name ? -1 : 1));
    return [byName(net.places), byName(net.transitions)];
  };
  fc.assert(
    fc.property(finiteNet, fc.nat({ max: 5 }), (net, turn) => {
      fc.pre(codesOf(() => unfold(net)).length === 0);
      expect(sorted(unfold(reordered(net, turn)))).toEqual(sorted(unfold(net)));
    }),
    { numRuns: effort(300) },
  );
});

/** Two sorts of jobs: urgent and normal. */
function jobs(options: {
  readonly place?: Partial<Place>;
  readonly transition?: Partial<Transition>;
  readonly inputs?: Transition['inputs'];
}): Net {
  const n = new NetBuilder('jobs');
  const Sort = n.enumeration('Sort', 'urgent', 'not urgent');
  const jobs = n.place('jobs', { sort: Sort }, { initial: [{ sort: 'urgent' }, { sort: 'not urgent' }, { sort: 1 }] });
  const done = n.place('done', {});
  n.transition('work', (t) => {
    t.take(jobs);
    t.put(done, {});
  });
  const net = n.build();
  const [work] = net.transitions;
  return {
    ...net,
    places: net.places.map((p) => (p.name === 'jobs' ? { ...p, ...options.place } : p)),
    transitions: [{ ...work!, inputs: [...work!.inputs, ...(options.inputs ?? [])], ...options.transition }],
  };
}

describe('names', () => {
  test('consist of values by name, variables in the order of their names, and omitted columns', () => {
    const n = new NetBuilder('names');
    const Sort = n.enumeration('Sort', 'red', 'dark red');
    const Pair = n.product('Pair', n.bool('Bool'), n.range('Small', -1, 1));
    const p = n.place('p', { z: Sort, a: Pair }, { initial: [{ z: 'dark red', a: [true, -1] }] });
    const q = n.place('q', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(p);
      t.take(q);
      t.free('y', Sort);
    });
    n.transition('u', (t) => t.take(q));
    const net = n.build();
    const left = net.transitions.map((t) =>
      t.name === 't' ? { ...t, inputs: t.inputs.map((a) => ({ ...a, pattern: {} })) } : t,
    );
    expect(names(unfold(net).places)).toEqual(['p["dark red",true,-1]', 'q']);
    const [t1, t2, u] = names(unfold(net).transitions);
    expect([t1, t2, u]).toEqual([
      expect.stringMatching(/^t\[.*y=red,z="dark red"\]$/),
      expect.stringMatching(/^t\[.*y="dark red",z="dark red"\]$/),
      'u',
    ]);
    expect(names(unfold({ ...net, transitions: left }).transitions)[0]).toBe(
      't[y=red,p.a.1=true,p.a.2=-1,p.z="dark red"]',
    );
  });

  test('that two nodes would share are made unique', () => {
    const n = new NetBuilder('twins');
    n.place('p[1]', {}, { initial: 1 });
    n.place('p', { k: n.range('K', 0, 2) }, { initial: [{ k: 1 }] });
    expect(names(unfold(n.build()).places).sort()).toEqual(['p[1]', "p[1]'"]);
  });
});

describe('constants of a binding', () => {
  test('weight, rate, counts, process and a table that is looked up', () => {
    const n = new NetBuilder('constants');
    const K = n.range('K', 1, 2);
    const rate = n.realTable('rate', Float64Array.of(0, 3, 5));
    const factor = n.stepTable('factor', Float64Array.of(0, 1, 2, 3), Float64Array.of(1, 2, 4, 8));
    const p = n.place('p', { k: K }, { initial: [{ k: 1 }, { k: 2 }] });
    const q = n.place('q', { k: K }, { service: ({ k }) => infiniteServer({ time: mul(k, 10) }) });
    n.transition('t', (t) => {
      const { k } = t.take(p);
      t.put(q, { k }, add(k, 1));
      t.weight(factor.of(k));
      t.process(k);
      t.priority(7);
      t.race({ delay: exponential(rate.at(k)) });
    });
    const flat = unfold(n.build());
    const constant = (value: number) => ({ op: 'const', value });
    expect(flat).toMatchObject({ colours: [], tables: [] });
    expect(named(flat.places, 'q[2]').service).toEqual({ kind: 'is', time: constant(20) });
    expect(named(flat.transitions, 't[k=2]')).toEqual({
      name: 't[k=2]',
      inputs: [{ kind: 'take', place: 'p[2]', pattern: {}, count: 1 }],
      outputs: [{ place: 'q[2]', values: {}, count: constant(3) }],
      weight: constant(4),
      process: constant(2),
      priority: 7,
      timing: 'race',
      delay: { dist: 'exponential', rate: constant(5) },
    });
  });

  test('a function of the host language is called and removed', () => {
    const net = jobs({});
    const called: Net = {
      ...net,
      functions: [{ name: 'twice', apply: (x) => 2 * x! }],
      transitions: net.transitions.map((t) => ({
        ...t,
        delay: { op: 'call', function: 'twice', args: [{ op: 'const', value: 3 }] },
      })),
    };
    const flat = unfold(called);
    expect(flat.functions).toBeUndefined();
    expect(flat.transitions.map((t) => t.delay)).toEqual([
      { op: 'const', value: 6 },
      { op: 'const', value: 6 },
    ]);
  });
});

describe('a capacity over several colours', () => {
  test('becomes a place that counts all tokens', () => {
    const flat = unfold(jobs({ place: { capacity: 4 } }));
    expect(named(flat.places, 'jobs[*]')).toMatchObject({ capacity: 4, initial: [{ values: [], count: 3 }] });
    expect(named(flat.places, 'jobs[urgent]').capacity).toBeUndefined();
    for (const t of flat.transitions) expect(t.inputs.map((a) => a.place)).toContain('jobs[*]');
  });

  test('of one colour keeps its place', () => {
    const flat = unfold(jobs({ place: { capacity: 4, initial: [{ values: [0], count: 2 }] } }));
    expect(flat.places).toEqual([
      expect.objectContaining({ name: 'jobs[urgent]', capacity: 4, initial: [{ values: [], count: 2 }] }),
      expect.objectContaining({ name: 'done' }),
    ]);
  });
});

describe('possible bindings', () => {
  /** A counter from 0 to `to`, with colours 0 … 1000. */
  const counter = (to: number): Net => {
    const n = new NetBuilder('counter');
    const p = n.place('p', { k: n.range('K', 0, 1000) }, { initial: [{ k: 0 }] });
    n.transition('up', (t) => {
      const { k } = t.take(p);
      t.guard(lt(k, to));
      t.put(p, { k: add(k, 1) });
    });
    return n.build();
  };

  test('is found from the initial marking', () => {
    const flat = unfold(counter(20));
    expect([flat.places.length, flat.transitions.length]).toEqual([21, 20]);
    const all = unfold(counter(20), { reachableOnly: false });
    expect([all.places.length, all.transitions.length]).toEqual([1001, 20]);
  });

  test('places without columns stay, tokens or not', () => {
    const n = new NetBuilder('still');
    const p = n.place('p', {});
    n.transition('t', (t) => t.take(p));
    expect(unfold(n.build())).toMatchObject({ places: [{ name: 'p', initial: [] }], transitions: [] });
    expect(names(unfold(n.build(), { reachableOnly: false }).transitions)).toEqual(['t']);
  });

  describe('an expression without value', () => {
    /** Takes k and l, each from 0 … 9, if both guards hold. */
    const pairs = (
      guard: (table: NumberTable, k: Term<number>, l: Term<number>) => Term<boolean>[],
    ): readonly Transition[] => {
      const n = new NetBuilder('pairs');
      const K = n.range('K', 0, 9);
      const table = n.intTable('table', Int32Array.of(1, 0));
      const initial = Array.from({ length: 10 }, (_, k) => ({ k }));
      const [p, q] = ['p', 'q'].map((name) => n.place(name, { k: K }, { initial }));
      n.transition('t', (t) => {
        const { k } = t.take(p!);
        const { k: l } = t.take(q!);
        for (const g of guard(table, k, l)) t.guard(g);
      });
      return unfold(n.build()).transitions;
    };

    test('does not count where another part of the guard excludes the binding', () => {
      const found = pairs((table, k, l) => [eq(table.at(k), 1), eq(add(l, 0), 3), lt(add(k, l), 5)]);
      expect(names(found)).toEqual(['t[k=0,k2=3]']);
    });

    test('does not count for the bindings after it', () => {
      const found = pairs((table, k, l) => [ne(table.at(sub(8, k)), 0), eq(add(l, 0), 3), ge(k, 7), lt(k, 9)]);
      expect(names(found)).toEqual(['t[k=8,k2=3]']);
    });

    test('is rejected, also if a join looks for another value', () => {
      expect(problemsOf(() => pairs((table, k, l) => [eq(table.at(k), l)]))).toEqual([
        expect.stringMatching(/^UNF009 transition t: with k = 2, k2 = 0: index 2 is outside table table \(0 … 1\)/),
      ]);
    });
  });
});

describe('refused by name', () => {
  const count = (value: number, kind: 'inhibit' | 'reset' = 'inhibit'): Transition['inputs'] => [
    { kind, place: 'jobs', pattern: {}, count: value },
  ];
  test.each<[string, string, Net, RegExp]>([
    ['UNF004', 'place jobs', jobs({ place: { order: 'fifo' } }), /fifo .* several of its 2 colours/],
    [
      'UNF004',
      'place jobs',
      jobs({ place: { order: 'priority', priority: { op: 'var', name: 'sort' } } }),
      /priority .* several of its 2 colours/,
    ],
    ['UNF005', 'place jobs', jobs({ place: { service: fcfs({ time: 1 }) } }), /fcfs.* 2 colours/],
    [
      'UNF006',
      'transition work',
      jobs({ place: { capacity: 5, service: infiniteServer({ time: 1 }) }, inputs: count(1, 'reset') }),
      /capacity/,
    ],
    [
      'UNF007',
      'transition work',
      jobs({ place: { service: infiniteServer({ time: 1 }) }, inputs: count(2) }),
      /2 tokens of place jobs over 2 colours.* service/,
    ],
    [
      'UNF008',
      'transition work',
      jobs({ transition: { timing: 'race', servers: 'single', delay: { op: 'const', value: 1 } } }),
      /shared by its 2 bindings/,
    ],
    [
      'UNF009',
      'transition work',
      jobs({ transition: { delay: { op: 'div', a: { op: 'const', value: 1 }, b: { op: 'const', value: 0 } } } }),
      /with sort = 0: a delay of Infinity seconds \(RUN004\)/,
    ],
  ])('%s at %s', (code, part, net, message) => {
    expect(problemsOf(() => unfold(net))).toEqual([expect.stringMatching(`^${code} ${part}: .*${message.source}`)]);
  });

  test('accepted for a single colour, and for inhibitors of count 1', () => {
    const one: Partial<Place> = { initial: [{ values: [1], count: 3 }] };
    const flat = unfold(jobs({ place: { ...one, order: 'fifo', service: fcfs({ time: 2 }) }, inputs: count(2) }));
    expect(flat.places[0]).toMatchObject({ order: 'bag', service: { kind: 'fcfs', servers: 1 } });
    expect(flat.transitions[0]!.inputs[1]).toMatchObject({ kind: 'inhibit', count: 2 });
    const [work] = unfold(jobs({ inputs: count(1) })).transitions;
    expect(work!.inputs.filter((a) => a.kind === 'inhibit').map((a) => a.place)).toEqual([
      'jobs["not urgent"]',
      'jobs[urgent]',
    ]);
  });

  test('UNF001 unbounded integers, each of them', () => {
    const n = new NetBuilder('unbounded');
    const Int = n.integer('Int');
    n.place('p', { a: Int, b: Int });
    expect(codesOf(() => unfold(n.build()))).toEqual(['UNF001', 'UNF001']);
  });
});

describe('limits', () => {
  const wide = (guarded: boolean): Net => {
    const n = new NetBuilder('wide');
    const K = n.range('K', 0, 9999);
    const p = n.place('p', { a: K, b: K, c: K }, { initial: [{ a: 0, b: 0, c: 0 }] });
    const go = n.place('go', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(go);
      const [a, b, c] = [t.free('a', K), t.free('b', K), t.free('c', K)];
      if (guarded) t.guard(lt(mul(mul(a, b), c), -1));
      t.put(p, { a, b, c });
    });
    return n.build();
  };

  test('UNF002 before enumeration, with the number', () => {
    expect(problemsOf(() => unfold(wide(false), { reachableOnly: false }))).toEqual([
      expect.stringMatching(/^UNF002 net wide: .*place "p" alone to 1000000000000/),
    ]);
  });

  test('UNF002 during enumeration, with the number found so far', () => {
    expect(problemsOf(() => unfold(wide(false), { limit: 1000 }))).toEqual([
      expect.stringMatching(/^UNF002 net wide: .*more than 1000 nodes: 501 places and 500 transitions/),
    ]);
  });

  test('UNF003 where a guard excludes all, but only at the end', () => {
    expect(problemsOf(() => unfold(wide(true), { limit: 1000 }))).toEqual([
      expect.stringMatching(/^UNF003 transition t: /),
    ]);
  });

  test('UNF010 arcs of inhibitors', () => {
    const n = new NetBuilder('inhibited');
    const K = n.range('K', 0, 99);
    const p = n.place('p', { k: K }, { initial: Array.from({ length: 100 }, (_, k) => ({ k })) });
    const go = n.place('go', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(go);
      t.free('v', K);
      t.inhibit(p);
    });
    expect(codesOf(() => unfold(n.build(), { limit: 201 }))).toEqual(['UNF010']);
    expect(unfold(n.build(), { limit: 1010 }).transitions).toHaveLength(100);
  });

  test('joins by equal columns and by equations of the guard list no products', () => {
    const n = new NetBuilder('join');
    const many = 3000;
    const K = n.range('K', 0, 2 * many);
    const tokens = Array.from({ length: many }, (_, k) => ({ k }));
    const [p, q, r] = ['p', 'q', 'r'].map((name) => n.place(name, { k: K }, { initial: tokens }));
    n.transition('t', (t) => {
      const { k } = t.take(p!);
      t.take(q!, { k });
      const { k: other } = t.read(r!);
      const v = t.free('v', K);
      t.guard(eq(other, add(k, 1)));
      t.guard(eq(v, mul(k, 2)));
      t.guard(ge(k, 0));
    });
    // 3000⁴ combinations; the search gives up beyond about 3 million.
    expect(unfold(n.build(), { limit: 4 * many }).transitions).toHaveLength(many - 1);
  });
});

describe('a distribution with invalid parameters for some binding', () => {
  const net = (delay: (k: Term<number>) => Parameters<typeof fcfs>[0]['time'], served = false): Net => {
    const n = new NetBuilder('drawn');
    const K = n.range('K', 0, 1);
    const service = ({ k }: { readonly k: Term<number> }) => infiniteServer({ time: delay(k) });
    const p = n.place('p', { k: K }, { initial: [{ k: 0 }, { k: 1 }], ...(served ? { service } : {}) });
    n.transition('t', (t) => {
      const { k } = t.take(p);
      if (!served) t.delay(delay(k));
    });
    return n.build();
  };

  test('is refused, of a delay and of a service', () => {
    const of = { k: '^UNF009 transition t: with k = 0: ', s: '^UNF009 place p: its service for the colour \\(0\\): ' };
    const cases: [Net, RegExp][] = [
      [net((k) => exponential(k)), new RegExp(`${of.k}rate is 0: expected a positive finite number \\(NET029\\)`)],
      [net((k) => uniform(sub(1, k), k)), new RegExp(`${of.k}.*1.*\\(NET029\\)`)],
      [net((k) => exponential(k), true), new RegExp(`${of.s}rate is 0: expected a positive finite number`)],
    ];
    for (const [folded, problem] of cases) expect(problemsOf(() => unfold(folded))[0]).toMatch(problem);
  });

  test('is kept if valid', () => {
    expect(validate(unfold(net((k) => exponential(add(k, 1)))))).toEqual([]);
  });
});
