import { expect, test } from 'vitest';
import { markovChain } from '../../../../src/analysis/markov/chain.ts';
import { exitRates } from '../../../../src/analysis/markov/steady-state.ts';
import { Relaxation } from '../../../../src/analysis/markov/sweeping/relaxation.ts';
import { type Generator, Sweeps } from '../../../../src/analysis/markov/sweeps.ts';
import { explore } from '../../../../src/analysis/space/explore.ts';
import { KANBAN_RATES, kanban } from '../stochastic-nets.ts';

/** Sweeps until the change falls below 1e-11, if it falls by `rate(ω)` in each; the factor found. */
function sweeps(rate: (factor: number) => number): { readonly count: number; readonly best: number } {
  const relaxation = new Relaxation();
  let count = 0;
  for (let change = 0.1; change > 1e-11 && count < 1000; count++) {
    change *= rate(relaxation.factor);
    relaxation.after(change);
  }
  return { count, best: relaxation.best };
}

test.each([
  // Plain sweeps would need 450; beyond the best factor iteration soon diverges.
  [1.3, 160],
  [1.15, 220],
  [1.6, 160],
])('the factor %f is approached from 1', (optimum, most) => {
  const slope = 0.25 / (optimum - 1);
  const { count, best } = sweeps((w) => (w <= optimum ? 0.95 - slope * (w - 1) : 0.7 + 4 * (w - optimum)));
  expect(count).toBeLessThan(most);
  expect(Math.abs(best - optimum)).toBeLessThan(0.11);
});

test('where every over-relaxation is worse, few sweeps are lost', () => {
  expect(sweeps((w) => 0.8 + (w - 1)).count).toBeLessThan(1.5 * sweeps(() => 0.8).count);
  expect(sweeps((w) => 0.8 + (w - 1)).best).toBe(1);
});

function stationary(generator: Generator): { readonly count: number; readonly probability: Float64Array } {
  let count = 0;
  const probability = new Sweeps(generator).stationary(1e-11, () => {
    count++;
    return false;
  });
  return { count, probability };
}

test('Kanban with two cards takes at most 80 sweeps, instead of 109 with factor 1', () => {
  const chain = markovChain(explore(kanban(2, KANBAN_RATES)))!;
  expect(stationary({ ...chain, exit: exitRates(chain) }).count).toBeLessThan(80);
});
