import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullPlaces } from '../../../src/analysis/bounds/full-load.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential, uniform } from '../../../src/net/builder/distributions.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { type Arcs, stochasticNet } from '../markov/stochastic-nets.ts';

/** Stations of an open Jackson network: arrivals from outside, weights of the ways to all stations and out, load. */
interface Station {
  readonly arrivals: number;
  readonly ways: readonly number[];
  readonly load: number;
  readonly isHolding: boolean;
}

/** Customers per second at each station: x = arrivals + x P, by elimination. */
function traffic(stations: readonly Station[]): readonly number[] {
  const n = stations.length;
  const share = (i: number, j: number): number => stations[i]!.ways[j]! / stations[i]!.ways.reduce((a, b) => a + b, 0);
  const rows = stations.map(({ arrivals }, j) => [
    ...stations.map((_, i) => (i === j ? 1 : 0) - share(i, j)),
    arrivals,
  ]);
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const by = rows[i]![k]! / rows[k]![k]!;
      for (let c = 0; c <= n; c++) rows[i]![c]! -= by * rows[k]![c]!;
    }
  return rows.map((row, k) => row[n]! / row[k]!);
}

function jackson(stations: readonly Station[]): Net {
  const places: Record<string, number> = {};
  const transitions: Record<string, Arcs> = {};
  const flows = traffic(stations);
  stations.forEach(({ arrivals, ways, load, isHolding }, k) => {
    places[`queue${k}`] = 0;
    places[`done${k}`] = 0;
    if (arrivals > 0) transitions[`arrive${k}`] = { take: '', put: `queue${k}`, race: arrivals };
    const rate = flows[k]! / load;
    if (isHolding) {
      places[`server${k}`] = 1;
      transitions[`serve${k}`] = {
        take: `queue${k} server${k}`,
        put: `done${k} server${k}`,
        holding: rate,
      };
    } else transitions[`serve${k}`] = { take: `queue${k}`, put: `done${k}`, race: rate, single: true };
    ways.forEach((weight, to) => {
      const put = to === stations.length ? '' : `queue${to}`;
      if (weight > 0) transitions[`go${k} ${to}`] = { take: `done${k}`, put, weight };
    });
  });
  return stochasticNet('open', places, transitions);
}

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

/** A queue with arrivals of this rate at random times, and a server of mean time 1. */
function queue(arrivals: number): Net {
  return stochasticNet(
    'queue',
    { waiting: 0 },
    {
      arrive: { take: '', put: 'waiting', race: arrivals },
      serve: { take: 'waiting', put: '', race: 1, single: true },
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

test.each([1, 2])('a queue at load %d ends early, without an interval and with the reason', (arrivals) => {
  const what = arrivals === 1 ? 'has load 1:' : 'has a load above 1:';
  for (const options of [{}, { replications: 4 }, { capacity: 50 }]) {
    const found = steady(queue(arrivals), options);
    expect(found.complete).toBe(false);
    expect(found.places[0]!.certainty).toBe(0);
    expect(found.warnings.join()).toContain(`place waiting ${what} tokens arrive at ${arrivals}/s`);
    expect(found.simulation?.firings ?? 0).toBeLessThan(3e6);
  }
  expect(steady(queue(arrivals), { method: 'bounds' }).warnings.join()).toContain(what);
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
