import type { Net, Service, Table } from '../../src/net/net.ts';
import { type Case, type Draft, num, v } from './sound-net.ts';

const service = (n: Draft<Net>, place = 2): Draft<Service & { kind: 'max-min' }> =>
  n.places[place]!.service as Draft<Service & { kind: 'max-min' }>;
const desk = (n: Draft<Net>): Draft<Service & { kind: 'priority' }> =>
  n.places[4]!.service as Draft<Service & { kind: 'priority' }>;
const routes = (n: Draft<Net>): Table & { kind: 'routes' } => n.tables[3] as Table & { kind: 'routes' };

/** Places and processes: violations of every rule, one at a time, with the expected problems. */
export const PROBLEMS_PLACES: readonly Case[] = [
  [
    'NET013 an unknown column in a key',
    (n) => (n.places[0]!.key = ['slto']),
    ['NET013 place buffer: unknown column "slto" in its key. Did you mean "slot"? Known: slot, sort.'],
  ],
  [
    'NET013 a field of composite colour in a key',
    (n) => (n.places[3]!.key = ['spot']),
    [
      'NET013 place stack: unknown column "spot" in its key. Did you mean "spot.x"? Known: spot.x, spot.at.1, spot.at.2.',
    ],
  ],
  [
    'NET013 a column twice in a key',
    (n) => (n.places[0]!.key = ['slot', 'slot']),
    ['NET013 place buffer: duplicate column "slot" in its key'],
  ],
  [
    'NET013 a bag with a key',
    (n) => (n.places[1]!.key = ['slot']),
    ['NET013 place ended: a bag has no key: expected an order other than "bag", or no column "slot"'],
  ],
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
    ['NET014 place ended: initial token has 2 values: expected 1, one for each column'],
  ],
  [
    'NET014 an initial token of composite colour with too few',
    (n) => n.places[3]!.initial.push({ values: [1], count: 1 }),
    ['NET014 place stack: initial token has 1 values: expected 3, one for each column'],
  ],
  [
    'NET014 a column of an initial token',
    (n) => n.places[3]!.initial.push({ values: [1, 1, 2], count: 1 }),
    ['NET014 place stack: initial token: spot.at.2 = 2 is not in Sort (0 … 1)'],
  ],
  [
    'NET014 half a token',
    (n) => n.places[1]!.initial.push({ values: [1], count: 0.5 }),
    ['NET014 place ended: initial tokens: expected a count from 0 to 2^53 - 1, got 0.5'],
  ],
  [
    'NET015 a link without capacity',
    (n) => (service(n).links[0]!.capacity = 0),
    ['NET015 place wire, service: link "up" has capacity 0: expected a positive number'],
  ],
  [
    'NET015 a level that is no fatpipe',
    (n) => (service(n).links[0]!.level = true),
    ['NET015 place wire, service: link "up" has a level: expected a fatpipe'],
  ],
  [
    'NET015 capacities by tokens that do not fit',
    (n) => (service(n).links[0]!.byTokens = [1, 200, 0]),
    [
      'NET015 place wire, service: link "up" has capacity 200 with 2 tokens: expected more than 0, at most 1',
      'NET015 place wire, service: link "up" has capacity 0 with 3 tokens: expected more than 0, at most 1',
    ],
  ],
  [
    'NET015 a capacity that grows faster than the tokens',
    (n) => Object.assign(service(n).links[0]!, { capacity: 3, byTokens: [1, 3] }),
    [
      'NET015 place wire, service: link "up" has capacity 3 with 2 tokens: expected at most 2, as much for a token as with 1',
    ],
  ],
  [
    'NET015 capacities by tokens of a fatpipe',
    (n) => Object.assign(service(n).links[0]!, { fatpipe: true, byTokens: [] }),
    [
      'NET015 place wire, service: link "up" is a fatpipe with capacities by tokens: expected a shared link',
      'NET015 place wire, service: link "up" has no capacity by tokens: expected at least one',
    ],
  ],
  [
    'NET015 a route over a link that is not there',
    (n) => (routes(n).link[0] = 1),
    ['NET015 place wire, service: table "routes" refers to link 1: expected a link from 0 to 0'],
  ],
  [
    'NET031 no priority',
    (n) => delete n.places[3]!.priority,
    ['NET031 place stack: its order is "priority": expected an expression "priority" of the columns'],
  ],
  [
    'NET031 a priority in another order',
    (n) => (n.places[1]!.priority = v('slot')),
    ['NET031 place ended: has a priority, but its order is "bag": expected "priority"'],
  ],
  [
    'NET032 half a capacity',
    (n) => (n.places[1]!.capacity = 0.5),
    ['NET032 place ended: a capacity of 0.5: expected an integer from 0 to 2^53 - 1'],
  ],
  [
    'NET032 a capacity below zero',
    (n) => (n.places[1]!.capacity = -1),
    ['NET032 place ended: a capacity of -1: expected an integer from 0 to 2^53 - 1'],
  ],
  [
    'NET032 more tokens than there is room for',
    (n) => (n.places[3]!.capacity = 1),
    ['NET032 place stack: the initial marking has 2 tokens: expected at most the capacity of 1'],
  ],
  [
    'NET037 a text that reads like a number',
    (n) => (n.places[3]!.capacity = '4' as never),
    ['NET037 place stack: capacity: expected a number, got "4"'],
  ],
  [
    'NET037 a member that is misspelt',
    (n) => Object.assign(n.places[3]!, { capcity: 4 }),
    [
      'NET037 place stack: unknown member "capcity". Did you mean "capacity"? Known: name, fields, order, key, initial, kind, priority, service, capacity, owner, modules.',
    ],
  ],
  [
    'NET033 no server',
    (n) => (desk(n).servers = 0),
    ['NET033 place desk, service: 0 servers: expected an integer >= 1'],
  ],
  [
    'NET033 half a server',
    (n) => (n.places[4]!.service = { kind: 'ps', servers: 1.5, time: num(1) }),
    ['NET033 place desk, service: 1.5 servers: expected an integer >= 1'],
  ],

  [
    'NET030 processes numbered by what is no range',
    (n) => (n.processes!.colour = 'Flag'),
    [
      'NET030 processes: colour set "Flag" is not a range',
      'NET030 processes: place "ended" must have one field of colour "Flag"',
    ],
  ],
  [
    'NET030 too many processes',
    (n) => {
      n.colours.push({ kind: 'range', name: 'Huge', low: 0, high: 1e9 });
      n.places[1]!.fields[0]!.colour = 'Huge';
      n.processes!.colour = 'Huge';
    },
    ['NET030 processes: colour set "Huge" has 1000000001 values: at most 262144 processes are supported'],
  ],
  [
    'NET030 processes that end in a place of another colour',
    (n) => (n.processes!.ended = 'buffer'),
    ['NET030 processes: place "buffer" must have one field of colour "Slot"'],
  ],
  [
    'NET012 and NET038 final markings',
    (n) =>
      (n.finalMarkings = [
        [
          { place: 'buffer', count: 1 },
          { place: 'buffer', count: 1 },
        ],
        [{ place: 'bufer', count: 0.5 }],
      ]),
    [
      'NET038 final marking 1: duplicate place "buffer"',
      'NET012 final marking 2: unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire, stack, desk.',
      'NET038 final marking 2: 0.5 tokens in place "bufer": expected an integer from 0 to 2^53 - 1',
    ],
  ],
];
