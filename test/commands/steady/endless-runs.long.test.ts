import { expect, it } from 'vitest';
import { MeasuredNet } from '../../../src/analysis/long-run/measured-run.ts';
import { restartedRuns } from '../../../src/analysis/long-run/restarted-runs.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { renderSteady } from '../../../src/commands/steady/view/steady-view.ts';
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

it('a run that does not end is cut by default, too, after a hundredth of the limit of firings', () => {
  const measured = new MeasuredNet(mixed, []);
  let asked = 0;
  const stop = (): boolean => ++asked > 20;
  const settings = { seed: '1', replication: 0, precision: 0.01, confidence: 0.95, maxFirings: 1e8, stop };
  // It is asked after 2^18 firings of a run: 20 times is a twentieth of the limit.
  expect(restartedRuns(measured, [0], { ...settings, isRandom: true }).ended).toBe('firings');
});

it('a run that is cut leaves figures without intervals, and the page says why', () => {
  const found = steady(mixed, { restart: true, method: 'simulate', maxFirings: 1e5 });
  expect(found).toMatchObject({ complete: false, truncation: 'firings' });
  expect(found.runTime!.because).toContain('may never end');
  expect(renderSteady(found, { width: 100, colour: false, unicode: true }).replaceAll(/\s+/g, ' ')).toContain(
    'a hundredth of --max-firings',
  );
});

it('a net whose first run does not end has the figures of its endless part', () => {
  const found = steady(mixed, { restart: true, method: 'simulate', seed: '3', maxFirings: 3e5 });
  const [, b] = steady(mixed, { restart: true }).places;
  expect(found.runTime).toBeUndefined();
  expect(Math.abs(found.places[1]!.mean - b!.mean)).toBeLessThan(0.02 * b!.mean);
});
