import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../src/base/problem.ts';
import type { Expression } from '../../src/net/expression.ts';
import type { ColourSet, Net, Table } from '../../src/net/net.ts';
import { assertValid, validate } from '../../src/net/validate.ts';
import { codesOf } from './problems.ts';

/** A net as plain data that a test may spoil. */
type Draft<T> = T extends Expression | Int32Array | Float64Array
  ? T
  : T extends readonly (infer E)[]
    ? Draft<E>[]
    : T extends object
      ? { -readonly [K in keyof T]: Draft<T[K]> }
      : T;

const v = (name: string): Expression => ({ op: 'var', name });
const num = (value: number): Expression => ({ op: 'const', value });

function base(): Net {
  return {
    name: 'base',
    colours: [
      { kind: 'range', name: 'Slot', low: 0, high: 3 },
      { kind: 'bool', name: 'Flag' },
      { kind: 'enum', name: 'Sort', values: ['red', 'green'] },
    ],
    tables: [
      { kind: 'int', name: 'steps', values: Int32Array.of(0, 1, 2), low: 0, high: 2 },
      { kind: 'real', name: 'times', values: Float64Array.of(0.5, 1) },
      { kind: 'step', name: 'factor', from: Float64Array.of(0, 1), values: Float64Array.of(1, 2) },
      {
        kind: 'routes',
        name: 'routes',
        start: Int32Array.of(0, 1),
        link: Int32Array.of(0),
        coefficient: Float64Array.of(1),
      },
    ],
    places: [
      {
        name: 'buffer',
        fields: [
          { name: 'slot', colour: 'Slot' },
          { name: 'sort', colour: 'Sort' },
        ],
        order: 'fifo',
        key: ['slot'],
        initial: [{ values: [1, 0], count: 2 }],
      },
      { name: 'ended', fields: [{ name: 'slot', colour: 'Slot' }], order: 'bag', key: [], initial: [] },
      {
        name: 'wire',
        fields: [{ name: 'slot', colour: 'Slot' }],
        order: 'bag',
        key: [],
        initial: [],
        service: {
          kind: 'max-min',
          links: [{ name: 'up', capacity: 1, fatpipe: false }],
          amount: v('slot'),
          weight: num(1),
          bound: num(Number.POSITIVE_INFINITY),
          routes: 'routes',
          route: num(0),
        },
      },
    ],
    transitions: [
      {
        name: 'move',
        inputs: [{ kind: 'take', place: 'buffer', pattern: { slot: v('slot'), sort: v('sort') }, count: 1 }],
        outputs: [{ place: 'ended', values: { slot: v('slot') }, count: num(1) }],
      },
    ],
    processes: { colour: 'Slot', ended: 'ended' },
  };
}

function spoiled(spoil: (net: Draft<Net>) => void): string[] {
  const net = structuredClone(base()) as Draft<Net>;
  spoil(net);
  return validate(net as Net).map(formatProblem);
}

