// biome-ignore-all lint/suspicious/noExplicitAny: untyped callers may do this
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { mapModel } from '../../../src/commands/predict/model/stages.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster, mpmd, noise, type ProgramModel, spmd } from '../../../src/models.ts';
import { L, machine, message, simulateModel } from './run.ts';

const near = (found: number, expected: number): void =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-12 * Math.abs(expected));

describe('programs with known run time', () => {
  test.each([1, 2, 7, 32])('fork and join of %i branches: all compute at once', (x) => {
    const run = simulateModel(x + 1, (m) =>
      m.when(
        (s) => s.rank === 0,
        () => {
          m.loop('i', x, () => m.send({ to: (s) => s.i + 1, bytes: 100 }));
          m.loop('i', x, () => m.recv({ from: (s) => s.i + 1 }));
        },
        () => {
          m.recv({ from: 0 });
          m.compute({ flops: 1e9 });
          m.send({ to: 0, bytes: 100 });
        },
      ),
    );
    expect(run.figures.parallelism.max.value).toBe(x);
    expect(run.fragments!.shareBySize.length).toBe(x + 1);
    const active = run.fragments!.longest.find((f) => f.size === x)!;
    expect(active.processes).toEqual(Array.from({ length: x }, (_, k) => k + 1));
    // Messages of the root share its cable at equal rates, in both directions.
    near(run.figures.runTime.value, 1 + 2 * (L + x * 100e-9));
  });

  test.each([
    [2, 5],
    [8, 20],
  ])('a pipeline of %i stages and %i items', (stages, items) => {
    const run = simulateModel(stages, (m) =>
      m.loop(items, () => {
        m.recv({ from: (s) => (s.rank === 0 ? null : s.rank - 1) });
        m.compute({ flops: 1e6 });
        m.send({ to: (s) => (s.rank === stages - 1 ? null : s.rank + 1), bytes: 500 });
      }),
    );
    near(run.figures.runTime.value, stages * 1e-3 + (stages - 1) * message(500) + (items - 1) * 1e-3);
  });

  test.each([2, 5, 16])('a token around a ring of %i ranks', (size) => {
    const run = simulateModel(size, (m) =>
      m.loop(3, () => {
        m.when(
          (s) => s.rank === 0,
          () => {
            m.send({ to: 1 % size, bytes: 10 });
            m.recv({ from: size - 1 });
          },
          () => {
            m.recv({ from: (s) => s.rank - 1 });
            m.send({ to: (s) => (s.rank + 1) % s.size, bytes: 10 });
          },
        );
      }),
    );
    near(run.figures.runTime.value, 3 * size * message(10));
  });

  test.each(['allreduce', 'reduce', 'bcast'] as const)('%s of 2^k ranks takes k rounds', (kind) => {
    for (const k of [0, 1, 3, 6])
      near(simulateModel(2 ** k, (m) => m[kind]({ bytes: 0 })).figures.runTime.value, k * L);
  });

  test('an allreduce by doubling moves its bytes in every round', () => {
    for (const k of [1, 2, 5])
      near(simulateModel(2 ** k, (m) => m.allreduce({ bytes: 800 })).figures.runTime.value, k * message(800));
  });

  test('a stencil of one dimension: an iteration takes as long as the slowest neighbourhood', () => {
    const run = simulateModel(8, (m) =>
      m.loop(10, () => {
        m.compute({ flops: 1e6 });
        m.sendrecv({ to: (s) => (s.rank + 1) % 8, from: (s) => (s.rank + 7) % 8, bytes: 8 });
      }),
    );
    near(run.figures.runTime.value, 10 * (1e-3 + message(8)));
    expect(run.figures.loadBalance.value).toBe(1);
    expect(run.nodes!.every((n) => Math.abs(n.load - 1e-2 / run.figures.runTime.value) < 1e-12)).toBe(true);
  });
});

test('M/M/1 of two ranks: queue length and response time agree with theory and direct measurement', () => {
  const [lambda, mu, customers] = [0.6, 1, 200_000];
  const direct = cluster({
    nodes: 2,
    coresPerNode: 1,
    speed: 1,
    link: { latency: 0, bandwidth: 1e30 },
    eagerBelow: 1e9,
  });
  const model = spmd({
    name: 'mm1',
    build: (m) =>
      m.loop(customers, () =>
        m.when(
          (s) => s.rank === 0,
          () => {
            m.sleep(1 / lambda, noise.exponential());
            m.send({ to: 1, bytes: 1 });
          },
          () => {
            m.recv({ from: 0 });
            m.compute({ flops: 1 / mu, noise: noise.exponential() });
          },
        ),
      ),
  });
  const run = predict(model, { machine: direct, ranks: 2, seed: 'mm1' });
  const rho = lambda / mu;
  const queue = run.queues!.find((q) => q.name === 'messages sent and not matched')!;
  const waiting = rho ** 2 / (1 - rho);
  expect(Math.abs(queue.mean / waiting - 1)).toBeLessThan(0.05);
  expect(Math.abs(queue.response! / (rho / (mu - lambda)) - 1)).toBeLessThan(0.05);
  expect(Math.abs(run.ranks[1]!.computing / run.figures.runTime.value - rho)).toBeLessThan(0.01);

  // Little's law, compared with the waiting times of single messages in FIFO order.
  const few = mapModel(
    spmd({
      name: 'few',
      build: (m) =>
        m.loop(500, () =>
          m.when(
            (s) => s.rank === 0,
            () => {
              m.sleep(1 / lambda, noise.exponential());
              m.send({ to: 1, bytes: 1 });
            },
            () => {
              m.recv({ from: 0 });
              m.compute({ flops: 1 / mu, noise: noise.exponential() });
            },
          ),
        ),
    }) as ProgramModel,
    { machine: direct, ranks: 2 },
  );
  const played = simulate(few.program.net, {
    seed: 'few',
    record: ['match', 'send 1'],
    monitors: { queue: { tokens: 'sends' } },
  });
  const sent = played.events.filter((e) => e.transition === 'send 1').map((e) => e.time);
  const met = played.events.filter((e) => e.transition === 'match').map((e) => e.time);
  const measured = met.reduce((sum, time, k) => sum + time - sent[k]!, 0) / met.length;
  near((played.monitors['queue']!['mean']! * played.time) / met.length, measured);
});

