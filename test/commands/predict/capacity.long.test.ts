import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertWithinCapacity } from '../../../src/commands/predict/check-prediction.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { type ClusterOptions, cluster } from '../../../src/machine/cluster.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

const SPEED = 1e9;
/** Rounding of amounts to whole flops and bytes, and of costs of messages of which these programs have none. */
const CLOSE = 1e-6;

const machineOf = (options: object) =>
  cluster({
    speed: SPEED,
    eagerBelow: 0,
    link: { latency: 1e-6, bandwidth: 1e9 },
    ...options,
  } as unknown as ClusterOptions);

interface Case {
  readonly cores: number;
  readonly ranks: number;
  readonly workers: number;
  readonly scheduler: 'os' | 'central';
  /** By rank: seconds alone, seconds of each thread, seconds alone. */
  readonly work: readonly { readonly before: number; readonly threads: readonly number[]; readonly after: number }[];
}

/** Cases of at most 12 ranks with at most 4 threads on a node of at most 6 cores. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    cores: fc.integer({ min: 1, max: 6 }),
    ranks: fc.integer({ min: 1, max: 12 }),
    workers: fc.integer({ min: 1, max: 4 }),
    more: fc.integer({ min: 0, max: 3 }),
    scheduler: fc.constantFrom('os' as const, 'central' as const),
  })
  .chain(({ more, ...c }) => {
    const seconds = fc.integer({ min: 0, max: 40 }).map((n) => n / 10);
    // Threads of the operating system may be more than the cores of their process.
    const threads = c.scheduler === 'os' ? c.workers + more : c.workers;
    const work = fc.record({
      before: seconds,
      threads: fc.array(seconds, { minLength: threads, maxLength: threads }),
      after: seconds,
    });
    return fc.array(work, { minLength: c.ranks, maxLength: c.ranks }).map((all) => ({ ...c, work: all }));
  });

function predicted({ cores, ranks, workers, scheduler, work }: Case) {
  const machine = machineOf({
    nodes: 1,
    coresPerNode: cores,
    threads: NO_COSTS,
  });
  const model = spmd({
    name: 'hybrid',
    build(m) {
      m.compute({ flops: (s) => work[s.rank]!.before * SPEED });
      m.threads({ workers, scheduler }, (t) =>
        t.parallel(work[0]!.threads.length, () =>
          t.compute({ seconds: ({ rank, thread }) => work[rank]!.threads[thread]! }),
        ),
      );
      m.compute({ seconds: (s) => work[s.rank]!.after });
    },
  });
  return predict(model, { machine, ranks, oversubscribe: true });
}

/** Users of cores at one instant: seconds left, and the rank whose `workers` cores they share. */
interface User {
  readonly rank: number;
  left: number;
}

/** Rates of users, in cores: all grow alike until one core, the cores of the rank, or those of the node are exhausted. */
function rates(users: readonly User[], workers: number, cores: number): number[] {
  const rate = users.map(() => 0);
  const open = new Set(users.keys());
  const sum = (of: (user: User) => boolean): number =>
    users.reduce((all, user, k) => all + (of(user) ? rate[k]! : 0), 0);
  while (open.size > 0) {
    const openIn = (rank: number): number => [...open].filter((k) => users[k]!.rank === rank).length;
    const growths = [...open].map((k) => {
      const { rank } = users[k]!;
      return Math.min(1 - rate[k]!, (workers - sum((u) => u.rank === rank)) / openIn(rank));
    });
    const step = Math.min(...growths, (cores - sum(() => true)) / open.size);
    for (const k of open) rate[k]! += step;
    if (cores - sum(() => true) < 1e-12) return rate;
    for (const k of [...open]) {
      const { rank } = users[k]!;
      if (1 - rate[k]! < 1e-12 || workers - sum((u) => u.rank === rank) < 1e-12) open.delete(k);
    }
  }
  return rate;
}

/** The end of each rank, from the definition of processor sharing: rates are constant between two ends of work. */
function fluid({ cores, ranks, workers, work }: Case): number[] {
  const phases = work.map(({ before, threads, after }) => [[before], [...threads], [after]]);
  const end = new Array<number>(ranks).fill(0);
  let now = 0;
  for (;;) {
    for (const [rank, of] of phases.entries())
      while (of.length > 0 && of[0]!.every((left) => left <= 1e-12)) {
        of.shift();
        end[rank] = now;
      }
    const users = phases.flatMap((of, rank) =>
      (of[0] ?? []).flatMap((left, k) => (left > 1e-12 ? [{ rank, left, k }] : [])),
    );
    if (users.length === 0) return end;
    const rate = rates(users, workers, cores);
    const step = Math.min(...users.map(({ left }, k) => left / rate[k]!));
    users.forEach(({ rank, left, k }, u) => {
      phases[rank]![0]![k] = left - step * rate[u]!;
    });
    now += step;
  }
}

