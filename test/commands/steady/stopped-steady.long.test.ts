import { expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { queue } from '../../analysis/markov/stochastic-nets.ts';

test('after a limit of time the intervals are wide, and each contains its figure', () => {
  // At load 1, iteration takes some 15 s; the chain is made in a tenth of a second, also before the limit of a loaded machine.
  const { complete, truncation, places, transitions } = steady(queue(1, 1, 2e4), { seconds: 3 });
  expect({ complete, truncation }).toEqual({ complete: false, truncation: 'time' });
  expect([places.length, transitions.length]).toEqual([2, 2]);
  for (const { mean, lower, upper } of places) expect(lower! <= mean && mean <= upper!).toBe(true);
  for (const { throughput, lower, upper } of transitions)
    expect(lower! <= throughput && throughput <= upper!).toBe(true);
});
