import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import type { DiagnosedRegion } from '../../../src/commands/diagnose/diagnosis-document.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import type { SchedulerName } from '../../../src/models/threads/net/thread-net.ts';
import type { ThreadBuilder } from '../../../src/models/threads/program/builder-types.ts';
import { counter, mpmd, spmd, threads } from '../../../src/models.ts';

const machine = cluster({
  nodes: 2,
  coresPerNode: 4,
  speed: 1e9,
  link: { latency: 1e-6, bandwidth: 1e10 },
  eagerBelow: 65536,
});
type Body = (t: ThreadBuilder<Record<never, never>, string>) => void;

/** Fine tasks in a loop that splits them by halves. */
const fine: Body = (t) =>
  t.parallelFor({
    name: 'fine',
    n: 2000,
    grain: 1,
    body: (b) => b.compute({ seconds: ({ count }) => (count as number) * 50e-9 }),
  });

/** Two threads that want one lock. */
const locking: Body = (t) => {
  const lock = t.mutex('lock');
  t.parallel(2, () => t.critical(lock, () => t.compute({ seconds: 1e-4 })));
};

/** A region executed `steps` times by the threads of every rank. */
const program = (body: Body, { workers = 2, steps = 1, scheduler = 'stealing' as SchedulerName } = {}) =>
  spmd({
    name: 'hybrid',
    vars: { k: counter() },
    build: (m) =>
      m.loop('k', steps, () => {
        m.threads({ workers, scheduler }, body);
        m.barrier();
      }),
  });

/** Seconds and counters of all workers, without their names. */
const lives = ({ workers }: DiagnosedRegion) => workers!.map(({ seconds, counters }) => ({ seconds, counters }));
const sums = (region: DiagnosedRegion) => {
  const total: Record<string, number> = {};
  for (const { seconds, counters } of lives(region))
    for (const [name, value] of Object.entries({ ...seconds, ...counters })) total[name] = (total[name] ?? 0) + value;
  return total;
};

