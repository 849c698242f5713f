import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { type LoggedFirings, loggedLength, loggedValue } from '../../../src/base/logged-firings.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { compile } from '../../../src/engine/compile.ts';
import { NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import type { Partitioner } from '../../../src/models/threads/program/statements.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { workSpan } from '../../../src/models/threads/work-span.ts';
import { compiledProgram, ONE_TBB } from '../../compiled-program.ts';

/** Loops whose tasks divide their ranges by demand, as under oneTBB's auto_partitioner and affinity_partitioner. */

const folder = mkdtempSync(join(tmpdir(), 'foretoken-ranges-'));
afterAll(() => rmSync(folder, { recursive: true }));

type State = { readonly first: number; readonly count: number };
const loop = (n: number, seconds: (s: State) => number, partitioner: Partitioner = 'auto'): ThreadModel =>
  threads({
    name: 'loop',
    build: (t) => t.parallelFor({ n, partitioner, body: (b) => b.compute({ seconds: seconds as never }) }),
  }) as ThreadModel;

interface Run {
  readonly time: number;
  readonly firings: Readonly<Record<string, number>>;
  /** First piece and number of pieces of each range, in the order of execution. */
  readonly ranges: readonly string[];
}

const EXECUTIONS = ['divides no more', 'executes a range of its pool'];

function run(model: ThreadModel, workers: number, costs: Partial<ThreadCosts> = {}): Run {
  const machine = { speed: 1e9, cores: workers, costs: { ...NO_COSTS, ...costs } };
  const { net } = threadNet(model.program(workers), machine, {
    scheduler: 'stealing',
    victim: 'nearest',
    pool: 'stack',
  });
  const ranges: string[] = [];
  const read = (log: LoggedFirings, length: number): void => {
    for (let k = 0; k < length; k += loggedLength(2)) {
      const [low, high] = [loggedValue(log, k, 0), loggedValue(log, k, 1)];
      ranges.push(`${low}+${high - low}`);
    }
  };
  const transitions = Object.fromEntries(
    EXECUTIONS.filter((name) => net.transitions.some((t) => t.name === name)).map((name, start) => [
      name,
      { start, variables: ['low', 'high'] },
    ]),
  );
  const { time, firings, ended } = simulate(compile(net, { log: { transitions, read } }));
  expect(ended).toBe('quiescent');
  return { time, firings, ranges };
}

const rangesOf = (n: number): string =>
  run(
    loop(n, () => 1),
    1,
  ).ranges.join(' ');

test('one worker executes the ranges that oneTBB 2021.8 executes', () => {
  // Printed by programs/ranges-tbb.cpp.
  expect(rangesOf(3)).toBe('0+1 1+1 2+1');
  expect(rangesOf(100)).toBe(
    '0+1 1+2 3+1 4+2 6+1 7+2 9+1 10+2 12+1 13+2 15+1 16+2 18+1 19+2 21+2 23+2 25+1 26+2 28+1 29+2 31+1 32+2 34+1 35+2 37+1 38+2 40+1 41+2 43+1 44+2 46+2 48+2 50+1 51+2 53+1 54+2 56+1 57+2 59+1 60+2 62+1 63+2 65+1 66+2 68+1 69+2 71+2 73+2 75+1 76+2 78+1 79+2 81+1 82+2 84+1 85+2 87+1 88+2 90+1 91+2 93+1 94+2 96+2 98+2',
  );
  expect(rangesOf(1000).split(' ').slice(0, 6)).toEqual(['0+15', '15+16', '31+15', '46+16', '62+15', '77+16']);
});

test('the compiled program of oneTBB executes the same ranges', { timeout: 60_000 }, (context) => {
  const program = compiledProgram(join(import.meta.dirname, 'programs', 'ranges-tbb.cpp'), folder, ONE_TBB);
  context.skip(program === undefined, 'g++ or oneTBB (libtbb-dev) is not installed');
  const lines = execFileSync(program!, { encoding: 'utf8' }).trim().split('\n');
  expect(lines).toHaveLength(9);
  for (const line of lines) expect(`${line.split(':')[0]}: ${rangesOf(Number(line.split(':')[0]))}`).toBe(line);
});

test('loops with affinity execute the ranges of the compiled program, for 1 to 8 workers', {
  timeout: 60_000,
}, (context) => {
  const program = compiledProgram(join(import.meta.dirname, 'programs', 'affinity-tbb.cpp'), folder, ONE_TBB);
  context.skip(program === undefined, 'g++ or oneTBB (libtbb-dev) is not installed');
  const lines = execFileSync(program!, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n');
  expect(lines).toHaveLength(45);
  for (const line of lines) {
    const [head = ''] = line.split(':');
    const [workers = 0, n = 0] = head.split(' ').map(Number);
    // The program has one thread: the other workers do not wake up.
    const { ranges } = run(
      loop(n, () => 1, 'affinity'),
      workers,
      { wakeUp: 1e9 },
    );
    expect(`${head}: ${ranges.join(' ')}`).toBe(line);
  }
});

/** A loop that runs again, whose parts each use a block of `lines` cache lines. */
const sweeps = (partitioner: Partitioner, { n = 512, steps = 6, lines = 32 } = {}): ThreadModel =>
  threads({
    name: 'sweeps',
    build: (t) =>
      t.loop('step', steps, () =>
        t.parallelFor({ name: 'sweep', n, partitioner, body: (b) => b.compute({ seconds: 1, reused: 64 * lines }) }),
      ),
  }) as ThreadModel;

describe('affinity', () => {
  const cacheLine = 1 / 32;

  test.each([1, 2, 4, 8])('%i workers fetch each block once: n/P · (steps · c + lines · cacheLine)', (workers) => {
    for (const search of [0, 0.25])
      for (const spawn of [0, 0.25]) {
        const { time, firings } = run(sweeps('affinity'), workers, { cacheLine, search, spawn });
        expect(firings['fetches its data']).toBe(512);
        expect(firings['has its data']).toBe(5 * 512);
        if (search === 0 && spawn === 0) expect(time).toBe((512 / workers) * (6 + 1));
      }
  });

  test('without affinity, most blocks are fetched again', () => {
    for (const partitioner of ['simple', 'auto'] as const) {
      const { firings } = run(sweeps(partitioner), 4, { cacheLine, search: 0.25, steal: 0.25, spawn: 0.25 });
      expect(firings['fetches its data']).toBeGreaterThan(2 * 512);
    }
  });

  test('stealing stays possible: a part that has become long is shared', () => {
    const model = threads({
      name: 'shift',
      build: (t) =>
        t.loop('step', 2, () =>
          t.parallelFor({
            name: 'sweep',
            n: 1024,
            partitioner: 'affinity',
            // In the second step, the first quarter has nearly all work.
            body: (b) => b.compute({ seconds: (s) => (s['step'] === 0 || s['first'] < 256 ? 1 : 1 / 64) }),
          }),
        ),
    }) as ThreadModel;
    const { time, firings } = run(model, 4, { search: 0.25, steal: 0.25 });
    const second = 256 + 768 / 64;
    expect(firings['has stolen']).toBeGreaterThan(3);
    expect(time).toBeGreaterThanOrEqual(256 + second / 4);
    // Without stealing, one worker would execute the first quarter alone.
    expect(time).toBeLessThan(256 + 0.6 * second);
  });

  test('loops of one name share a memory, and others have their own', () => {
    const two = (second: string): ThreadModel =>
      threads({
        name: 'two',
        build: (t) => {
          for (const name of ['a', second])
            t.parallelFor({ name, n: 512, partitioner: 'affinity', body: (b) => b.compute({ seconds: 1 }) });
        },
      }) as ThreadModel;
    expect(run(two('a'), 4).firings['finds mail']).toBe(3);
    expect(run(two('b'), 4).firings['finds mail']).toBe(0);
  });

  test.each(['random', 'nearest', 'last'] as const)(
    'victim %s: all parts are executed, work is conserved',
    (victim) => {
      for (const pool of ['migrating', 'stack', 'isolated'] as const)
        for (const workers of [3, 5]) {
          const figures = predict(sweeps('affinity', { n: 64, steps: 3 }), {
            ...{ workers, scheduler: 'stealing', pool, victim },
            set: {},
          }) as { readonly ended: string; readonly workers?: readonly { readonly computing: number }[] };
          expect(figures.ended).toBe('quiescent');
          const computing = figures.workers!.reduce((sum, worker) => sum + worker.computing, 0);
          // 192 parts of 1 s, and between 64 and 192 fetches of 32 lines of 65 ns.
          expect(computing).toBeGreaterThan(192 + 64 * 32 * 64e-9);
          expect(computing).toBeLessThan(192 + 192 * 32 * 66e-9);
        }
    },
  );
});

describe('data blocks', () => {
  const section = (owner: (thread: number, step: number) => number): ThreadModel =>
    threads({
      name: 'section',
      build: (t) =>
        t.loop('step', 4, () =>
          t.parallel(4, () => t.compute({ reused: 640, block: (s) => owner(s.thread, s['step']) })),
        ),
    }) as ThreadModel;
  const fetches = (model: ThreadModel): number => {
    const machine = { speed: 1e9, cores: 4, costs: NO_COSTS };
    return simulate(compile(threadNet(model.program(4), machine, { scheduler: 'os' }).net, {})).firings[
      'fetches its data'
    ]!;
  };

  test('a thread of a team that uses its own block again fetches it once', () => {
    expect(fetches(section((thread) => thread))).toBe(4);
  });

  test('blocks that move to the next thread are fetched each time', () => {
    expect(fetches(section((thread, step) => (thread + step) % 4))).toBe(16);
  });
});

describe('figures', () => {
  test.each([1, 2])('%i workers: 12 tasks and 64 ranges each of an even loop, no demand', (workers) => {
    const { time, firings, ranges } = run(
      loop(4096, () => 1),
      workers,
    );
    expect(time).toBe(4096 / workers);
    expect(ranges).toHaveLength(64 * workers);
    expect(firings['offers a half']).toBe(12 * workers - 1);
    expect(firings['offers a range of its pool']).toBe(0);
  });

  test.each([3, 4, 8])('%i workers: an even loop is divided evenly', (workers) => {
    const { time, firings, ranges } = run(
      loop(4096, () => 1),
      workers,
    );
    expect(firings['computes']).toBe(4096);
    expect(ranges.length).toBeGreaterThanOrEqual(64 * workers);
    expect(time).toBeGreaterThanOrEqual(4096 / workers);
    expect(time).toBeLessThan(4096 / workers + 4096 / (64 * workers));
  });

  test('tasks take the time of a spawn: 11 of them, where simple makes one for each iteration', () => {
    const costs = { spawn: 0.5 };
    expect(
      run(
        loop(1000, () => 1),
        1,
        costs,
      ).time,
    ).toBe(1000 + 11 * 0.5);
    expect(
      run(
        loop(1000, () => 1, 'simple'),
        1,
        costs,
      ).time,
    ).toBe(1000 + 999 * 0.5);
  });

  test('a loop whose last iterations take longest: demand divides them', () => {
    // The last 16th of the iterations has most of the work.
    const seconds = ({ first }: State): number => (first < 3840 ? 0.125 : 16);
    const work = 3840 * 0.125 + 256 * 16;
    const { time, firings } = run(loop(4096, seconds), 4);
    expect(firings['offers a range of its pool']).toBeGreaterThan(0);
    expect(time).toBeGreaterThanOrEqual(work / 4);
    // Without demand, the last of the 32 tasks of 128 iterations would be executed by one worker after the others.
    expect(time).toBeLessThan(work / 4 + 64 * 16);
  });

  test('work and span: pieces of the grain', () => {
    const program = loop(64, ({ first }) => 1 + first).program(4);
    const { work, span, notCovered, spawns } = workSpan(program, { speed: 1e9, cores: 4, costs: NO_COSTS });
    expect({ work, span, notCovered, spawns }).toEqual({
      work: 64 + (64 * 63) / 2,
      span: 64,
      notCovered: ['ranges divided at run time'],
      spawns: 15,
    });
  });
});

test('bodies read parameters, and counters of all loops around them', () => {
  const model = threads({
    name: 'nested',
    params: { scale: 2 },
    build: (t) =>
      t.loop('i', 2, () =>
        t.loop('j', 3, () =>
          t.parallelFor({
            n: 4,
            partitioner: 'auto',
            body: (b) => b.compute({ seconds: (s) => s.p.scale * (100 * s['i'] + 10 * s['j'] + s['first']) }),
          }),
        ),
      ),
  }) as ThreadModel;
  // The sum of 100 i + 10 j + first over 2 · 3 · 4 pieces is 12 · 100 + 8 · 30 + 6 · 6.
  expect(run(model, 1).time).toBe(2 * (1200 + 240 + 36));
});

test('predict: the ranges of a loop compute all its work, and count as tasks', () => {
  const { workers, ended } = predict(
    loop(512, () => 1e-6),
    { workers: 2, scheduler: 'stealing' },
  ) as { readonly workers?: readonly { readonly computing: number }[]; readonly ended: string };
  expect(ended).toBe('quiescent');
  expect(workers!.reduce((sum, { computing }) => sum + computing, 0)).toBeCloseTo(512e-6, 12);
});

test.each([0, 1, 2])('a loop of %i pieces runs without a choice of scheduler', (n) => {
  const { figures } = predict(
    loop(n, () => 1),
    { workers: 2 },
  );
  expect(figures.runTime.value).toBeCloseTo(Math.ceil(n / 2), 4);
});

const build = (options: object) =>
  threads({
    name: 'm',
    build: (t) => t.parallelFor({ n: 4, partitioner: 'auto', body: (b) => b.compute({ seconds: 1 }), ...options }),
  });

test('bad input is refused with what was expected', () => {
  const refused = (options: object) => expect(() => predict(build(options)));
  refused({ partitioner: 'static' }).toThrow(
    /ranges.long.test.ts:\d+:\d+: THR002 partitioner: expected one of simple, auto, affinity, got "static"/,
  );
  refused({ partitioner: 'affinity', spawning: 'linear' }).toThrow(
    /THR002 partitioner affinity: expected spawning recursive, got linear/,
  );
  refused({ body: (b: { compute(work: object): void }) => b.compute({ seconds: 1, block: 1 }) }).toThrow(
    /THR002 compute: block without reused: expected the bytes of the block that are reused/,
  );
  refused({ body: (b: { compute(work: object): void }) => b.compute({ reused: 64, block: -1 }) }).toThrow(
    /THR004 block: expected an integer from 0 to 2147483647, got -1/,
  );
  expect(() =>
    predict(build({ name: 'x', partitioner: 'affinity' }), { workers: 2, scheduler: 'stealing', take: 'half' }),
  ).toThrow('THR010 take: half with partitioner affinity of x, whose workers take tasks out of the queues of others');
  expect(() => verifyThreads(build({ name: 'x', partitioner: 'affinity' }) as never, {})).toThrow(
    'THR010 partitioner affinity of x divides by the times of steals',
  );
  refused({ schedule: 'dynamic' }).toThrow(
    /THR002 partitioner auto: expected schedule tasks, got dynamic, whose threads divide the loop/,
  );
  expect(() =>
    predict(
      threads({
        name: 'm',
        build: (t) => t.parallel(2, () => t.parallelFor({ n: 4, partitioner: 'auto', body() {} })),
      }),
    ),
  ).toThrow('expected schedule tasks, got static, whose threads divide the loop: the default in a parallel section');
  refused({ grain: 0 }).toThrow(/THR004 .*grain: expected an integer from 1 to \d+, got 0/);
  refused({ chunk: 0 }).toThrow(/THR004 .*chunk: expected an integer from 1 to \d+, got 0/);
  refused({ spawning: 'linear' }).toThrow(/THR002 partitioner auto: expected spawning recursive, got linear/);
  refused({ reduce: { seconds: 1 } }).toThrow(/THR002 partitioner auto with reduce: expected partitioner simple/);
  refused({
    body: (b: { sync(): void; spawn(t: string): void; parallel(n: number, f: () => void): void }) =>
      b.parallel(2, () => {}),
  }).toThrow(
    /THR006 tasks and threads in a chunk of the auto loop at .*, which is assigned at run time: use partitioner: 'simple' there/,
  );
  for (const scheduler of ['central', 'os', 'a2'] as const)
    expect(() => predict(build({ name: 'x' }), { scheduler })).toThrow(
      `THR010 partitioner auto of x under scheduler ${scheduler}: expected scheduler stealing, or partitioner simple`,
    );
  for (const options of [{}, { scheduler: 'stealing' }] as const)
    expect(() => verifyThreads(build({ name: 'x' }) as never, options)).toThrow(
      'THR010 partitioner auto of x divides by the times of steals, of which verify knows none: expected partitioner simple there',
    );
});
