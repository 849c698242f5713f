import { describe, expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer, processorSharing } from '../../../src/net/builder/stations.ts';
import { expectFigures, expectQueue, solved } from './expect-figures.ts';
import { queue, stochasticNet } from './stochastic-nets.ts';

describe('M/M/1/K', () => {
  test.each([
    [0.5, 5],
    [0.9, 40],
    [1, 7],
    [3, 30],
  ])('load %f, %i places', expectQueue);

  test('rates 20 orders apart are exact to rounding', () => {
    const load = 1e-20;
    const waiting = (load + 2 * load ** 2) / (1 + load + load ** 2);
    const found = solved(queue(1e-10, 1e10, 2));
    const place = found.places.find((p) => p.name === 'waiting')!;
    expect(Math.abs(place.mean / waiting - 1)).toBeLessThan(1e-14);
    expect(place.upper! / place.lower! - 1).toBeLessThan(1e-13);
  });
});

describe('machine repair: N machines, R workers', () => {
  test.each([
    ['race', 5, 2],
    ['race', 12, 3],
    ['holding', 5, 2],
    ['holding', 30, 4],
  ] as const)('%s, %i machines, %i workers', (timing, machines, workers) => {
    const [fails, repairs] = [0.3, 1.7];
    const time = (rate: number): object => (timing === 'race' ? { race: rate } : { holding: rate });
    const found = solved(
      stochasticNet(
        'repair',
        { up: machines, down: 0, workers },
        {
          fail: { take: 'up', put: 'down', race: fails },
          repair: { take: 'down workers', put: 'up workers', ...time(repairs) },
        },
      ),
    );
    // Birth–death: number of broken machines.
    const weights = [1];
    for (let k = 0; k < machines; k++)
      weights.push((weights[k]! * (machines - k) * fails) / (Math.min(k + 1, workers) * repairs));
    const total = weights.reduce((a, b) => a + b, 0);
    const mean = (of: (k: number) => number): number => weights.reduce((sum, w, k) => sum + of(k) * w, 0) / total;
    expectFigures(found, {
      mean: {
        up: mean((k) => machines - k),
        // Holding firings keep a machine and a worker.
        down: mean((k) => (timing === 'race' ? k : Math.max(0, k - workers))),
        workers: mean((k) => (timing === 'race' ? workers : workers - Math.min(k, workers))),
      },
      throughput: { repair: mean((k) => Math.min(k, workers)) * repairs },
      enabled: { repair: 1 - 1 / total },
    });
    // A worker takes up a machine at once: the start of a holding firing takes no time.
    expect(found.vanishing).toBe(timing === 'race' ? 0 : machines - 1);
  });
});

/** Product form of a closed network (Gordon & Newell 1967): mean customers by station, by enumeration. */
function gordonNewell(customers: number, demands: readonly number[], servers: readonly number[]): number[] {
  const states: number[][] = [];
  const place = (left: number, before: readonly number[]): void => {
    if (before.length === demands.length - 1) states.push([...before, left]);
    else for (let k = 0; k <= left; k++) place(left - k, [...before, k]);
  };
  place(customers, []);
  const factor = (station: number, k: number): number => {
    let value = 1;
    for (let j = 1; j <= k; j++) value *= demands[station]! / Math.min(j, servers[station]!);
    return value;
  };
  const weights = states.map((state) => state.reduce((product, k, i) => product * factor(i, k), 1));
  const total = weights.reduce((a, b) => a + b, 0);
  return demands.map((_, i) => states.reduce((sum, state, s) => sum + state[i]! * weights[s]!, 0) / total);
}

/** A closed Jackson network: a CPU, two discs and terminals, chosen by weight. */
describe('closed networks of Gordon and Newell', () => {
  const rates = { cpu: 10, disc1: 4, disc2: 3, think: 0.5 };
  const share = { disc1: 0.5, disc2: 0.3, think: 0.2 };
  const demands = [1 / rates.cpu, share.disc1 / rates.disc1, share.disc2 / rates.disc2, share.think / rates.think];

  test.each([3, 8])('immediate routing, %i customers', (customers) => {
    const found = solved(
      stochasticNet(
        'network',
        { cpu: customers, routed: 0, disc1: 0, disc2: 0, think: 0 },
        {
          compute: { take: 'cpu', put: 'routed', race: rates.cpu, single: true },
          to1: { take: 'routed', put: 'disc1', weight: share.disc1 },
          to2: { take: 'routed', put: 'disc2', weight: share.disc2 },
          toThink: { take: 'routed', put: 'think', weight: share.think },
          read1: { take: 'disc1', put: 'cpu', race: rates.disc1, single: true },
          read2: { take: 'disc2', put: 'cpu', race: rates.disc2, single: true },
          think: { take: 'think', put: 'cpu', race: rates.think },
        },
      ),
    );
    const [cpu, disc1, disc2, think] = gordonNewell(customers, demands, [1, 1, 1, customers]) as [
      number,
      number,
      number,
      number,
    ];
    const cycle = think * rates.think;
    expectFigures(found, {
      mean: { cpu, disc1, disc2, think, routed: 0 },
      throughput: {
        think: cycle,
        toThink: cycle,
        to1: (cycle * share.disc1) / share.think,
        compute: cycle / share.think,
      },
    });
  });

  test.each([2, 6])(
    'stations: processor sharing, first come first served, infinite servers; %i customers',
    (customers) => {
      const n = new NetBuilder('stations');
      const cpu = n.place(
        'cpu',
        {},
        { initial: customers, service: processorSharing({ servers: 2, time: exponential(rates.cpu) }) },
      );
      const disc1 = n.place('disc1', {}, { service: fcfs({ time: exponential(rates.disc1) }) });
      const disc2 = n.place('disc2', {}, { service: fcfs({ servers: 3, time: exponential(rates.disc2) }) });
      const think = n.place('think', {}, { service: infiniteServer({ time: exponential(rates.think) }) });
      for (const [name, to] of [
        ['disc1', disc1],
        ['disc2', disc2],
        ['think', think],
      ] as const) {
        n.transition(`to ${name}`, (t) => {
          t.take(cpu);
          t.put(to, {});
          t.weight(share[name]);
        });
        n.transition(`from ${name}`, (t) => {
          t.take(to);
          t.put(cpu, {});
        });
      }
      const means = gordonNewell(customers, demands, [2, 1, 3, customers]);
      expectFigures(solved(n.build()), {
        mean: { cpu: means[0]!, disc1: means[1]!, disc2: means[2]!, think: means[3]! },
        throughput: {
          'from think': means[3]! * rates.think,
          'to disc1': (means[3]! * rates.think * share.disc1) / share.think,
        },
      });
    },
  );
});

