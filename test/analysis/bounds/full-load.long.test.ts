import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullPlaces } from '../../../src/analysis/bounds/full-load.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential, uniform } from '../../../src/net/builder/distributions.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { jackson } from '../markov/open/jackson.ts';
import { stochasticNet } from '../markov/stochastic-nets.ts';

const networks = fc.integer({ min: 1, max: 3 }).chain((n) =>
  fc.array(
    fc.record({
      arrivals: fc.constantFrom(0.5, 1, 3),
      // The last way leads out: every customer leaves at some time.
      ways: fc
        .array(fc.integer({ min: 0, max: 2 }), { minLength: n, maxLength: n })
        .map((inside) => [...inside, 1] as readonly number[]),
      load: fc.constantFrom(0.5, 0.99, 1, 1, 1.01, 2),
      isHolding: fc.boolean(),
    }),
    { minLength: n, maxLength: n },
  ),
);

test('stations of open networks are full if, and only if, their load is at least 1', () => {
  let [exact, over] = [0, 0];
  fc.assert(
    fc.property(networks, (stations) => {
      const found = fullPlaces(jackson(stations));
      const loads = new Map(stations.map(({ load }, k) => [`queue${k}`, load]));
      // If a load is above 1, the others get fewer customers than by the traffic equations.
      for (const { name } of found) expect([name, loads.get(name)! >= 1]).toEqual([name, true]);
      const most = Math.max(...loads.values());
      const unstable = [...loads.values()].filter((load) => load > 1).length;
      // Of several, one may get too few customers from the others.
      if (unstable <= 1) expect(found.some(({ isOver }) => isOver)).toBe(unstable === 1);
      const ones = [...loads].flatMap(([name, load]) => (load === 1 ? [name] : []));
      if (most <= 1) expect(found.map(({ name }) => name).sort()).toEqual(ones.sort());
      if (most === 1) exact++;
      if (most > 1) over++;
    }),
    { numRuns: effort(400) },
  );
  expect(Math.min(exact, over)).toBeGreaterThan(atFullEffort(30));
});

/** A queue with arrivals of this rate at random times, and servers that serve one customer per second together. */
function queue(arrivals: number, servers: number): Net {
  return stochasticNet(
    'queue',
    { waiting: 0 },
    {
      arrive: { take: '', put: 'waiting', race: arrivals },
      serve: { take: 'waiting', put: '', race: 1 / servers, servers },
    },
  );
}

test('a station with any times is full at load 1, with the rates', () => {
  const n = new NetBuilder('station');
  const station = n.place('station', {}, { service: fcfs({ time: exponential(1) }) });
  n.transition('arrive', (t) => {
    t.put(station, {});
    t.race({ delay: uniform(0.5, 1.5) });
  });
  n.transition('leave', (t) => {
    t.take(station);
  });
  const [found] = fullPlaces(n.build());
  expect(found).toMatchObject({ name: 'station in service', isOver: false });
  expect(found!.rates!.arrive).toBeCloseTo(1, 6);
  expect(found!.rates!.leave).toBeCloseTo(1, 6);
});

test.each([
  [1, 1],
  [2, 1],
  [1, 3],
])('a queue at load %d with %d servers ends early, without an interval and with the reason', (arrivals, servers) => {
  const what = arrivals === 1 ? 'has load 1:' : 'has a load above 1:';
  for (const options of [{}, { replications: 4 }, { capacity: 50 }]) {
    const found = steady(queue(arrivals, servers), options);
    expect(found.complete).toBe(false);
    expect(found.places[0]!.certainty).toBe(0);
    expect(found.warnings.join()).toContain(`place waiting ${what} tokens arrive at ${arrivals}/s`);
    expect(found.simulation?.firings ?? 0).toBeLessThan(3e6);
  }
  expect(steady(queue(arrivals, servers), { method: 'bounds' }).warnings.join()).toContain(what);
});

test('constant times at load 1 are steady: no warning, and figures', () => {
  const n = new NetBuilder('clockwork');
  const waiting = n.place('waiting', {});
  n.transition('arrive', (t) => {
    t.put(waiting, {});
    t.race({ delay: 1 });
  });
  n.transition('serve', (t) => {
    t.take(waiting);
    t.race({ delay: 1, servers: 'single' });
  });
  const found = steady(n.build(), { method: 'simulate' });
  expect(found).toMatchObject({ complete: true, warnings: [] });
  expect(found.places[0]!.mean).toBeCloseTo(1, 9);
});
