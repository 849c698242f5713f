import type { Expression } from '../../src/net/expression.ts';
import type { Delay, InputArc, Net, OutputArc, Place, Transition } from '../../src/net/net.ts';

const v = (name: string): Expression => ({ op: 'var', name });
const num = (value: number): Expression => ({ op: 'const', value });
const sort = (value: number): Expression => ({ op: 'const', value, colour: 'Sort' });

/** A station of the workshop: a place of parts. */
const station = (name: string, more: Partial<Place>): Place => ({
  name,
  fields: [
    { name: 'w', colour: 'Slot' },
    { name: 'size', colour: 'Size' },
  ],
  order: 'bag',
  key: [],
  initial: [],
  modules: ['shop'],
  ...more,
});

/** Moves a part from one station to the next. */
const carry = (from: string, to: string, delay: Delay, more: Partial<Transition> = {}): Transition => ({
  name: `${from} to ${to}`,
  inputs: [{ kind: 'take', place: from, pattern: { w: v('w'), size: v('size') }, count: 1 }],
  outputs: [{ place: to, values: { w: v('w'), size: v('size') }, count: num(1) }],
  delay,
  modules: ['shop'],
  ...more,
});

const input = (
  kind: InputArc['kind'],
  place: string,
  pattern: Record<string, Expression> = {},
  count = 1,
): InputArc => ({
  kind,
  place,
  pattern,
  count,
});
const output = (place: string, values: Record<string, Expression> = {}, count: Expression = num(1)): OutputArc => ({
  place,
  values,
  count,
});

