import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { InputError } from '../../../src/base/problem.ts';
import { EndlessNet } from '../../../src/commands/predict/endless-net.ts';
import { netSubject } from '../../../src/commands/predict/net-subject.ts';
import { predictSubject } from '../../../src/commands/predict/predict-subject.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, lt } from '../../../src/net/terms.ts';
import { plainNetOfOneOrManyClocks } from '../../analysis/markov/random-plain-net.ts';
import { stochasticNet } from '../../analysis/markov/stochastic-nets.ts';
import { atFullEffort, effort } from '../../effort.ts';

function predicted(
  net: Net,
  options: { readonly maxSteps?: number; readonly until?: number } = {},
): PredictionDocument {
  return predictSubject(netSubject({ net, warnings: [], path: '' } as never, undefined, options));
}

test('a net that is said never to stop does not stop', { timeout: 120_000 }, () => {
  let [never, stops] = [0, 0];
  fc.assert(
    fc.property(plainNetOfOneOrManyClocks, (draft) => {
      const net = stochasticNet('random', draft.initial, draft.transitions);
      const { neverStops } = new EndlessNet(net);
      for (const seed of ['1', '2', '3', '4']) {
        let ended: string;
        try {
          ({ ended } = simulate(net, { seed, maxSteps: 3000 }));
        } catch (error) {
          // Immediate firings never end.
          if (error instanceof InputError) continue;
          throw error;
        }
        if (neverStops) expect(ended).toBe('steps');
        if (ended === 'quiescent') stops++;
      }
      if (neverStops) never++;
    }),
    { numRuns: effort(200) },
  );
  expect(Math.min(never, stops)).toBeGreaterThan(atFullEffort(25));
});

const pair = stochasticNet(
  'pair',
  { a: 1, b: 0 },
  { ab: { take: 'a', put: 'b', race: 1 }, ba: { take: 'b', put: 'a', race: 1 } },
);

test('a run of a net that never stops ends after a million steps, incomplete and with the reason', () => {
  const found = predicted(pair);
  expect(found).toMatchObject({ complete: false, ended: 'steps' });
  const fired = found.firings['ab']! + found.firings['ba']!;
  expect(fired).toBeGreaterThanOrEqual(1e6);
  expect(fired).toBeLessThan(1.2e6);
  expect(found.warnings.map(({ code }) => code)).toEqual(['COV004']);
  expect(found.warnings[0]!.message).toContain('the net never stops');
});

test('a run whose numbers grow without end ends after ten million steps, with the reason', () => {
  const n = new NetBuilder('grows');
  const p = n.place('p', { k: n.integer('Int') }, { initial: [{ k: 0 }] });
  n.transition('t', (t) => {
    const { k } = t.take(p);
    t.put(p, { k: add(k, 1) });
    t.guard(lt(k, 30_000_000));
    t.delay(1);
  });
  const found = predicted(n.build());
  expect(found).toMatchObject({ complete: false, ended: 'steps' });
  expect(found.firings['t']!).toBeLessThan(6e6);
  expect(found.warnings).toMatchObject([{ code: 'COV004' }]);
  expect(found.warnings[0]!.message).toMatch(/unbounded integers.*--max-steps N/);
  expect(predicted(n.build(), { maxSteps: 100_000_000 })).toMatchObject({ complete: true, ended: 'quiescent' });
});

test('limits of the user come first', () => {
  expect(predicted(pair, { until: 1e6 })).toMatchObject({ complete: true, ended: 'time' });
  const longer = predicted(pair, { maxSteps: 1_500_000 });
  expect(longer.firings['ab']! + longer.firings['ba']!).toBe(1_500_000);
});

test('a run of a net with an unbounded place goes on longer, as it may end', () => {
  // Jobs arrive until the door closes, after 1.2 million arrivals or never.
  const n = new NetBuilder('door');
  const open = n.place('open', {}, { initial: 1 });
  const waiting = n.place('waiting', {});
  const left = n.place('left', {}, { initial: 1_200_000 });
  n.transition('arrive', (t) => {
    t.take(open);
    t.take(left);
    t.put(open, {});
    t.put(waiting, {});
    t.delay(1);
  });
  expect(predicted(n.build())).toMatchObject({ complete: true, ended: 'quiescent' });
  const endless = stochasticNet(
    'heap',
    { on: 1, made: 0, heap: 0 },
    {
      make: { take: 'on', put: 'made heap', holding: 1 },
      again: { take: 'made', put: 'on', weight: 1e12 },
      stop: { take: 'made', put: '', weight: 1 },
    },
  );
  const found = predicted(endless);
  expect(found).toMatchObject({ complete: false, ended: 'steps' });
  expect(found.firings['make']!).toBeGreaterThan(3e6);
  expect(found.warnings[0]!.message).toContain('place heap is unbounded');
});
