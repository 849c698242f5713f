import { expect, it } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { mixed } from '../../analysis/markov/stochastic-nets.ts';

it('simulated restarts end at the limit of firings, without intervals that leave out a run that does not end', () => {
  const all = ['1', '2', '3'].map((seed) =>
    steady(mixed, { restart: true, method: 'simulate', maxFirings: 1e5, seed }),
  );
  const restarted = all.filter(({ simulation, complete }) => simulation!.replications > 1 && !complete);
  expect(restarted.length).toBeGreaterThan(0);
  for (const { truncation, runTime, places, transitions } of restarted) {
    expect(truncation).toBe('firings');
    for (const { certainty } of [runTime!, ...places, ...transitions]) expect(certainty).toBe(0);
  }
});
