import { expect, test } from 'vitest';
import { estimates, exponential, NetBuilder, replicate } from '../../src/index.ts';

const n = new NetBuilder('stages');
const [first, second] = [n.place('first', {}, { initial: 1 }), n.place('second', {})];
n.transition('begin', (t) => {
  t.take(first);
  t.put(second, {});
  t.delay(exponential(1));
});
n.transition('end', (t) => {
  t.take(second);
  t.delay(exponential(1));
});
const net = n.build();

test('estimates of two exponential stages contain the exact values as often as they say', async () => {
  const inside = { time: 0, median: 0, rate: 0, tokens: 0 };
  const [runs, groups] = [30, 200];
  const all = await replicate(net, {
    replications: runs * groups,
    workers: 1,
    monitors: { waiting: { busy: 'end' } },
  });
  const isIn = ({ lower, upper }: { lower: number | null; upper: number | null }, truth: number): number =>
    lower! <= truth && truth <= upper! ? 1 : 0;
  for (let g = 0; g < groups; g++) {
    const some = all.slice(g * runs, (g + 1) * runs);
    const found = estimates(some);
    expect(found.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(runs);
    expect(found.firings['end']).toEqual({ value: 1, unit: '1', lower: 1, upper: 1, certainty: 0.95 });
    inside.time += isIn(found.time, 2);
    // (1 + t) e^−t = 1 / 2
    inside.median += isIn(found.quantiles[2]!, 1.6783469900166605);
    inside.rate += isIn(found.rates['end']!, 0.5);
    // Of two stages of one distribution, the mean share of each is a half.
    inside.tokens += isIn(found.monitors['waiting']!['mean']!, 0.5);
  }
  // Order statistics cover 95.7 % of medians of 30 values at least; 3.3 standard deviations.
  for (const [name, count] of Object.entries(inside)) {
    expect(count / groups, name).toBeGreaterThan(0.95 - 0.01 - 3.3 * Math.sqrt((0.95 * 0.05) / groups));
    expect(count / groups, name).toBeLessThan(1);
  }
});

test('one replication has no interval, and no list has no estimates', async () => {
  const runs = await replicate(net, { replications: 1 });
  const { time, rates, quantiles } = estimates(runs);
  for (const one of [time, rates['end']!, ...quantiles])
    expect(one).toMatchObject({ lower: null, upper: null, certainty: 0 });
  expect(() => estimates([])).toThrow('SIM009');
  expect(() => estimates({} as never)).toThrow('SIM009');
  expect(() => estimates(runs, 95)).toThrow('SIM009');
});
