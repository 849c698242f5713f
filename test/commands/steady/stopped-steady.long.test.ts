import { expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { queue } from '../../analysis/markov/stochastic-nets.ts';

test('after a limit of time the intervals are wide, and each contains its figure', () => {
  // A process has no time limit here that a loaded machine could reach before there is a result.
  const { complete, truncation, places, transitions } = steady(queue(1, 2, 1e5), { seconds: 3 });
  expect({ complete, truncation }).toEqual({ complete: false, truncation: 'time' });
  expect([places.length, transitions.length]).toEqual([2, 2]);
  for (const { mean, lower, upper } of places) expect(lower! <= mean && mean <= upper!).toBe(true);
  for (const { throughput, lower, upper } of transitions)
    expect(lower! <= throughput && throughput <= upper!).toBe(true);
});
