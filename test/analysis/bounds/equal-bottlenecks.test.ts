import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalBottlenecks } from '../../../src/analysis/bounds/equal-bottlenecks.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { type Arcs, stochasticNet } from '../markov/stochastic-nets.ts';

/** A ring of stations, visited in turn by many customers: single servers of these rates, as races or as firings that hold a server. */
function ring(rates: readonly number[], isHolding: readonly boolean[], customers: number): Net {
  const places: Record<string, number> = {};
  const transitions: Record<string, Arcs> = {};
  rates.forEach((rate, k) => {
    places[`queue${k}`] = k === 0 ? customers : 0;
    const put = `queue${(k + 1) % rates.length}`;
    if (isHolding[k]) {
      places[`server${k}`] = 1;
      transitions[`serve${k}`] = { take: `queue${k} server${k}`, put: `${put} server${k}`, holding: rate };
    } else transitions[`serve${k}`] = { take: `queue${k}`, put, race: rate, single: true };
  });
  return stochasticNet('ring', places, transitions);
}

test('the slowest stations of a ring are equal bottlenecks if there are several', () => {
  let tied = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(1, 1.001, 2, 3), fc.boolean()), { minLength: 2, maxLength: 4 }),
      (stations) => {
        const rates = stations.map(([rate]) => rate);
        const slowest = rates.flatMap((rate, k) => (rate === Math.min(...rates) ? [`serve${k}`] : []));
        const found = equalBottlenecks(
          ring(
            rates,
            stations.map(([, is]) => is),
            1000,
          ),
        );
        expect([...found].sort()).toEqual(slowest.length > 1 ? slowest : []);
        if (slowest.length > 1) tied++;
      },
    ),
    { numRuns: effort(150) },
  );
  expect(tied).toBeGreaterThan(atFullEffort(30));
});

test('a simulation that cannot settle says which servers are tied, and how long a run would have to be', () => {
  const found = steady(ring([1, 1], [true, true], 1000), { method: 'simulate', maxFirings: 2e5 });
  expect(found).toMatchObject({ complete: false, truncation: 'firings' });
  expect(found.warnings.join()).toContain('serve0, serve1 are equal bottlenecks');
  const untied = steady(ring([1, 1.5], [true, true], 1000), { method: 'simulate', maxFirings: 2e5 });
  expect(untied.warnings.join()).not.toContain('equal');
});
