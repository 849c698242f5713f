import type { Expression } from '../../../src/net/expression.ts';
import type { Delay, Net, Place, Service, Transition } from '../../../src/net/net.ts';
import { INT, num, put, take, x } from '../../reference/nets.ts';

/** Numbers at the limits of doubles and of allowed values. */
export const EDGES: readonly number[] = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e308,
  2 ** 53,
  2 ** 53 + 2,
  5e-324,
  -1,
  0.5,
];

/** A position in a net that takes a number. */
export interface Spot {
  readonly net: (v: number) => Net;
  /** Edge numbers that are valid there and with which the net runs. */
  readonly works: readonly number[];
  /** Codes with which the other numbers are rejected. */
  readonly codes: readonly string[];
}

type Parts = Partial<Pick<Net, 'colours' | 'tables' | 'places' | 'transitions'>>;

const K = [{ name: 'k', colour: INT }];
const k = { k: x('k') };

/** An unvalidated net: `p` holds three tokens, `q` none, `t` moves tokens from `p` to `q`. */
function net(parts: Parts): Net {
  return {
    name: 'edge',
    colours: [{ kind: 'integer', name: INT }, ...(parts.colours ?? [])],
    tables: parts.tables ?? [],
    places: parts.places ?? [place('p', { initial: [{ values: [], count: 3 }] }), place('q')],
    transitions: parts.transitions ?? [transition('t')],
  };
}

const place = (name: string, more: Partial<Place> = {}): Place => ({
  name,
  fields: [],
  order: 'bag',
  key: [],
  initial: [],
  ...more,
});
const black = (name: string, more: Partial<Place> = {}): Place =>
  place(name, { initial: [{ values: [], count: 3 }], ...more });
const numbered = (name: string, values: readonly number[] = [], more: Partial<Place> = {}): Place =>
  place(name, { fields: K, initial: values.map((v) => ({ values: [v], count: 1 })), ...more });

const transition = (name: string, more: Partial<Transition> = {}): Transition => ({
  name,
  inputs: [take('p')],
  outputs: [put('q')],
  ...more,
});
const one = (more: Partial<Transition>): Net => net({ transitions: [transition('t', more)] });
/** With token values 0, 1, −1 and the largest number. */
const valued = (more: Partial<Transition>, from: Partial<Place> = {}): Net =>
  net({
    places: [numbered('p', [0, 1, -1, 2 ** 53 - 1], from), numbered('q', [], { order: 'fifo' })],
    transitions: [transition('t', { inputs: [take('p', k)], outputs: [put('q', k)], ...more })],
  });
const served = (service: Service): Net => net({ places: [black('p', { service }), place('q')] });
const shared = (
  of: Partial<Record<'capacity' | 'coefficient' | 'amount' | 'weight' | 'bound' | 'route', number>>,
): Net =>
  net({
    tables: [
      {
        kind: 'routes',
        name: 'routes',
        start: Int32Array.of(0, 1),
        link: Int32Array.of(0),
        coefficient: Float64Array.of(of.coefficient ?? 1),
      },
    ],
    places: [
      black('p', {
        service: {
          kind: 'max-min',
          links: [{ name: 'l', capacity: of.capacity ?? 2, fatpipe: false }],
          amount: num(of.amount ?? 3),
          weight: num(of.weight ?? 1),
          bound: num(of.bound ?? 5),
          routes: 'routes',
          route: num(of.route ?? 0),
        },
      }),
      place('q'),
    ],
  });
const mul = (v: number): Expression => ({ op: 'mul', a: x('k'), b: num(v) });
const at = (op: 'at' | 'step', index: number): Delay => ({ op, table: 'T', index: num(index) });
const looked = (values: readonly number[], index: number): Net =>
  net({
    tables: [{ kind: 'real', name: 'T', values: Float64Array.from(values) }],
    transitions: [transition('t', { delay: at('at', index) })],
  });
const stepped = (from: number, value: number, index: number): Net =>
  net({
    tables: [{ kind: 'step', name: 'T', from: Float64Array.of(from), values: Float64Array.of(value) }],
    transitions: [transition('t', { delay: at('step', index) })],
  });
