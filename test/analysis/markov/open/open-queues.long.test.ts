import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../../src/base/problem.ts';
import { steady } from '../../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../../src/commands/steady/steady-result.ts';
import { NetBuilder } from '../../../../src/net/builder/builder.ts';
import { erlang, exponential, hyperExponential } from '../../../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer, lcfsPr, processorSharing } from '../../../../src/net/builder/stations.ts';
import type { Net, StationService } from '../../../../src/net/net.ts';
import { effort } from '../../../effort.ts';
import { type Arcs, stochasticNet } from '../stochastic-nets.ts';
import { jackson, type Station } from './jackson.ts';

/** A queue with arrivals of rate `load` and one server, or several. */
function queue(load: number, service: Omit<Arcs, 'take' | 'put'> = { race: 1, single: true }): Net {
  return stochasticNet(
    'queue',
    { waiting: 0 },
    { arrive: { take: '', put: 'waiting', race: load }, serve: { take: 'waiting', put: '', ...service } },
  );
}

function expectInside(found: SteadyDocument, means: Readonly<Record<string, number>>, width: number): void {
  expect(found.open?.because).toBeUndefined();
  for (const [name, mean] of Object.entries(means)) {
    const { lower, upper } = found.places.find((p) => p.name === name)!;
    expect([name, lower! <= mean * (1 + 1e-13), upper! >= mean * (1 - 1e-13)]).toEqual([name, true, true]);
    expect(upper! - lower!).toBeLessThan(width);
  }
}

/** Mean customers of M/G/1 (Pollaczek & Khinchine), by the squared coefficient of variation of the service time. */
const pollaczek = (load: number, variation: number): number => load + (load ** 2 * (1 + variation)) / (2 * (1 - load));

/** Mean customers of M/M/c (Erlang C). */
function erlangC(offered: number, servers: number): number {
  let [term, sum] = [1, 0];
  for (let k = 0; k < servers; k++) {
    sum += term;
    term *= offered / (k + 1);
  }
  const load = offered / servers;
  const waits = term / (1 - load) / (sum + term / (1 - load));
  return offered + (waits * load) / (1 - load);
}

test('M/M/1, M/M/c, M/E2/1 and M/H2/1: intervals contain the closed form and are narrow', () => {
  expectInside(steady(queue(0.5), { capacity: 100 }), { waiting: 1 }, 1e-9);
  expectInside(steady(queue(0.9), { capacity: 700 }), { waiting: 9 }, 1e-7);
  const three = queue(2.4, { race: 1, servers: 3 });
  expectInside(steady(three, { capacity: 300 }), { waiting: erlangC(2.4, 3) }, 1e-7);
  const erlangian = queue(0.6, { raceDelay: erlang(2, 2), single: true });
  expectInside(steady(erlangian, { capacity: 150 }), { waiting: pollaczek(0.6, 1 / 2) }, 1e-7);
  // Mean 0.25 · 2 + 0.75 · 2/3 = 1, second moment 2 (0.25 · 4 + 0.75 · 4/9) = 8/3.
  const random = queue(0.5, {
    raceDelay: hyperExponential([
      { probability: 0.25, rate: 0.5 },
      { probability: 0.75, rate: 1.5 },
    ]),
    single: true,
  });
  expectInside(steady(random, { capacity: 250 }), { waiting: pollaczek(0.5, 5 / 3) }, 1e-7);
});

test('a small capacity gives a wide interval that contains the figure, and exit 3', () => {
  const found = steady(queue(0.9), { capacity: 60 });
  expect(found.complete).toBe(false);
  expectInside(found, { waiting: 9 }, Number.POSITIVE_INFINITY);
});

