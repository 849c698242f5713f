import { describe, expect, test } from 'vitest';
import { exponential, type Net, NetBuilder, type SteadyOptions, steady } from '../../../src/index.ts';
import { closedNetwork, openQueue } from '../../analysis/long-run/open-queue.ts';

/** Three parts that end after an exponential time; the net is restarted at each end. */
function endingNet(): Net {
  const n = new NetBuilder('ends');
  const [left, done] = [n.place('left', {}, { initial: 3 }), n.place('done', {})];
  n.transition('work', (t) => {
    t.take(left);
    t.put(done, {});
    t.delay(exponential(1));
  });
  return n.build();
}

/**
 * Shares that were told, and the true ones: parts of all simulated time, which of independent runs is known only for whole rounds. Each
 * round has twice the time of the one before, and tells a share before each of its runs.
 */
function shares(net: Net, options: SteadyOptions): { readonly at: number; readonly share: number }[] {
  const told: { at: number; share: number }[] = [];
  steady(net, { method: 'simulate', ...options, simulated: (at, share) => told.push({ at, share }) });
  const { replications } = options;
  const timeAt = (at: number, k: number): number =>
    replications === undefined ? at : 2 ** Math.floor(k / replications) * (1 + (k % replications) / replications) - 1;
  const end = replications === undefined ? told.at(-1)!.at : timeAt(0, told.length);
  return told.map(({ at, share }, k) => ({ at: timeAt(at, k) / end, share }));
}

describe('the share of the work of a simulation', () => {
  test.each<[string, Net, SteadyOptions]>([
    ['one run of M/M/1', openQueue(0.5), { precision: '2%' }],
    ['one run of a busy M/M/1', openQueue(0.9), { precision: '10%' }],
    ['one run of a closed network', closedNetwork, { precision: '1%' }],
    ['a run that its maximum number of firings ends', openQueue(0.5), { precision: '0.01%', maxFirings: 2e6 }],
    ['a net that is restarted', endingNet(), { precision: '2%', restart: true }],
    ['independent runs', openQueue(0.5), { precision: '2%', replications: 10 }],
  ])('lies near the truth from its first estimate on: %s', (_, net, options) => {
    const known = shares(net, options).filter(({ share }) => !Number.isNaN(share));
    expect(known.filter(({ share }) => share <= 0 || share > 1)).toEqual([]);
    const late = known.filter(({ at }) => at > 0.3);
    expect(late.length).toBeGreaterThanOrEqual(5);
    const near = late.filter(({ at, share }) => share > at / 3 && share < 3 * at);
    expect(near.length).toBeGreaterThan(0.8 * late.length);
  });

  test('is not told before intervals exist', () => {
    const [first] = shares(openQueue(0.5), { precision: '2%' });
    expect(first!.share).toBeNaN();
  });

  test('does not change the figures', () => {
    const figures = (options: SteadyOptions): unknown =>
      steady(openQueue(0.7), { method: 'simulate', precision: '5%', ...options }).places;
    expect(figures({ simulated: () => undefined })).toEqual(figures({}));
  });
});