const bounded = (low: number, high: number): Net =>
  net({
    colours: [{ kind: 'range', name: 'R', low, high }],
    places: [black('p'), place('q', { fields: [{ name: 'k', colour: 'R' }] })],
    transitions: [transition('t', { outputs: [put('q', { k: num(0) })] })],
  });
const drawn = (delay: Delay): Net => one({ delay });
const n = num(1);

const LARGE: readonly number[] = [1e308, 2 ** 53, 2 ** 53 + 2];
/** Finite positive numbers. */
const POSITIVE: readonly number[] = [...LARGE, 5e-324, 0.5];
const FROM_0: readonly number[] = [0, -0, ...POSITIVE];
const ANY: readonly number[] = EDGES.filter((v) => !Number.isNaN(v));

/** Positions of numbers in a net. */
export const SPOTS: Readonly<Record<string, Spot>> = {
  'count of initial tokens': {
    net: (count) => net({ places: [place('p', { initial: [{ values: [], count }] }), place('q')] }),
    works: [0, -0],
    codes: ['NET014'],
  },
  'value of an initial token': {
    net: (v) =>
      net({
        places: [numbered('p', [v, 1]), numbered('q')],
        transitions: [transition('t', { inputs: [take('p', k)], outputs: [put('q', k)] })],
      }),
    works: [0, -0, -1],
    codes: ['NET014'],
  },
  capacity: {
    net: (capacity) => net({ places: [black('p'), place('q', { capacity })] }),
    works: [0, -0],
    codes: ['NET032'],
  },
  'lower bound of a range': { net: (v) => bounded(v, 5), works: [0, -0, -1], codes: ['NET006'] },
  'upper bound of a range': { net: (v) => bounded(-5, v), works: [0, -0], codes: ['NET006', 'RUN002'] },
  'priority of a transition': {
    net: (priority) => net({ transitions: [transition('s'), transition('t', { priority })] }),
    works: [0, -0, -1],
    codes: ['NET034'],
  },
  weight: {
    net: (v) => net({ transitions: [transition('s', { weight: num(v) }), transition('t')] }),
    works: POSITIVE,
    codes: ['NET028', 'NET023'],
  },
  'weights that add up': {
    net: (v) => net({ transitions: [transition('s', { weight: num(v) }), transition('t', { weight: num(v) })] }),
    works: [2 ** 53, 2 ** 53 + 2, 5e-324, 0.5],
    codes: ['NET028', 'NET023', 'RUN008'],
  },
  'weights of races': {
    net: (v) =>
      net({ transitions: ['s', 't'].map((name) => transition(name, { timing: 'race', delay: n, weight: num(v) })) }),
    works: [2 ** 53, 2 ** 53 + 2, 5e-324, 0.5],
    codes: ['NET028', 'NET023', 'RUN008'],
  },
  delay: { net: (v) => drawn(num(v)), works: FROM_0, codes: ['NET023', 'RUN004'] },
  'delay of a race': { net: (v) => one({ timing: 'race', delay: num(v) }), works: FROM_0, codes: ['NET023', 'RUN004'] },
  'count of an arc that takes': { net: (v) => one({ inputs: [take('p', {}, v)] }), works: [], codes: ['NET018'] },
  'count of an arc that reads': {
    net: (v) => one({ inputs: [take('p'), { kind: 'read', place: 'p', pattern: {}, count: v }] }),
    works: [],
    codes: ['NET018'],
  },
  'count of an arc that inhibits': {
    net: (v) => one({ inputs: [take('p'), { kind: 'inhibit', place: 'q', pattern: {}, count: v }] }),
    works: [],
    codes: ['NET018'],
  },
  'count of an arc that brings': {
    net: (v) => one({ outputs: [put('q', {}, v)] }),
    works: [0, -0],
    codes: ['NET022', 'NET023', 'RUN005'],
  },
  'value that is brought': {
    net: (v) =>
      net({
        places: [black('p'), numbered('q')],
        transitions: [transition('t', { outputs: [put('q', { k: num(v) })] })],
      }),
    works: [0, -0, -1],
    codes: ['NET022', 'NET023', 'RUN002'],
  },
  'value of a pattern': {
    net: (v) => valued({ inputs: [take('p', { k: num(v) })], outputs: [] }),
    works: [0, -0, -1, ...LARGE],
    codes: ['NET022', 'NET023'],
  },
  'side of a guard': {
    net: (v) => valued({ guard: { op: 'le', a: x('k'), b: num(v) } }),
    works: ANY,
    codes: ['NET023'],
  },
  guard: { net: (v) => one({ guard: num(v) }), works: [0, -0], codes: ['NET022', 'NET023'] },
  'factor of a priority of tokens': {
    net: (v) => valued({}, { order: 'priority', priority: mul(v) }),
    works: FROM_0.concat(-1),
    codes: ['NET023', 'RUN014'],
  },
  'entry of a table': { net: (v) => looked([v], 0), works: FROM_0, codes: ['NET007', 'RUN004'] },
  'index of a table': { net: (v) => looked([1], v), works: [0, -0], codes: ['NET022', 'NET023', 'RUN003'] },
  'bound of a table': {
    net: (low) =>
      net({
        tables: [{ kind: 'int', name: 'T', values: Int32Array.of(1), low, high: 1 }],
        transitions: [transition('t', { delay: at('at', 0) })],
      }),
    works: [0, -0, -1],
    codes: ['NET007'],
  },
  'threshold of steps': { net: (v) => stepped(v, 1, 0), works: ANY, codes: ['NET007'] },
  'value of a step': { net: (v) => stepped(0, v, 0), works: FROM_0, codes: ['NET007', 'RUN004'] },
  'argument of steps': { net: (v) => stepped(0, 1, v), works: ANY, codes: ['NET023'] },
  'time of service, a server for each': {
    net: (v) => served({ kind: 'is', time: num(v) }),
    works: FROM_0,
    codes: ['NET023', 'RUN004'],
  },
  'time of service, one server': {
    net: (v) => served({ kind: 'fcfs', servers: 1, time: num(v) }),
    works: FROM_0.filter((v) => v !== 1e308),
    codes: ['NET023', 'RUN004'],
  },
  'time of service, the last first': {
    net: (v) => served({ kind: 'lcfs-pr', servers: 1, time: num(v) }),
    works: FROM_0.filter((v) => v !== 1e308),
    codes: ['NET023', 'RUN004'],
  },
  'time of service, shared': {
    net: (v) => served({ kind: 'ps', servers: 1, time: num(v) }),
    works: FROM_0.filter((v) => v !== 1e308),
    codes: ['NET023', 'RUN004'],
  },
  servers: { net: (servers) => served({ kind: 'fcfs', servers, time: n }), works: [], codes: ['NET033'] },
  'servers that are shared': {
    net: (servers) => served({ kind: 'ps', servers, time: n }),
    works: [],
    codes: ['NET033'],
  },
  'factor of a priority of service': {
    net: (v) => valued({}, { service: { kind: 'priority', servers: 1, time: n, priority: mul(v), preemptive: true } }),
    works: FROM_0.concat(-1),
    codes: ['NET023', 'RUN014'],
  },
  'capacity of a link': {
    net: (capacity) => shared({ capacity }),
    works: [...LARGE, 0.5],
    codes: ['NET015', 'RUN006'],
  },
  'coefficient of a link': {
    net: (coefficient) => shared({ coefficient }),
    works: [2 ** 53, 2 ** 53 + 2, 0.5],
    codes: ['NET007', 'RUN006'],
  },
  'amount of a flow': {
    net: (amount) => shared({ amount }),
    works: FROM_0,
    codes: ['NET023', 'RUN004', 'RUN006'],
  },
  'weight of a flow': {
    net: (weight) => shared({ weight }),
    works: [2 ** 53, 2 ** 53 + 2, 0.5],
    codes: ['NET023', 'RUN006'],
  },
  'bound of a flow': {
    net: (bound) => shared({ bound }),
    works: [Number.POSITIVE_INFINITY, ...LARGE, 0.5],
    codes: ['NET023', 'RUN004', 'RUN006'],
  },
  'route of a flow': { net: (route) => shared({ route }), works: [0, -0], codes: ['NET022', 'NET023', 'RUN007'] },
};

