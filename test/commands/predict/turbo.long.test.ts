import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { map } from '../../../src/commands/mapping/map.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { noise } from '../../../src/models/noise.ts';
import { spmd } from '../../../src/models/program/model.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';

/** Machines whose cores are slower the more of them compute: closed forms, and a plain reference. */

const TURBO = [1, 0.9, 0.8, 0.5] as const;
const machine = (more: object = {}): Machine =>
  cluster({
    nodes: 2,
    coresPerNode: 4,
    speed: 1e9,
    turbo: TURBO,
    link: { latency: 0, bandwidth: 1e9 },
    eagerBelow: 0,
    ...more,
  });

const folder = mkdtempSync(join(tmpdir(), 'foretoken-turbo-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Seconds at which each of some computations ends that begin at once on the cores of a socket. */
function endsOf(flops: readonly number[], turbo: readonly number[] = TURBO, cores = 4, speed = 1e9): number[] {
  const order = [...flops.keys()].sort((a, b) => flops[a]! - flops[b]!);
  const ends: number[] = [];
  let [now, done] = [0, 0];
  order.forEach((k, ended) => {
    const left = flops.length - ended;
    const busy = Math.min(left, cores);
    const rate = (speed * turbo[Math.min(busy, turbo.length) - 1]! * busy) / left;
    now += (flops[k]! - done) / rate;
    done = flops[k]!;
    ends[k] = now;
  });
  return ends;
}

const model = (flops: readonly number[]) =>
  spmd({ name: 'm', build: (m) => m.compute({ flops: (s) => flops[s.rank]! }) });

const endTimes = (document: PredictionDocument): (number | null)[] => document.ranks.map(({ endTime }) => endTime);

function expectEnds(document: PredictionDocument, ends: readonly number[]): void {
  endTimes(document).forEach((end, k) => {
    expect(end).toBeCloseTo(ends[k]!, 8);
  });
}

describe('ranks of a node', () => {
  test.each([1, 2, 3, 4])('%i equal computations take flops / (speed × factor)', (ranks) => {
    const { figures, resources } = predict(model(new Array<number>(ranks).fill(6e9)), { machine: machine(), ranks });
    expect(figures.runTime.value).toBeCloseTo(6 / TURBO[ranks - 1]!, 9);
    // Three cores at 0.8 compute most, 2.4 Gflop/s.
    expect(resources[0]!.amount.value).toBeCloseTo(ranks * 6e9, -1);
    expect(resources[0]!.capacity.value).toBeCloseTo(3 * 0.8 * 1e9, -1);
    expect(resources[0]!.utilisation).toBeCloseTo((ranks * TURBO[ranks - 1]!) / 2.4, 9);
  });

  test('a computation is faster from the end of another one on', () => {
    // Both at 0.9 until the first has its 9 Gflop, at 10 s; the other has 3 Gflop left, at full speed.
    expect(endTimes(predict(model([9e9, 12e9]), { machine: machine(), ranks: 2 }))).toEqual([10, 13]);
  });

  test('a computation that begins slows down the others', () => {
    const late = spmd({
      name: 'late',
      build(m) {
        m.sleep((s) => s.rank);
        m.compute({ flops: 1.9e9 });
      },
    });
    // Rank 0 has 0.9 Gflop left at 1 s; rank 1 then has 1 Gflop left, at full speed.
    expect(endTimes(predict(late, { machine: machine(), ranks: 2 }))).toEqual([2, 3]);
  });

  test('more ranks than cores share the slowest ones', () => {
    const flops = [1e9, 2e9, 3e9, 4e9, 5e9, 6e9];
    expectEnds(predict(model(flops), { machine: machine({ nodes: 1 }), ranks: 6, oversubscribe: true }), endsOf(flops));
  });

  test('each socket counts its own busy cores, and each node', () => {
    const two = machine({ socketsPerNode: 2, turbo: [1, 0.5] });
    const flops = [1e9, 2e9, 3e9, 4e9, 5e9];
    const ends = [[1e9, 2e9], [3e9, 4e9], [5e9]].flatMap((socket) => endsOf(socket, [1, 0.5], 2));
    expectEnds(predict(model(flops), { machine: two, ranks: 5 }), ends);
    expectEnds(predict(model(flops), { machine: machine(), ranks: 5, placement: 'cyclic' }), [
      ...endsOf([1e9, 3e9, 5e9]).flatMap((end, k) => [end, endsOf([2e9, 4e9])[k] ?? []].flat()),
    ]);
  });

  test('the first factor is that of a core that computes alone', () => {
    const boosted = machine({ turbo: [1.5, 1.2], speed: 2e9 });
    expect(endTimes(predict(model([6e9]), { machine: boosted, ranks: 1 }))).toEqual([2]);
    expect(endTimes(predict(model([6e9, 6e9]), { machine: boosted, ranks: 2 }))).toEqual([2.5, 2.5]);
  });

  test('factors of 1 change nothing: the result is that of a machine without', () => {
    const { machine: _, ...one } = predict(model([1e9, 2e9]), { machine: machine({ turbo: [1, 1] }), ranks: 2 });
    const { machine: __, ...other } = predict(model([1e9, 2e9]), { machine: machine({ turbo: undefined }), ranks: 2 });
    expect(one).toEqual(other);
  });

  test('groups of nodes have their own factors', () => {
    const { speed, turbo: _, nodes: __, ...rest } = { speed: 1e9, turbo: TURBO, nodes: 2, coresPerNode: 4 };
    const mixed = cluster({
      ...rest,
      link: { latency: 0, bandwidth: 1e9 },
      eagerBelow: 0,
      speed,
      groups: [
        { name: 'a', nodes: 1, turbo: TURBO },
        { name: 'b', nodes: 1 },
      ],
    });
    const flops = [1e9, 2e9, 3e9, 4e9, 5e9, 6e9];
    expectEnds(predict(model(flops), { machine: mixed, ranks: 6 }), [...endsOf(flops.slice(0, 4)), 5, 6]);
  });
});

test('the machine as a module takes the same times', () => {
  const flops = [1e9, 2e9, 3e9, 4e9];
  expect(simulate(map(model(flops), { machine: machine(), ranks: 4 }).net).time).toBeCloseTo(endsOf(flops)[3]!, 9);
});

test('traces, alone and together', () => {
  const flops = [1e9, 2e9, 3e9, 4e9];
  const file = join(folder, 'a.ti');
  writeFileSync(file, flops.map((f, r) => `${r} init\n${r} compute ${f}\n${r} finalize\n`).join(''));
  const alone = predict(file, { machine: machine() });
  expectEnds(alone, endsOf(flops));
  expect(alone.ranks[3]!.computing).toBeCloseTo(endsOf(flops)[3]!, 9);
  const other = join(folder, 'b.ti');
  writeFileSync(
    other,
    flops
      .slice(0, 2)
      .map((f, r) => `${r} init\n${r} compute ${f}\n${r} finalize\n`)
      .join(''),
  );
  // Two programs on one node of six cores slow each other down.
  const six = machine({ nodes: 1, coresPerNode: 6, turbo: [1, 0.9, 0.8, 0.7, 0.6, 0.5] });
  const both = [...flops, ...flops.slice(0, 2)];
  expectEnds(predict(file, { machine: six, otherPrograms: [other] }), endsOf(both, [1, 0.9, 0.8, 0.7, 0.6, 0.5], 6));
});

describe('threads', () => {
  const section = (n: number) =>
    threads({
      name: 's',
      build: (t) => void t.parallel(n, () => void t.compute({ flops: (s) => 1e9 * (s.thread + 1) })),
    });

  test.each([2, 4, 6])('%i threads on 4 cores end at the times of the closed form', (n) => {
    const run = predict(section(n), { machine: machine({ threads: NO_COSTS }), workers: 4 });
    expect(run.figures.runTime.value).toBeCloseTo(
      Math.max(...endsOf(Array.from({ length: n }, (_, k) => 1e9 * (k + 1)))),
      9,
    );
  });

  test('workers of a pool slow each other down', () => {
    const loop = threads({
      name: 'l',
      build: (t) => void t.parallelFor({ n: 8, body: (b) => void b.compute({ flops: 1e9 }) }),
    });
    const run = (workers: number): number =>
      predict(loop, { machine: machine({ threads: NO_COSTS }), workers }).figures.runTime.value;
    expect(run(1)).toBeCloseTo(8, 9);
    expect(run(2)).toBeCloseTo(4 / 0.9, 9);
    expect(run(4)).toBeCloseTo(2 / 0.5, 9);
  });

  test('threads inside ranks count as busy cores of the node', () => {
    const hybrid = spmd({
      name: 'h',
      build: (m) =>
        m.threads(
          { workers: 2 },
          (t) => void t.parallel(2, () => void t.compute({ flops: (s) => 1e9 * (s.thread + 1) })),
        ),
    });
    const { figures } = predict(hybrid, { machine: machine({ threads: NO_COSTS }), ranks: 2 });
    expect(figures.runTime.value).toBeCloseTo(Math.max(...endsOf([1e9, 2e9, 1e9, 2e9])), 9);
  });
});

test('whatif varies single factors', async () => {
  const { scenarios } = await whatif(model([9e9, 12e9]), {
    machine: machine({ turbo: [1, 0.9] }),
    ranks: 2,
    vary: { 'machine.turbo.2': [0.9, 'x0.5', 1] },
  });
  expect(scenarios.map(({ figures }) => figures?.['runTime']?.value)).toEqual([
    13,
    endsOf([9e9, 12e9], [1, 0.45])[1],
    12,
  ]);
});

describe('refused, with the code', () => {
  const codeOf = (run: () => unknown): string => {
    try {
      run();
      return 'none';
    } catch (error) {
      return (error as Error).message.replace(/^\S+:\d+:\d+: /, '');
    }
  };
  test('noise, threads beyond the workers of a rank, priorities', () => {
    const noisy = spmd({ name: 'n', build: (m) => m.compute({ seconds: 1, noise: noise.exponential() }) });
    expect(codeOf(() => predict(noisy, { machine: machine(), ranks: 2 }))).toMatch(
      'MODEL035 a computation with noise on cores whose speed depends on the number of busy ones',
    );
    const crowded = spmd({
      name: 'c',
      build: (m) =>
        m.threads({ workers: 1, scheduler: 'os' }, (t) => void t.parallel(3, () => void t.compute({ flops: 1 }))),
    });
    expect(codeOf(() => predict(crowded, { machine: machine(), ranks: 2 }))).toMatch(
      'MODEL043 more threads than the 1 workers',
    );
    const priorities = threads({
      name: 'p',
      build: (t) => void t.parallel(6, () => void t.compute({ flops: 1 }), { priority: (s) => s.thread }),
    });
    expect(codeOf(() => predict(priorities, { machine: machine(), workers: 4 }))).toMatch(
      /THR010 priority .* on cores whose/,
    );
  });

  test('factors that grow, are 0, or are more than the cores of a socket', () => {
    expect(codeOf(() => machine({ turbo: [1, 1.1, 0] }))).toMatch(
      'expected at most the factor of fewer busy cores, 1; got 1.1',
    );
    expect(codeOf(() => machine({ turbo: [1, 0] }))).toMatch('expected a factor above 0; got 0');
    expect(codeOf(() => machine({ socketsPerNode: 2, turbo: [1, 1, 1] }))).toMatch(
      'expected at most 2 factors, one for each core of a socket; got 3',
    );
  });

  test('ranks that slow each other down are not lumped', () => {
    const run = predict(model([1e9, 1e9]), { machine: machine(), ranks: 2, lump: true }) as PredictionDocument;
    expect(run.lumping?.reason).toBe('ranks slow down the cores of host node0 (turbo)');
    expect(run.figures.runTime.value).toBeCloseTo(1 / 0.9, 9);
  });
});

/** A rank sleeps, then computes, by turns. */
interface Turn {
  readonly seconds: number;
  readonly flops: number;
}

/** End times of ranks on one node: time advances to the next end or beginning, at rates by the number of ranks that compute. */
function reference(ranks: readonly (readonly Turn[])[], turbo: readonly number[], cores: number): number[] {
  const at = ranks.map((turns) => ({ turn: 0, asleep: turns[0]?.seconds ?? 0, left: turns[0]?.flops ?? 0, end: 0 }));
  let now = 0;
  for (;;) {
    // Turns without a time or work are over at once.
    for (const [k, r] of at.entries())
      while (r.turn < ranks[k]!.length && r.asleep === 0 && r.left === 0) {
        r.turn++;
        r.end = now;
        const next = ranks[k]![r.turn];
        r.asleep = next?.seconds ?? 0;
        r.left = next?.flops ?? 0;
      }
    const open = at.filter((r, k) => r.turn < ranks[k]!.length);
    if (open.length === 0) return at.map(({ end }) => end);
    const computing = open.filter(({ asleep }) => asleep === 0);
    const busy = Math.min(computing.length, cores);
    const rate = busy === 0 ? 0 : (turbo[Math.min(busy, turbo.length) - 1]! * busy) / computing.length;
    const step = Math.min(...open.map((r) => (r.asleep > 0 ? r.asleep : r.left / rate)));
    now += step;
    for (const r of open) {
      if (r.asleep > 0) r.asleep = r.asleep <= step * (1 + 1e-12) ? 0 : r.asleep - step;
      else r.left = r.left <= step * rate * (1 + 1e-12) ? 0 : r.left - step * rate;
    }
  }
}

test('random ranks end at the times of a plain reference', () => {
  const factor = fc.constantFrom(1, 1, 0.95, 0.9, 0.75, 0.5);
  const turn = fc.record({ seconds: fc.constantFrom(0, 0, 0.5, 1, 2.5), flops: fc.constantFrom(0, 1, 2, 3, 5) });
  const node = fc.integer({ min: 1, max: 5 }).chain((cores) =>
    fc.record({
      cores: fc.constant(cores),
      factors: fc.array(factor, { minLength: 1, maxLength: cores }),
      ranks: fc.array(fc.array(turn, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 7 }),
    }),
  );
  fc.assert(
    fc.property(node, ({ cores, factors, ranks }) => {
      const turbo = factors.map((_, k) => factors.slice(0, k + 1).reduce<number>((a, b) => a * b, 1));
      const own = machine({ nodes: 1, coresPerNode: cores, speed: 1, turbo });
      const most = Math.max(...ranks.map(({ length }) => length));
      const program = spmd({
        name: 'random',
        build(m) {
          for (let k = 0; k < most; k++) {
            m.sleep((s) => ranks[s.rank]![k]?.seconds ?? 0);
            m.compute({ flops: (s) => ranks[s.rank]![k]?.flops ?? 0 });
          }
        },
      });
      const run = predict(program, { machine: own, ranks: ranks.length, oversubscribe: true });
      const ends = reference(ranks, turbo, cores);
      expectEnds(run, ends);
    }),
    { numRuns: effort(1000) },
  );
});
