import type { Delay, Net } from '../../src/net/net.ts';
import { type Case, type Draft, num } from './sound-net.ts';

const delay = (n: Draft<Net>, d: Delay): void => {
  n.transitions[1]!.delay = d as Draft<Delay>;
};

/** Transitions: violations of every rule, one at a time, with the expected problems. */
export const PROBLEMS_TRANSITIONS: readonly Case[] = [
  [
    'NET020 nothing is taken',
    (n) => (n.transitions[0]!.inputs[0]!.kind = 'read'),
    [
      'NET020 transition move: takes no token: expected an arc that takes one (it may be put back), or the timing "race"',
    ],
  ],
  [
    'NET020 only a reset, and it holds',
    (n) => {
      n.transitions[1]!.timing = 'holding';
      delete n.transitions[1]!.servers;
      delete n.transitions[1]!.label;
    },
    [
      'NET020 transition toss: takes no token: expected an arc that takes one (it may be put back), or the timing "race"',
    ],
  ],
  [
    'NET020 a race that takes nothing and no time',
    (n) => {
      delay(n, num(0));
      // Remove the label: with it, a partner could take tokens that this transition does not.
      delete n.transitions[1]!.label;
    },
    ['NET020 transition toss: takes no token and has a delay of 0: a race without input tokens needs a positive delay'],
  ],
  [
    'NET027 a free variable that an arc binds',
    (n) => (n.transitions[0]!.free = [{ name: 'slot', colour: 'Slot' }]),
    ['NET027 transition move: free variable "slot": the name is already bound by an arc or another free variable'],
  ],
  [
    'NET027 a free variable twice',
    (n) => n.transitions[1]!.free!.push({ name: 'any', colour: 'Slot' }),
    ['NET027 transition toss: free variable "any": the name is already bound by an arc or another free variable'],
  ],
  [
    'NET027 a free variable of composite colour',
    (n) => n.transitions[1]!.free!.push({ name: 'pair', colour: 'Pair' }),
    [
      'NET027 transition toss: free variable "pair": expected a finite set of scalar values, got "Pair" of kind product',
    ],
  ],
  [
    'NET027 a free variable without end',
    (n) => {
      n.colours.push({ kind: 'integer', name: 'Int' });
      n.transitions[1]!.free!.push({ name: 'int', colour: 'Int' });
    },
    ['NET027 transition toss: free variable "int": expected a finite set of scalar values, got "Int" of kind integer'],
  ],
  [
    'NET027 a free variable of too many values',
    (n) => {
      n.colours.push({ kind: 'range', name: 'Huge', low: 1, high: 1e9 });
      n.transitions[1]!.free!.push({ name: 'huge', colour: 'Huge' });
    },
    ['NET027 transition toss: free variable "huge": colour set "Huge" has 1000000000 values, expected at most 1048576'],
  ],
  [
    'NET028 a weight of nothing',
    (n) => (n.transitions[1]!.weight = num(0)),
    ['NET028 transition toss: a weight of 0: expected a positive finite number'],
  ],
  [
    'NET028 a weight without end',
    (n) => (n.transitions[1]!.weight = num(Number.POSITIVE_INFINITY)),
    ['NET028 transition toss: a weight of Infinity: expected a positive finite number'],
  ],
  [
    'NET034 half a priority',
    (n) => (n.transitions[1]!.priority = 0.5),
    ['NET034 transition toss: a priority of 0.5: expected an integer below 2^53'],
  ],
  [
    'NET034 a priority without end',
    (n) => (n.transitions[1]!.priority = Number.POSITIVE_INFINITY),
    ['NET034 transition toss: a priority of Infinity: expected an integer below 2^53'],
  ],
  [
    'NET035 a race without delay',
    (n) => {
      delete n.transitions[1]!.delay;
      n.transitions[1]!.inputs[0]!.kind = 'take';
      n.transitions[1]!.free = [];
    },
    ['NET035 transition toss: has the timing "race" and no delay: expected a delay'],
  ],
  [
    'NET035 clocks without a race',
    (n) => (n.transitions[0]!.servers = 'infinite'),
    ['NET035 transition move: has infinite servers, which only the timing "race" allows'],
  ],
  [
    'NET035 memory and speed without a race',
    (n) => {
      n.transitions[0]!.memory = 'age';
      n.transitions[0]!.speed = num(2);
    },
    [
      'NET035 transition move: has the memory "age", which only the timing "race" allows',
      'NET035 transition move: has a speed, which only the timing "race" allows',
    ],
  ],
  [
    'NET035 no server',
    (n) => (n.transitions[1]!.servers = 0),
    ['NET035 transition toss: has 0 servers: expected an integer >= 1, "single" or "infinite"'],
  ],
  [
    'NET035 infinitely many servers, written as a number',
    (n) => (n.transitions[1]!.servers = Number.POSITIVE_INFINITY),
    [
      'NET035 transition toss: has Infinity servers: expected an integer >= 1, "single" or "infinite". Did you mean "infinite"?',
    ],
  ],
  [
    'NET019 an unknown memory',
    (n) => (n.transitions[1]!.memory = 'aging' as 'age'),
    ['NET019 transition toss: unknown memory "aging". Known: enabling, age, resampling.'],
  ],
  [
    'NET039 a negative speed',
    (n) => (n.transitions[1]!.speed = { op: 'neg', a: num(1) }),
    ['NET039 transition toss: a speed of -1: expected a finite number >= 0'],
  ],
  [
    'NET039 two counts of one name',
    (n) => {
      const count = { name: 'n', place: n.places[0]!.name, pattern: {} };
      n.transitions[1]!.counts = [count, { ...count }];
    },
    ['NET039 transition toss: count "n": the name is already that of a variable'],
  ],
  [
    'NET012 a count of an unknown place',
    (n) => (n.transitions[1]!.counts = [{ name: 'n', place: 'bufer', pattern: {} }]),
    [
      'NET012 transition toss, count "n": unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire, stack, desk.',
    ],
  ],
  [
    'NET039 a count in a guard',
    (n) => {
      n.transitions[1]!.counts = [{ name: 'n', place: n.places[0]!.name, pattern: {} }];
      n.transitions[1]!.guard = { op: 'gt', a: { op: 'var', name: 'n' }, b: num(0) };
    },
    ['NET039 transition toss: count "n": only the speed and the weight may depend on token counts'],
  ],
];
