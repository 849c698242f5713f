import { describe, expect, test } from 'vitest';
import type { InputError } from '../../../src/base/problem.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, div, gt, max, min, mul, type NumberTerm, sub, when } from '../../../src/net/terms.ts';
import { expectFigures, solved } from './expect-figures.ts';
import { type Arcs, stochasticNet } from './stochastic-nets.ts';

/** Long-run figures of a birth–death chain on 0 … N from its rates. */
function birthDeath(room: number, birth: (k: number) => number, death: (k: number) => number) {
  const weights = [1];
  for (let k = 0; k < room; k++) weights.push((weights[k]! * birth(k)) / death(k + 1));
  const total = weights.reduce((a, b) => a + b, 0);
  return (of: (k: number) => number): number => weights.reduce((sum, w, k) => sum + of(k) * w, 0) / total;
}

describe('servers: M/M/c/K and M/M/∞', () => {
  test.each([
    [3, 10, 2.5],
    [1, 6, 0.7],
    [2, 40, 1.9],
    [Number.POSITIVE_INFINITY, 30, 4],
  ])('%f servers, room for %i, offered load %f', (servers, room, load) => {
    const found = solved(
      stochasticNet(
        'M/M/c/K',
        { free: room, inside: 0 },
        {
          arrive: { take: 'free', put: 'inside', race: 2 * load, single: true },
          serve: { take: 'inside', put: 'free', race: 2, ...(Number.isFinite(servers) ? { servers } : {}) },
        },
      ),
    );
    const mean = birthDeath(
      room,
      () => 2 * load,
      (k) => 2 * Math.min(k, servers),
    );
    expectFigures(found, {
      mean: { inside: mean((k) => k), free: mean((k) => room - k) },
      throughput: { serve: mean((k) => 2 * Math.min(k, servers)), arrive: mean((k) => (k < room ? 2 * load : 0)) },
      enabled: { serve: mean((k) => Number(k > 0)) },
    });
  });

  test('M/M/∞: the number in the system is Poisson (Erlang)', () => {
    const load = 2;
    const found = solved(
      stochasticNet(
        'M/M/inf',
        { free: 60, inside: 0 },
        {
          arrive: { take: 'free', put: 'inside', race: load, single: true },
          leave: { take: 'inside', put: 'free', race: 1 },
        },
      ),
    );
    expect(found.places.find((p) => p.name === 'inside')!.mean).toBeCloseTo(load, 12);
  });
});

/** A net of a queue `inside` with room for `room` and the given speed of its single service. */
function queueOf(room: number, arrivals: number, speed: (inside: NumberTerm) => NumberTerm): Net {
  const n = new NetBuilder('state-dependent');
  const free = n.place('free', {}, { initial: room });
  const inside = n.place('inside', {});
  n.transition('arrive', (t) => {
    t.take(free);
    t.put(inside, {});
    t.race({ delay: exponential(arrivals), servers: 'single' });
  });
  n.transition('serve', (t) => {
    t.take(inside);
    t.put(free, {});
    t.race({ delay: exponential(1), servers: 'single', speed: speed(t.count(inside)) });
  });
  return n.build();
}

