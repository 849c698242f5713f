import { describe, expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { problemsOf } from '../../net/problems.ts';
import { queue } from './stochastic-nets.ts';

const net = queue(0.5, 1, 5);
const of = (text: string): number => steady(net, { rewards: { r: text } }).rewards![0]!.mean;
/** Probability of n jobs in M/M/1/5 at load 0.5. */
const probability = (n: number): number => 0.5 ** n / (2 - 0.5 ** 5);

describe('rewards', () => {
  test.each([
    ['#waiting', [0, 1, 2, 3, 4, 5].reduce((sum, n) => sum + n * probability(n), 0)],
    ['#waiting = 5', probability(5)],
    ['#waiting >= 2 & #free > 0', probability(2) + probability(3) + probability(4)],
    ['tokens(waiting, free)', 5],
    ['3 * #waiting - 2 * tokens(free)', [0, 1, 2, 3, 4, 5].reduce((sum, n) => sum + (5 * n - 10) * probability(n), 0)],
    ['enabled(serve)', 1 - probability(0)],
    ['firings(serve)', 1 - probability(0)],
    ['firings(arrive, serve)', 2 * (1 - probability(0))],
    ['dead', 0],
    ['initial', probability(0)],
  ])('the mean of %s', (text, exact) => {
    expect(of(text)).toBeCloseTo(exact, 12);
    const { lower, upper } = steady(net, { rewards: { r: text } }).rewards![0]!;
    expect(lower!).toBeLessThanOrEqual(exact + 1e-14);
    expect(upper!).toBeGreaterThanOrEqual(exact - 1e-14);
  });

  test('are listed in their order, and recorded as options', () => {
    const found = steady(net, { rewards: { b: '#free', a: '#waiting' } });
    expect(found.rewards!.map((r) => r.name)).toEqual(['b', 'a']);
    expect(found.options).toMatchObject({ 'reward.b': '#free', 'reward.a': '#waiting' });
  });

  test.each([
    ['#wating', 'PROP002 reward "#wating", line 1, column 2: unknown place "wating". Did you mean "waiting"?'],
    ['firings(serv)', 'PROP003'],
    ['', 'PROP007'],
    ['AG(#free > 0)', 'PROP001'],
    ['#free * #waiting', 'PROP001'],
    ['#free > 0 #waiting', 'PROP001'],
    ['firings()', 'PROP001'],
  ])('%j is refused with its place', (text, start) => {
    expect(problemsOf(() => steady(net, { rewards: { r: text } }))[0]).toContain(start.split(' ')[0]);
  });

  test.each([
    [{ at: -1 }, 'CTMC007 at: expected seconds >= 0, got −1'],
    [{ at: Number.NaN }, 'CTMC007 at: expected seconds >= 0, got NaN'],
    [{ absorption: 'yes' }, 'CTMC007 absorption: expected true or false, got "yes"'],
    [{ rewards: { r: 3 } }, 'CTMC007 reward "r": expected a text, got 3'],
    [{ rewards: null }, 'CTMC007 rewards: expected an object of texts, got null'],
  ])('%j has no meaning', (options, problem) => {
    expect(problemsOf(() => steady(net, options as never))).toEqual([problem.replace('−', '-')]);
  });
});
