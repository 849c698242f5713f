import { describe, expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { renderSteady, steadyJson } from '../../../src/commands/steady/view/steady-view.ts';
import { erlang } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

const SERVICE = 0.8;

/** A queue with exponential arrivals and room for `room`; `stages` of its service, or a constant one. */
function queue(room: number, stages?: number): Net {
  const { transitions, ...net } = stochasticNet(
    'queue',
    { free: room, waiting: 0 },
    {
      arrive: { take: 'free', put: 'waiting', race: 1, single: true },
      serve: { take: 'waiting', put: 'free', raceDelay: erlang(stages ?? 1, (stages ?? 1) / SERVICE), single: true },
    },
  );
  const constant = { op: 'const', value: SERVICE } as const;
  return {
    ...net,
    transitions: transitions.map((t) => (t.name === 'serve' && stages === undefined ? { ...t, delay: constant } : t)),
  };
}

test('figures are those of twice as many stages, and the change is the difference', () => {
  const rewards = { full: '#waiting = 6' };
  const found = steady(queue(6), { erlang: 5, rewards });
  const [few, many] = [5, 10].map((stages) => steady(queue(6, stages), { rewards })) as [
    SteadyDocument,
    SteadyDocument,
  ];
  expect(found).toMatchObject({
    method: 'ctmc',
    complete: true,
    erlang: { stages: 5, double: 10, transitions: ['serve'] },
    options: { erlang: 5 },
  });
  const none = { lower: null, upper: null, halfWidth: null, certainty: 0 };
  for (const [k, p] of found.places.entries()) {
    const [a, b] = [few.places[k]!.mean, many.places[k]!.mean];
    expect(p).toMatchObject({ ...none, mean: b, change: b - a });
  }
  for (const [k, t] of found.transitions.entries()) {
    const [a, b] = [few.transitions[k]!, many.transitions[k]!];
    expect(t).toMatchObject({ ...none, throughput: b.throughput, change: b.throughput - a.throughput });
    const change = b.enabledProbability - a.enabledProbability;
    expect(t.enabled).toMatchObject({ ...none, value: b.enabledProbability, change });
  }
  const change = many.rewards![0]!.mean - few.rewards![0]!.mean;
  expect(found.rewards![0]).toMatchObject({ ...none, mean: many.rewards![0]!.mean, change });
  const relative = Math.abs(change) / few.rewards![0]!.mean;
  expect(found.erlang!.largestChange).toBeCloseTo(relative, 12);
});

test.each([10, 40])('what is left to M/D/1 is about as large as the change: %i stages', (stages) => {
  const found = steady(queue(80), { erlang: stages });
  const waiting = found.places.find((p) => p.name === 'waiting')!;
  const exact = SERVICE + SERVICE ** 2 / (2 * (1 - SERVICE));
  expect((exact - waiting.mean) / waiting.change!).toBeCloseTo(1, 2);
});

test('at a time, and until the end', () => {
  const { transitions, ...net } = stochasticNet(
    'run',
    { a: 1, b: 0, done: 0 },
    { first: { take: 'a', put: 'b', race: 2 }, second: { take: 'b', put: 'done', holding: 1 } },
  );
  const delay = { op: 'const', value: 3 } as const;
  const run = { ...net, transitions: transitions.map((t) => (t.name === 'second' ? { ...t, delay } : t)) };
  const { absorption } = steady(run, { erlang: 4, absorption: true });
  expect(absorption!.mean).toBeCloseTo(3.5, 11);
  expect(absorption!.change).toBeCloseTo(0, 11);
  expect(absorption!.certainty).toBe(0);
  expect(absorption!.variance).toBeCloseTo(1 / 4 + 9 / 8, 11);
  expect(absorption!.varianceInterval).toMatchObject({ certainty: 0 });
  expect(absorption!.varianceInterval.change).toBeCloseTo(9 / 8 - 9 / 4, 11);
  expect(absorption!.quantiles.every((q) => q.certainty === 0 && q.change !== undefined)).toBe(true);
  expect(absorption!.distribution.every((p) => p.certainty === 0)).toBe(true);
  const at = steady(run, { erlang: 4, at: 0.5 });
  expect(at.places[0]!.mean).toBeCloseTo(Math.exp(-1), 11);
  expect(at.places[0]!.certainty).toBe(0);
});

/** All intervals of a document, at any depth. */
function intervals(part: unknown): readonly { readonly certainty: number }[] {
  if (typeof part !== 'object' || part === null) return [];
  const below = Object.values(part).flatMap(intervals);
  return 'certainty' in part ? [part as { readonly certainty: number }, ...below] : below;
}

test.each<SteadyOptions>([{ reach: '#b = 1', at: 0.5 }, { absorption: true }, { restart: true }])(
  'no figure of any kind claims to be proved: %o',
  (options) => {
    const delay = { op: 'const', value: 3 } as const;
    const { transitions, ...net } = stochasticNet(
      'run',
      { a: 2, b: 0, done: 0 },
      { first: { take: 'a', put: 'b', race: 2 }, second: { take: 'b', put: 'done', holding: 1 } },
    );
    const run = { ...net, transitions: transitions.map((t) => (t.name === 'second' ? { ...t, delay } : t)) };
    const all = { erlang: 3, rewards: { b: '#b', firings: 'firings(second)' }, ...options };
    const found = intervals(steady(run, all));
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ certainty }) => certainty !== 0)).toEqual([]);
  },
);