/** Mean customers of a queue whose server fails and is repaired, by the matrix-geometric method (Neuts 1981). */
function breakdowns(arrivals: number, service: number, failing: number, repairing: number): number {
  type M = readonly [number, number, number, number];
  const times = ([a, b, c, d]: M, [e, f, g, h]: M): M => [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
  const plus = (a: M, b: M): M => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
  const inverse = ([a, b, c, d]: M): M => {
    const det = a * d - b * c;
    return [d / det, -b / det, -c / det, a / det];
  };
  const up: M = [arrivals, 0, 0, arrivals];
  const local: M = [-arrivals - service - failing, failing, repairing, -arrivals - repairing];
  const down: M = [service, 0, 0, 0];
  // R = −(up + R² down) local⁻¹.
  let r: M = [0, 0, 0, 0];
  for (let k = 0; k < 5000; k++)
    r = times(plus(up, times(times(r, r), down)), inverse(local)).map((x) => -x) as unknown as M;
  // π₀ (B + R down) = 0 with B = local without service.
  const first = plus(plus(local, [service, 0, 0, 0]), times(r, down));
  const pi = [first[2], -first[0]] as const;
  const geometric = inverse([1 - r[0], -r[1], -r[2], 1 - r[3]]);
  const row = ([x, y]: readonly [number, number], [a, b, c, d]: M) => [x * a + y * c, x * b + y * d] as const;
  const all = row(pi, geometric);
  const mean = row(row(all, r), geometric);
  return (mean[0] + mean[1]) / (all[0] + all[1]);
}

test('a queue with breakdowns: the matrix-geometric solution lies in the interval', () => {
  const net = stochasticNet(
    'breakdowns',
    { waiting: 0, up: 1, down: 0 },
    {
      arrive: { take: '', put: 'waiting', race: 0.5 },
      serve: { take: 'waiting', put: '', read: 'up', race: 1, single: true },
      fail: { take: 'up', put: 'down', race: 0.1 },
      repair: { take: 'down', put: 'up', race: 0.5 },
    },
  );
  expectInside(steady(net, { capacity: 300 }), { waiting: breakdowns(0.5, 1, 0.1, 0.5), up: 5 / 6 }, 1e-7);
});

test('a holding arrival and a holding server, which start at once', () => {
  const net = stochasticNet(
    'holding',
    { outside: 1, waiting: 0, clerk: 1 },
    {
      arrive: { take: 'outside', put: 'outside waiting', holding: 0.5 },
      serve: { take: 'waiting clerk', put: 'clerk', holding: 1 },
    },
  );
  expectInside(steady(net, { capacity: 100 }), { waiting: 0.5, clerk: 0.5 }, 1e-7);
});

const tandem = (first: number, second: number): Net =>
  stochasticNet(
    'tandem',
    { a: 0, b: 0 },
    {
      arrive: { take: '', put: 'a', race: 1 },
      one: { take: 'a', put: 'b', race: first, single: true },
      two: { take: 'b', put: '', race: second, single: true },
    },
  );

test('tandem and open Jackson networks', () => {
  expectInside(steady(tandem(4, 3), { capacity: 40 }), { a: 1 / 3, b: 1 / 2 }, 1e-3);
  expectInside(steady(tandem(4, 1.5), { capacity: 60 }), { a: 1 / 3, b: 2 }, 1);
  // Of the customers of b, a half go back to a: λa = 1 + λb / 2, λb = λa = 2.
  const back = stochasticNet(
    'back',
    { a: 0, b: 0 },
    {
      arrive: { take: '', put: 'a', race: 1 },
      one: { take: 'a', put: 'b', race: 6, single: true },
      leave: { take: 'b', put: '', race: 3, single: true },
      again: { take: 'b', put: 'a', race: 3, single: true },
    },
  );
  expectInside(steady(back, { capacity: 40 }), { a: 1 / 2, b: 1 / 2 }, 1e-2);
});

test('a queue at load 1 or more never has an interval', () => {
  const unstable = [queue(1), queue(1.5), tandem(2, 1), tandem(2, 0.8), tandem(0.9, 3)];
  for (const net of unstable) {
    const found = steady(net, { capacity: 30 });
    expect(found.open?.because).toContain('no proof that the queues are stable');
    for (const { certainty, lower, upper } of [...found.places, ...found.transitions])
      expect([certainty, lower, upper]).toEqual([0, null, null]);
  }
});

/** Mean customers of a birth-death process: arrivals of a rate, and the rate of leaving by their number. */
function birthDeath(arrivals: number, leaving: (n: number) => number): number {
  let [term, total, mean] = [1, 1, 0];
  for (let n = 1; n < 2000 && term > 1e-30 * total; n++) {
    term *= arrivals / leaving(n);
    total += term;
    mean += n * term;
  }
  return mean / total;
}

test('rates of leaving that grow with the tokens: M/M/∞, impatient customers, phases of arrivals', () => {
  for (const load of [0.1, 0.5, 3, 12])
    expectInside(steady(queue(load, { race: 1 }), { capacity: 60 }), { waiting: load }, 1e-8);
  // Erlang A: one or three servers, and each customer leaves after an exponential time. More arrive than are served.
  for (const servers of [1, 3])
    for (const patience of [0.05, 1, 20]) {
      const net = stochasticNet(
        'impatient',
        { waiting: 0 },
        {
          arrive: { take: '', put: 'waiting', race: 2.5 },
          serve: { take: 'waiting', put: '', race: 1, servers },
          leave: { take: 'waiting', put: '', race: patience },
        },
      );
      const mean = birthDeath(2.5, (n) => Math.min(n, servers) + n * patience);
      expectInside(steady(net, { capacity: 150 }), { waiting: mean }, 1e-7);
    }
  // The mean of G/M/∞ is that of M/M/∞.
  const erlangian = stochasticNet(
    'arrivals',
    { waiting: 0 },
    {
      arrive: { take: '', put: 'waiting', raceDelay: erlang(3, 6) },
      leave: { take: 'waiting', put: '', race: 1 },
    },
  );
  expectInside(steady(erlangian, { capacity: 40 }), { waiting: 2 }, 1e-8);
});

test('two queues without limit, of which one has infinitely many servers', () => {
  const net = stochasticNet(
    'both',
    { waiting: 0, resting: 0 },
    {
      arrive: { take: '', put: 'waiting', race: 0.3 },
      serve: { take: 'waiting', put: 'resting', race: 1, single: true },
      leave: { take: 'resting', put: '', race: 0.5 },
    },
  );
  // Burke: the output of M/M/1 is a Poisson process.
  expectInside(steady(net, { capacity: 40 }), { waiting: 3 / 7, resting: 0.6 }, 1e-6);
});

test.each([1, 2, 3, 5])('E%i/M/1: the mean by the root of the generating equation', (shape) => {
  const load = 0.6;
  // σ is the least root of σ = A*(1 − σ), the Laplace transform of the time between arrivals (Kleinrock 1975, §6.4).
  const rate = shape * load;
  let root = 0;
  for (let k = 0; k < 5000; k++) root = (rate / (rate + 1 - root)) ** shape;
  const net = stochasticNet(
    'arrivals',
    { waiting: 0 },
    {
      arrive: { take: '', put: 'waiting', raceDelay: erlang(shape, rate) },
      serve: { take: 'waiting', put: '', race: 1, single: true },
    },
  );
  expectInside(steady(net, { capacity: 200 }), { waiting: load / (1 - root) }, 1e-7);
});

test('without a proof the figures have no interval: rates that grow otherwise, speeds by tokens', () => {
  const moving = stochasticNet(
    'moving',
    { first: 0, second: 0 },
    {
      arrive: { take: '', put: 'first', race: 1 },
      move: { take: 'first', put: 'second', race: 1 },
      leave: { take: 'second', put: '', race: 1 },
    },
  );
  expect(steady(moving, { capacity: 30 }).open?.because).toContain('rates grow');
  const phases = queue(0.5, { raceDelay: hyperExponential([{ probability: 1, rate: 1 }]) });
  expect(steady(phases, { capacity: 10 }).open?.because).toBeDefined();
  const fast = queue(0.5, { race: 1, single: true, speed: 'waiting' });
  expect(steady(fast, { capacity: 30 }).open?.because).toContain('counts the tokens');
  const holding = queue(0.5, { holding: 1 });
  expect(() => steady(holding, { capacity: 30 })).toThrow(InputError);
});

test('a reward that only holds beyond the capacity has an upper bound above 0', () => {
  const found = steady(queue(0.5), { capacity: 100, rewards: { crowd: '#waiting > 5000', less: '7 - #waiting' } });
  const [crowd, less] = found.rewards!;
  expect(crowd!.lower).toBe(0);
  expect(crowd!.upper).toBeGreaterThan(0);
  expect(less!.lower! <= 6 && less!.upper! >= 6).toBe(true);
});

test('random open nets: intervals contain the figures of a much larger capacity', () => {
  const rate = fc.constantFrom(0.5, 1, 2, 3);
  fc.assert(
    fc.property(rate, rate, rate, rate, fc.integer({ min: 1, max: 3 }), fc.boolean(), (l, m, f, r, batch, reads) => {
      const net = stochasticNet(
        'random',
        { waiting: 0, up: 2, down: 0 },
        {
          arrive: { take: '', put: 'waiting '.repeat(batch), race: l / 2 },
          serve: { take: reads ? 'waiting' : 'waiting waiting', put: '', read: 'up', race: m, servers: batch },
          fail: { take: 'up', put: 'down', race: f, inhibit: 'waiting waiting' },
          repair: { take: 'down', put: 'up', race: r, single: true },
          last: { take: 'waiting', put: '', race: 0.1, single: true },
        },
      );
      const small = steady(net, { capacity: 40 });
      if (small.open?.because !== undefined) return;
      const large = steady(net, { capacity: 240 });
      for (const [k, place] of large.places.entries()) {
        const own = small.places[k]!;
        expect(own.lower!).toBeLessThanOrEqual(place.upper!);
        expect(own.upper!).toBeGreaterThanOrEqual(place.lower!);
      }
    }),
    { numRuns: effort(20) },
  );
});

/** A queue with Poisson arrivals and a station whose served customers leave at once, after a further station if there is one. */
function stations(load: number, services: readonly StationService[]): Net {
  const n = new NetBuilder('stations');
  const places = services.map((service, k) => n.place(`station${k}`, {}, { service }));
  n.transition('arrive', (t) => {
    t.put(places[0]!, {});
    t.race({ delay: exponential(load) });
  });
  for (const [k, place] of places.entries())
    n.transition(`leave${k}`, (t) => {
      t.take(place);
      const next = places[k + 1];
      if (next !== undefined) t.put(next, {});
    });
  return n.build();
}

test('stations with exponential times, whatever their order, have the figures of races', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0.3, 0.6, 0.8),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(fcfs, lcfsPr, processorSharing),
      (load, servers, station) => {
        const open = stations(servers * load, [station({ servers, time: exponential(1) })]);
        const found = steady(open, { capacity: 250 });
        expectInside(found, { station0: erlangC(servers * load, servers) }, 1e-6);
        const [used] = found.resources!;
        expect(used!.lower).toBeLessThanOrEqual(load * (1 + 1e-13));
        expect(used!.upper).toBeGreaterThanOrEqual(load * (1 - 1e-13));
      },
    ),
    { numRuns: effort(30) },
  );
});