describe('laws', () => {
  const ring = (of: (rank: number) => number, back: (rank: number) => number): ProgramModel =>
    spmd({
      name: 'ring',
      build: (m) =>
        m.loop(5, () => {
          m.compute({ flops: (s) => 1e6 + 1e4 * back(s.rank) });
          const r = [
            m.isend({ to: (s) => of((back(s.rank) + 1) % s.size), bytes: 30_000 }),
            m.irecv({ from: (s) => of((back(s.rank) + s.size - 1) % s.size) }),
          ];
          m.waitAll(r);
        }),
    }) as ProgramModel;

  test('permuting the ranks permutes the result', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
        const plain = predict(
          ring(
            (r) => r,
            (r) => r,
          ),
          { machine, ranks: 6 },
        );
        const permuted = predict(
          ring(
            (r) => order[r]!,
            (r) => order.indexOf(r),
          ),
          { machine, ranks: 6 },
        );
        plain.ranks.forEach((rank, r) => {
          near(permuted.ranks[order[r]!]!.endTime!, rank.endTime!);
        });
      }),
      { numRuns: 20 },
    );
  });

  test('scaling all times scales the run time', () => {
    const base = { nodes: 6, coresPerNode: 1, eagerBelow: 1000 } as const;
    const at = (c: number): number =>
      predict(
        ring(
          (r) => r,
          (r) => r,
        ),
        {
          machine: cluster({ ...base, speed: 1e9 / c, link: { latency: 5e-6 * c, bandwidth: 1e9 / c } }),
          ranks: 6,
        },
      ).figures.runTime.value;
    for (const c of [0.25, 2, 1024]) near(at(c), c * at(1));
  });

  const steps = fc.array(
    fc.record({ work: fc.integer({ min: 1, max: 1e6 }), bytes: fc.constantFrom(8, 5000, 50_000) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );

  test('a program merged from modules is the same as one program', () => {
    fc.assert(
      fc.property(steps, steps, (a, b) => {
        // Two coupled codes of two ranks each: they compute, exchange within the code, and once with the partner code.
        const work = (own: typeof a, m: any, first: number, everyone: object): void => {
          for (const { work, bytes } of own) {
            m.compute({ flops: (s: any) => work + 1000 * (s.rank % 2) });
            m.sendrecv({
              to: (s: any) => first + ((s.rank + 1) % 2),
              from: (s: any) => first + ((s.rank + 1) % 2),
              bytes,
              ...everyone,
            });
          }
        };
        const meet = (m: any, other: (s: any) => number, everyone: object): void =>
          m.sendrecv({ to: other, from: other, bytes: 20_000, ...everyone });
        const code = (name: string, own: typeof a, first: number): ProgramModel =>
          spmd({
            name,
            build(m) {
              const everyone = { comm: m.everyone };
              work(own, m, first, everyone);
              meet(m, (s) => s.rank + (first === 0 ? 2 : 0), everyone);
              m.barrier(everyone);
            },
          }) as ProgramModel;
        const merged = mpmd({
          name: 'coupled',
          parts: [
            { model: code('a', a, 0), ranks: 2 },
            { model: code('b', b, 2), ranks: 'rest' },
          ],
        });
        const one = spmd({
          name: 'one',
          build(m) {
            m.when(
              (s) => s.rank < 2,
              () => work(a, m, 0, {}),
              () => work(b, m, 2, {}),
            );
            meet(m, (s) => (s.rank + 2) % 4, {});
            m.barrier();
          },
        });
        const [x, y] = [predict(merged, { machine, ranks: 4 }), predict(one, { machine, ranks: 4 })];
        expect(x.deadlock).toEqual([]);
        x.ranks.forEach((rank, r) => {
          near(rank.endTime!, y.ranks[r]!.endTime!);
          near(rank.computing, y.ranks[r]!.computing);
        });
      }),
      { numRuns: 15 },
    );
  });
});

test('a loop of a million iterations is no larger than one of ten', () => {
  const net = (turns: number): ReturnType<typeof mapModel> =>
    mapModel(spmd({ name: 'turns', build: (m) => m.loop(turns, () => m.compute({ flops: 1 })) }) as ProgramModel, {
      machine,
      ranks: 2,
    });
  const [few, many] = [net(10), net(1_000_000)].map(({ program }) => ({
    nodes: program.net.places.length + program.net.transitions.length,
    entries: program.net.tables.reduce((sum, t) => sum + ('values' in t ? t.values.length : 0), 0),
  }));
  expect(many).toEqual(few);
});
