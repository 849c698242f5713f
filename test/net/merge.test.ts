import { describe, expect, test } from 'vitest';
import { close } from '../../src/net/merge/close.ts';
import { merge } from '../../src/net/merge/merge.ts';
import type { ColourSet, Net, Place, Table, Transition } from '../../src/net/net.ts';
import { add, max } from '../../src/net/terms.ts';
import { label, net, num, place, put, range, read, take, transition, v } from './merge-nets.ts';

/** Merges two nets whose only transitions have the same label; returns the merged transition. */
function pair(a: Partial<Transition>, b: Partial<Transition>, options?: Parameters<typeof merge>[1]): Transition {
  const colours = [range('Two', 0, 1)];
  const half = (name: string, t: Partial<Transition>): Net =>
    net(name, {
      colours,
      places: [place(`${name}.p`, { i: 'Two' }), place(`${name}.q`, { i: 'Two' })],
      transitions: [transition(name, [take(`${name}.p`, { i: v('x') })], [], { label: label('go'), ...t })],
    });
  return merge([half('right', b), half('left', a)], options).transitions[0]!;
}

function fused(a: Partial<Place>, b: Partial<Place>): Place {
  return merge([net('left', { places: [place('p', {}, a)] }), net('right', { places: [place('p', {}, b)] })])
    .places[0]!;
}

describe('labels', () => {
  const offers = (name: string, ...labels: (string | undefined)[]): Net =>
    net(name, {
      transitions: labels.map((l, k) => transition(`${name}${k}`, [], [], l === undefined ? {} : { label: label(l) })),
    });
  const names = (...nets: Net[]): string[] => merge(nets).transitions.map((t) => t.name);

  test('combine in all pairs', () => {
    expect(names(offers('a', 'x', 'x'), offers('b', 'x', 'x', 'x'))).toEqual([
      'a0+b0',
      'a0+b1',
      'a0+b2',
      'a1+b0',
      'a1+b1',
      'a1+b2',
    ]);
  });

  test('combine one transition of each net with the label', () => {
    expect(names(offers('c', 'x', undefined), offers('a', 'x', 'y'), offers('b', 'y', 'x'))).toEqual([
      'a0+b1+c0',
      'c1',
      'a1+b0',
    ]);
  });

  test('without a partner stay as they are', () => {
    const merged = merge([offers('a', 'x', 'x'), offers('b', 'y')]);
    expect(merged.transitions.map((t) => t.label)).toEqual([label('x'), label('x'), label('y')]);
  });

  test('stay on the combined transition, with all exports', () => {
    const exporting = pair({ label: label('go', { a: 'x' }) }, { label: label('go', { b: 'x' }) });
    expect(exporting.label).toEqual({ name: 'go', exports: { a: 'a', b: 'b' } });
  });

  test('of a thousand nets combine at once', () => {
    const nets = Array.from({ length: 1000 }, (_, k) => offers(`n${String(k).padStart(3, '0')}-`, 'x'));
    const [only, ...others] = merge(nets).transitions;
    expect(others).toEqual([]);
    expect(only!.name.split('+').length).toBe(1000);
    expect(only!.modules!.length).toBe(1000);
  });

  test('one name can fuse with partners in two nets', () => {
    const tick = (name: string): Net => net(name, { transitions: [transition('tick', [], [], { label: label('t') })] });
    expect(names(tick('a'), tick('b'))).toEqual(['tick+tick']);
  });
});

