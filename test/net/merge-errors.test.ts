import { describe, expect, test } from 'vitest';
import { codesOf as listedCodes } from '../../scripts/errors.ts';
import { close, hide } from '../../src/net/merge/close.ts';
import { type CombineRules, merge } from '../../src/net/merge/merge.ts';
import { qualify, rename } from '../../src/net/merge/rename.ts';
import type { ColourSet, Net, Place, Transition } from '../../src/net/net.ts';
import { add, div, mul, sub } from '../../src/net/terms.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { label, net, num, place, put, range, take, transition, v } from './merge-nets.ts';
import { codesOf, problemsOf } from './problems.ts';

const go = (rest: Partial<Transition>, name = 'go'): Transition =>
  transition(name, [take('p')], [put('q')], { label: label('go'), ...rest });
const left = (rest: Partial<Transition> = {}): Net => net('left', { transitions: [go(rest, 'put')] });
const right = (rest: Partial<Transition> = {}): Net => net('right', { transitions: [go(rest, 'get')] });
const both =
  (a: Partial<Transition>, b: Partial<Transition>): (() => Net) =>
  () =>
    merge([left(a), right(b)]);
const shared =
  (a: Place, b: Place): (() => Net) =>
  () =>
    merge([net('left', { places: [a] }), net('right', { places: [b] })]);

/** A faulty merge for every code; the list of codes contains the expected messages. */
const WRONG: Readonly<Record<string, () => unknown>> = {
  NET060: () =>
    merge([net('left', { colours: [range('Slot', 0, 3)] }), net('right', { colours: [range('Slot', 0, 7)] })]),
  NET061: () =>
    merge([
      net('left', { tables: [{ kind: 'real', name: 'times', values: Float64Array.of(1, 2) }] }),
      net('right', { tables: [{ kind: 'real', name: 'times', values: Float64Array.of(1, 3) }] }),
    ]),
  NET062: () =>
    merge([
      net('left', { functions: [{ name: 'f', apply: (x = 0) => x }] }),
      net('right', { functions: [{ name: 'f', apply: (x = 0) => x }] }),
    ]),
  NET063: () =>
    merge([
      net('left', { processes: { colour: 'Process', ended: 'end' } }),
      net('right', { processes: { colour: 'Thread', ended: 'end' } }),
    ]),
  NET064: shared(place('buffer', { slot: 'Slot' }), place('buffer', { slot: 'Item' })),
  NET065: shared(
    place('buffer', {}, { initial: [{ values: [], count: 1 }] }),
    place('buffer', {}, { initial: [{ values: [], count: 2 }] }),
  ),
  NET079: shared(place('buffer', {}, { initial: [{ values: [], count: 2 }] }), place('buffer', {}, { capacity: 1 })),
  NET066: () =>
    merge([
      net('left', { transitions: [transition('step', [take('p')], [])] }),
      net('right', { transitions: [transition('step', [take('q')], [])] }),
    ]),
  NET067: () =>
    merge([
      net('left', {
        colours: [range('Slot', 0, 3), range('Item', 0, 3)],
        places: [place('p', { slot: 'Slot' })],
        transitions: [transition('put', [take('p', { slot: v('x') })], [], { label: label('go', { item: 'x' }) })],
      }),
      net('right', {
        colours: [range('Slot', 0, 3), range('Item', 0, 3)],
        transitions: [
          transition('get', [], [], { free: [{ name: 'y', colour: 'Item' }], label: label('go', { item: 'y' }) }),
        ],
      }),
    ]),
  NET068: both({ delay: { dist: 'exponential', rate: num(1) } }, { delay: num(2) }),
  NET069: both({ delay: num(1), timing: 'race', servers: 'single' }, { delay: num(1), timing: 'race' }),
  NET070: both({ kind: 'communicate' }, { kind: 'control' }),
  NET071: () =>
    merge([
      net('left', {
        transitions: [
          transition('put', [], [], {
            free: [{ name: 'slot', colour: 'Slot' }],
            label: label('go', { item: 'slit' }),
          }),
        ],
      }),
    ]),
  NET072: () => merge([net('left', { transitions: [go({}, 'put')] }), net('left', { transitions: [go({}, 'get')] })]),
  NET073: () => {
    const many = (name: string): Net =>
      net(name, { transitions: Array.from({ length: 300 }, (_, k) => go({}, `${name}${k}`)) });
    return merge([many('left'), many('right')]);
  },
  NET074: () => {
    const other = (name: string): Net => net(name, { transitions: [go({ label: label('goo') }, name)] });
    return close(merge([left(), other('a'), other('b')]));
  },
  NET075: () => hide(left(), ['og']),
  NET076: () => rename(net('left', { places: [place('a'), place('b')] }), { places: { a: 'b' } }),
  NET077: () => merge([], { combine: { delay: sub } }),
};

