import { describe, expect, test } from 'vitest';
import type { InputError } from '../../../src/base/problem.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { renderSteady } from '../../../src/commands/steady/view/steady-view.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { queue, stochasticNet } from '../markov/stochastic-nets.ts';
import { closedNetwork, openQueue } from './open-queue.ts';

const simulated = (net: Net, options: SteadyOptions = {}): SteadyDocument =>
  steady(net, { method: 'simulate', precision: '5%', ...options });

/** All figures with their intervals. */
const figures = ({ places, transitions, rewards = [] }: SteadyDocument): object[] => [
  ...places,
  ...transitions,
  ...transitions.map((t) => t.enabled),
  ...rewards,
];

describe('simulated figures', () => {
  test('agree with the chain, rewards and clocks of races included', () => {
    const rewards = {
      full: '#waiting = 5',
      sum: '2 * #waiting - 1',
      rate: 'firings(serve)',
      off: '!(#free > 0) | false',
    };
    const exact = steady(queue(1, 2, 5), { method: 'ctmc', rewards });
    const found = simulated(queue(1, 2, 5), { rewards, precision: '20%', maxFirings: 1e6 });
    expect(found).toMatchObject({
      method: 'simulate',
      complete: true,
      reason: 'it was asked for',
      states: 0,
      residual: null,
    });
    // A wide margin: each interval holds in 19 of 20 cases only.
    const near = (value: number, truth: number, halfWidth: number | null): void =>
      expect(Math.abs(value - truth)).toBeLessThan(2.5 * halfWidth!);
    for (const [k, p] of found.places.entries()) near(p.mean, exact.places[k]!.mean, p.halfWidth);
    for (const [k, t] of found.transitions.entries()) {
      near(t.throughput, exact.transitions[k]!.throughput, t.halfWidth);
      near(t.enabledProbability, exact.transitions[k]!.enabledProbability, t.enabled.halfWidth);
    }
    for (const [k, r] of found.rewards!.entries()) near(r.mean, exact.rewards![k]!.mean, r.halfWidth);
  });

  test('tokens of one colour are counted', () => {
    const n = new NetBuilder('coloured');
    const K = n.range('K', -1, 2);
    const p = n.place('p', { k: K }, { initial: [{ k: -1 }, { k: 0 }, { k: 2 }, { k: 2 }] });
    const q = n.place('q', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(q);
      const { k } = t.take(p);
      t.put(p, { k });
      t.put(q, {});
      t.delay(1);
    });
    const rewards = { all: '#p', low: '#p[-1]', two: '#p[2]', none: '#p[1]' };
    const [all, low, two, none] = simulated(n.build(), { rewards }).rewards!.map((r) => r.mean);
    // One token at a time is in a firing, each colour a share of time by its number of tokens.
    expect([all, none]).toEqual([3, 0]);
    expect(low! + two!).toBeGreaterThan(2);
    expect(two! - low!).toBeGreaterThan(0.4);
  });

  test('are the same for the same seed, and others for another one', () => {
    const of = (seed: string): object[] => figures(simulated(closedNetwork, { seed, precision: '20%' }));
    expect(of('a')).toEqual(of('a'));
    expect(of('a')).not.toEqual(of('b'));
  });

  test('of replications lie around the truth, too', () => {
    const found = simulated(openQueue(0.5), { replications: 20, precision: '10%' });
    expect(found).toMatchObject({ complete: true, simulation: { replications: 20 } });
    const [, waiting] = found.places;
    expect(Math.abs(waiting!.mean - 0.5)).toBeLessThan(2.5 * waiting!.halfWidth!);
  });
});

/** A net that ends in one of two cycles, with these weights. */
const forked = (left: number, right: number): Net =>
  stochasticNet(
    'forked',
    { a: 1, b: 0, c: 0, d: 0, e: 0 },
    {
      left: { take: 'a', put: 'b', weight: left },
      right: { take: 'a', put: 'c', weight: right },
      b1: { take: 'b', put: 'd', holding: 1 },
      b2: { take: 'd', put: 'b', holding: 1 },
      c1: { take: 'c', put: 'e', holding: 0.5 },
      c2: { take: 'e', put: 'c', holding: 1 },
    },
  );