const NONE: readonly string[] = ['NET029', 'RUN004'];
const distributions: Readonly<Record<string, readonly [(v: Expression) => Delay, readonly number[]]>> = {
  'rate of an exponential': [(rate) => ({ dist: 'exponential', rate }), POSITIVE],
  'shape of an Erlang': [(shape) => ({ dist: 'erlang', shape, rate: n }), []],
  'rate of an Erlang': [(rate) => ({ dist: 'erlang', shape: num(2), rate }), POSITIVE],
  'probability of a branch': [
    (probability) => ({
      dist: 'hyper-exponential',
      branches: [
        { probability, rate: n },
        { probability: n, rate: n },
      ],
    }),
    FROM_0,
  ],
  'rate of a branch': [(rate) => ({ dist: 'hyper-exponential', branches: [{ probability: n, rate }] }), POSITIVE],
  'rate of a phase': [(rate) => ({ dist: 'cox', phases: [{ rate, onward: num(0) }] }), POSITIVE],
  'onward of a phase': [
    (onward) => ({
      dist: 'cox',
      phases: [
        { rate: n, onward },
        { rate: n, onward: num(0) },
      ],
    }),
    [0, -0, 5e-324, 0.5],
  ],
  'low of a uniform': [(low) => ({ dist: 'uniform', low, high: n }), [0, -0, 5e-324, 0.5]],
  'high of a uniform': [(high) => ({ dist: 'uniform', low: num(0), high }), FROM_0],
  'low of a triangular': [(low) => ({ dist: 'triangular', low, mode: n, high: n }), [0, -0, 5e-324, 0.5]],
  'mode of a triangular': [(mode) => ({ dist: 'triangular', low: num(0), mode, high: n }), [0, -0, 5e-324, 0.5]],
  'high of a triangular': [(high) => ({ dist: 'triangular', low: num(0), mode: num(0), high }), FROM_0],
  'mean of a normal': [(mean) => ({ dist: 'normal', mean, deviation: n }), FROM_0],
  'deviation of a normal': [(deviation) => ({ dist: 'normal', mean: n, deviation }), FROM_0],
  'mean of a lognormal': [(mean) => ({ dist: 'lognormal', mean, deviation: n }), [0, -0, 5e-324, -1, 0.5]],
  'deviation of a lognormal': [(deviation) => ({ dist: 'lognormal', mean: n, deviation }), [0, -0, 5e-324, 0.5]],
  'shape of a Weibull': [(shape) => ({ dist: 'weibull', shape, scale: n }), POSITIVE],
  'scale of a Weibull': [(scale) => ({ dist: 'weibull', shape: n, scale }), POSITIVE],
  'shape of a gamma': [(shape) => ({ dist: 'gamma', shape, scale: n }), POSITIVE],
  'scale of a gamma': [(scale) => ({ dist: 'gamma', shape: n, scale }), POSITIVE],
  'value of a discrete': [(v) => ({ dist: 'discrete', values: [{ value: plain(v), weight: 1 }] }), FROM_0],
  'weight of a discrete': [
    (v) => ({
      dist: 'discrete',
      values: [
        { value: 1, weight: plain(v) },
        { value: 2, weight: 1 },
      ],
    }),
    FROM_0,
  ],
  'sample of an empirical': [(v) => ({ dist: 'empirical', samples: [plain(v), 1] }), FROM_0],
};
const plain = (e: Expression): number => (e.op === 'const' ? e.value : Number.NaN);

/** Positions of numbers in a distribution. Some draws exceed the range of a double and are rejected at run time. */
export const DISTRIBUTIONS: Readonly<Record<string, Spot>> = Object.fromEntries(
  Object.entries(distributions).map(([name, [delay, works]]) => [
    name,
    { net: (v: number) => drawn(delay(num(v))), works, codes: NONE },
  ]),
);
