import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markovChain } from '../../../src/analysis/markov/chain.ts';
import type { BoundedMean } from '../../../src/analysis/markov/mean-bounds.ts';
import { rewardsOf } from '../../../src/analysis/markov/rewards.ts';
import { SteadyState } from '../../../src/analysis/markov/steady-state.ts';
import { parseReward } from '../../../src/analysis/properties/parse-property.ts';
import { Derivatives } from '../../../src/analysis/sensitivity/derivative.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { KANBAN_RATES, kanban, queue, stochasticNet } from '../markov/stochastic-nets.ts';

const never = (): boolean => false;

/** Means of figures, and their derivatives by the rates of timed transitions; undefined if there are none. */
function derivativesOf(net: Net, figures: readonly string[], rates: readonly (readonly [number, number])[]) {
  const space = explore(net);
  const chain = markovChain(space, never, { last: new Uint8Array(space.states) })!;
  const state = SteadyState.of(chain)!;
  const derivatives = Derivatives.of(chain, state, never);
  return figures.map((text) => {
    const expression = parseReward(text, net);
    const reward = rewardsOf(expression, chain, space);
    const mean = state.mean(reward);
    const counts =
      expression.kind === 'firings'
        ? expression.transitions.map((t) => net.transitions.findIndex((o) => o.name === t))
        : [];
    const by = derivatives?.of(
      { ...reward, counts },
      mean,
      rates.map(([transition, rate]) => ({ transition, rate })),
    );
    return { mean, by };
  });
}

function expectInside({ lower, upper, mean }: BoundedMean, exact: number, slack: number): void {
  expect([lower - slack <= exact, upper + slack >= exact, mean >= lower, mean <= upper]).toEqual([
    true,
    true,
    true,
    true,
  ]);
}

/** Mean number of customers, and throughput, of M/M/1/K by load ρ. */
function byLoad(rho: number, room: number) {
  let [sum, first, slope, slopeFirst] = [0, 0, 0, 0];
  for (let k = 0; k <= room; k++) {
    sum += rho ** k;
    first += k * rho ** k;
    slope += k * rho ** (k - 1);
    slopeFirst += k * k * rho ** (k - 1);
  }
  const full = rho ** room / sum;
  const fullSlope = (room * rho ** (room - 1)) / sum - (rho ** room * slope) / sum ** 2;
  return { waiting: first / sum, slope: slopeFirst / sum - (first * slope) / sum ** 2, full, fullSlope };
}

test.each([
  [1, 2, 3],
  [3, 2, 10],
  [1, 1.0001, 40],
  [1, 2, 700],
])('M/M/1/K: arrivals %d, services %d, room %i', (arrivals, service, room) => {
  const rho = arrivals / service;
  const { slope, full, fullSlope } = byLoad(rho, room);
  const [waiting, through] = derivativesOf(
    queue(arrivals, service, room),
    ['#waiting', 'firings(serve)'],
    [
      [0, arrivals],
      [1, service],
    ],
  );
  expectInside(waiting!.by![0]!, slope / service, 1e-10);
  expectInside(waiting!.by![1]!, (-slope * arrivals) / service ** 2, 1e-10);
  // Throughput λ (1 − full).
  expectInside(through!.by![0]!, 1 - full - (arrivals * fullSlope) / service, 1e-10);
  expectInside(through!.by![1]!, (arrivals * fullSlope * arrivals) / service ** 2, 1e-10);
  for (const { lower, upper } of [...waiting!.by!, ...through!.by!]) expect(upper - lower).toBeLessThan(1e-6);
});

test('a chain of several ends has no derivatives', () => {
  const net = stochasticNet(
    'ends',
    { a: 1, b: 0, c: 0 },
    { b: { take: 'a', put: 'b', race: 1 }, c: { take: 'a', put: 'c', race: 1 } },
  );
  expect(derivativesOf(net, ['#b'], [[0, 1]])[0]!.by).toBeUndefined();
});

test('Kanban net: a change of all rates changes the clock only', () => {
  const net = kanban(1, KANBAN_RATES);
  const rates = net.transitions.map((t, k) => [k, (t.delay as { rate: { value: number } }).rate.value] as const);
  const [tokens, through] = derivativesOf(net, ['#pm1 + 2 * #pback3', 'firings(tok2)'], rates);
  const scaled = (by: readonly BoundedMean[]): number => by.reduce((sum, { mean }, k) => sum + mean * rates[k]![1], 0);
  expect(scaled(tokens!.by!)).toBeCloseTo(0, 10);
  expect(scaled(through!.by!)).toBeCloseTo(through!.mean.mean, 10);
});

test('random nets: as finite differences, and all rates together change the clock only', { timeout: 60_000 }, () => {
  let compared = 0;
  fc.assert(
    fc.property(plainNet, fc.nat(), (plain, choice) => {
      const names = Object.keys(plain.transitions);
      const rateOf = (name: string): number | undefined =>
        plain.transitions[name]!.race ?? plain.transitions[name]!.holding;
      const timed = names.flatMap((name, k) => (rateOf(name) === undefined ? [] : [[k, rateOf(name)!] as const]));
      if (timed.length === 0) return;
      const figures = [...Object.keys(plain.initial).map((p) => `#${p}`), ...names.map((t) => `firings(${t})`)];
      const [varied, rate] = timed[choice % timed.length]!;
      const step = 1e-4;
      const near = (factor: number) => {
        const name = names[varied]!;
        const own = plain.transitions[name]!;
        const changed = own.race === undefined ? { ...own, holding: rate * factor } : { ...own, race: rate * factor };
        const net = stochasticNet('near', plain.initial, { ...plain.transitions, [name]: changed });
        return derivativesOf(net, figures, []).map(({ mean }) => mean.mean);
      };
      try {
        const found = derivativesOf(stochasticNet('random', plain.initial, plain.transitions), figures, timed);
        if (found[0]!.by === undefined) return;
        const [up, down] = [near(1 + step), near(1 - step)];
        found.forEach(({ mean, by }, k) => {
          const scale = Math.max(1e-3, mean.mean);
          const difference = (up[k]! - down[k]!) / (2 * step * rate);
          expectInside(by![timed.findIndex(([t]) => t === varied)]!, difference, (1e-5 * scale) / rate);
          const all = by!.reduce((sum, slope, i) => sum + slope.mean * timed[i]![1], 0);
          expect(Math.abs(all - (figures[k]!.startsWith('#') ? 0 : mean.mean))).toBeLessThan(1e-9 * scale);
        });
        compared++;
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        expect(['CTMC002', 'CTMC005', 'NET020']).toContain(e.problems[0]!.code);
      }
    }),
    { numRuns: effort(200) },
  );
  expect(compared).toBeGreaterThan(0);
});