describe('programs whose ranks have threads', () => {
  test.each([
    ['stealing', fine],
    ['os', locking],
    ['a0', locking],
    ['a1', locking],
    ['a2', locking],
  ] as const)('one rank has the lives of the same thread program: %s', (scheduler, body) => {
    const alone = diagnose(threads({ name: 'alone', build: body }), { machine, workers: 2, scheduler, gain: false });
    const within = diagnose(program(body, { scheduler }), { machine, ranks: 1, gain: false });
    expect(within.regions).toHaveLength(1);
    const [expected, found] = [alone.regions[0]!, within.regions[0]!];
    expect(found.findings).toEqual(expected.findings);
    lives(found).forEach(({ seconds, counters }, w) => {
      const other = lives(expected)[w]!;
      expect(counters).toEqual(other.counters);
      for (const state of ['exec', 'local', 'global', 'wait'] as const)
        expect(seconds[state]).toBeCloseTo(other.seconds[state], 12);
    });
  });

  test('each region over all ranks, and by rank', () => {
    const body: Body = (t) =>
      t.parallelFor({
        name: 'rows',
        n: 64,
        grain: 1,
        body: (b) => b.compute({ seconds: ({ rank }) => 1e-4 * (1 + (rank as number)) }),
      });
    const { regions, model } = diagnose(program(body, { steps: 3 }), { machine, ranks: 4 });
    expect(model).toMatchObject({ ranks: 4, workers: 2, scheduler: 'stealing' });
    expect(regions.map(({ name }) => name).sort()).toEqual([
      'rows',
      'rows, rank 0',
      'rows, rank 1',
      'rows, rank 2',
      'rows, rank 3',
    ]);
    const all = sums(regions.find(({ name }) => name === 'rows')!);
    const byRank = [0, 1, 2, 3].map((r) => sums(regions.find(({ name }) => name === `rows, rank ${r}`)!));
    for (const [name, value] of Object.entries(all))
      expect([name, byRank.reduce((sum, one) => sum + one[name]!, 0)]).toEqual([name, expect.closeTo(value, 12)]);
    // Three executions of 64 iterations.
    byRank.forEach((one, r) => {
      expect(one['exec']).toBeCloseTo(3 * 64 * 1e-4 * (1 + r), 4);
    });
    expect(regions[0]!.workers!.map(({ worker }) => worker)).toContain('rank 3, worker 1');
  });

  test('workers enter and leave each state equally often', () => {
    const { regions } = diagnose(program(fine, { workers: 4, steps: 2 }), { machine, ranks: 2, gain: false });
    for (const region of regions)
      for (const { counters: c } of region.workers!) {
        const into = (a: number, b: number): number => Math.abs(a - b);
        // At most one more entry than exits, in each execution of the region.
        expect(into(c.execLocal, c.localExec + c.localGlobal)).toBeLessThanOrEqual(2);
        expect(into(c.localGlobal + c.waitGlobal, c.globalExec + c.globalWait)).toBeLessThanOrEqual(2);
        expect(into(c.globalWait, c.waitGlobal)).toBeLessThanOrEqual(2);
      }
  });

  test('the predicted gain is the time that the changed program saves', () => {
    const { regions } = diagnose(program(fine, { workers: 4, steps: 2 }), { machine, ranks: 2 });
    const finding = regions[0]!.findings.find(({ cause }) => cause === 'fine-grain')!;
    const [, grain] = /grain of the loop at [^:]+:\d+: 1 → (\d+)/.exec(finding.change!)!;
    const coarse: Body = (t) =>
      t.parallelFor({
        name: 'fine',
        n: 2000,
        grain: Number(grain),
        body: (b) => b.compute({ seconds: ({ count }) => (count as number) * 50e-9 }),
      });
    const time = (body: Body): number =>
      predict(program(body, { workers: 4, steps: 2 }), { machine, ranks: 2 }).figures.runTime.value;
    expect(finding.predictedGain!).toBeCloseTo(time(fine) - time(coarse), 12);
  });

  test('coupled models: ranks of the world', () => {
    const first = spmd({ name: 'first', build: (m) => m.compute({ seconds: 1e-3 }) });
    const model = mpmd({
      name: 'coupled',
      parts: [
        { model: first, ranks: 1 },
        { model: program(fine), ranks: 2 },
      ],
    });
    const { regions } = diagnose(model, { machine, gain: false });
    expect(regions.map(({ name }) => name).sort()).toEqual(['fine', 'fine, rank 1', 'fine, rank 2']);
  });

  test('a deadlock inside a rank is reported, and regions up to it', () => {
    const crossed: Body = (t) => {
      const [a, b] = [t.mutex('a'), t.mutex('b')];
      t.parallel(2, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => {
            t.lock(a);
            t.compute({ seconds: 1e-3 });
            t.lock(b);
          },
          () => {
            t.lock(b);
            t.compute({ seconds: 1e-3 });
            t.lock(a);
          },
        ),
      );
    };
    const document = diagnose(program(crossed, { scheduler: 'os' }), { machine, ranks: 1 });
    expect(document.deadlock).toHaveLength(1);
    expect(document.regions).toHaveLength(1);
  });
});

describe('bad input', () => {
  const ring = spmd({ name: 'ring', build: (m) => m.compute({ seconds: 1 }) });
  test.each<[string, () => unknown, RegExp]>([
    ['a program without threads', () => diagnose(ring, { machine }), /DIAG004 model "ring" has no threads/],
    [
      'workers of a pool',
      () => diagnose(program(fine), { machine, workers: 3 }),
      /DIAG009 option workers does not apply to a model/,
    ],
    [
      'speed-up',
      () => diagnose(program(fine), { machine, speedup: true }),
      /DIAG009 option speedup does not apply to a model/,
    ],
    ['too many ranks', () => diagnose(program(fine), { machine, ranks: 5 }), /MACH021 5 ranks of 2 threads/],
    ['ranks of a thread model', () => diagnose(threads({ name: 'a', build: fine }), { machine, ranks: 2 }), /DIAG009/],
  ])('diagnose refuses %s', (_, run, expected) => expect(run).toThrow(expected));
});