describe('speeds that depend on the marking', () => {
  test.each([
    ['proportional to the number', (k: number) => 0.5 * k, (n: NumberTerm) => mul(0.5, n)],
    ['slower under load', (k: number) => 3 / (1 + 0.1 * k), (n: NumberTerm) => div(3, add(1, mul(0.1, n)))],
    ['a second server above 4', (k: number) => (k > 4 ? 4 : 2), (n: NumberTerm) => when(gt(n, 4), 4, 2)],
    ['three servers', (k: number) => 1.5 * Math.min(k, 3), (n: NumberTerm) => mul(1.5, min(n, 3))],
  ] as const)('M/M/1 with state-dependent service: %s', (_, rate, speed) => {
    const room = 12;
    const mean = birthDeath(room, () => 2, rate);
    expectFigures(solved(queueOf(room, 2, speed)), {
      mean: { inside: mean((k) => k) },
      throughput: { serve: mean((k) => (k > 0 ? rate(k) : 0)) },
      enabled: { serve: mean((k) => Number(k > 0)) },
    });
  });

  test('machine repair by a marking-dependent rate is that by a place of workers', () => {
    const [machines, workers, fails, repairs] = [9, 3, 0.4, 1.3];
    const n = new NetBuilder('repair');
    const up = n.place('up', {}, { initial: machines });
    const down = n.place('down', {});
    const move = (name: string, from: typeof up, to: typeof up, rate: number, limit: number): void =>
      n.transition(name, (t) => {
        t.take(from);
        t.put(to, {});
        t.race({ delay: exponential(rate), servers: 'single', speed: min(t.count(from), limit) });
      });
    move('fail', up, down, fails, machines);
    move('repair', down, up, repairs, workers);
    const mean = birthDeath(
      machines,
      (k) => (machines - k) * fails,
      (k) => Math.min(k, workers) * repairs,
    );
    expectFigures(solved(n.build()), {
      mean: { up: mean((k) => machines - k), down: mean((k) => k) },
      throughput: { repair: mean((k) => Math.min(k, workers) * repairs) },
    });
  });

  test('processor sharing of two classes by a speed is the service "ps" (Baskett et al. 1975)', () => {
    const [rates, thinks, customers] = [
      [3, 1],
      [0.5, 0.8],
      [4, 3],
    ] as const;
    const n = new NetBuilder('sharing');
    const K = n.range('K', 0, 1);
    const own = n.realTable('own', Float64Array.from(rates));
    const idle = n.realTable('idle', Float64Array.from(thinks));
    const think = n.place(
      'think',
      { k: K },
      { initial: [0, 1].flatMap((k) => Array.from({ length: customers[k]! }, () => ({ k }))) },
    );
    const cpu = n.place('cpu', { k: K });
    n.transition('compute', (t) => {
      const { k } = t.take(cpu);
      t.put(think, { k });
      // Each of n customers has 1/n of the processor.
      t.race({ delay: exponential(own.at(k)), speed: div(1, max(t.count(cpu), 1)) });
    });
    n.transition('rest', (t) => {
      const { k } = t.take(think);
      t.put(cpu, { k });
      t.race({ delay: exponential(idle.at(k)) });
    });
    // Product form: (a + b)! / (a! b!) ρ₀^a ρ₁^b / ((N₀ − a)! (N₁ − b)!) with ρ = think rate / service rate.
    const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));
    const states = Array.from({ length: customers[0] + 1 }, (_, a) =>
      Array.from({ length: customers[1] + 1 }, (__, b) => [a, b] as const),
    ).flat();
    const weights = states.map(
      ([a, b]) =>
        (factorial(a + b) / factorial(a) / factorial(b) / factorial(customers[0] - a) / factorial(customers[1] - b)) *
        (thinks[0] / rates[0]) ** a *
        (thinks[1] / rates[1]) ** b,
    );
    const total = weights.reduce((x, y) => x + y, 0);
    const inside = states.reduce((sum, [a, b], s) => sum + (a + b) * weights[s]!, 0) / total;
    expectFigures(solved(n.build()), { mean: { cpu: inside, think: 7 - inside } });
  });

  test('a speed of 0 closes a part of the chain', () => {
    // Arrivals stop at three of ten places: M/M/1/3.
    const n = new NetBuilder('closed');
    const free = n.place('free', {}, { initial: 10 });
    const inside = n.place('inside', {});
    n.transition('arrive', (t) => {
      t.take(free);
      t.put(inside, {});
      t.race({ delay: exponential(2), servers: 'single', speed: max(sub(min(4, sub(t.count(free), 6)), 1), 0) });
    });
    n.transition('serve', (t) => {
      t.take(inside);
      t.put(free, {});
      t.race({ delay: exponential(3), servers: 'single' });
    });
    const mean = birthDeath(
      3,
      (k) => 2 * (3 - k),
      () => 3,
    );
    const found = solved(n.build());
    expect(found.states).toBe(4);
    expectFigures(found, { mean: { inside: mean((k) => k) }, enabled: { arrive: mean((k) => Number(k < 3)) } });
  });

  test('weights of counts: routing in proportion to the queues', () => {
    const n = new NetBuilder('routing');
    const pool = n.place('pool', {}, { initial: 2 });
    const chosen = n.place('chosen', {});
    const [a, b] = [n.place('a', {}, { initial: 1 }), n.place('b', {}, { initial: 2 })] as const;
    n.transition('pick', (t) => {
      t.take(pool);
      t.put(chosen, {});
      t.race({ delay: exponential(1), servers: 'single' });
    });
    for (const [name, place] of [
      ['toA', a],
      ['toB', b],
    ] as const)
      n.transition(name, (t) => {
        t.take(chosen);
        t.put(place, {});
        t.weight(t.count(place));
      });
    // Pólya's urn with 1 and 2 balls, two draws: E[a] = 1 + 2/3.
    const found = steady(n.build());
    const means = Object.fromEntries(found.places.map((p) => [p.name, p.mean]));
    expect(means['a']).toBeCloseTo(1 + 2 / 3, 12);
    expect(means['b']).toBeCloseTo(2 + 4 / 3, 12);
  });
});

const code = (net: Net): string => {
  try {
    steady(net, { method: 'ctmc' });
    return 'solved';
  } catch (e) {
    return (e as InputError).problems[0]!.code;
  }
};

test('fewer servers than several colours need are refused; enough are solved', () => {
  const of = (servers: number): Net => {
    const n = new NetBuilder('colours');
    const K = n.range('K', 0, 1);
    const from = n.place('from', { k: K }, { initial: [{ k: 0 }, { k: 0 }, { k: 1 }] });
    const to = n.place('to', { k: K });
    for (const [name, a, b] of [
      ['go', from, to],
      ['back', to, from],
    ] as const)
      n.transition(name, (t) => {
        t.put(b, t.take(a));
        t.race({ delay: exponential(1), ...(name === 'go' ? { servers } : {}) });
      });
    return n.build();
  };
  expect(code(of(1))).toBe('CTMC002');
  expect(code(of(2))).toBe('CTMC002');
  expect(code(of(3))).toBe('solved');
});

test('a negative speed is named with its transition', () => {
  const net = queueOf(3, 1, (n) => sub(n, 2));
  expect(code(net)).toBe('RUN017');
});

test('the memory of exponential races does not change the chain', () => {
  const of = (memory: NonNullable<Arcs['memory']>): unknown => {
    const { places, transitions } = steady(
      stochasticNet(
        'memory',
        { a: 3, b: 0, c: 1, d: 0 },
        {
          t: { take: 'a c', put: 'b c', race: 2, servers: 2, memory },
          u: { take: 'b', put: 'a', race: 1, speed: 'a b', memory },
          v: { take: 'c', put: 'd', race: 3, memory },
          w: { take: 'd', put: 'c', race: 5 },
        },
      ),
    );
    return { places, transitions };
  };
  expect(of('age')).toEqual(of('enabling'));
  expect(of('resampling')).toEqual(of('enabling'));
});