describe('variables', () => {
  const two = (place: string, x: string, y: string) => take(place, { i: v(x), j: v(y) });

  test('are private: equal names are qualified by their transitions', () => {
    const t = pair({ guard: { op: 'eq', a: v('x'), b: num(0) } }, {});
    expect(t.inputs).toEqual([take('left.p', { i: v('left.x') }), take('right.p', { i: v('right.x') })]);
    expect(t.guard).toEqual({ op: 'eq', a: v('left.x'), b: num(0) });
  });

  test('are one where they are exported under one name', () => {
    const t = pair({ label: label('go', { item: 'x' }) }, { label: label('go', { item: 'x' }) });
    expect(t.inputs).toEqual([take('left.p', { i: v('item') }), take('right.p', { i: v('item') })]);
  });

  test('that only one side exports get the name too', () => {
    const t = pair({ label: label('go', { item: 'x' }) }, {});
    expect(t.inputs).toEqual([take('left.p', { i: v('item') }), take('right.p', { i: v('x') })]);
    expect(t.label).toEqual(label('go', { item: 'item' }));
  });

  test('are renamed if a shared or renamed variable has their name', () => {
    const t = pair(
      { inputs: [two('left.p', 'x', 'y'), two('left.p', 'left.y', 'z')], label: label('go', { y: 'x' }) },
      { inputs: [two('right.p', 'y', 'z')] },
    );
    expect(t.inputs).toEqual([
      two('left.p', 'y', "left.y'"),
      two('left.p', 'left.y', 'left.z'),
      two('right.p', 'right.y', 'right.z'),
    ]);
  });

  test('that an input of one side binds are not free', () => {
    const free = [{ name: 'f', colour: 'Two' }];
    const sharing = { label: label('go', { s: 'f' }), free, inputs: [] };
    expect(pair(sharing, { label: label('go', { s: 'x' }) }).free).toBeUndefined();
    expect(pair(sharing, sharing).free).toEqual([{ name: 's', colour: 'Two' }]);
    expect(pair(sharing, {}).free).toEqual([{ name: 's', colour: 'Two' }]);
    expect(pair({ free, inputs: [] }, { free, inputs: [] }).free).toEqual([
      { name: 'left.f', colour: 'Two' },
      { name: 'right.f', colour: 'Two' },
    ]);
  });

  test('keep their names in every part of a transition', () => {
    const t = pair(
      {
        outputs: [put('left.q', { i: v('x') }, v('x'))],
        guard: { op: 'le', a: v('x'), b: { op: 'at', table: 'x', index: v('x') } },
        weight: add(v('x'), 1),
        process: v('x'),
        delay: { dist: 'uniform', low: num(0), high: { op: 'call', function: 'x', args: [v('x')] } },
      },
      {},
    );
    const x = v('left.x');
    expect(t.outputs).toEqual([put('left.q', { i: x }, x)]);
    expect(t.guard).toEqual({ op: 'le', a: x, b: { op: 'at', table: 'x', index: x } });
    expect(t.weight).toEqual(add(x, 1));
    expect(t.process).toEqual(x);
    expect(t.delay).toEqual({ dist: 'uniform', low: num(0), high: { op: 'call', function: 'x', args: [x] } });
  });
});

describe('partners', () => {
  test('combine their guards, parts in order', () => {
    const [p, q, r] = [num(1), num(0), num(2)].map((n) => ({ op: 'ge', a: n, b: n }) as const);
    expect(pair({ guard: { op: 'and', a: p!, b: q! } }, { guard: r! }).guard).toEqual({
      op: 'and',
      a: { op: 'and', a: p, b: q },
      b: r,
    });
  });

  test.each([
    [undefined, undefined, undefined],
    [2, undefined, 2],
    [-1, undefined, undefined],
    [-2, -1, -1],
    [1, 3, 3],
  ])('of priorities %s and %s have %s', (a, b, both) => {
    const of = (priority: number | undefined): Partial<Transition> => (priority === undefined ? {} : { priority });
    expect(pair(of(a), of(b)).priority).toBe(both);
  });

  test('multiply their weights', () => {
    expect(pair({ weight: num(2) }, { weight: num(3) }).weight).toEqual({ op: 'mul', a: num(2), b: num(3) });
    expect(pair({ weight: num(2) }, {}).weight).toEqual(num(2));
    expect(pair({}, {}).weight).toBeUndefined();
  });

  test('last as long as the longest', () => {
    expect(pair({ delay: num(2) }, { delay: num(3) }).delay).toEqual(max(num(2), num(3)));
    expect(pair({ delay: num(2) }, {}).delay).toEqual(num(2));
    expect(pair({}, {}).delay).toBeUndefined();
  });

  test('take the distribution of one', () => {
    const drawn = { dist: 'exponential', rate: num(3) } as const;
    expect(pair({}, { delay: drawn }).delay).toEqual(drawn);
  });

  test('race if the ones with a delay race', () => {
    const race = { delay: num(1), timing: 'race', servers: 'single' } as const;
    expect(pair(race, {})).toMatchObject({ timing: 'race', servers: 'single' });
    expect(pair(race, race)).toMatchObject({ timing: 'race', servers: 'single' });
    const infinite = { delay: num(1), timing: 'race' } as const;
    expect(pair(infinite, { ...infinite, servers: 'infinite' })).toMatchObject({ timing: 'race' });
    expect(pair({ delay: num(1), timing: 'holding' }, { delay: num(1) }).delay).toBeDefined();
  });

  test('take kind and process from any of them', () => {
    const stated = { kind: 'compute', process: num(1) } as const;
    expect(pair(stated, {})).toMatchObject(stated);
    expect(pair({}, stated)).toMatchObject(stated);
    expect(pair(stated, stated)).toMatchObject(stated);
  });

  test('combine by given rules', () => {
    const [a, b] = [
      { delay: num(1), weight: num(2), priority: 3 },
      { delay: num(4), weight: num(5), priority: 6 },
    ];
    const combine = { delay: add, weight: max, priority: (x: number, y: number) => Math.min(x, y) };
    expect(pair(a, b, { combine })).toMatchObject({
      delay: add(num(1), num(4)),
      weight: max(num(2), num(5)),
      priority: 3,
    });
    expect(pair(a, b, { combine: { priority: (x, y) => x + y } })).toMatchObject({
      delay: max(num(1), num(4)),
      priority: 9,
    });
  });
});