test('a race that takes two tokens by two arcs has a clock for each pair', () => {
  const n = new NetBuilder('pairs');
  const single = n.place('single', {}, { initial: 4 });
  const paired = n.place('paired', {});
  n.transition('pair', (t) => {
    t.take(single);
    t.take(single);
    t.put(paired, {});
    t.race({ delay: exponential(1), servers: 'infinite' });
  });
  n.transition('part', (t) => {
    t.take(paired);
    t.put(single, {}, 2);
    t.race({ delay: exponential(1), servers: 'infinite' });
  });
  // Two pairs, each of which is half of the time together.
  expectFigures(solved(n.build()), { mean: { single: 2, paired: 1 }, throughput: { pair: 1, part: 1 } });
});

test('tandem of two stations with room for one customer each: the first is blocked after service', () => {
  // States: (first, second): idle, busy or blocked; rates a, b, c. Solved by hand with a = b = c = 1:
  // π(0,0) = 2, π(0,1) = 2, π(1,0) = 3, π(1,1) = 1, π(blocked,1) = 1, of 9.
  const found = solved(
    stochasticNet(
      'tandem',
      { free1: 1, at1: 0, done1: 0, free2: 1, at2: 0 },
      {
        arrive: { take: 'free1', put: 'at1', race: 1, single: true },
        serve1: { take: 'at1', put: 'done1', race: 1, single: true },
        move: { take: 'done1 free2', put: 'free1 at2' },
        serve2: { take: 'at2', put: 'free2', race: 1, single: true },
      },
    ),
  );
  // (0,0) → (1,0): 1; (1,0) → (0,1): 1; (0,1) → (1,1): 1, → (0,0): 1; (1,1) → (b,1): 1, → (1,0): 1; (b,1) → (0,1): 1.
  // π(0,0) = π(0,1); π(1,0) = π(0,0) + π(1,1); 2 π(0,1) = π(1,0) + π(b,1); 2 π(1,1) = π(0,1); π(b,1) = π(1,1).
  // Hence 2 : 2 : 3 : 1 : 1.
  expectFigures(found, {
    mean: { at1: 4 / 9, done1: 1 / 9, at2: 4 / 9, free1: 4 / 9 },
    throughput: { arrive: 4 / 9, serve2: 4 / 9, move: 4 / 9 },
  });
  expect(found.states).toBe(5);
});

test('a cycle of immediate firings is eliminated: a geometric number of firings', () => {
  // From `choose`, 3 of 4 draws go round through `again`; a token leaves after 4 draws on average.
  const found = solved(
    stochasticNet(
      'geometric',
      { wait: 1, choose: 0, again: 0 },
      {
        begin: { take: 'wait', put: 'choose', race: 2 },
        round: { take: 'choose', put: 'again', weight: 3 },
        leave: { take: 'choose', put: 'wait', weight: 1 },
        back: { take: 'again', put: 'choose' },
      },
    ),
  );
  expectFigures(found, { mean: { wait: 1 }, throughput: { begin: 2, round: 6, back: 6, leave: 2 } });
});

describe('several bottom components', () => {
  test('their probabilities, and figures over all of them', () => {
    // From `start`: to `a` with 1/4; to b1 ⇄ b2, rates 1 and 3, with 3/4.
    const found = steady(
      stochasticNet(
        'choice',
        { start: 1, a: 0, b1: 0, b2: 0 },
        {
          toA: { take: 'start', put: 'a', race: 1 },
          toB: { take: 'start', put: 'b1', race: 3 },
          there: { take: 'b1', put: 'b2', race: 1 },
          back: { take: 'b2', put: 'b1', race: 3 },
        },
      ),
    );
    expect(found.complete).toBe(true);
    expect(found.components.map((c) => [c.states, c.probability])).toEqual([
      [2, 0.75],
      [1, 0.25],
    ]);
    expectFigures(found, {
      mean: { start: 0, a: 0.25, b1: 9 / 16, b2: 3 / 16 },
      throughput: { toA: 0, there: 9 / 16, back: 9 / 16 },
    });
  });

  test('a deadlock is the whole of the long run', () => {
    const found = solved(stochasticNet('ends', { a: 3, b: 0 }, { t: { take: 'a', put: 'b', race: 2 } }));
    expectFigures(found, { mean: { a: 0, b: 3 }, throughput: { t: 0 } });
  });
});