describe('figures without an interval say why', () => {
  const because = (document: SteadyDocument): unknown[] =>
    figures(document).map((f) => (f as { because?: string }).because);

  test('a load above 1 has no steady state', () => {
    const found = simulated(openQueue(1.5), { precision: '1%' });
    expect(found).toMatchObject({ complete: false, truncation: 'unsteady' });
    expect(found.places[1]).toMatchObject({ name: 'queue', lower: null, upper: null, certainty: 0 });
    expect(found.places[1]!.because).toBe('load 1 or more: no steady state');
  });

  test.each([1.1, 1.5, 3])('a load of %s is noticed early', (load) => {
    for (const seed of ['1', '2', '3']) {
      const found = simulated(openQueue(load), { seed });
      expect(found).toMatchObject({ complete: false, truncation: 'unsteady' });
      expect(found.simulation!.firings).toBeLessThan(1e6);
    }
  });

  test.each([0.9, 0.95, 0.98])('a load of %s is never taken for growth', (load) => {
    for (let seed = 0; seed < 20; seed++)
      expect(simulated(openQueue(load), { seed: String(seed), precision: '0.1%', maxFirings: 4e5 }).truncation).toBe(
        'firings',
      );
  });

  test('a place that fills up to a proved maximum does not grow without end', () => {
    const n = new NetBuilder('draining');
    const [from, to] = [n.place('from', {}, { initial: 400_000 }), n.place('to', {})];
    const clerk = n.place('clerk', {}, { initial: 1 });
    n.transition('move', (t) => {
      t.take(from);
      t.take(clerk);
      t.put(clerk, {});
      t.put(to, {});
      t.delay(exponential(1));
    });
    expect(simulated(n.build(), { maxFirings: 350_000 }).truncation).toBe('firings');
  });

  test('a load of 1 gets no mean queue either', () => {
    const found = simulated(openQueue(1), { maxFirings: 3e6 });
    expect(found.complete).toBe(false);
    expect(found.places[1]!.certainty).toBe(0);
  });

  test('runs that settle in different cycles end when longer ones do not help', () => {
    const found = simulated(forked(1, 3), { replications: 20, precision: '0.1%' });
    expect(found).toMatchObject({ complete: false, truncation: 'ends' });
    expect(found.simulation!.firings).toBeLessThan(1e7);
    // Three of four runs are expected in the cycle of c1, which is in progress for 2 of 3 seconds.
    const { value, halfWidth } = found.transitions.find(({ name }) => name === 'c1')!.enabled;
    expect(Math.abs(value - 0.5)).toBeLessThan(2 * halfWidth!);
    expect(found.warnings.join().includes('the number of runs decides the precision')).toBe(true);
  });

  test('a precision out of reach', () => {
    const found = simulated(openQueue(0.5), { precision: 1e-6, maxFirings: 200_000 });
    expect(found).toMatchObject({ complete: false, truncation: 'firings' });
    expect(found.places[1]!.halfWidth).toBeGreaterThan(0);
    expect(found.simulation!.firings).toBeLessThan(220_000);
  });

  test('a run of no length', () => {
    const found = simulated(openQueue(0.5), { maxFirings: 1 });
    expect(found).toMatchObject({ complete: false, truncation: 'firings' });
    expect(new Set(figures(found).map((f) => (f as { certainty: number }).certainty))).toEqual(new Set([0]));
    const cancelled = simulated(openQueue(0.5), { cancelled: () => true });
    expect(cancelled).toMatchObject({ complete: false, truncation: 'interrupted' });
  });

  test('a periodic net has the same figures in every batch', () => {
    const n = new NetBuilder('periodic');
    const [p, q] = [n.place('p', {}, { initial: 1 }), n.place('q', {})];
    n.transition('a', (t) => {
      t.take(p);
      t.put(q, {});
      t.delay(1);
    });
    n.transition('b', (t) => {
      t.take(q);
      t.put(p, {});
      t.delay(3);
    });
    const found = simulated(n.build());
    expect(found.transitions[1]!.throughput).toBeCloseTo(0.25, 12);
    expect(found.transitions[1]!.enabledProbability).toBeCloseTo(0.75, 12);
    expect(new Set(because(found))).toEqual(new Set(['the same in every batch']));
  });

  test('a dead marking is that of this run; replications estimate the mean over all ends', () => {
    const race = { take: 'a', race: 1 };
    const ends = stochasticNet(
      'ends',
      { a: 1, b: 0, c: 0 },
      { left: { ...race, put: 'b' }, right: { ...race, put: 'c', race: 3 } },
    );
    const found = simulated(ends, { rewards: { c: '#c', both: '#b + #c = 1', rate: 'firings(left)' } });
    expect(found).toMatchObject({ complete: false, truncation: 'dead' });
    expect(found.rewards!.slice(1).map((r) => r.mean)).toEqual([1, 0]);
    expect(new Set(because(found))).toEqual(
      new Set(['the run ended in a dead marking; other runs may end in other ones']),
    );
    expect(renderSteady(found, { width: 200, colour: false, unicode: false })).toContain(
      'because the net ends in a dead marking: --replications 100 shows how often runs end in which marking\n',
    );
    const many = simulated(ends, { replications: 100 });
    expect(many).toMatchObject({ complete: false, truncation: 'dead' });
    expect(Math.abs(many.places[2]!.mean - 0.75)).toBeLessThan(2 * many.places[2]!.halfWidth!);
    expect(many.places[0]!.because).toBe('the same in every run');
    const [right, left] = many.components;
    expect(right).toMatchObject({ states: 1, certainty: 0.95 });
    expect(right!.probability).toBeCloseTo(many.places[2]!.mean, 12);
    expect(right!.lower! < 0.75 && 0.75 < right!.upper!).toBe(true);
    expect(left!.lower! < 0.25 && 0.25 < left!.upper!).toBe(true);
    // By hand, for a share of a quarter: (1.96 / 0.0476)² × 3 = 5,080 runs.
    const [, needed] = /5 % takes about ([\d,]+) replications/.exec(
      renderSteady(many, { width: 200, colour: false, unicode: false }),
    )!;
    expect(Math.abs(Number(needed!.replace(',', '')) / 5080 - 1)).toBeLessThan(0.6);
  });
});