describe('places of one name', () => {
  test('are one place of all their modules', () => {
    expect(fused({ modules: ['z', 'b'] }, {}).modules).toEqual(['b', 'right', 'z']);
  });

  test('take the tokens of any of them', () => {
    const initial = [{ values: [], count: 2 }];
    expect(fused({ initial }, {}).initial).toEqual(initial);
    expect(fused({ initial: [{ values: [], count: 0 }] }, { initial }).initial).toEqual(initial);
    expect(fused({}, {}).initial).toEqual([]);
  });

  test('have the smallest capacity', () => {
    expect(fused({ capacity: 3 }, { capacity: 2 }).capacity).toBe(2);
    expect(fused({}, { capacity: 2 }).capacity).toBe(2);
    expect(fused({}, {})).not.toHaveProperty('capacity');
  });

  test('take kind and owner from any of them', () => {
    const stated = { kind: 'resource', owner: 'node' } as const;
    expect(fused(stated, {})).toMatchObject(stated);
    expect(fused({}, stated)).toMatchObject(stated);
    expect(fused(stated, stated)).toMatchObject(stated);
  });

  test('agree in a service that is given twice', () => {
    const service = (): Partial<Place> => ({ service: { kind: 'fcfs', servers: 2, time: add(num(1), num(2)) } });
    expect(fused(service(), service())).toMatchObject(service());
  });
});

describe('data of one name', () => {
  const times = (...values: number[]): Net =>
    net(`n${values.length}`, { tables: [{ kind: 'real', name: 'times', values: Float64Array.from(values) }] });

  test('occurs once', () => {
    expect(merge([times(1, 2), times(1, 2)]).tables).toEqual(times(1, 2).tables);
    const colours = [range('Slot', 0, 3)];
    expect(merge([net('a', { colours }), net('b', { colours: [range('Slot', 0, 3)] })]).colours).toEqual(colours);
  });

  test('is one table if the paged column is the same', () => {
    const column = { length: 1, shift: 7, pages: [], load: () => Float64Array.of(1) };
    const paged = (values: typeof column): Net => net('paged', { tables: [{ kind: 'real', name: 'times', values }] });
    expect(merge([paged(column), paged(column)]).tables).toEqual(paged(column).tables);
    expect(() => merge([paged(column), paged({ ...column })])).toThrow(/NET061/);
    expect(() => merge([paged(column), times(1)])).toThrow(/NET061/);
  });

  test('is equal if undefined members are omitted', () => {
    const slot = { kind: 'range', name: 'Slot', low: 0, high: 3 } as const;
    const colours = (set: object): Net => net('n', { colours: [set as ColourSet] });
    expect(merge([colours(slot), colours({ ...slot, unit: undefined })]).colours).toEqual([slot]);
    expect(() => merge([colours(slot), colours({ ...slot, unit: null })])).toThrow(/NET060/);
    expect(() => merge([colours({ ...slot, unit: 0 }), colours(slot)])).toThrow(/NET060/);
  });

  test('differs by the kind of its numbers, and by each number', () => {
    const table = (values: Int32Array | Float64Array): Net =>
      net('n', { tables: [{ kind: 'real', name: 't', values } as Table] });
    const both = (a: Int32Array | Float64Array, b: Int32Array | Float64Array) => () => merge([table(a), table(b)]);
    expect(both(Float64Array.of(1, Number.NaN), Float64Array.of(1, Number.NaN))).not.toThrow();
    expect(both(Float64Array.of(1), Int32Array.of(1))).toThrow(/NET061/);
    expect(both(Float64Array.of(1), Float64Array.of(1, 2))).toThrow(/NET061/);
    expect(both(Float64Array.of(0), Float64Array.of(-0))).toThrow(/NET061/);
  });

  test('is one function if it is the same', () => {
    const f = { name: 'f', apply: (x = 0) => x };
    expect(merge([net('a', { functions: [f] }), net('b', { functions: [{ ...f }] })]).functions).toEqual([f]);
  });

  test('of processes must agree', () => {
    const processes = { colour: 'P', ended: 'end' };
    expect(merge([net('a'), net('b', { processes }), net('c', { processes: { ...processes } })]).processes).toEqual(
      processes,
    );
  });
});

