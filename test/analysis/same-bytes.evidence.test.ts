import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replicate } from '../../src/analysis/replicate.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import type { Watch } from '../../src/analysis/watch.ts';
import type { Net } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { everyFeature } from '../net/every-feature.ts';
import { reordered } from '../net/reordered.ts';
import { hashOf } from './fresh-process.ts';
import { inFreshProcess } from './in-fresh-process.ts';
import { orCodes, randomNets, resultText, watchAll } from './watch-all.ts';

const RUNS = effort(100);
const LIMITS = { maxSteps: 60, maxInstantSteps: 100 };

/** The result as bytes; monitors and marking are listed in the order of `like`, because callers determine this order. */
function bytesOf(net: Net, seed: string, like: Net): string {
  const watch: Watch = watchAll(like);
  const run = orCodes(() => simulate(net, { ...LIMITS, ...watch, seed }));
  return resultText(like, run);
}

test('the order of declarations has no effect', () => {
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), fc.nat({ max: 99 }), (net, n, turn) => {
      expect(bytesOf(reordered(net, turn), String(n), net)).toBe(bytesOf(net, String(n), net));
    }),
    { numRuns: RUNS },
  );
});

test('twice in one process, and in another one', () => {
  const nets = 60;
  const own = randomNets(nets).map((net) =>
    resultText(
      net,
      orCodes(() => simulate(net, { ...watchAll(net), seed: 's', maxSteps: 60 })),
    ),
  );
  const again = randomNets(nets).map((net) =>
    resultText(
      net,
      orCodes(() => simulate(net, { ...watchAll(net), seed: 's', maxSteps: 60 })),
    ),
  );
  expect(again).toEqual(own);
  expect(inFreshProcess({ nets, seed: 's', maxSteps: 60, saved: [] }).whole).toEqual(own);
});

test('saved runs are the same bytes', () => {
  for (const net of randomNets(30)) {
    const [one, other] = [1, 2].map(() =>
      orCodes(() => hashOf(simulate(net, { ...LIMITS, ...watchAll(net), seed: 's' }).save())),
    );
    expect(other).toBe(one);
  }
});

describe('replications', () => {
  const net = everyFeature();
  const options = { ...watchAll(net), seed: 'many', maxSteps: 200 };
  const { monitors, seed, maxSteps } = options;
  const replications = 24;
  const computed = (workers: number, of: Net = net): ReturnType<typeof replicate> =>
    replicate(of, { replications, workers, monitors, seed, maxSteps });

  test('replication k equals that of simulate, for any number of workers', async () => {
    const expected = Array.from({ length: replications }, (_, replication) => {
      const { ended, time, steps, firings, monitors: figures } = simulate(net, { ...options, replication });
      return { replication, ended, time, steps, firings, monitors: figures };
    });
    for (const workers of [1, 2, 3]) expect(JSON.stringify(await computed(workers))).toBe(JSON.stringify(expected));
    expect(JSON.stringify(await computed(2, reordered(net, 1)))).toBe(JSON.stringify(expected));
  });

  test('they differ from one another', async () => {
    const times = (await computed(1)).map((r) => r.time);
    expect(new Set(times).size).toBe(replications);
  });

  test('different seeds differ', () => {
    const texts = Array.from({ length: 20 }, (_, k) => bytesOf(net, String(k), net));
    expect(new Set(texts).size).toBe(20);
  });
});
