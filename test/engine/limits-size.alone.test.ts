import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { compile } from '../../src/engine/compile.ts';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { effort } from '../effort.ts';
import { problemsOf } from '../net/problems.ts';
import { INT, inhibit, netOf, num, put, take, x } from '../reference/nets.ts';
import { compare } from './agree.ts';
import { arbitraryNet } from './random-net.ts';

/** The production limits are gigabytes. */
vi.mock('../../src/engine/limits.ts', () => ({
  MAX_WORDS: 2 ** 24,
  MAX_WAITING: 2 ** 21,
  MAX_CLOCKS: 1000,
  MAX_CANDIDATES: 500,
  MAX_PASSED: 1,
  MAX_KEYS: 100,
}));

const fields = [{ name: 'k', colour: INT }];
const k = { k: x('k') };
const outcome = (net: Net, options: object = {}): unknown => {
  const { ended, time, steps } = simulate(net, { maxInstantSteps: 1e9, ...options });
  return [ended, time, steps];
};
const many = <T>(n: number, of: (k: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));

describe('a million places', () => {
  const net: Net = {
    ...netOf({ places: {}, transitions: {} }),
    places: many(1e6, (i) => ({ name: `p${i}`, fields: [], order: 'bag', key: [], initial: [] })),
  };

  test('are rejected', () => {
    expect(problemsOf(() => compile(net))).toEqual([
      'RUN011 net test: 1000000 places, transitions and arcs: at most 50000 can be compiled; fold repeated parts into colours',
    ]);
  });

  test('are validated in less than a gigabyte', () => {
    const before = process.memoryUsage().heapUsed;
    expect(validate(net)).toEqual([]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 30);
  });
});

describe('a colour set of 10^9 values', () => {
  const colours = [{ kind: 'range', name: 'Huge', low: 0, high: 1e9 - 1 }] as const;
  const huge = [{ name: 'k', colour: 'Huge' }];
  const tokens = [[5], [1e9 - 1]];
  const out = { fields: huge };

  test('as a field', () => {
    const t = { inputs: [take('p', k)], outputs: [put('q', k)] };
    compare(netOf({ colours, places: { p: { fields: huge, tokens }, q: out }, transitions: { t } }));
  });

  test('as the key of a fifo, and of an inhibitor', () => {
    const t = { inputs: [take('p', k), inhibit('q', k)], outputs: [put('q', k)] };
    const p = { fields: huge, order: 'fifo', key: ['k'], tokens: [...tokens, [5]] } as const;
    const u = { inputs: [take('q', k)], delay: num(1) };
    compare(netOf({ colours, places: { p, q: out }, transitions: { t, u } }));
  });

  test('is rejected as a free variable', () => {
    const t = { inputs: [take('p')], free: [{ name: 'k', colour: 'Huge' }], outputs: [put('q', k)] };
    expect(problemsOf(() => netOf({ colours, places: { p: { tokens: 1 }, q: out }, transitions: { t } }))).toEqual([
      'NET027 transition t: free variable "k": colour set "Huge" has 1000000000 values, expected at most 1048576',
    ]);
  });
});

describe('a net that never ends', () => {
  const round = (delay?: number): Net =>
    netOf({
      places: { p: { tokens: 1 } },
      transitions: {
        t: { inputs: [take('p')], outputs: [put('p')], ...(delay === undefined ? {} : { delay: num(delay) }) },
      },
    });

  test('at one instant ends with a code', () => {
    for (const net of [round(), round(0)])
      expect(problemsOf(() => simulate(net))).toEqual([
        expect.stringMatching(/^RUN001 .* more than 1000000 steps|^RUN001 more than 1000000 steps.*through t$/),
      ]);
  });

  test('ends by steps or time', () => {
    expect(outcome(round(1), { maxSteps: 1e6 })).toEqual(['steps', 500_000, 1e6]);
    expect(outcome(round(1), { until: 1e5 })).toEqual(['time', 1e5, 200_001]);
    // Time advances by the smallest positive double.
    expect(outcome(round(5e-324), { until: 1, maxSteps: 1e5 })).toEqual(['steps', 5e-324 * 50_000, 1e5]);
  });
});

describe('exhausted memory', () => {
  const source = (p: object, more: object = {}): Net =>
    netOf({
      places: { go: { tokens: 1 }, p, out: {} },
      transitions: { s: { inputs: [take('go')], outputs: [put('p', {}, 1e5), put('go')], delay: num(1) }, ...more },
    });
  const full = (net: Net): string => problemsOf(() => simulate(net))[0]!;

  test('of tokens', () => {
    expect(full(source({}))).toBe('RUN013 place p: the tokens of the net take more than 67108864 bytes');
  });

  test('of waiting tokens', () => {
    const service = { kind: 'fcfs', servers: 1, time: num(1e9) } as const;
    expect(full(source({ service }))).toMatch(/^RUN013 place p: /);
  });

  test('of clocks and candidates', () => {
    const race = { inputs: [take('p')], outputs: [put('out')], timing: 'race', delay: num(1e9) };
    expect(full(source({}, { race }))).toBe(
      'RUN013 transition race: more than 1000 clocks: shorten the run or reduce the model',
    );
    const coloured = netOf({
      places: { p: { fields, tokens: many(600, (i) => [i]) } },
      transitions: { t: { inputs: [take('p', k)], timing: 'race', delay: num(1), servers: 'single' } },
    });
    expect(full(coloured)).toBe('RUN013 transition t: more than 500 candidates: shorten the run or reduce the model');
  });

  test('at the start', () => {
    for (const tokens of [1e9, 2 ** 53 - 1]) {
      const net = netOf({ places: { p: { tokens } }, transitions: { t: { inputs: [take('p')], delay: num(1) } } });
      expect(full(net)).toMatch(new RegExp(`^RUN013 place p: .* it has ${tokens} initially`));
    }
  });
});