describe('nets', () => {
  test('no nets give the empty net', () => {
    expect(merge([])).toEqual({ name: '', colours: [], tables: [], places: [], transitions: [] });
  });

  test('a single net is unchanged, and its nodes have its name as module', () => {
    const one = net('one', {
      places: [place('p'), place('q', {}, { modules: ['inner'] })],
      transitions: [transition('t', [read('p')], [], { label: label('go', {}) })],
    });
    expect(merge([one])).toEqual({
      ...one,
      places: [
        { ...one.places[0], modules: ['one'] },
        { ...one.places[1], modules: ['inner'] },
      ],
      transitions: [{ ...one.transitions[0], modules: ['one'] }],
    });
  });

  test('without a name leave no module behind', () => {
    expect(merge([net('', { places: [place('p')] })]).places[0]).not.toHaveProperty('modules');
  });

  test('name the result, or an option does', () => {
    expect(merge([net('b'), net('a'), net('')]).name).toBe('a+b');
    expect(merge([merge([net('c'), net('a')]), net('b')]).name).toBe('a+b+c');
    expect(merge([net('b'), net('a')], { name: 'whole' }).name).toBe('whole');
  });

  test('are not changed', () => {
    const frozen = <T>(x: T): T => {
      if (typeof x === 'object' && x !== null && !ArrayBuffer.isView(x)) {
        Object.freeze(x);
        for (const part of Object.values(x)) frozen(part);
      }
      return x;
    };
    const part = (name: string): Net =>
      frozen(
        net(name, {
          colours: [range('Two', 0, 1)],
          places: [place('p', { i: 'Two' })],
          transitions: [transition(name, [take('p', { i: v('x') })], [], { label: label('go', { s: 'x' }) })],
        }),
      );
    expect(close(merge([part('a'), part('b')])).transitions.length).toBe(1);
  });
});

describe('final markings', () => {
  const ends = (name: string, places: readonly string[], ...finals: Readonly<Record<string, number>>[]): Net =>
    net(name, {
      places: places.map((p) => place(p)),
      ...(finals.length === 0
        ? {}
        : {
            finalMarkings: finals.map((f) => Object.entries(f).map(([p, count]) => ({ place: p, count }))),
          }),
    });
  const merged = (...nets: Net[]): Record<string, number>[] | undefined =>
    merge(nets).finalMarkings?.map((m) => Object.fromEntries(m.map((p) => [p.place, p.count])));
  const a = ends('a', ['a', 'shared'], { a: 1 }, { a: 2, shared: 1 });
  const b = ends('b', ['b', 'shared'], { b: 1 }, { shared: 1 }, { b: 3, shared: 2 });

  test('combine where they agree on fused places', () => {
    expect(merged(a, b)).toEqual([
      { a: 1, b: 1 },
      { a: 2, shared: 1 },
    ]);
    expect(merged(a)).toEqual([{ a: 1 }, { a: 2, shared: 1 }]);
    expect(merged(ends('c', ['c'], {}), ends('d', ['d'], {}))).toEqual([{}]);
  });

  test('are associative, and the empty net is the unit', () => {
    const c = ends('c', ['a', 'c'], { c: 1, a: 1 }, { c: 2, a: 2 }, { c: 3, a: 2 });
    expect(merged(merge([a, b]), c)).toEqual(merged(a, merge([b, c])));
    expect(merged(a, b, c)).toHaveLength(3);
    expect(merged(a, net('empty'), b)).toEqual(merged(a, b));
  });

  test('are none if a net lists none, or if none agree', () => {
    expect(merged(a, ends('c', ['c']))).toBeUndefined();
    expect(merged(a, ends('c', ['shared'], { shared: 7 }))).toBeUndefined();
  });
});