/** A workshop net that uses every serialisable feature: parts pass all stations, then the run ends. */
export function everyFeature(): Net {
  return {
    name: 'every feature',
    colours: [
      { kind: 'range', name: 'Slot', low: 0, high: 2 },
      { kind: 'integer', name: 'Size' },
      { kind: 'bool', name: 'Flag' },
      { kind: 'enum', name: 'Sort', values: ['job', 'rush job', 'stop'] },
      { kind: 'unit', name: 'Signal' },
      { kind: 'product', name: 'Pair', parts: ['Slot', 'Sort'] },
      {
        kind: 'record',
        name: 'Part',
        fields: [
          { name: 'at', colour: 'Pair' },
          { name: 'mark', colour: 'Signal' },
          { name: 'size', colour: 'Size' },
        ],
      },
    ],
    tables: [
      { kind: 'int', name: 'next', values: Int32Array.of(1, 2, 0), low: 0, high: 2 },
      { kind: 'real', name: 'cost', values: Float64Array.of(0.5, 1, 1.5) },
      {
        kind: 'step',
        name: 'factor',
        from: Float64Array.of(Number.NEGATIVE_INFINITY, 10, 1000),
        values: Float64Array.of(1, 0.5, 2),
      },
      {
        kind: 'routes',
        name: 'routes',
        start: Int32Array.of(0, 1, 3, 3),
        link: Int32Array.of(0, 0, 1),
        coefficient: Float64Array.of(1, 1, 0.5),
      },
    ],
    places: [
      {
        name: 'workers',
        kind: 'resource',
        fields: [{ name: 'w', colour: 'Slot' }],
        order: 'bag',
        key: [],
        capacity: 4,
        initial: [
          { values: [0], count: 2 },
          { values: [1], count: 1 },
          { values: [2], count: 1 },
        ],
        owner: 'node 0',
        modules: ['machine', 'shop'],
      },
      {
        name: 'orders',
        kind: 'data',
        fields: [{ name: 'part', colour: 'Part' }],
        order: 'priority',
        key: ['part.at.1'],
        priority: v('part.size'),
        capacity: 6,
        initial: [
          { values: [0, 0, 20], count: 1 },
          { values: [0, 1, 30], count: 1 },
          { values: [2, 1, 5], count: 2 },
        ],
        modules: ['office'],
      },
      station('bench', {
        kind: 'operation',
        service: { kind: 'fcfs', servers: 2, time: { dist: 'exponential', rate: num(4) } },
      }),
      station('press', {
        service: {
          kind: 'lcfs-pr',
          servers: 1,
          time: { dist: 'erlang', shape: num(3), rate: { op: 'div', a: num(8), b: num(2) } },
        },
      }),
      station('oven', { service: { kind: 'ps', servers: 2, time: { op: 'at', table: 'cost', index: v('w') } } }),
      station('shelf', {
        service: {
          kind: 'is',
          time: {
            dist: 'hyper-exponential',
            branches: [
              { probability: num(0.25), rate: num(1) },
              { probability: num(0.75), rate: { op: 'add', a: v('w'), b: num(1) } },
            ],
          },
        },
      }),
      station('desk', {
        order: 'fifo',
        service: {
          kind: 'priority',
          servers: 1,
          time: {
            dist: 'cox',
            phases: [
              { rate: num(2), onward: num(0.5) },
              { rate: num(4), onward: num(0) },
            ],
          },
          priority: { op: 'neg', a: v('size') },
          preemptive: true,
        },
      }),
      station('check', {
        service: { kind: 'priority', servers: 2, time: num(0.25), priority: v('size'), preemptive: false },
      }),
      station('wire', {
        kind: 'message',
        order: 'fifo',
        key: ['w'],
        service: {
          kind: 'max-min',
          links: [
            { name: 'up', capacity: 100, fatpipe: false },
            { name: 'back bone', capacity: 50, fatpipe: true, level: true },
            { name: 'spare', capacity: 1, fatpipe: true },
            { name: 'cores', capacity: 3, fatpipe: false, byTokens: [2, 3] },
          ],
          amount: { op: 'div', a: v('size'), b: { op: 'step', table: 'factor', index: v('size') } },
          weight: num(1),
          bound: { op: 'if', test: { op: 'eq', a: v('w'), b: num(0) }, a: num(Number.POSITIVE_INFINITY), b: num(80) },
          routes: 'routes',
          route: v('w'),
        },
      }),
      station('packed', {}),
      {
        name: 'flags',
        kind: 'synchronisation',
        fields: [{ name: 'f', colour: 'Flag' }],
        order: 'bag',
        key: [],
        initial: [{ values: [1], count: 2 }],
      },
      {
        name: 'signals',
        fields: [{ name: 's', colour: 'Signal' }],
        order: 'bag',
        key: [],
        initial: [{ values: [], count: 1 }],
      },
      { name: 'done', fields: [], order: 'bag', key: [], capacity: 20, initial: [] },
      { name: 'ended', fields: [{ name: 'w', colour: 'Slot' }], order: 'bag', key: [], initial: [] },
    ],
    transitions: [
      {
        name: 'order',
        inputs: [input('inhibit', 'done', {}, 4), input('inhibit', 'orders', { 'part.at.2': sort(1) })],
        free: [
          { name: 'who', colour: 'Slot' },
          { name: 'which', colour: 'Sort' },
        ],
        guard: { op: 'ne', a: v('which'), b: sort(2) },
        delay: { dist: 'exponential', rate: num(0.5) },
        timing: 'race',
        outputs: [output('orders', { 'part.at.1': v('who'), 'part.at.2': v('which'), 'part.size': num(10) })],
        modules: ['office'],
      },
      {
        name: 'begin',
        kind: 'control',
        inputs: [
          input('take', 'orders', { 'part.at.1': v('p'), 'part.at.2': v('sort'), 'part.size': v('size') }),
          input('take', 'workers', { w: v('w') }),
          input('read', 'flags', { f: num(1) }, 2),
        ],
        priority: 2,
        weight: { op: 'if', test: { op: 'eq', a: v('sort'), b: sort(1) }, a: num(3), b: num(1) },
        guard: {
          op: 'and',
          a: { op: 'or', a: { op: 'le', a: v('w'), b: v('p') }, b: { op: 'gt', a: v('size'), b: num(8) } },
          b: { op: 'not', a: { op: 'lt', a: { op: 'mod', a: v('size'), b: num(100) }, b: num(0) } },
        },
        outputs: [
          output('bench', { w: v('w'), size: { op: 'max', a: { op: 'sub', a: v('size'), b: num(1) }, b: num(1) } }),
        ],
        label: { name: 'hand over', exports: { to: 'w', amount: 'size' } },
        modules: ['office', 'shop'],
      },
      carry('bench', 'press', { dist: 'uniform', low: num(0.1), high: num(0.2) }, { kind: 'communicate' }),
      carry('press', 'oven', { dist: 'triangular', low: num(0), mode: num(0.1), high: num(0.5) }),
      carry('oven', 'shelf', { dist: 'normal', mean: num(0.5), deviation: num(0.1) }),
      carry('shelf', 'desk', { dist: 'lognormal', mean: num(-1), deviation: num(0.5) }, { timing: 'holding' }),
      carry(
        'desk',
        'check',
        { dist: 'weibull', shape: num(1.5), scale: num(0.2) },
        {
          timing: 'race',
          servers: 'infinite',
          memory: 'age',
          speed: { op: 'add', a: v('n'), b: num(1) },
          counts: [
            { name: 'n', place: 'wire', pattern: { size: num(2) } },
            { name: 'all', place: 'done', pattern: {} },
          ],
        },
      ),
      carry(
        'check',
        'wire',
        { dist: 'gamma', shape: num(2), scale: num(0.1) },
        { timing: 'race', servers: 'single', memory: 'resampling' },
      ),
      carry('wire', 'packed', { dist: 'empirical', samples: [0.1, 0.2, 0.2, 0.4] }),
      {
        name: 'finish',
        kind: 'compute',
        process: v('w'),
        inputs: [input('take', 'packed', { w: v('w'), size: v('size') })],
        delay: {
          dist: 'discrete',
          values: [
            { value: 0.5, weight: 1 },
            { value: 1, weight: 3 },
          ],
        },
        outputs: [
          output('workers', { w: { op: 'at', table: 'next', index: v('w') } }, { op: 'ge', a: v('size'), b: num(0) }),
          output(
            'done',
            {},
            { op: 'min', a: num(2), b: { op: 'floor', a: { op: 'mul', a: v('size'), b: num(0.25) } } },
          ),
        ],
      },
      {
        name: 'sweep',
        inputs: [input('take', 'signals'), input('take', 'done', {}, 4), input('reset', 'flags', { f: num(1) })],
        priority: -1,
        delay: num(0.5),
        outputs: [output('flags', { f: num(0) }), output('flags', { f: num(1) }, num(2))],
        label: { name: 'swept', exports: {} },
      },
      {
        name: 'go home',
        inputs: [input('take', 'workers', { w: v('w') }), input('inhibit', 'signals')],
        outputs: [output('ended', { w: v('w') })],
        priority: -2,
      },
    ],
    processes: { colour: 'Slot', ended: 'ended' },
  };
}

/** The same net with a function of the host language, which cannot be serialised. */
export function withFunction(): Net {
  const net = everyFeature();
  return {
    ...net,
    functions: [{ name: 'wear', apply: (size) => 1 / (1 + size!) }],
    transitions: net.transitions.map((t) =>
      t.name === 'sweep' ? { ...t, delay: { op: 'call', function: 'wear', args: [num(3)] } } : t,
    ),
  };
}
