import { describe, expect, test } from 'vitest';
import type { RewardFunction } from '../../../src/analysis/reward.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import { steadyRerunOf } from '../../../src/commands/steady/steady-rerun.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
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
    [{ rewards: { r: 3 } }, 'CTMC007 reward "r": expected a text or a function, got 3'],
    [{ rewards: null }, 'CTMC007 rewards: expected an object of texts or functions, got null'],
  ])('%j has no meaning', (options, problem) => {
    expect(problemsOf(() => steady(net, options as never))).toEqual([problem.replace('−', '-')]);
  });
});

describe('rewards by functions of the marking', () => {
  const mean = (of: (n: number) => number): number =>
    [0, 1, 2, 3, 4, 5].reduce((sum, n) => sum + of(n) * probability(n), 0);

  test.each<[string, RewardFunction, number]>([
    ['a square', (tokens) => tokens('waiting') ** 2, mean((n) => n ** 2)],
    ['fractions below 0', (tokens) => 0.1 - Math.sqrt(tokens('waiting')), mean((n) => 0.1 - Math.sqrt(n))],
    ['a product of places', (tokens) => tokens('waiting') * tokens('free'), mean((n) => n * (5 - n))],
    ['a boolean', (tokens) => tokens('waiting') % 2 === 1, probability(1) + probability(3) + probability(5)],
  ])('the mean of %s', (_, of, exact) => {
    const [found] = steady(net, { rewards: { r: of } }).rewards!;
    expect(found!.lower!).toBeLessThanOrEqual(exact + 1e-14);
    expect(found!.upper!).toBeGreaterThanOrEqual(exact - 1e-14);
    expect(found!.upper! - found!.lower!).toBeLessThan(1e-12);
  });

  test('are those of the same reward in text form, also of one colour, at a time and until the end', () => {
    const machines = new NetBuilder('machines');
    const Machine = machines.enumeration('Machine', 'saw', 'drill');
    const up = machines.place('up', { machine: Machine }, { initial: [{ machine: 'saw' }, { machine: 'drill' }] });
    const down = machines.place('down', { machine: Machine });
    machines.transition('fail', (t) => {
      t.put(down, t.take(up));
      t.race({ delay: exponential(0.5) });
    });
    const rewards: Record<string, string | RewardFunction> = {
      text: '2 * #up[saw] - #down',
      called: (tokens) => 2 * tokens('up', 'saw') - tokens('down'),
    };
    for (const options of [{ at: 1 }, { absorption: true }, {}]) {
      const { rewards: found } = steady(machines.build(), { rewards, ...options });
      const [{ name: _, ...text }, { name: __, ...called }] = found as never as [{ name: string }, { name: string }];
      expect(called).toEqual(text);
    }
  });

  test('are recorded as functions, so that they are not repeated', () => {
    const found = steady(net, { rewards: { power: (tokens) => tokens('waiting') } });
    expect(found.options).toMatchObject({ 'reward.power': 'function' });
    expect(problemsOf(() => steadyRerunOf({ ...found, inputs: {} }, 'result.json'))[0]).toContain('APP012');
  });

  const endless = new NetBuilder('endless');
  const waiting = endless.place('waiting');
  endless.transition('arrive', (t) => {
    t.put(waiting, {});
    t.race({ delay: exponential(0.5) });
  });
  endless.transition('serve', (t) => {
    t.take(waiting);
    t.race({ delay: exponential(1), servers: 'single' });
  });

  test.each<[Net, SteadyOptions, string]>([
    [net, { rewards: { r: (tokens) => tokens('wating') } }, 'PROP002'],
    [net, { rewards: { r: (tokens) => tokens('waiting', 1) } }, 'PROP004'],
    [net, { rewards: { r: (tokens) => 1 / tokens('waiting') } }, 'CTMC007 reward "r": expected a function to a finite'],
    [net, { rewards: { r: () => '3' as never } }, 'got "3"'],
    [net, { rewards: { r: () => 3 }, method: 'simulate' }, 'STAT002 reward "r" is a function'],
    [
      endless.build(),
      { rewards: { r: (tokens) => tokens('waiting') } },
      'CTMC007 reward "r" is a function, and the net',
    ],
    [endless.build(), { rewards: { r: () => 3 }, capacity: 50 }, 'CTMC007 reward "r" is a function, and the net'],
  ])('are refused with what to do', (given, options, problem) => {
    expect(problemsOf(() => steady(given, options))[0]).toContain(problem);
  });
});