test('a net that ends in one marking only is answered by its dead marking', () => {
  const n = new NetBuilder('one end');
  const K = n.range('K', 0, 1);
  const [a, b] = [n.place('a', { k: K }, { initial: [{ k: 0 }, { k: 1 }] }), n.place('b', { k: K })];
  n.transition('t', (t) => {
    const { k } = t.take(a);
    t.put(b, { k });
    t.race({ delay: exponential(1) });
  });
  // Both orders of arrival are the same marking.
  const found = simulated(n.build(), { replications: 20 });
  expect(found).toMatchObject({ complete: true, components: [{ states: 1, probability: 1, upper: 1 }] });
  expect(found.places.map((p) => p.mean)).toEqual([0, 2]);
  expect(found.components[0]!.lower).toBeCloseTo(0.025 ** (1 / 20), 12);
});

describe('the method', () => {
  test('auto simulates what the chain refuses, and says why', () => {
    const found = steady(openQueue(0.5), { precision: '20%' });
    expect(found).toMatchObject({ method: 'simulate', complete: true });
    expect(found.reason).toMatch(
      /^no finite Markov chain: the chain has infinitely many states: place queue is unbounded/,
    );
    const limited = steady(queue(1, 2, 1000), { maxStates: 100, precision: '20%' });
    expect(limited).toMatchObject({ method: 'simulate', reason: 'the Markov chain exceeds the limit of states' });
    expect(steady(queue(1, 2, 5)).method).toBe('ctmc');
  });

  test.each<[object, string]>([
    [{ method: 'guess' }, 'STAT001 unknown method "guess".'],
    [
      { method: 'ctmc', precision: 0.1 },
      'STAT001 option precision does not apply to method ctmc: its intervals are proved',
    ],
    [{ method: 'simulate', at: 1 }, 'STAT001 option at does not apply to method simulate: it needs the Markov chain'],
    [{ precision: 0 }, 'STAT001 precision: expected a share between 0 and 1 such as 1%, got 0'],
    [{ confidence: '100%' }, 'STAT001 confidence: expected a share between 0 and 1 such as 1%, got "100%"'],
    [{ replications: 1 }, 'STAT001 replications: expected an integer from 2 to 100000, got 1'],
    [{ maxFirings: 0.5 }, 'STAT001 maxFirings: expected an integer >= 1, got 0.5'],
    [{ seed: 1 }, 'STAT001 seed: expected a string, got 1'],
    [
      { method: 'simulate', rewards: { stuck: 'dead' } },
      'STAT002 a simulated reward may compare token counts only, got "dead": use method ctmc',
    ],
  ])('%j is refused', (options, message) => {
    let problem: string | undefined;
    try {
      steady(queue(1, 2, 5), options as never);
    } catch (error) {
      const [first] = (error as InputError).problems;
      problem = `${first!.code} ${first!.message}`;
    }
    expect(problem).toContain(message);
  });
});