describe('every code', () => {
  test('is listed once, in order', () => {
    const codes = listedCodes('merge').map((c) => c.code);
    expect(codes).toEqual(Object.keys(WRONG).sort());
  });

  test.each(listedCodes('merge').map((c) => [c.code, c.example] as const))('merge reports %s', (code, example) => {
    expect(problemsOf(WRONG[code]!)).toEqual([example]);
  });
});

test("initial tokens above a module's own capacity are left to the validation of the net", () => {
  const initial = [{ values: [], count: 2 }];
  const merged = merge([
    net('left', { places: [place('p', {}, { initial, capacity: 1 })] }),
    net('right', { places: [place('p', {}, { capacity: 3 })] }),
  ]);
  expect(validate(merged)).toEqual([expect.objectContaining({ code: 'NET032', place: { part: 'place p' } })]);
});

describe('messages', () => {
  const fusing = (a: Partial<Place>, b: Partial<Place>): string[] =>
    problemsOf(shared(place('p', { i: 'Two' }, a), place('p', { i: 'Two' }, b)));
  const end = 'places of the same name are fused and must agree';

  test.each<[string, Partial<Place>, Partial<Place>]>([
    ['order fifo in left and bag in right', { order: 'fifo' }, {}],
    ['key (i) in left and () in right', { order: 'fifo', key: ['i'] }, { order: 'fifo' }],
    ['priority i in left and none in right', { order: 'priority', priority: v('i') }, { order: 'priority' }],
    ['service none in left and is in right', {}, { service: { kind: 'is', time: num(1) } }],
    [
      'service is in left and another is in right',
      { service: { kind: 'is', time: num(2) } },
      { service: { kind: 'is', time: num(1) } },
    ],
    ['kind data in left and message in right', { kind: 'data' }, { kind: 'message' }],
    ['owner a in left and b in right', { owner: 'a' }, { owner: 'b' }],
  ])('places: %s', (text, a, b) => {
    expect(fusing(a, b)).toEqual([`NET064 place p: ${text}: ${end}`]);
  });

  test('places: every disagreement of each pair of modules', () => {
    expect(fusing({ order: 'fifo', kind: 'data' }, { kind: 'message' }).length).toBe(2);
  });

  test('colour sets', () => {
    const of = (set: ColourSet): Net => net(set.kind, { colours: [set] });
    const name = 'C';
    const sets: ColourSet[] = [
      { kind: 'enum', name, values: ['a', 'b'] },
      { kind: 'product', name, parts: ['D', 'E'] },
      { kind: 'record', name, fields: [{ name: 'x', colour: 'D' }] },
      { kind: 'bool', name },
    ];
    expect(sets.map((set) => problemsOf(() => merge([of({ kind: 'unit', name }), of(set)]))[0])).toEqual([
      'NET060 colour set C: is unit in unit and a | b in enum: colour sets of the same name must be equal',
      'NET060 colour set C: is unit in unit and D × E in product: colour sets of the same name must be equal',
      'NET060 colour set C: is unit in unit and (x: D) in record: colour sets of the same name must be equal',
      'NET060 colour set C: is unit in unit and bool in bool: colour sets of the same name must be equal',
    ]);
  });

  test('transitions: a name that is part of a combined one', () => {
    const combined = merge([left(), right()]);
    const third = net('third', { transitions: [transition('put', [take('p')], [])] });
    expect(problemsOf(() => merge([combined, third]))).toEqual([
      'NET066 transition put: occurs in "get+put" of left, right and "put" of third without a common label: qualify the names of one module',
    ]);
    expect(codesOf(() => merge([left(), merge([right(), qualify(third, 'third')])]))).toEqual([]);
  });

  test('transitions: alternatives with the same names in two nets', () => {
    const alternatives = (name: string): Net => net(name, { transitions: [go({}, 'x'), go({}, 'y')] });
    expect(problemsOf(() => merge([alternatives('left'), alternatives('right')]))).toEqual([
      'NET066 transition x+y: would be the name of two combinations: qualify the names of one module',
    ]);
  });

  test('variables: exported under two names', () => {
    const twice = go({
      free: [{ name: 'x', colour: 'Two' }],
      label: label('go', { a: 'x', b: 'x' }),
    });
    expect(problemsOf(() => merge([net('left', { transitions: [twice] })]))).toEqual([
      'NET071 transition go: label "go" in left exports variable "x" as "a" and as "b": expected one name',
    ]);
  });

  test('partners: two distributions', () => {
    const delay = { dist: 'exponential', rate: num(1) } as const;
    expect(codesOf(both({ delay }, { delay }))).toEqual(['NET068']);
  });

  test('partners: holding and race', () => {
    expect(problemsOf(both({ delay: num(1) }, { delay: num(1), timing: 'race' }))).toEqual([
      'NET069 transition get+put: timing race (servers: infinite) in "get" of right and holding in "put" of left: partners must agree',
    ]);
  });

  test('partners: processes', () => {
    expect(problemsOf(both({ process: num(1) }, { process: add(num(1), num(1)) }))).toEqual([
      'NET070 transition get+put: process 1 + 1 in "get" of right and 1 in "put" of left: partners must agree',
    ]);
  });

  test('partners: of nets without names', () => {
    const nameless = net('', { transitions: [go({}, 'get')] });
    expect(problemsOf(() => merge([left(), nameless]))).toEqual([
      'NET072 transition get+put: "get" of net 2 belongs to no module: give its net a name before merging by labels',
    ]);
    expect(codesOf(() => merge([nameless, net('', { transitions: [go({ label: label('other') }, 'put')] })]))).toEqual(
      [],
    );
  });

  test('rules', () => {
    const problem = (combine: Partial<CombineRules>): string[] => problemsOf(() => merge([], { combine }));
    expect(problem({ delay: (a, b) => div(add(a, b), 2) })).toEqual([
      'NET077 rule for delay: is not associative: f(f(0, 0), 0.5) = 0.25, f(0, f(0, 0.5)) = 0.125',
    ]);
    expect(problem({ delay: (a, b) => div(mul(a, b), add(a, b)) })).toEqual([
      'NET077 rule for delay: f(0, 0) = NaN: expected a finite number',
    ]);
    expect(problem({ weight: (a, b) => div(mul(a, b), add(a, b)) })).toEqual([]);
    expect(problem({ weight: (a) => ({ op: 'at', table: 't', index: a }) })).toEqual([
      'NET077 rule for weight: depends on more than its operands: expected arithmetic on both operands',
    ]);
    expect(problem({ weight: (a) => add(a, v('x')) })).toEqual([
      'NET077 rule for weight: depends on more than its operands: expected arithmetic on both operands',
    ]);
    expect(problem({ priority: (a) => a })).toEqual([
      'NET077 rule for priority: is not commutative: f(-5, -1) = -5, f(-1, -5) = -1',
    ]);
    expect(problem({ priority: (a, b) => (a + b) / 2 })).toEqual([
      'NET077 rule for priority: f(-5, 0) = -2.5: expected an integer',
    ]);
  });

  test('names that one net gives twice', () => {
    const twice = net('left', {
      colours: [range('C', 0, 1), range('C', 0, 1)],
      places: [place('p'), place('p')],
      transitions: [go({}), go({})],
    });
    expect(problemsOf(() => merge([twice]))).toEqual([
      'NET002 colour set C: duplicate name in left',
      'NET002 place p: duplicate name in left',
      'NET002 transition go: duplicate name in left',
    ]);
  });
});

test('all problems are reported together, each once', () => {
  const nets = ['a', 'b', 'c'].map((name, k) =>
    net(name, {
      colours: [range('C', 0, k)],
      places: [place('p', {}, { initial: [{ values: [], count: 1 }] })],
      // `c` has two transitions, so the conflict of `a` and `b` occurs twice but must be reported once.
      transitions: [
        go({ kind: k === 0 ? 'compute' : 'control' }, `${name}0`),
        ...(k === 2 ? [go({ kind: 'control' }, `${name}1`)] : []),
      ],
    }),
  );
  expect(codesOf(() => merge(nets))).toEqual(['NET060', 'NET065', 'NET070', 'NET070']);
});