/** Every problem that validation knows: what provokes it, and what it then says. */
const CASES: [string, (net: Draft<Net>) => void, string[]][] = [
  ['NET001 an empty name', (n) => (n.transitions[0]!.name = ''), ['NET001 transition: a name must not be empty']],
  [
    'NET002 a name twice',
    (n) => n.colours.push({ kind: 'bool', name: 'Slot' }),
    ['NET002 colour set Slot: this name is given twice', 'NET030 processes: colour set "Slot" is no range'],
  ],
  [
    'NET002 a field twice',
    (n) => n.places[1]!.fields.push({ name: 'slot', colour: 'Slot' }),
    [
      'NET002 place ended: field "slot" is given twice',
      'NET030 processes: place "ended" must have one field of colour "Slot"',
    ],
  ],
  [
    'NET006 an empty range',
    (n) => n.colours.push({ kind: 'range', name: 'None', low: 1, high: 0 }),
    ['NET006 colour set None: is empty: 1 … 0'],
  ],
  [
    'NET006 a range of fractions',
    (n) => n.colours.push({ kind: 'range', name: 'Half', low: 0.5, high: 1 }),
    ['NET006 colour set Half: bounds must be whole numbers, not 0.5 … 1'],
  ],
  [
    'NET006 an enumeration without values',
    (n) => n.colours.push({ kind: 'enum', name: 'None', values: [] }),
    ['NET006 colour set None: has no values'],
  ],
  [
    'NET006 an enumeration with a value twice',
    (n) => n.colours.push({ kind: 'enum', name: 'Same', values: ['a', 'a'] }),
    ['NET006 colour set Same: names a value twice'],
  ],
  [
    'NET007 an entry outside the bounds',
    (n) => n.tables.push({ kind: 'int', name: 't', values: Int32Array.of(1, 9, 8), low: 0, high: 7 }),
    ['NET007 table t: entry 9 lies outside its bounds 0 … 7'],
  ],
  [
    'NET007 bounds that are none',
    (n) => n.tables.push({ kind: 'int', name: 't', values: Int32Array.of(1), low: Number.NaN, high: 7 }),
    ['NET007 table t: bounds must be whole numbers, not NaN … 7'],
  ],
  [
    'NET007 not a number',
    (n) => n.tables.push({ kind: 'real', name: 't', values: Float64Array.of(1, Number.NaN) }),
    ['NET007 table t: an entry is not a number'],
  ],
  [
    'NET007 thresholds without values',
    (n) => n.tables.push({ kind: 'step', name: 't', from: Float64Array.of(1, 2), values: Float64Array.of(1) }),
    ['NET007 table t: has 2 thresholds and 1 values'],
  ],
  [
    'NET007 a step that is not a number',
    (n) => n.tables.push({ kind: 'step', name: 't', from: Float64Array.of(1), values: Float64Array.of(Number.NaN) }),
    ['NET007 table t: an entry is not a number'],
  ],
  [
    'NET007 thresholds that fall',
    (n) => n.tables.push({ kind: 'step', name: 't', from: Float64Array.of(1, 3, 2), values: new Float64Array(3) }),
    ['NET007 table t: threshold 2 does not ascend'],
  ],
  [
    'NET007 routes that do not fit',
    (n) => ((n.tables[3] as Table & { kind: 'routes' }).start[1] = 2),
    ['NET007 table routes: its starts, links and coefficients do not fit together'],
  ],
  [
    'NET007 a coefficient of nothing',
    (n) => ((n.tables[3] as Table & { kind: 'routes' }).coefficient[0] = 0),
    ['NET007 table routes: a coefficient is not a positive number'],
  ],
  [
    'NET008 a field with a reserved name',
    (n) =>
      n.places.push({ ...structuredClone(n.places[1]!), name: 'p', fields: [{ name: 'constructor', colour: 'Slot' }] }),
    ['NET008 place p: field "constructor": this name is reserved, take another'],
  ],
  [
    'NET008 and NET017 a field with a reserved name that is not given',
    (n) => {
      n.places[1]!.fields[0]!.name = 'toString';
      n.transitions[0]!.outputs[0]!.values = {};
    },
    [
      'NET008 place ended: field "toString": this name is reserved, take another',
      'NET017 transition move, arc to ended: field "toString" is not given',
    ],
  ],
  [
    'NET008 a variable with a reserved name',
    (n) => (n.transitions[0]!.inputs[0]!.pattern['sort'] = v('__proto__')),
    ['NET008 transition move, arc from buffer: variable "__proto__": this name is reserved, take another'],
  ],
  [
    'NET011 an unknown colour set',
    (n) => (n.places[0]!.fields[0]!.colour = 'Slots'),
    ['NET011 place buffer: unknown colour set "Slots". Did you mean "Slot"? Known: Slot, Flag, Sort.'],
  ],
  [
    'NET011 an unknown enumeration',
    (n) => (n.transitions[0]!.guard = { op: 'eq', a: v('sort'), b: { op: 'const', value: 0, colour: 'Sorts' } }),
    ['NET011 transition move, guard: unknown enumeration "Sorts". Did you mean "Sort"? Known: Sort.'],
  ],
  [
    'NET012 an unknown place',
    (n) => (n.transitions[0]!.outputs[0]!.place = 'bufer'),
    ['NET012 transition move, arc to bufer: unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire.'],
  ],
  [
    'NET012 an unknown place to take from',
    (n) => n.transitions[0]!.inputs.push({ kind: 'read', place: 'end', pattern: {}, count: 1 }),
    ['NET012 transition move, arc from end: unknown place "end". Known: buffer, ended, wire.'],
  ],
  [
    'NET012 an unknown place where processes end',
    (n) => (n.processes!.ended = 'endet'),
    ['NET012 processes: unknown place "endet". Did you mean "ended"? Known: buffer, ended, wire.'],
  ],
  [
    'NET013 an unknown field in a key',
    (n) => (n.places[0]!.key = ['slto']),
    ['NET013 place buffer: unknown field "slto" in its key. Did you mean "slot"? Known: slot, sort.'],
  ],
  [
    'NET013 a field twice in a key',
    (n) => (n.places[0]!.key = ['slot', 'slot']),
    ['NET013 place buffer: names a field of its key twice'],
  ],
  ['NET013 a bag with a key', (n) => (n.places[1]!.key = ['slot']), ['NET013 place ended: a bag has no key']],
  [
    'NET014 an initial token outside its colour set',
    (n) => n.places[1]!.initial.push({ values: [4], count: 1 }),
    ['NET014 place ended: initial token: slot = 4 is not in Slot (0 … 3)'],
  ],
  [
    'NET014 an initial token of half a value',
    (n) => n.places[1]!.initial.push({ values: [0.5], count: 1 }),
    ['NET014 place ended: initial token: slot = 0.5 is not in Slot (0 … 3)'],
  ],
  [
    'NET014 an initial token with too many values',
    (n) => n.places[1]!.initial.push({ values: [1, 1], count: 1 }),
    ['NET014 place ended: initial token has 2 values for 1 fields'],
  ],
  [
    'NET014 half a token',
    (n) => n.places[1]!.initial.push({ values: [1], count: 0.5 }),
    ['NET014 place ended: initial tokens: a count of 0.5'],
  ],
  [
    'NET015 a link without capacity',
    (n) => (n.places[2]!.service!.links[0]!.capacity = 0),
    ['NET015 place wire, service: link "up" has capacity 0: a positive number is expected'],
  ],
  [
    'NET015 a route over a link that is not there',
    (n) => ((n.tables[3] as Table & { kind: 'routes' }).link[0] = 1),
    ['NET015 place wire, service: table "routes" names a link that is not among the 1 links'],
  ],
  [
    'NET016 an unknown table of routes',
    (n) => (n.places[2]!.service!.routes = 'rotes'),
    ['NET016 place wire, service: unknown table "rotes". Did you mean "routes"? Known: steps, times, factor, routes.'],
  ],
  [
    'NET016 routes in a table of another kind',
    (n) => (n.places[2]!.service!.routes = 'steps'),
    ['NET016 place wire, service: table "steps" holds no routes'],
  ],
  [
    'NET016 an unknown table',
    (n) => (n.transitions[0]!.delay = { op: 'at', table: 'time', index: v('slot') }),
    ['NET016 transition move: unknown table "time". Did you mean "times"? Known: steps, times, factor, routes.'],
  ],
  [
    'NET016 a table looked up in the wrong way',
    (n) => (n.transitions[0]!.delay = { op: 'step', table: 'times', index: v('slot') }),
    ['NET016 transition move: table "times" is of kind real and cannot be looked up by "step"'],
  ],
  [
    'NET017 a field that is not given',
    (n) => (n.transitions[0]!.outputs[0]!.values = {}),
    ['NET017 transition move, arc to ended: field "slot" is not given'],
  ],
  [
    'NET017 an unknown field',
    (n) => (n.transitions[0]!.inputs[0]!.pattern['slots'] = num(1)),
    ['NET017 transition move, arc from buffer: unknown field "slots". Did you mean "slot"? Known: slot, sort.'],
  ],
  [
    'NET018 a count of nothing',
    (n) => (n.transitions[0]!.inputs[0]!.count = 0),
    ['NET018 transition move, arc from buffer: a count of 0'],
  ],
  [
    'NET018 a count on an arc that only reads',
    (n) => n.transitions[0]!.inputs.push({ kind: 'read', place: 'ended', pattern: {}, count: 2 }),
    ['NET018 transition move, arc from ended: only an arc that takes may have a count'],
  ],
  [
    'NET020 nothing is taken',
    (n) => (n.transitions[0]!.inputs[0]!.kind = 'read'),
    ['NET020 transition move: takes no token: once enabled it would fire for ever'],
  ],
  [
    'NET021 an unbound variable',
    (n) => (n.transitions[0]!.outputs[0]!.values = { slot: v('slat') }),
    [
      'NET021 transition move, arc to ended: variable "slat" is bound by no input arc. Did you mean "slot"? Known: slot, sort.',
    ],
  ],
  [
    'NET021 a variable that only an inhibitor names',
    (n) => n.transitions[0]!.inputs.push({ kind: 'inhibit', place: 'ended', pattern: { slot: v('other') }, count: 1 }),
    ['NET021 transition move, arc from ended: variable "other" is bound by no input arc. Known: slot, sort.'],
  ],
  [
    'NET022 an enumeration where a number is due',
    (n) => (n.transitions[0]!.outputs[0]!.values = { slot: v('sort') }),
    ['NET022 transition move, arc to ended: field "slot" is of colour Slot (int), the expression is enum Sort'],
  ],
  [
    'NET022 a guard that is a number',
    (n) => (n.transitions[0]!.guard = v('slot')),
    ['NET022 transition move: the guard must be a truth value, not int'],
  ],
  [
    'NET022 the negative of a truth value is none',
    (n) => (n.transitions[0]!.guard = { op: 'neg', a: { op: 'lt', a: v('slot'), b: num(1) } }),
    ['NET022 transition move: the guard must be a truth value, not int'],
  ],
  [
    'NET022 a truth value or a number is no truth value',
    (n) =>
      (n.transitions[0]!.guard = {
        op: 'if',
        test: { op: 'lt', a: v('slot'), b: num(1) },
        a: { op: 'lt', a: v('slot'), b: num(1) },
        b: v('slot'),
      }),
    ['NET022 transition move: the guard must be a truth value, not int'],
  ],
  [
    'NET022 a delay that is no number',
    (n) => (n.transitions[0]!.delay = v('sort')),
    ['NET022 transition move: delay must be a number, not enum Sort'],
  ],
  [
    'NET022 a count that is no whole number',
    (n) => (n.transitions[0]!.outputs[0]!.count = num(0.5)),
    ['NET022 transition move, arc to ended: count must be a whole number, not real'],
  ],
  [
    'NET022 a process that is no whole number',
    (n) => (n.transitions[0]!.process = { op: 'div', a: v('slot'), b: num(2) }),
    ['NET022 transition move: process must be a whole number, not real'],
  ],
  [
    'NET022 an operand that does not fit',
    (n) => (n.transitions[0]!.guard = { op: 'and', a: num(1), b: v('slot') }),
    ['NET022 transition move, guard: operand 2 of "and" must be bool, not int'],
  ],
  [
    'NET022 two sides that differ',
    (n) => (n.transitions[0]!.guard = { op: 'ne', a: v('sort'), b: num(1) }),
    ['NET022 transition move, guard: the two sides of "ne" differ: enum Sort and bit'],
  ],
  [
    'NET022 a fraction as index',
    (n) => (n.transitions[0]!.delay = { op: 'at', table: 'times', index: num(0.5) }),
    ['NET022 transition move: operand 1 of "at" must be int, not real'],
  ],
  [
    'NET022 a service whose amount is no number',
    (n) => {
      n.places[2]!.fields.push({ name: 'sort', colour: 'Sort' });
      n.places[2]!.service!.amount = v('sort');
    },
    ['NET022 place wire, service: amount must be a number, not enum Sort'],
  ],
  [
    'NET022 a service whose route is a fraction',
    (n) => (n.places[2]!.service!.route = num(0.5)),
    ['NET022 place wire, service: route must be a number without fraction, not real'],
  ],
  [
    'NET023 a constant that is not a number',
    (n) => (n.transitions[0]!.delay = num(Number.NaN)),
    ['NET023 transition move: a constant is not a number'],
  ],
  [
    'NET024 a constant outside its enumeration',
    (n) => (n.transitions[0]!.guard = { op: 'eq', a: v('sort'), b: { op: 'const', value: 2, colour: 'Sort' } }),
    ['NET024 transition move, guard: 2 is no value of enumeration "Sort" (0 … 1)'],
  ],
  [
    'NET030 processes numbered by what is no range',
    (n) => (n.processes!.colour = 'Flag'),
    [
      'NET030 processes: colour set "Flag" is no range',
      'NET030 processes: place "ended" must have one field of colour "Flag"',
    ],
  ],
  [
    'NET030 processes that end in a place of another colour',
    (n) => (n.processes!.ended = 'buffer'),
    ['NET030 processes: place "buffer" must have one field of colour "Slot"'],
  ],
];

