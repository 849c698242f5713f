import type { Delay, Net, Service } from '../../src/net/net.ts';
import { type Case, type Draft, num, v } from './sound-net.ts';

const service = (n: Draft<Net>, place = 2): Draft<Service & { kind: 'max-min' }> =>
  n.places[place]!.service as Draft<Service & { kind: 'max-min' }>;
const desk = (n: Draft<Net>): Draft<Service & { kind: 'priority' }> =>
  n.places[4]!.service as Draft<Service & { kind: 'priority' }>;
const delay = (n: Draft<Net>, d: Delay): void => {
  n.transitions[1]!.delay = d as Draft<Delay>;
};

/** Arcs and expressions: violations of every rule, one at a time, with the expected problems. */
export const PROBLEMS_EXPRESSIONS: readonly Case[] = [
  [
    'NET012 an unknown place',
    (n) => (n.transitions[0]!.outputs[0]!.place = 'bufer'),
    [
      'NET012 transition move, arc to bufer: unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire, stack, desk.',
    ],
  ],
  [
    'NET012 an unknown place to take from',
    (n) => n.transitions[0]!.inputs.push({ kind: 'read', place: 'end', pattern: {}, count: 1 }),
    ['NET012 transition move, arc from end: unknown place "end". Known: buffer, ended, wire, stack, desk.'],
  ],
  [
    'NET012 an unknown place where processes end',
    (n) => (n.processes!.ended = 'endet'),
    ['NET012 processes: unknown place "endet". Did you mean "ended"? Known: buffer, ended, wire, stack, desk.'],
  ],
  [
    'NET017 a column that is not given',
    (n) => (n.transitions[0]!.outputs[0]!.values = {}),
    ['NET017 transition move, arc to ended: column "slot" is not given'],
  ],
  [
    'NET017 an unknown column',
    (n) => (n.transitions[0]!.inputs[0]!.pattern['slots'] = num(1)),
    ['NET017 transition move, arc from buffer: unknown column "slots". Did you mean "slot"? Known: slot, sort.'],
  ],
  [
    'NET017 a field of composite colour',
    (n) => (n.transitions[1]!.inputs[0]!.pattern['spot'] = num(1)),
    [
      'NET017 transition toss, arc from stack: unknown column "spot". Did you mean "spot.x"? Known: spot.x, spot.at.1, spot.at.2.',
    ],
  ],
  [
    'NET018 a count of nothing',
    (n) => (n.transitions[0]!.inputs[0]!.count = 0),
    ['NET018 transition move, arc from buffer: a count of 0: expected an integer >= 1'],
  ],
  [
    'NET018 half a count to inhibit',
    (n) => n.transitions[0]!.inputs.push({ kind: 'inhibit', place: 'ended', pattern: {}, count: 1.5 }),
    ['NET018 transition move, arc from ended: a count of 1.5: expected an integer >= 1'],
  ],
  [
    'NET018 a count on an arc that resets',
    (n) => (n.transitions[1]!.inputs[0]!.count = 2),
    ['NET018 transition toss, arc from stack: a count of 2: a reset arc removes all tokens, expected 1'],
  ],

  [
    'NET021 an unbound variable',
    (n) => (n.transitions[0]!.outputs[0]!.values = { slot: v('slat') }),
    [
      'NET021 transition move, arc to ended, slot: variable "slat" is not bound. Did you mean "slot"? Known: slot, sort.',
    ],
  ],
  [
    'NET021 a variable that only an inhibitor names',
    (n) => n.transitions[0]!.inputs.push({ kind: 'inhibit', place: 'ended', pattern: { slot: v('other') }, count: 1 }),
    ['NET021 transition move, arc from ended, slot: variable "other" is not bound. Known: slot, sort.'],
  ],
  [
    'NET021 an unbound variable in a distribution',
    (n) => delay(n, { dist: 'exponential', rate: v('ayn') }),
    ['NET021 transition toss, delay, rate: variable "ayn" is not bound. Did you mean "any"? Known: any.'],
  ],
  [
    'NET021 a priority of what is no column',
    (n) => (n.places[3]!.priority = v('spot')),
    [
      'NET021 place stack, priority: variable "spot" is not bound. Did you mean "spot.x"? Known: spot.x, spot.at.1, spot.at.2.',
    ],
  ],
  [
    'NET021 an exported variable that nothing binds',
    (n) => (n.transitions[1]!.label!.exports = { which: 'what' }),
    ['NET021 transition toss, label: variable "what" is not bound. Known: any.'],
  ],
  [
    'NET022 an enumeration where a number is due',
    (n) => (n.transitions[0]!.outputs[0]!.values = { slot: v('sort') }),
    ['NET022 transition move, arc to ended, slot: expected an integer, but "sort" is a value of enumeration "Sort"'],
  ],
  [
    'NET022 a column of a composite field',
    (n) => (n.transitions[1]!.inputs[0]!.pattern['spot.at.2'] = num(1)),
    ['NET022 transition toss, arc from stack, spot.at.2: expected a value of enumeration "Sort", but "1" is 0 or 1'],
  ],
  [
    'NET022 a guard that is a number',
    (n) => (n.transitions[0]!.guard = v('slot')),
    ['NET022 transition move, guard: expected a boolean, but "slot" is an integer'],
  ],
  [
    'NET022 the negative of a truth value is none',
    (n) => (n.transitions[0]!.guard = { op: 'neg', a: { op: 'lt', a: v('slot'), b: num(1) } }),
    ['NET022 transition move, guard: expected a boolean, but "-(slot < 1)" is an integer'],
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
    ['NET022 transition move, guard: expected a boolean, but "(slot < 1) ? (slot < 1) : slot" is an integer'],
  ],
  [
    'NET022 a delay that is not a number',
    (n) => (n.transitions[0]!.delay = v('sort')),
    ['NET022 transition move, delay: expected a number, but "sort" is a value of enumeration "Sort"'],
  ],
  [
    'NET022 a count that is no whole number',
    (n) => (n.transitions[0]!.outputs[0]!.count = num(0.5)),
    ['NET022 transition move, arc to ended, count: expected an integer, but "0.5" is a number'],
  ],
  [
    'NET022 a process that is no whole number',
    (n) => (n.transitions[0]!.process = { op: 'div', a: v('slot'), b: num(2) }),
    ['NET022 transition move, process: expected an integer, but "slot / 2" is a number'],
  ],
  [
    'NET022 an operand that does not fit',
    (n) => (n.transitions[0]!.guard = { op: 'and', a: num(1), b: v('slot') }),
    ['NET022 transition move, guard: operand 2 of "and": expected a boolean, but "slot" is an integer'],
  ],
  [
    'NET022 two sides that differ',
    (n) => (n.transitions[0]!.guard = { op: 'ne', a: v('sort'), b: num(1) }),
    ['NET022 transition move, guard: the two sides of "ne" differ: a value of enumeration "Sort" and 0 or 1'],
  ],
  [
    'NET022 a fraction as index',
    (n) => (n.transitions[0]!.delay = { op: 'at', table: 'times', index: num(0.5) }),
    ['NET022 transition move, delay: operand 1 of "at": expected an integer, but "0.5" is a number'],
  ],
  [
    'NET022 an argument that is not a number',
    (n) => {
      n.functions = [{ name: 'f', apply: (x) => x! }];
      n.transitions[0]!.delay = { op: 'call', function: 'f', args: [v('slot'), v('sort')] };
    },
    [
      'NET022 transition move, delay: operand 2 of "call": expected a number, but "sort" is a value of enumeration "Sort"',
    ],
  ],
  [
    'NET022 an integer from a function',
    (n) => {
      n.functions = [{ name: 'f', apply: (x) => x! }];
      n.transitions[0]!.outputs[0]!.values = { slot: { op: 'call', function: 'f', args: [] } };
    },
    ['NET022 transition move, arc to ended, slot: expected an integer, but "f()" is a number'],
  ],
  [
    'NET022 a service whose amount is not a number',
    (n) => {
      n.places[2]!.fields.push({ name: 'sort', colour: 'Sort' });
      service(n).amount = v('sort');
    },
    ['NET022 place wire, service, amount: expected a number, but "sort" is a value of enumeration "Sort"'],
  ],
  [
    'NET022 a service whose route is a fraction',
    (n) => (service(n).route = num(0.5)),
    ['NET022 place wire, service, route: expected an integer, but "0.5" is a number'],
  ],
  [
    'NET022 a service whose time is not a number',
    (n) => {
      n.places[4]!.fields.push({ name: 'sort', colour: 'Sort' });
      desk(n).time = v('sort');
      desk(n).priority = v('sort');
    },
    [
      'NET022 place desk, service, time: expected a number, but "sort" is a value of enumeration "Sort"',
      'NET022 place desk, service, priority: expected a number, but "sort" is a value of enumeration "Sort"',
    ],
  ],
  [
    'NET022 a priority that is not a number',
    (n) => (n.places[3]!.priority = v('spot.at.2')),
    ['NET022 place stack, priority: expected a number, but "spot.at.2" is a value of enumeration "Sort"'],
  ],
  [
    'NET022 a weight that is not a number',
    (n) => (n.transitions[0]!.weight = v('sort')),
    ['NET022 transition move, weight: expected a number, but "sort" is a value of enumeration "Sort"'],
  ],
  [
    'NET022 a parameter that is not a number',
    (n) => delay(n, { dist: 'exponential', rate: { op: 'const', value: 1, colour: 'Sort' } }),
    ['NET022 transition toss, delay, rate: expected a number, but "Sort#1" is a value of enumeration "Sort"'],
  ],
  [
    'NET022 a shape that is a fraction',
    (n) => delay(n, { dist: 'erlang', shape: { op: 'div', a: v('any'), b: num(2) }, rate: num(1) }),
    ['NET022 transition toss, delay, shape: expected an integer, but "any / 2" is a number'],
  ],
  [
    'NET023 a constant that is not a number',
    (n) => (n.transitions[0]!.delay = num(Number.NaN)),
    ['NET023 transition move, delay: a constant is not a number'],
  ],
  [
    'NET024 a constant outside its enumeration',
    (n) => (n.transitions[0]!.guard = { op: 'eq', a: v('sort'), b: { op: 'const', value: 2, colour: 'Sort' } }),
    ['NET024 transition move, guard: 2 is not a value of enumeration "Sort" (0 … 1)'],
  ],
  [
    'NET026 an expression without end',
    (n) => {
      let e = v('slot');
      for (let k = 0; k < 100_000; k++) e = { op: 'neg', a: e };
      n.transitions[0]!.delay = e;
    },
    ['NET026 transition move, delay: the expression is nested deeper than 1000'],
  ],
  [
    'NET026 an expression of parts that double',
    (n) => {
      let e = v('slot');
      for (let k = 0; k < 100; k++) e = { op: 'add', a: e, b: e };
      n.transitions[0]!.delay = e;
    },
    ['NET026 transition move, delay: the expression has more than 1048576 parts'],
  ],
];