describe('large numbers', () => {
  test('input arcs: 200', () => {
    const places = Object.fromEntries(many(200, (i) => [`p${i}`, { tokens: 1 }]));
    const t = { inputs: many(200, (i) => take(`p${i}`)), delay: num(1) };
    expect(outcome(netOf({ places, transitions: { t } }))).toEqual(['quiescent', 1, 2]);
    const same = { inputs: many(200, () => take('p')), delay: num(1) };
    expect(problemsOf(() => compile(netOf({ places: { p: { tokens: 400 } }, transitions: { t: same } })))).toEqual([
      expect.stringMatching(/^RUN011 net test: its code would have the size of/),
    ]);
  });

  test('fields of a token: 999; 1,001 are rejected', () => {
    const wide = (n: number): Net => {
      const names = many(n, (i) => `f${i}`);
      const values = Object.fromEntries(names.map((name) => [name, num(1)]));
      const place = { fields: names.map((name) => ({ name, colour: INT })) };
      return netOf({
        places: { go: { tokens: 1 }, p: place },
        transitions: { t: { inputs: [take('go')], outputs: [put('p', values)] } },
      });
    };
    expect(outcome(wide(999))).toEqual(['quiescent', 0, 1]);
    expect(problemsOf(() => compile(wide(1001)))).toEqual([
      'RUN011 place p: tokens have 1001 fields: at most 1000 can be compiled',
    ]);
  });

  test('initial tokens: 10^5, each with its own time', () => {
    const p = { fields, tokens: many(1e5, (i) => [i]) };
    const t = { inputs: [take('p', k)], outputs: [put('q', k)], delay: x('k') };
    expect(outcome(netOf({ places: { p, q: { fields } }, transitions: { t } }))).toEqual(['quiescent', 99_999, 2e5]);
  });

  test('equal tokens: 10^6, served one by one', () => {
    const service = { kind: 'fcfs', servers: 1, time: num(1) } as const;
    const transitions = { t: { inputs: [take('p')], outputs: [put('q')] } };
    expect(outcome(netOf({ places: { p: { tokens: 1e6, service }, q: {} }, transitions }))).toEqual([
      'quiescent',
      1e6,
      2e6,
    ]);
  });

  test('pending events: 10^6', () => {
    const table = { kind: 'real', name: 'T', values: Float64Array.from(many(1000, (i) => (i * 7919) % 1000)) } as const;
    const delay = { op: 'at', table: 'T', index: { op: 'floor', a: { op: 'mul', a: x('k'), b: num(1) } } } as const;
    const net = netOf({
      tables: [table],
      places: { p: { fields, tokens: [] } },
      transitions: { t: { inputs: [take('p', k)], delay } },
    });
    const initial = many(1000, (i) => ({ values: [i], count: 1000 }));
    const places = [{ ...net.places[0]!, initial }];
    expect(outcome({ ...net, places })).toEqual(['quiescent', 999, 2e6]);
  });

  test('transitions in a chain without delay: 500', () => {
    const places = Object.fromEntries(many(501, (i) => [`p${i}`, { tokens: i === 0 ? 1 : 0 }]));
    const chain = (more: object): Net =>
      netOf({
        places,
        transitions: Object.fromEntries(
          many(500, (i) => [`t${i}`, { inputs: [take(`p${i}`)], outputs: [put(`p${i + 1}`)], ...more }]),
        ),
      });
    expect(outcome(chain({}))).toEqual(['quiescent', 0, 500]);
    expect(outcome(chain({ delay: num(0) }))).toEqual(['quiescent', 0, 1000]);
  });

  test('steps in a chain without delay: 10^6', () => {
    const down = { k: { op: 'sub', a: x('k'), b: num(1) } } as const;
    const t = { inputs: [take('p', k)], outputs: [put('p', down)], guard: { op: 'gt', a: x('k'), b: num(0) } } as const;
    expect(outcome(netOf({ places: { p: { fields, tokens: [[1e6]] } }, transitions: { t } }))).toEqual([
      'quiescent',
      0,
      1e6,
    ]);
  });
});

test('values at ±2^53', () => {
  const M = 2 ** 53 - 1;
  const tokens = [[M], [-M], [M - 1], [1 - M], [0]];
  const moved = (value: object, order: 'bag' | 'fifo' = 'bag'): Net =>
    netOf({
      places: { p: { fields, order, tokens }, q: { fields } },
      transitions: { t: { inputs: [take('p', k)], outputs: [put('q', { k: value as never })], delay: num(1) } },
    });
  compare(moved({ op: 'neg', a: x('k') }));
  compare(moved({ op: 'neg', a: x('k') }, 'fifo'));
  expect(problemsOf(() => simulate(moved({ op: 'add', a: x('k'), b: num(1) })))[0]).toMatch(
    /^RUN002 transition t: field "k" of place "q" would be 9007199254740992, outside Int/,
  );
});

test('agendas that are packed all the time hold the candidates of random nets in their order', () => {
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), (net, seed) => {
      compare(net, { maxSteps: 60, seed: String(seed) });
    }),
    { numRuns: effort(300) },
  );
});