describe('the page', () => {
  const page = (found: SteadyDocument): string => renderSteady(found, { width: 100, colour: false, unicode: true });

  test('says that it is an approximation, and shows changes instead of intervals', () => {
    const found = steady(queue(6), { erlang: 5 });
    expect(page(found)).toMatch(
      /^APPROXIMATION: deterministic delays are Erlang delays of 10 stages; against 5 stages/,
    );
    expect(page(found)).not.toMatch(/±|none|No interval/);
    expect(page(found)).toMatch(/\nplace +mean tokens +change\nfree +[\d.]+ +\+\de-\d\n/);
    expect(JSON.parse(steadyJson(found)).erlang).toMatchObject({ stages: 5, double: 10 });
  });

  test('a limit of states leaves no figures', () => {
    const found = steady(queue(6), { erlang: 5, maxStates: 20 });
    expect(found).toMatchObject({ complete: false, truncation: 'states', places: [], erlang: { largestChange: null } });
    expect(page(found)).toMatch(/^NO FIGURES, because the state limit was reached/);
  });
});

describe('refused', () => {
  const codes = (run: () => unknown): string[] => {
    try {
      run();
      return [];
    } catch (e) {
      return (e as { problems: { code: string; message: string }[] }).problems.map((p) => `${p.code} ${p.message}`);
    }
  };

  test.each([0, 1.5, 1001, Number.NaN])('%f stages', (stages) => {
    expect(codes(() => steady(queue(2), { erlang: stages }))[0]).toMatch(/^CTMC007 erlang: expected an integer from 1/);
  });

  test.each(['simulate', 'bounds', 'all'] as const)('method %s', (method) => {
    expect(codes(() => steady(queue(2), { erlang: 2, method }))[0]).toMatch(/^STAT001 option erlang does not apply/);
  });

  test('a net without deterministic delays', () => {
    expect(codes(() => steady(queue(2, 3), { erlang: 2 }))[0]).toMatch(/^CTMC007 erlang: no transition has a determin/);
  });

  test('a delay of 0', () => {
    const { transitions, ...net } = queue(2);
    const delay = { op: 'const', value: 0 } as const;
    const zero = { ...net, transitions: transitions.map((t) => (t.name === 'serve' ? { ...t, delay } : t)) };
    expect(codes(() => steady(zero, { erlang: 2 }))[0]).toMatch(
      /^CTMC003 the rate of its exponential delay is Infinity/,
    );
  });
});
