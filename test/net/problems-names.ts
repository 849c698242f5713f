import type { ColourSet, Delay, Net, Service } from '../../src/net/net.ts';
import { KNOWN_DISTRIBUTIONS } from './distribution-cases.ts';
import { type Case, type Draft, num, v } from './sound-net.ts';

const service = (n: Draft<Net>, place = 2): Draft<Service & { kind: 'max-min' }> =>
  n.places[place]!.service as Draft<Service & { kind: 'max-min' }>;
const delay = (n: Draft<Net>, d: Delay): void => {
  n.transitions[1]!.delay = d as Draft<Delay>;
};
const record = (n: Draft<Net>): Draft<ColourSet & { kind: 'record' }> =>
  n.colours[4] as Draft<ColourSet & { kind: 'record' }>;
/** A string that the types reject in this position. */
const word = (text: string): never => text as never;
/** Colour sets c1, c2, …, each a pair of the next. */
const chain = (n: Draft<Net>, length: number): void => {
  for (let k = 1; k <= length; k++)
    n.colours.push({ kind: 'product', name: `c${k}`, parts: k < length ? [`c${k + 1}`] : ['Slot'] });
};

/** Names, keywords and colour sets: violations of every rule, one at a time, with the expected problems. */
export const PROBLEMS_NAMES: readonly Case[] = [
  ['NET001 an empty name', (n) => (n.transitions[0]!.name = ''), ['NET001 transition: a name must not be empty']],
  [
    'NET001 an empty name of a field',
    (n) => n.places.push({ ...n.places[1]!, name: 'p', fields: [{ name: '', colour: 'Slot' }] }),
    ['NET001 place p: the name of a field must not be empty'],
  ],
  [
    'NET001 an empty name of a field of a record',
    (n) => n.colours.push({ kind: 'record', name: 'R', fields: [{ name: '', colour: 'Slot' }] }),
    ['NET001 colour set R: the name of a field must not be empty'],
  ],
  [
    'NET001 an empty name of a module',
    (n) => (n.transitions[1]!.modules = ['']),
    ['NET001 transition toss: the name of a module must not be empty'],
  ],
  [
    'NET001 an empty name of an owner',
    (n) => (n.places[3]!.owner = ''),
    ['NET001 place stack: the name of its owner must not be empty'],
  ],
  [
    'NET001 an empty name of a label',
    (n) => (n.transitions[1]!.label!.name = ''),
    ['NET001 transition toss, label: the name of a label must not be empty'],
  ],
  [
    'NET001 an empty shared name',
    (n) => (n.transitions[1]!.label!.exports = { '': 'any' }),
    ['NET001 transition toss, label: the shared name of a variable must not be empty'],
  ],
  [
    'NET001 an empty name of a free variable',
    (n) => n.transitions[1]!.free!.push({ name: '', colour: 'Slot' }),
    ['NET001 transition toss: the name of a free variable must not be empty'],
  ],
  [
    'NET002 a name twice',
    (n) => n.colours.push({ kind: 'bool', name: 'Slot' }),
    [
      'NET002 colour set Slot: duplicate name',
      'NET014 place stack: initial token: spot.at.1 = 3 is not in Slot (0 … 1)',
      'NET030 processes: colour set "Slot" is not a range',
    ],
  ],
  [
    'NET002 a field twice',
    (n) => n.places[1]!.fields.push({ name: 'slot', colour: 'Slot' }),
    [
      'NET002 place ended: duplicate field "slot"',
      'NET030 processes: place "ended" must have one field of colour "Slot"',
    ],
  ],
  [
    'NET002 a field of a record twice',
    (n) => record(n).fields.push({ name: 'x', colour: 'Flag' }),
    [
      'NET002 colour set Spot: duplicate field "x"',
      'NET002 place stack: duplicate column "spot.x"',
      'NET022 transition toss, arc from stack, spot.x: expected a boolean, but "any" is an integer',
    ],
  ],
  [
    'NET002 a column twice',
    (n) => n.places[3]!.fields.push({ name: 'spot.x', colour: 'Slot' }),
    ['NET002 place stack: duplicate column "spot.x"'],
  ],
  [
    'NET002 a function twice',
    (n) =>
      (n.functions = [
        { name: 'f', apply: () => 0 },
        { name: 'f', apply: () => 1 },
      ]),
    ['NET002 function f: duplicate name'],
  ],
  [
    'NET008 a field with a reserved name',
    (n) => n.places.push({ ...n.places[1]!, name: 'p', fields: [{ name: 'constructor', colour: 'Slot' }] }),
    ['NET008 place p: field "constructor": this name is reserved, choose another'],
  ],
  [
    'NET008 and NET017 a field with a reserved name that is not given',
    (n) => {
      n.places[1]!.fields[0]!.name = 'toString';
      n.transitions[0]!.outputs[0]!.values = {};
      n.transitions[1]!.outputs = [];
    },
    [
      'NET008 place ended: field "toString": this name is reserved, choose another',
      'NET017 transition move, arc to ended: column "toString" is not given',
    ],
  ],
  [
    'NET008 a field of a record with a reserved name',
    (n) => n.colours.push({ kind: 'record', name: 'R', fields: [{ name: '__proto__', colour: 'Slot' }] }),
    ['NET008 colour set R: field "__proto__": this name is reserved, choose another'],
  ],
  [
    'NET008 a variable with a reserved name',
    (n) => (n.transitions[0]!.inputs[0]!.pattern['sort'] = v('__proto__')),
    ['NET008 transition move, arc from buffer: variable "__proto__": this name is reserved, choose another'],
  ],
  [
    'NET008 a free variable with a reserved name',
    (n) => n.transitions[1]!.free!.push({ name: 'valueOf', colour: 'Slot' }),
    ['NET008 transition toss: free variable "valueOf": this name is reserved, choose another'],
  ],
  [
    'NET008 a shared name that is reserved',
    (n) => (n.transitions[1]!.label!.exports = { toString: 'any' } as never),
    ['NET008 transition toss, label: shared name "toString": this name is reserved, choose another'],
  ],
  [
    'NET010 a field of a record with a dot',
    (n) => (record(n).fields[0]!.name = 'x.y'),
    [
      'NET010 colour set Spot: field "x.y": expected a name without ".", the separator in column paths',
      'NET013 place stack: unknown column "spot.x" in its key. Did you mean "spot.x.y"? Known: spot.x.y, spot.at.1, spot.at.2.',
      'NET017 transition toss, arc from stack: unknown column "spot.x". Did you mean "spot.x.y"? Known: spot.x.y, spot.at.1, spot.at.2.',
    ],
  ],
  [
    'NET010 a composite field with a dot',
    (n) => n.places.push({ name: 'p', fields: [{ name: 'a.b', colour: 'Pair' }], order: 'bag', key: [], initial: [] }),
    ['NET010 place p: field "a.b": expected a name without ".", the separator in column paths'],
  ],
  [
    'NET019 an unknown kind of colour set',
    (n) => (n.colours[1]!.kind = word('boolean')),
    ['NET019 colour set Flag: unknown kind "boolean". Known: unit, bool, integer, range, enum, product, record.'],
  ],
  [
    'NET019 an unknown kind of table',
    (n) => (n.tables[1]!.kind = word('reel')),
    ['NET019 table times: unknown kind "reel". Did you mean "real"? Known: int, real, step, routes.'],
  ],
  [
    'NET019 an unknown kind of place',
    (n) => (n.places[0]!.kind = word('massage')),
    [
      'NET019 place buffer: unknown kind "massage". Did you mean "message"? Known: operation, message, synchronisation, resource, data.',
    ],
  ],
  [
    'NET019 an unknown order',
    (n) => (n.places[1]!.order = word('lifo')),
    ['NET019 place ended: unknown order "lifo". Did you mean "fifo"? Known: bag, fifo, priority.'],
  ],
  [
    'NET019 an unknown service',
    (n) => (service(n).kind = word('round-robin')),
    ['NET019 place wire, service: unknown kind "round-robin". Known: max-min, fcfs, lcfs-pr, ps, is, priority.'],
  ],
  [
    'NET019 an unknown distribution',
    (n) => delay(n, { dist: word('exponental'), rate: num(1) }),
    [
      `NET019 transition toss, delay: unknown distribution "exponental". Did you mean "exponential"? Known: ${KNOWN_DISTRIBUTIONS}.`,
    ],
  ],
  [
    'NET019 an unknown kind of transition',
    (n) => (n.transitions[0]!.kind = word('computing')),
    ['NET019 transition move: unknown kind "computing". Did you mean "compute"? Known: compute, communicate, control.'],
  ],
  [
    'NET019 an unknown kind of arc',
    (n) => n.transitions[0]!.inputs.push({ kind: word('inhibitor'), place: 'ended', pattern: {}, count: 1 }),
    [
      'NET019 transition move, arc from ended: unknown kind "inhibitor". Did you mean "inhibit"? Known: take, read, inhibit, reset.',
    ],
  ],
  [
    'NET019 an unknown timing',
    (n) => (n.transitions[0]!.timing = word('hold')),
    ['NET019 transition move: unknown timing "hold". Known: holding, race.'],
  ],
  [
    'NET019 an unknown number of clocks',
    (n) => (n.transitions[1]!.servers = word('one')),
    ['NET019 transition toss: unknown servers "one". Known: single, infinite.'],
  ],
  [
    'NET019 an unknown operator',
    (n) => (n.transitions[0]!.guard = { op: word('less'), a: v('slot'), b: num(1) }),
    [
      'NET019 transition move, guard: unknown operator "less". Known: const, var, if, at, step, call, neg, not, floor, add, sub, mul, and 12 more.',
    ],
  ],
  [
    'NET036 modules out of order',
    (n) => (n.places[3]!.modules = ['right', 'left']),
    ['NET036 place stack: module "left" comes after "right": expected distinct modules in order of their names'],
  ],
  [
    'NET036 a module twice',
    (n) => (n.transitions[1]!.modules = ['left', 'left']),
    ['NET036 transition toss: module "left" is listed twice: expected distinct modules in order of their names'],
  ],

  [
    'NET006 an empty range',
    (n) => n.colours.push({ kind: 'range', name: 'None', low: 1, high: 0 }),
    ['NET006 colour set None: is empty: 1 … 0, expected low <= high'],
  ],
  [
    'NET006 a range of fractions',
    (n) => n.colours.push({ kind: 'range', name: 'Half', low: 0.5, high: 1 }),
    ['NET006 colour set Half: bounds: expected integers below 2^53, got 0.5 … 1'],
  ],
  [
    'NET006 an enumeration without values',
    (n) => n.colours.push({ kind: 'enum', name: 'None', values: [] }),
    ['NET006 colour set None: has no values: expected at least one'],
  ],
  [
    'NET006 an enumeration with a value twice',
    (n) => n.colours.push({ kind: 'enum', name: 'Same', values: ['a', 'b', 'a'] }),
    ['NET006 colour set Same: duplicate value "a"'],
  ],
  [
    'NET009 a colour set that contains itself',
    (n) => n.colours.push({ kind: 'product', name: 'Self', parts: ['Slot', 'Self'] }),
    ['NET009 colour set Self: contains itself: Self → Self'],
  ],
  [
    'NET009 colour sets that contain each other',
    (n) => {
      n.colours.push({ kind: 'record', name: 'Tree', fields: [{ name: 'left', colour: 'Twig' }] });
      n.colours.push({ kind: 'product', name: 'Twig', parts: ['Slot', 'Leaf', 'Leaf'] });
      n.colours.push({ kind: 'product', name: 'Leaf', parts: ['Tree', 'Tree'] });
      n.places[1]!.fields.push({ name: 'tree', colour: 'Tree' });
    },
    [
      'NET009 colour set Tree: contains itself: Tree → Twig → Leaf → Tree',
      'NET030 processes: place "ended" must have one field of colour "Slot"',
    ],
  ],
  ['NET009 parts of parts too deep', (n) => chain(n, 40), ['NET009 colour set c8: is nested deeper than 32']],
  [
    'NET009 a colour set of too many columns',
    (n) => {
      for (let k = 0; k < 60; k++)
        n.colours.push({
          kind: 'product',
          name: `c${k}`,
          parts: k === 0 ? ['Slot', 'Slot'] : [`c${k - 1}`, `c${k - 1}`],
        });
    },
    ['NET009 colour set c10: has 2048 columns: expected at most 1024'],
  ],
  [
    'NET009 places of too many columns together',
    (n) => {
      n.colours.push({ kind: 'product', name: 'Wide', parts: new Array<string>(1024).fill('Slot') });
      const fields = Array.from({ length: 64 }, (_, k) => ({ name: `f${k}`, colour: 'Wide' }));
      for (let k = 0; k < 65; k++) n.places.push({ name: `wide ${k}`, fields, order: 'bag', key: [], initial: [] });
    },
    ['NET009 places: have more than 4194304 columns of composite colour sets in total'],
  ],
  [
    'NET011 an unknown colour set',
    (n) => (n.places[0]!.fields[0]!.colour = 'Slots'),
    ['NET011 place buffer: unknown colour set "Slots". Did you mean "Slot"? Known: Slot, Flag, Sort, Pair, Spot.'],
  ],
  [
    'NET011 an unknown part',
    (n) => n.colours.push({ kind: 'product', name: 'P', parts: ['Slot', 'Sotr'] }),
    ['NET011 colour set P: unknown colour set "Sotr". Did you mean "Sort"? Known: Slot, Flag, Sort, Pair, Spot, P.'],
  ],
  [
    'NET011 an unknown colour set of a free variable',
    (n) => (n.transitions[1]!.free![0]!.colour = 'Slto'),
    ['NET011 transition toss: unknown colour set "Slto". Did you mean "Slot"? Known: Slot, Flag, Sort, Pair, Spot.'],
  ],
  [
    'NET011 an unknown enumeration',
    (n) => (n.transitions[0]!.guard = { op: 'eq', a: v('sort'), b: { op: 'const', value: 0, colour: 'Sorts' } }),
    ['NET011 transition move, guard: unknown enumeration "Sorts". Did you mean "Sort"? Known: Sort.'],
  ],
];