describe('threads of ranks share the cores of their node', () => {
  it('ranks end as by the definition of processor sharing, and no host does more than it can', () => {
    fc.assert(
      fc.property(cases, (c) => {
        const document = predicted(c);
        const expected = fluid(c);
        document.ranks.forEach(({ endTime }, rank) => {
          expect(Math.abs(endTime! - expected[rank]!)).toBeLessThan(CLOSE * (1 + expected[rank]!));
        });
        const work = c.work.reduce((sum, w) => sum + w.before + w.after + w.threads.reduce((a, b) => a + b, 0), 0);
        const [host] = document.resources;
        expect(host!.amount.value / SPEED).toBeCloseTo(work, 5);
        expect(host!.utilisation).toBeLessThanOrEqual(1 + CLOSE);
        expect(document.figures.runTime.value * c.cores * (1 + CLOSE)).toBeGreaterThanOrEqual(work);
      }),
      { numRuns: effort(40) },
    );
  });

  it.each([1, 2, 4, 16, 32, 64])('%i ranks of one thread and 16 Gflop in all on 16 cores', (ranks) => {
    const machine = machineOf({
      nodes: 4,
      coresPerNode: 4,
      threads: NO_COSTS,
    });
    const model = spmd({
      name: 'shared',
      build: (m) =>
        m.threads({ workers: 1, scheduler: 'os' }, (t) => t.parallel(1, () => t.compute({ flops: 16e9 / m.size }))),
    });
    const { figures } = predict(model, { machine, ranks, oversubscribe: true });
    expect(figures.runTime.value).toBeCloseTo(Math.max(16 / ranks, 1), 6);
  });

  it('hosts and parallelism count threads', () => {
    const machine = machineOf({ nodes: 2, coresPerNode: 4 });
    const model = spmd({
      name: 'threads',
      build: (m) => m.threads({ workers: 4, scheduler: 'os' }, (t) => t.parallel(4, () => t.compute({ seconds: 1 }))),
    });
    const { resources, figures, ranks } = predict(model, { machine });
    expect(ranks.map(({ threads }) => threads)).toEqual([4, 4]);
    for (const { utilisation, amount } of resources) {
      expect(utilisation).toBeCloseTo(1, 3);
      expect(amount.value).toBeCloseTo(4e9, 0);
    }
    expect(figures.parallelism.max.value).toBe(8);
    expect(figures.parallelism.mean.value).toBeCloseTo(8, 2);
  });

  it('threads of different regions share the memory of their node', () => {
    const machine = machineOf({
      nodes: 1,
      coresPerNode: 4,
      memory: 1e9,
      threads: NO_COSTS,
    });
    // Ranks execute different regions at once, and one moves bytes itself.
    const model = spmd({
      name: 'memory',
      build(m) {
        const region = (): void =>
          m.threads({ workers: 1, scheduler: 'os' }, (t) => t.parallel(1, () => t.compute({ bytes: 1e9 })));
        m.when(
          (s) => s.rank === 0,
          region,
          () =>
            m.when(
              (s) => s.rank === 1,
              region,
              () => m.compute({ bytes: 1e9 }),
            ),
        );
      },
    });
    const { figures, resources } = predict(model, { machine, ranks: 3 });
    expect(figures.runTime.value).toBeCloseTo(3, 6);
    const memory = resources.find(({ kind }) => kind === 'memory')!;
    expect(memory.amount.value).toBe(3e9);
    expect(memory.utilisation).toBeCloseTo(1, 6);
  });

  it('noise on shared cores is refused', () => {
    const machine = machineOf({
      nodes: 1,
      coresPerNode: 1,
      noise: { kind: 'exponential' },
    });
    const model = spmd({ name: 'noisy', build: (m) => m.compute({ seconds: 1 }) });
    expect(() => predict(model, { machine, ranks: 2, oversubscribe: true })).toThrow(/MODEL035/);
    expect(predict(model, { machine, ranks: 1 }).complete).toBe(true);
  });
});

describe('the check after every run', () => {
  const time = 2;
  const resource = (work: number, shared = true) => ({
    name: 'r',
    kind: 'link' as const,
    utilisation: work / (5 * time),
    amount: { value: work, unit: 'B' },
    capacity: { value: 5, unit: 'B/s' },
    ...(shared ? {} : { fatpipe: true as const }),
  });
  const check = (...resources: ReturnType<typeof resource>[]) =>
    assertWithinCapacity({ figures: { runTime: { value: time, unit: 's' } }, resources } as never);

  it('passes work within capacity, and any work of a fatpipe', () => {
    expect(() => check(resource(0), resource(10), resource(30, false))).not.toThrow();
  });

  it.each([10.001, 20])('%d B in 2 s at 5 B/s is an internal error', (work) => {
    expect(() => check(resource(1), resource(work))).toThrow(/link r needs/);
  });
});