test('two stations in a row are an open Jackson network', { timeout: 60_000 }, () => {
  const time = exponential(1);
  const found = steady(stations(0.2, [fcfs({ time }), processorSharing({ time })]), { capacity: 24 });
  expectInside(found, { station0: 0.25, station1: 0.25 }, 1e-3);
});

test('open stations without a proof say why', () => {
  const because = (net: Net): string | undefined => steady(net, { capacity: 30 }).open?.because;
  expect(because(stations(0.5, [infiniteServer({ time: exponential(1) })]))).toContain('rates grow with the tokens');
  expect(because(stations(1, [fcfs({ time: exponential(1) })]))).toContain('no proof that the queues are stable');
  const n = new NetBuilder('waits');
  const station = n.place('station', {}, { service: fcfs({ time: exponential(1) }) });
  n.transition('arrive', (t) => {
    t.put(station, {});
    t.race({ delay: exponential(0.5) });
  });
  n.transition('collect', (t) => {
    t.take(station);
    t.race({ delay: exponential(2), servers: 'single' });
  });
  expect(because(n.build())).toBe('served tokens of place station may stay there');
});

/** Stations with random ways between them, of small loads: chains of two queues are long. */
const stationsOf = (count: number): fc.Arbitrary<readonly Station[]> =>
  fc.array(
    fc.record({
      arrivals: fc.constantFrom(0.5, 1, 3),
      ways: fc
        .array(fc.integer({ min: 0, max: 2 }), { minLength: count, maxLength: count })
        .map((inside) => [...inside, 1] as readonly number[]),
      load: fc.constantFrom(0.1, 0.2, 0.3),
      isHolding: fc.boolean(),
    }),
    { minLength: count, maxLength: count },
  );

test('Jackson networks whose customers choose their way in no time', { timeout: 200_000 }, () => {
  let proved = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 }).chain((count) => stationsOf(count)),
      (network) => {
        const found = steady(jackson(network), { capacity: network.length === 1 ? 60 : 20 });
        expect(found.open!.places).toEqual(network.map((_, k) => `queue${k}`));
        if (found.open!.because !== undefined) return;
        proved++;
        network.forEach(({ load, isHolding }, k) => {
          // A customer in service holds the server, and is in no place.
          const mean = load / (1 - load) - (isHolding ? load : 0);
          const { lower, upper } = found.places.find(({ name }) => name === `queue${k}`)!;
          expect([k, lower! <= mean * (1 + 1e-12), upper! >= mean * (1 - 1e-12)]).toEqual([k, true, true]);
          const done = found.places.find(({ name }) => name === `done${k}`)!;
          expect([done.mean, done.lower]).toEqual([0, 0]);
        });
      },
    ),
    { numRuns: effort(60) },
  );
  expect(proved).toBeGreaterThan(15);
});
