import { expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { renderSteady, steadyJson } from '../../../src/commands/steady/view/steady-view.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { displayWidth } from '../../../src/report/text.ts';
import { queue, stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

/** Two tokens on a cycle of 3 + 4 s. */
function ring(): Net {
  const n = new NetBuilder('ring');
  const [a, b] = [n.place('a', {}, { initial: 2 }), n.place('b', {})];
  n.transition('t', (t) => {
    t.take(a);
    t.put(b, {});
    t.delay(3);
  });
  n.transition('u', (t) => {
    t.take(b);
    t.put(a, {});
    t.delay(4);
  });
  return n.build();
}

const page = (net: Net, options: object, width = 100): string =>
  renderSteady(steady(net, options), { width, colour: false, unicode: false });

test('a net without decisions has exact throughputs, taken by auto', () => {
  const found = steady(ring());
  expect(found).toMatchObject({
    method: 'bounds',
    complete: true,
    cycles: [{ limitedBy: 'cycle', exact: '7/2', transitions: [{ name: 't', firings: 1 }, { name: 'u' }] }],
  });
  expect(found.transitions.map((t) => t.exact)).toEqual(['2/7', '2/7']);
  expect(found.transitions[0]).toMatchObject({ lowerBy: 'cycle time', upperBy: 'cycle time', certainty: 1 });
  // By hand: 2/7 · 3 s are in progress, at most two at a time.
  expect(found.transitions[0]!.enabled.lower).toBeCloseTo(3 / 7, 12);
  expect(found.transitions[0]!.enabled.upper).toBeCloseTo(6 / 7, 12);
  expect(JSON.parse(steadyJson(found))).toEqual(found);
});

test('bounds of a queue contain its figures, and all methods agree', () => {
  const found = steady(queue(1, 2, 5), { method: 'all', precision: 0.05 });
  expect(found).toMatchObject({ method: 'ctmc', complete: true });
  expect(found.methods!.map(({ method, agree }) => [method, agree])).toEqual([
    ['ctmc', true],
    ['bounds', true],
    ['simulate', true],
  ]);
  // By hand: full with probability 1/63, and the levels of one place are a birth-death process.
  const [, bounds] = found.methods!;
  expect(bounds!.transitions[1]!.lower).toBeCloseTo(62 / 63, 9);
  expect(bounds!.transitions[1]!.upper).toBeCloseTo(62 / 63, 9);
  // Balanced jobs decide where levels are too many: N = 50, D = 1 + 1/2, Dmax = 1: 50 / (1.5 + 49) <= X <= 1.
  const [, serve] = steady(queue(1, 2, 50), { method: 'bounds' }).transitions;
  expect(serve!.lower).toBeCloseTo(50 / 50.5, 12);
  expect(serve!.upper).toBeCloseTo(1, 12);
  expect(serve).toMatchObject({ lowerBy: 'balanced jobs' });
});

test('rewards of a queue have bounds, and all methods are compared by them', () => {
  const rewards = {
    waiting: '#waiting',
    served: 'firings(serve)',
    weighted: '2 * #free - #waiting + 1',
    busy: '#waiting > 0',
  };
  const { methods, complete } = steady(queue(1, 2, 5), { method: 'all', precision: 0.05, rewards });
  expect([complete, methods!.map((m) => m.agree)]).toEqual([true, [true, true, true]]);
  const [chain, bounds] = methods!.map((m) => m.rewards!);
  bounds!.forEach(({ name, lower, upper }, k) => {
    expect([name, lower! <= chain![k]!.upper!, upper! >= chain![k]!.lower!]).toEqual([name, true, true]);
  });
  // By hand: P(waiting > 0) is at least the mean over 5, and at most the mean.
  const [waiting, , , busy] = bounds!;
  expect(busy!.lower).toBeCloseTo(waiting!.lower! / 5, 12);
  const open = { method: 'bounds', rewards: { open: 'enabled(arrive)' } } as const;
  expect(steady(queue(1, 2, 5), open).rewards![0]).toMatchObject({
    lower: 0,
    upper: 1,
    because: 'the means and bounds of places prove nothing about the formula',
  });
  expect(page(queue(1, 2, 5), open)).toContain('Unknown, open: the means and bounds');
});

test('a probability of a place with one token is its mean', () => {
  const machine = stochasticNet(
    'machine',
    { up: 1, down: 0 },
    { fail: { take: 'up', race: 1, put: 'down' }, repair: { take: 'down', race: 3, put: 'up' } },
  );
  const rewards = {
    up: '#up = 1',
    broken: '!(#up >= #down)',
    either: '#up = 1 | #down = 1',
    sum: '3 * #up - 2 * #down',
  };
  const found = steady(machine, { method: 'bounds', rewards }).rewards!;
  for (const [k, value] of [
    [0, 3 / 4],
    [3, 7 / 4],
  ] as const) {
    expect(found[k]!.lower).toBeCloseTo(value, 12);
    expect(found[k]!.upper).toBeCloseTo(value, 12);
  }
  // The chord of the difference, which is -1 or 1: at most 1 - (1/2 + 1) / 2.
  expect(found[1]!.upper).toBeCloseTo(1 / 4, 12);
  // By Fréchet's inequalities: at least the larger of both.
  expect(found[2]!.lower).toBeCloseTo(3 / 4, 12);
  expect(found[2]!.upper).toBe(1);
});

test('a simulation without an interval is not compared', () => {
  const dead = stochasticNet('dead', { a: 1, b: 0 }, { end: { take: 'a', race: 1, put: 'b' } });
  const { methods, complete } = steady(dead, { method: 'all' });
  expect(methods!.map(({ method, agree }) => [method, agree])).toEqual([
    ['ctmc', true],
    ['bounds', true],
    ['simulate', null],
  ]);
  expect(complete).toBe(true);
  const text = page(dead, { method: 'all' });
  expect(text).toContain('All methods agree: Markov chain, bounds\n');
  expect(text).toContain('Not compared, simulation: none of its figures has an interval');
});

test('methods that do not apply say why, and several ends are not compared with one run', () => {
  const race = { take: 'a', race: 1 };
  const ends = stochasticNet(
    'ends',
    { a: 1, b: 0, c: 0 },
    { left: { ...race, put: 'b' }, right: { ...race, put: 'c' } },
  );
  const all = steady(ends, { method: 'all' }).methods!;
  expect(all.find((m) => m.method === 'simulate')).toMatchObject({
    agree: null,
    because: 'the net ends in one of several sets of states, and a run in one of them',
  });
  expect(all.find((m) => m.method === 'bounds')).toMatchObject({ agree: true });
  const text = page(ring(), { method: 'all' });
  expect(text).toContain('Not compared, Markov chain: transition t: has a deterministic delay');
});

test('figures that lie apart are named, and the result is not complete', () => {
  const found = steady(queue(1, 2, 5), { method: 'all', precision: 0.1 });
  const [ctmc, bounds, simulated] = found.methods!;
  const wrong = { ...bounds!, agree: false, apart: ['transition serve'] };
  const text = renderSteady(
    { ...found, complete: false, methods: [ctmc!, wrong, simulated!] },
    { width: 80, colour: false, unicode: false },
  );
  expect(text).toContain('METHODS DISAGREE about transition serve');
});

test.each([
  [{ method: 'bounds', at: 1 }, 'option at does not apply to method bounds: it needs the Markov chain'],
  [{ method: 'bounds', seed: 'x' }, 'option seed does not apply to method bounds: its intervals are proved'],
  [
    { method: 'all', absorption: true },
    'option absorption does not apply to method all: bounds and a simulation have no such figure',
  ],
])('options without a meaning are refused: %o', (options, message) => {
  expect(() => steady(ring(), options as object)).toThrow(message);
});

test.each([40, 80])('pages fit into %i columns, and in ASCII', (width) => {
  for (const method of ['bounds', 'all'])
    for (const net of [ring(), queue(1, 2, 3)]) {
      const text = page(net, { method, ...(method === 'all' ? { precision: 0.1 } : {}) }, width);
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(text).toMatch(/^[\n -~]*$/);
    }
});