test('the net that is spoiled below is valid', () => {
  expect(validate(base())).toEqual([]);
});

describe('every problem by its code', () => {
  test.each(CASES)('%s', (_, spoil, expected) => {
    expect(spoiled(spoil)).toEqual(expected);
  });
});

test('all problems are reported at once', () => {
  const found = spoiled((n) => {
    (n.colours[0] as ColourSet & { kind: 'range' } as Draft<ColourSet & { kind: 'range' }>).high = -1;
    n.places[1]!.key = ['slot'];
    n.transitions[0]!.inputs[0]!.place = 'bufer';
    n.transitions[0]!.outputs[0]!.values = { slot: v('slat') };
    n.processes!.colour = 'Flag';
  });
  expect(found.map((p) => p.slice(0, 6))).toEqual([
    'NET006',
    'NET014',
    'NET013',
    'NET012',
    'NET021',
    'NET030',
    'NET030',
  ]);
  expect(codesOf(() => assertValid({ ...base(), name: 'fine' }))).toEqual([]);
});

test('a known position in a file goes with the problem', () => {
  const net = structuredClone(base()) as Draft<Net>;
  net.transitions[0]!.guard = v('slot');
  net.transitions[0]!.delay = v('sort');
  net.transitions[0]!.outputs[0]!.values = {};
  const [t] = net.transitions;
  const positions = new Map<object, { file: string; line: number; column: number }>([
    [t!, { file: 'net.json', line: 3, column: 1 }],
    [t!.outputs[0]!, { file: 'net.json', line: 4, column: 2 }],
    [t!.guard!, { file: 'net.json', line: 5, column: 3 }],
  ]);
  expect(validate(net as Net, positions).map((p) => formatProblem(p).split(' ').slice(0, 2))).toEqual([
    ['net.json:4:2:', 'NET017'],
    ['net.json:5:3:', 'NET022'],
    ['net.json:3:1:', 'NET022'],
  ]);
});

test('very many problems with very many names are found in no time', () => {
  const net = base();
  const many = Array.from({ length: 20_000 }, (_, k) => k);
  const begin = performance.now();
  const found = validate({
    ...net,
    places: [...net.places, ...many.map((k) => ({ ...net.places[1]!, name: `place ${k}` }))],
    transitions: many.map((k) => ({
      name: `t${k}`,
      inputs: [{ kind: 'take' as const, place: `palce ${k}`, pattern: {}, count: 1 }],
      outputs: [],
    })),
  });
  expect(found).toHaveLength(20_000);
  expect(performance.now() - begin).toBeLessThan(20_000);
});
