import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../../../src/analysis/simulate.ts';
import { runTimes } from '../../../../src/analysis/space/timed/run-times.ts';
import type { Net } from '../../../../src/net/net.ts';
import { effort } from '../../../effort.ts';
import { allOrders } from '../../../reference/all-orders.ts';
import { num } from '../../../reference/nets.ts';
import { randomTimedNet } from './random-timed-net.ts';

const NETS = Math.max(150, effort(600));
/** Steps of all orders that the reference plays at most. */
const STEPS = 1500;
/** Nets that are also simulated. */
const SIMULATED = Math.max(8, effort(20));

test('run times are those of all orders, and simulated runs are among them', () => {
  let compared = 0;
  const different: { readonly net: Net; readonly all: ReadonlySet<number> }[] = [];
  fc.assert(
    fc.property(randomTimedNet, (net) => {
      const orders = allOrders(net, STEPS);
      if (orders === undefined) return;
      const { shortest, longest, all } = orders;
      expect(runTimes(net)).toMatchObject({
        complete: true,
        shortest: { seconds: shortest },
        longest: { seconds: longest },
      });
      compared++;
      if (shortest < longest) different.push({ net, all });
    }),
    { numRuns: NETS },
  );
  expect(compared).toBeGreaterThan(0.6 * NETS);
  expect(different.length).toBeGreaterThan(0.1 * NETS);
  const seen = new Set<number>();
  for (const { net, all } of different.slice(0, SIMULATED)) {
    const drawn = { ...net, transitions: net.transitions.map((t) => ({ ...t, weight: num(1) })) };
    for (const { time } of [simulate(net), simulate(drawn)]) {
      expect(all).toContain(time);
      seen.add(time);
    }
  }
  expect(seen.size).toBeGreaterThan(3);
});
