import { expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import type { Expression } from '../../src/net/expression.ts';
import type { Net, Table } from '../../src/net/net.ts';
import { INT, inhibit, netOf, num, put, read, reset, take, x } from '../reference/nets.ts';
import { referenceRun } from '../reference/token-game.ts';
import { compare } from './agree.ts';
import { decode } from './random-net.ts';

/** Shrunk tapes of random nets on which engine and reference once differed, with the seeds of their runs. */
const TAPES: readonly { readonly tape: readonly number[]; readonly seed?: string }[] = [];

const fields = [{ name: 'k', colour: INT }];
const k = { k: x('k') };
const PAIR = ['a', 'b'].map((name) => ({ name, colour: 'Bool' }));
const ab = { a: x('a'), b: x('b') };
const table = (name: string, ...values: number[]): Table => ({
  kind: 'real',
  name,
  values: Float64Array.from(values),
});
const at = (name: string): Expression => ({ op: 'at', table: name, index: x('k') });

/** Nets for rules that are easily misread. */
const NETS: Readonly<Record<string, () => Net>> = {
  // Token 1 is due when token 0 arrives, and ranks last: it is not displaced, nor is token 2, which ranks before it. Tokens
  // 2 and 0 are served at 5 s, in the order of their service starts.
  'of two servers the one whose token ranks last is due': () =>
    netOf({
      tables: [table('come', 2, 0, 0), table('need', 3, 2, 5)],
      places: {
        a: { fields, tokens: [[0], [1], [2]] },
        s: { fields, service: { kind: 'lcfs-pr', servers: 2, time: at('need') } },
      },
      transitions: { come: { inputs: [take('a', k)], outputs: [put('s', k)], delay: at('come') } },
    }),
  // Reads three tokens and takes one: three clocks, two of which are lost after the first firing.
  'the degree of a race says nothing of what it reads': () =>
    netOf({
      places: { p: { tokens: 3 } },
      transitions: { t: { inputs: [take('p'), read('p', {}, 3)], delay: num(1), timing: 'race' } },
    }),
  // Both clocks have expired: one candidate of weight 1 competes with one of weight 3.
  'clocks of one candidate that have run out are one candidate in the draw': () =>
    netOf({
      places: { p: { tokens: 6 }, q: { tokens: 6 } },
      transitions: {
        a: { inputs: [take('p')], delay: num(1), timing: 'race' },
        b: { inputs: [take('q')], delay: num(1), timing: 'race', weight: num(3) },
      },
    }),
  // Completions of several services at one instant: three shared thirds of a second add up to about 1 s.
  'completions nearer than 1e-12 are one instant where rates are shared': () =>
    netOf({
      tables: [table('need', 1 / 3, 1 / 3, 1 / 3)],
      places: {
        shared: { fields, tokens: [[0], [1], [2]], service: { kind: 'ps', servers: 1, time: at('need') } },
        alone: { fields, tokens: [[5]], service: { kind: 'fcfs', servers: 1, time: num(1) } },
        out: { fields, order: 'fifo' },
      },
      transitions: {
        s: { inputs: [take('shared', k)], outputs: [put('out', k)] },
        a: { inputs: [take('alone', k)], outputs: [put('out', k)], priority: 1 },
      },
    }),
  // The table has no entry 7; the part of the guard after the look-up is false.
  'a failure in a part of a guard goes unreported where a later part excludes the candidate': () =>
    netOf({
      tables: [table('two', 1, 1)],
      places: { p: { fields, tokens: [[7]] } },
      transitions: {
        t: {
          inputs: [take('p', k)],
          guard: {
            op: 'and',
            a: { op: 'eq', a: at('two'), b: num(1) },
            b: { op: 'lt', a: x('k'), b: num(2) },
          },
        },
      },
    }),
  // The firing ends its candidate, so 2 is taken before the second 1.
  'a single server goes round': () =>
    netOf({
      places: { p: { fields, tokens: [[1], [1], [2]] } },
      transitions: { t: { inputs: [take('p', k)], delay: num(1), timing: 'race', servers: 'single' } },
    }),
  // The start of `fill` reserves the remaining capacity; the clock of `race`, which expires now, is lost.
  'a start that reserves room disables a race': () =>
    netOf({
      places: { p: { tokens: 1 }, q: { tokens: 1 }, full: { capacity: 2 } },
      transitions: {
        fill: { inputs: [take('p')], outputs: [put('full')], delay: num(1) },
        race: { inputs: [take('q')], outputs: [put('full', {}, 2)], delay: num(0), timing: 'race' },
      },
    }),
  // Independent of the order of arcs, tokens of value 0 arrive, and draw their times, before those of value 1.
  'tokens of one step come into service in the order of their colours': () =>
    netOf({
      places: {
        p: { tokens: 3 },
        s: { fields, service: { kind: 'is', time: { dist: 'uniform', low: num(0), high: num(1) } } },
        out: { fields, order: 'fifo' },
      },
      transitions: {
        come: { inputs: [take('p')], outputs: [put('s', { k: num(1) }, 2), put('s', { k: num(0) }, 2)] },
        go: { inputs: [take('s', k)], outputs: [put('out', k)] },
      },
    }),
  // After the first token of value 0 becomes 1, a different token is the oldest of value 1.
  'a single server goes to whose token is the oldest now': () =>
    netOf({
      colours: [{ kind: 'bool', name: 'Bool' }],
      places: { p: { fields, tokens: [[0], [1], [2]] } },
      transitions: {
        t: {
          inputs: [take('p', k)],
          outputs: [put('p', { k: { op: 'mod', a: { op: 'add', a: x('k'), b: num(1) }, b: num(3) } })],
          free: [{ name: 'y', colour: 'Bool' }],
          delay: num(1),
          timing: 'race',
          servers: 'single',
        },
      },
    }),
  // The transition needs two tokens; the count is evaluated when the second is served.
  'a count that decides about room fails as soon as the rest is enabled': () =>
    netOf({
      places: { p: { tokens: 2, capacity: 2, service: { kind: 'ps', servers: 1, time: num(0.1) } } },
      transitions: { t: { inputs: [take('p'), take('p')], outputs: [put('p', {}, -1)] } },
    }),
  // Tokens 2 and 3 rank before 0 and find 1 in service, which is due: token 2 displaces 0, not 1.
  'of those in service one that is due is passed over': () =>
    netOf({
      tables: [table('come', 0, 0, 0, 0, 1), table('need', 4, 0, 2, 2, 2), table('rank', 0, 0, 1, 1, 1)],
      places: {
        a: { fields, tokens: [[4]] },
        s: {
          fields,
          tokens: [[0], [1], [2], [3]],
          service: { kind: 'priority', servers: 2, time: at('need'), priority: at('rank'), preemptive: true },
        },
      },
      transitions: { come: { inputs: [take('a', k)], outputs: [put('s', k)], delay: at('come') } },
    }),
  // Token −1 arrives first and token 0 overtakes it in the same step, so −1 is never looked up.
  'a token that is overtaken in the step that brings it is not looked at': () =>
    netOf({
      tables: [table('t', 0, 0)],
      places: { p: { fields, order: 'priority', key: [], priority: x('k'), tokens: [[-1], [0]] } },
      transitions: {
        t: {
          inputs: [take('p', k)],
          guard: { op: 'le', a: at('t'), b: num(1) },
          outputs: [put('p', k)],
          delay: num(1),
        },
      },
    }),
  // Candidate (0, 1) waits for `clear`, which takes token (1, 0): the inhibitor has never blocked it.
  'a token that leaves interrupts only candidates of its own key': () =>
    netOf({
      colours: [{ kind: 'bool', name: 'Bool' }],
      places: {
        p: { fields: PAIR, tokens: [[0, 1]] },
        q: { fields: PAIR, tokens: [[1, 0]] },
      },
      transitions: {
        clear: { inputs: [take('q', { a: num(1), b: num(0) })], priority: 1 },
        t: { inputs: [take('p', ab), inhibit('q', ab)] },
      },
    }),
  // The clock of the oldest token, which ends at 3 s, is kept: one of two equal tokens is taken at 2 s.
  'of superfluous clocks the youngest is dropped': () =>
    netOf({
      places: { p: { tokens: 1 }, a: { tokens: 1 }, b: { tokens: 1 }, ready: {} },
      transitions: {
        come: { inputs: [take('a')], outputs: [put('p')], delay: num(1) },
        wait: { inputs: [take('b')], outputs: [put('ready')], delay: num(2) },
        go: { inputs: [take('ready'), take('p')] },
        t: { inputs: [take('p')], delay: num(3), timing: 'race' },
      },
    }),
  // Both producers find the place full; each token that leaves lets one of them put its token.
  'room that a step makes is used by a candidate that has waited for it': () =>
    netOf({
      places: { p: { tokens: 3 }, full: { tokens: 1, capacity: 1 }, out: {} },
      transitions: {
        fill: { inputs: [take('p')], outputs: [put('full')] },
        leave: { inputs: [take('full')], outputs: [put('out')], delay: num(1) },
      },
    }),
};

test.each([1, 2, 3, 4, 5, 6])('of many waiting tokens the one of the highest priority is served next: %i', (step) => {
  const ranks = Array.from({ length: 13 }, (_, n) => (n * step) % 13);
  compare(
    netOf({
      tables: [table('rank', ...ranks)],
      places: {
        s: {
          fields,
          tokens: ranks.map((_, n) => [n]),
          service: { kind: 'priority', servers: 1, time: num(1), priority: at('rank'), preemptive: false },
        },
        out: { fields, order: 'fifo' },
      },
      transitions: { go: { inputs: [take('s', k)], outputs: [put('out', k)] } },
    }),
  );
});

test.each(Object.entries(NETS))('engine and reference agree: %s', (_, net) => {
  compare(net(), { seed: 'one', maxSteps: 100 });
});

for (const [n, { tape, seed }] of TAPES.entries())
  test(`tape ${n}`, () => {
    compare(decode(tape), { maxSteps: 60, seed: seed ?? 'foretoken' });
  });

// Equal tokens become adjacent when a reset removes those between them; the engine once missed them.
test('a reset removes tokens from the middle of a queue', () => {
  const net: Net = {
    name: 'random',
    colours: [
      { kind: 'range', name: 'Two', low: 0, high: 1 },
      { kind: 'range', name: 'Three', low: -1, high: 1 },
      { kind: 'integer', name: 'Int' },
      { kind: 'bool', name: 'Bool' },
      { kind: 'enum', name: 'Sort', values: ['red', 'green', 'blue'] },
    ],
    tables: [],
    places: [
      {
        name: 'p00',
        fields: [{ name: 'f0', colour: 'Two' }],
        order: 'fifo',
        key: [],
        initial: [{ values: [0], count: 1 }],
      },
      {
        name: 'p21',
        fields: [
          { name: 'f0', colour: 'Three' },
          { name: 'f1', colour: 'Three' },
        ],
        order: 'bag',
        key: [],
        initial: [
          { values: [0, 0], count: 1 },
          { values: [0, 0], count: 1 },
          { values: [0, 0], count: 1 },
          { values: [0, 0], count: 1 },
        ],
      },
    ],
    transitions: [
      {
        name: 't00',
        inputs: [
          {
            kind: 'take',
            place: 'p21',
            pattern: { f0: { op: 'var', name: 'x0' }, f1: { op: 'var', name: 'x1' } },
            count: 1,
          },
          { kind: 'reset', place: 'p00', pattern: { f0: { op: 'const', value: 0 } }, count: 1 },
        ],
        outputs: [
          {
            place: 'p21',
            values: { f0: { op: 'var', name: 'x0' }, f1: { op: 'var', name: 'x0' } },
            count: { op: 'const', value: 1 },
          },
          {
            place: 'p00',
            values: {
              f0: {
                op: 'mod',
                a: {
                  op: 'max',
                  a: { op: 'add', a: { op: 'var', name: 'x0' }, b: { op: 'const', value: 1 } },
                  b: { op: 'const', value: 0 },
                },
                b: { op: 'const', value: 2 },
              },
            },
            count: { op: 'const', value: 1 },
          },
        ],
        delay: { op: 'const', value: 1 },
      },
      {
        name: 't31',
        inputs: [
          { kind: 'take', place: 'p00', pattern: { f0: { op: 'var', name: 'x0' } }, count: 1 },
          { kind: 'take', place: 'p00', pattern: { f0: { op: 'var', name: 'x1' } }, count: 1 },
        ],
        outputs: [
          { place: 'p00', values: { f0: { op: 'var', name: 'x0' } }, count: { op: 'const', value: 1 } },
          {
            place: 'p00',
            values: { f0: { op: 'var', name: 'x0' } },
            count: {
              op: 'mod',
              a: {
                op: 'max',
                a: { op: 'sub', a: { op: 'var', name: 'x0' }, b: { op: 'var', name: 'x0' } },
                b: { op: 'const', value: 0 },
              },
              b: { op: 'const', value: 2 },
            },
          },
          {
            place: 'p21',
            values: {
              f0: {
                op: 'mod',
                a: { op: 'sub', a: { op: 'const', value: 0 }, b: { op: 'var', name: 'x0' } },
                b: { op: 'const', value: 2 },
              },
              f1: { op: 'mod', a: { op: 'var', name: 'x0' }, b: { op: 'const', value: 2 } },
            },
            count: { op: 'const', value: 1 },
          },
        ],
      },
    ],
  };
  compare(net, { maxSteps: 60, seed: '0' });
});

// Two adjacent tokens 0, then a reset of the 1 behind them: the candidate that takes them was once entered twice and
// counted twice in the draw.
test.each(['fifo', 'priority'] as const)(
  'a reset behind a sufficiently long row enables no new candidate: %s',
  (order) => {
    const net = netOf({
      colours: [{ kind: 'bool', name: 'Bool' }],
      places: {
        p: { fields, order, ...(order === 'priority' ? { priority: num(0) } : {}), tokens: [[0], [0], [1]] },
        q: { tokens: 1 },
        out: { fields: [{ name: 'y', colour: 'Bool' }] },
      },
      transitions: {
        empty: { inputs: [take('q'), reset('p', { k: num(1) })], priority: 1 },
        pair: {
          inputs: [take('p', k, 2)],
          outputs: [put('out', { y: x('y') })],
          free: [{ name: 'y', colour: 'Bool' }],
          weight: num(0.25),
        },
      },
    });
    for (let seed = 0; seed < 10; seed++) compare(net, { seed: String(seed) });
  },
);

// Resets of 1 and 2 leave 0 0 0 0 0: only the rows that contained a gap are new.
test.each(['fifo', 'priority'] as const)('resets close several gaps of one queue: %s', (order) => {
  const net = netOf({
    tables: [table('come', 0, 0, 1, 0, 2, 0, 1, 0)],
    places: {
      i: { fields, tokens: [[0]] },
      p: { fields, order, ...(order === 'priority' ? { priority: num(0) } : {}) },
    },
    transitions: {
      come: {
        inputs: [take('i', k)],
        outputs: [
          put('p', { k: { op: 'floor', a: at('come') } }),
          put('i', { k: { op: 'add', a: x('k'), b: num(1) } }),
        ],
        guard: { op: 'lt', a: x('k'), b: num(8) },
        priority: 1,
      },
      empty: {
        inputs: [take('i', { k: num(8) }), reset('p', { k: num(2) }), reset('p', { k: num(1) })],
        priority: 1,
      },
      four: { inputs: [take('p', k, 4)], priority: -1, weight: num(1) },
      one: { inputs: [take('p', k)], priority: -1, weight: num(2) },
      pair: { inputs: [take('p', k, 2)], priority: -1, weight: num(3) },
      two: { inputs: [take('p', k), take('p', k)], outputs: [put('p', k)], priority: -1, weight: num(1.5) },
    },
  });
  for (let seed = 0; seed < 10; seed++) compare(net, { seed: String(seed) });
});

// Two failures in one step: the service of `z` has an invalid rate, and the guard of `look` an invalid index.
test('a faulty service time fails before a candidate of the same step', () => {
  const net = netOf({
    tables: [table('few', 1)],
    places: {
      a: { fields, tokens: [[0]] },
      b: { fields },
      z: {
        service: {
          kind: 'fcfs',
          servers: 1,
          time: { dist: 'exponential', rate: { op: 'sub', a: num(1), b: num(1) } },
        },
      },
    },
    transitions: {
      both: { inputs: [take('a', k)], outputs: [put('b', { k: num(-1) }), put('z')] },
      look: { inputs: [take('b', k)], guard: { op: 'eq', a: at('few'), b: num(1) } },
    },
  });
  expect(Object.keys(compare(net))).toEqual(['failure: RUN004']);
});

test('a pass-through token triggers the resets of its transition', () => {
  const two = [{ kind: 'range', name: 'Two', low: 0, high: 1 }] as const;
  const net = netOf({
    colours: two,
    places: { p: { fields: [{ name: 'k', colour: 'Two' }], tokens: [[0], [1]] }, q: {} },
    transitions: {
      t: { inputs: [take('p', k), reset('q')], outputs: [put('q')] },
      u: { inputs: [take('q', {}, 2)] },
    },
  });
  // Without arrival times, as users run it; recording them disables pass-through tokens.
  const { firings, run: game } = simulate(net);
  expect(firings).toEqual(referenceRun(net).firings);
  expect([firings, game.tokens('q').length]).toEqual([{ t: 2, u: 0 }, 1]);
});

test('stored weights and inhibitors have separate names', () => {
  const weighted = (place: string, priority: number): object => ({ inputs: [take(place)], priority, weight: num(1) });
  const net = netOf({
    places: { a: { tokens: 40 }, b: { tokens: 40 } },
    transitions: {
      p: weighted('b', 0),
      q: weighted('b', -1),
      r: { inputs: [take('a'), inhibit('b')], priority: -3 },
      s: weighted('a', -2),
    },
  });
  compare(net);
});

// New candidates of the second step are sorted: that of `last`, whose token `a` is the oldest, takes the position of the
// candidate of the pass-through token `p`, and must count as enabled since that step.
test('a candidate that is exchanged with a pass-through token stays enabled', () => {
  const net = netOf({
    places: { a: { tokens: 1 }, h: { tokens: 1 }, m: {}, p: {}, z: {} },
    transitions: {
      first: { inputs: [take('h')], outputs: [put('m')] },
      second: { inputs: [take('m')], outputs: [put('p'), put('z')] },
      drain: { inputs: [take('p')] },
      last: { inputs: [take('a'), take('z'), inhibit('h')] },
    },
  });
  const { firings } = simulate(net);
  expect(firings).toEqual(referenceRun(net).firings);
  expect(firings).toEqual({ first: 1, second: 1, drain: 1, last: 1 });
  compare(net);
});
