// biome-ignore-all lint/suspicious/noExplicitAny: untyped callers may do this
import { describe, expect, test } from 'vitest';
import { codesOf } from '../../../scripts/errors.ts';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { SCHEDULERS } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { spmd } from '../../../src/models.ts';
import { FULL_EFFORT } from '../../effort.ts';

/** The thrown problem; fails unless it is an InputError. */
function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (e) {
    expect(e).toBeInstanceOf(InputError);
    return (e as InputError).problems[0]!;
  }
  throw new Error('nothing was thrown');
}

const model = (build: (t: any) => unknown): ThreadModel => threads({ name: 'x', build: build as never }) as never;
const build =
  (of: (t: any) => unknown, workers = 2) =>
  () =>
    model(of).program(workers);
const nothing = (): void => {};
const compute = (b: any): void => b.compute({ seconds: 1 });

let foreign: any;
model((t) => {
  foreign = { mutex: t.mutex('m'), future: undefined as unknown };
  t.task('one', {}, nothing);
  foreign.future = t.spawn('one');
}).program(1);

/** Thread 1 releases what thread 0 has locked. */
const unlockedByAnother = (kind: 'mutex' | 'rwlock' | 'semaphore'): ThreadModel =>
  model((t) => {
    const m = kind === 'semaphore' ? t.semaphore('m', 1) : t[kind]('m');
    const locked = t.event('locked');
    const [take, give] = {
      mutex: ['lock', 'unlock'],
      rwlock: ['readLock', 'readUnlock'],
      semaphore: ['acquire', 'release'],
    }[kind] as [string, string];
    t.parallel(2, () =>
      t.when(
        (s: any) => s.thread === 0,
        () => {
          t[take](m);
          t.set(locked);
        },
        () => {
          t.wait(locked);
          t[give](m);
        },
      ),
    );
  });

let late: any;
let calls = 0;

/** Mistakes with their codes and required message texts. */
const CASES: readonly (readonly [code: string, says: RegExp, run: () => unknown])[] = [
  ['THR001', /has no build/, () => threads({ name: 'x' } as never)],
  ['THR001', /params: expected an object, got null/, () => threads({ name: 'x', params: null, build() {} } as never)],
  ['THR001', /verifyWith: expected an object, got 5/, () => threads({ name: 'x', verifyWith: 5, build() {} } as never)],
  ['THR001', /expected \{ name, build/, () => threads(null as never)],
  ['THR001', /no option "parms"\. Did you mean "params"/, () => threads({ name: 'x', parms: {}, build() {} } as never)],
  ['THR001', /name: expected a non-empty string/, () => threads({ name: '', build() {} })],
  ['THR001', /parameter "n": expected a number/, () => threads({ name: 'x', params: { n: Number.NaN }, build() {} })],
  [
    'THR001',
    /verifyWith: "worker" is not a parameter\. Did you mean "workers"/,
    () => threads({ name: 'x', verifyWith: { worker: 2 } as never, build() {} }),
  ],
  ['THR001', /workers: expected an integer from 1 to 1000000, got 0/, () => model(nothing).program(0)],
  ['THR001', /got -1/, () => model(nothing).program(-1)],
  ['THR001', /got 1\.5/, () => model(nothing).program(1.5)],
  ['THR001', /got NaN/, () => model(nothing).program(Number.NaN)],
  ['THR001', /got 1000001/, () => model(nothing).program(1_000_001)],
  ['MODEL005', /no parameter "m"/, () => threads({ name: 'x', params: { n: 1 }, build() {} }).with({ m: 2 } as never)],
  [
    'MODEL005',
    /expected a number, got "2"/,
    () => threads({ name: 'x', params: { n: 1 }, build() {} }).with({ n: '2' } as never),
  ],
  [
    'MODEL029',
    /build throws/,
    build(() => {
      throw new Error('no');
    }),
  ],

  [
    'THR002',
    /count: expected a number or a function of the state, got "three"/,
    build((t) => t.loop('k', 'three', nothing)),
  ],
  ['THR002', /"p" is not a valid name/, build((t) => t.loop('p', 3, nothing))],
  ['THR002', /"a b" is not a valid name/, build((t) => t.loop('a b', 3, nothing))],
  ['THR002', /expected a block, got 3/, build((t) => t.loop('k', 3, 3))],
  ['THR002', /n: expected a number .* got NaN/, build((t) => t.parallelFor({ n: Number.NaN, body: compute }))],
  ['THR002', /n: expected a number .* got nothing/, build((t) => t.parallelFor({ body: compute }))],
  ['THR002', /body: expected a function, got nothing/, build((t) => t.parallelFor({ n: 3 }))],
  [
    'THR002',
    /schedule: expected one of tasks, .* got "dynamc"/,
    build((t) => t.parallelFor({ n: 3, schedule: 'dynamc', body: compute })),
  ],
  ['THR002', /chunk and grain are the same/, build((t) => t.parallelFor({ n: 3, chunk: 1, grain: 1, body: compute }))],
  [
    'THR002',
    /no option "chunks"\. Did you mean "chunk"/,
    build((t) => t.parallelFor({ n: 3, chunks: 1, body: compute })),
  ],
  ['THR002', /expected flops, seconds, bytes, shared or reused/, build((t) => t.compute({}))],
  ['THR002', /compute: expected an object, got null/, build((t) => t.compute(null))],
  ['THR002', /when: expected a function of the state, got true/, build((t) => t.when(true, nothing))],
  ['THR002', /stages, a non-empty list/, build((t) => t.pipeline({ items: 3, stages: [] }))],
  ['THR002', /stage: expected a name/, build((t) => t.pipeline({ items: 3, stages: [{ body: compute }] }))],
  ['THR002', /mutex: expected a name/, build((t) => t.mutex(3))],
  ['THR002', /count: expected an integer from 1/, build((t) => t.mutex('m', 0))],
  ['THR002', /expected an integer >= 0, got -1/, build((t) => t.semaphore('s', -1))],
  ['THR002', /expected an integer >= 1, got 0/, build((t) => t.barriers('b', 0))],
  ['THR002', /"thread" is not a valid name of an argument/, build((t) => t.task('a', { thread: 1 }, nothing))],
  ['THR002', /index: expected a number/, build((t) => t.lock(t.mutex('m', 2), 'one'))],

  ['THR003', /lock: expected mutex of this program, got "event"/, build((t) => t.lock(t.event('e')))],
  ['THR003', /lock: expected mutex of this program, got nothing/, build((t) => t.lock())],
  ['THR003', /lock: expected mutex of this program/, build((t) => t.lock(foreign.mutex))],
  ['THR003', /get: expected a future of spawn/, build((t) => t.get(foreign.future))],
  [
    'THR003',
    /spawn: unknown task "fbi"\. Did you mean "fib"/,
    build((t) => {
      t.task('fib', {}, nothing);
      t.spawn('fbi');
    }),
  ],
  [
    'THR003',
    /task "fib" has no argument "m"/,
    build((t) => {
      t.task('fib', { n: 1 }, nothing);
      t.spawn('fib', { m: 1 });
    }),
  ],
  [
    'THR003',
    /duplicate task "a"/,
    build((t) => {
      t.task('a', {}, nothing);
      t.task('a', {}, nothing);
    }),
  ],
  [
    'THR003',
    /duplicate object "m"/,
    build((t) => {
      t.mutex('m');
      t.event('m');
    }),
  ],
  [
    'THR003',
    /no task has been spawned for this future here/,
    build((t) => {
      t.task('a', {}, nothing);
      let future: unknown;
      t.when(
        () => false,
        () => {
          future = t.spawn('a');
        },
      );
      t.get(future);
    }),
  ],

  ['THR004', /count: expected an integer from 0 to \d+, got -1/, build((t) => t.loop('k', -1, () => compute(t)))],
  [
    'THR004',
    /count: expected an integer .* got 1\.5, at .*thread = 0/,
    build((t) => t.loop('k', 1.5, () => compute(t))),
  ],
  ['THR004', /got Infinity/, build((t) => t.loop('k', Number.POSITIVE_INFINITY, () => compute(t)))],
  ['THR004', /threads: expected an integer from 1 .* got 0/, build((t) => t.parallel(0, () => compute(t)))],
  [
    'THR004',
    /threads: expected an integer from 1 .* got 1000001/,
    build((t) => t.parallel(1_000_001, () => compute(t))),
  ],
  [
    'THR004',
    /chunk: expected an integer from 1 .* got 0/,
    build((t) => t.parallelFor({ n: 3, chunk: 0, body: compute })),
  ],
  [
    'THR004',
    /tokens: expected an integer from 1 .* got 0/,
    build((t) => t.pipeline({ items: 3, tokens: 0, stages: [{ name: 's', body: compute }] })),
  ],
  ['THR004', /seconds: expected a number >= 0, got -1/, build((t) => t.compute({ seconds: -1 }))],
  [
    'THR004',
    /flops: expected a number >= 0, got Infinity/,
    build((t) => t.compute({ flops: Number.POSITIVE_INFINITY })),
  ],
  ['THR004', /bytes: expected a number >= 0, got NaN/, build((t) => t.compute({ bytes: () => Number.NaN }))],
  ['THR004', /flops: the state has no "k" here/, build((t) => t.compute({ flops: (s: any) => s.k }))],
  [
    'THR004',
    /the state has no "thread" here/,
    build((t) =>
      t.parallelFor({ n: 2, schedule: 'dynamic', body: (b: any) => b.compute({ seconds: (s: any) => s.thread }) }),
    ),
  ],
  [
    'THR004',
    /changes "k" of the state/,
    build((t) => t.loop('k', 2, () => t.compute({ flops: (s: any) => (s.k = 1) }))),
  ],
  ['THR004', /not pure: it returned/, build((t) => t.compute({ flops: () => ++calls }))],
  [
    'THR004',
    /throws/,
    build((t) =>
      t.compute({
        flops: () => {
          throw new Error('no');
        },
      }),
    ),
  ],
  ['THR004', /when: expected a boolean, got 1/, build((t) => t.when(() => 1, nothing))],
  ['THR004', /index: expected an integer from 0 to 1, got 2/, build((t) => t.lock(t.mutex('m', 2), 2))],
  [
    'THR004',
    /n: expected a finite number/,
    build((t) => {
      t.task('a', { n: 0 }, nothing);
      t.spawn('a', { n: () => Number.NaN });
    }),
  ],
  [
    'THR004',
    /reads: expected numbers or strings/,
    build((t) => {
      t.task('a', {}, nothing);
      t.spawn('a', {}, { reads: () => ({}) });
    }),
  ],

  [
    'THR002',
    /t\.thread does not exist: .*Use a function of the state for what depends on it: t\.when\(\(s\) => s\.thread === 0/,
    build((t) => t.parallel(2, () => (t.thread === 0 ? compute(t) : undefined))),
  ],
  ...(['threads', 'rank', 'first', 'count', 'chunk', 'item'] as const).map(
    (name) =>
      ['THR002', new RegExp(`t\\.${name} does not exist`), build((t) => t.compute({ seconds: t[name] }))] as const,
  ),
  ['THR002', /t\.k does not exist/, build((t) => t.loop('k', 2, () => (t.k === 0 ? compute(t) : undefined)))],
  // The argument of a block, which JavaScript can declare, is not the state.
  ...['parallel', 'region', 'critical', 'loop', 'when'].map(
    (kind) =>
      [
        'THR002',
        /t\.thread does not exist: .*Use a function of the state/,
        build((t) => {
          const m = t.mutex('m');
          const body = (s: any) => t.compute({ seconds: s.thread * 1e-3 });
          const first = {
            parallel: [2],
            region: ['r'],
            critical: [m],
            loop: ['k', 2],
            when: [(s: any) => s.rank === 0],
          }[kind]!;
          t[kind](...first, body);
        }),
      ] as const,
  ),
  [
    'THR002',
    /t\.d does not exist/,
    build((t) => {
      t.task('f', { d: 0 }, (b: any, s: any) => (s.d > 0 ? b.spawn('f', { d: s.d - 1 }) : compute(b)));
      t.spawn('f', { d: 5 });
      t.sync();
    }),
  ],
  [
    'THR002',
    /t\.n does not exist/,
    build((t) => t.task('a', { n: 0 }, (b: any) => (b.n === 0 ? compute(b) : undefined))),
  ],
  [
    'THR002',
    /t\.thread does not exist/,
    () => spmd({ name: 'h', build: (m) => m.threads({ workers: 2 }, (t: any) => t.thread) }).record(1),
  ],

  [
    'THR005',
    /more than 10000 statements/,
    build((t) => {
      for (let k = 0; k < 10_001; k++) compute(t);
    }),
  ],

  [
    'THR006',
    /a guided loop in a task: its team is unknown/,
    build((t) => {
      t.task('a', {}, (b: any) => b.parallelFor({ n: 3, schedule: 'guided', body: compute }));
      t.spawn('a');
    }),
  ],
  [
    'THR006',
    /disagree on the iterations of a loop: 1 and 2/,
    build((t) => t.parallel(2, () => t.parallelFor({ n: (s: any) => s.thread + 1, body: compute }))),
  ],
  [
    'THR006',
    /disagree on the chunks of a loop: 1 and 2/,
    build((t) =>
      t.parallel(2, () => t.parallelFor({ n: 4, chunk: (s: any) => s.thread + 1, schedule: 'dynamic', body: compute })),
    ),
  ],
  [
    'THR006',
    /tasks and threads in a chunk of the dynamic loop at bad-input\.long\.test\.ts:\d+/,
    build((t) => {
      t.task('a', {}, nothing);
      t.parallelFor({ n: 3, schedule: 'dynamic', body: (b: any) => b.spawn('a') });
    }),
  ],
  [
    'THR006',
    /tasks and threads in a chunk of the guided loop/,
    build((t) => t.parallelFor({ n: 3, schedule: 'guided', body: (b: any) => b.parallel(2, () => compute(b)) })),
  ],
  [
    'THR006',
    /barrier "b" in a chunk of the affinity loop at bad-input\.long\.test\.ts:\d+/,
    build((t) => {
      const barrier = t.barriers('b', 2);
      t.parallelFor({ n: 3, schedule: 'affinity', body: (b: any) => b.barrier(barrier) });
    }),
  ],
  ...(['dynamic', 'guided', 'affinity'] as const).map(
    (schedule) =>
      [
        'THR006',
        new RegExp(`sync in a chunk of the ${schedule} loop at .*, is unknown\\. Sync before the loop, or after it`),
        build((t) => {
          t.task('a', {}, nothing);
          t.parallel(2, () => {
            t.when(
              (s: any) => s.thread === 1,
              () => t.spawn('a'),
            );
            t.parallelFor({ n: 3, schedule, body: (b: any) => b.sync() });
          });
        }),
      ] as const,
  ),

  ['THR007', /build returns a promise/, build(async () => {})],
  ['THR007', /a block returns a promise/, build((t) => t.loop('k', 2, async () => {}))],
  [
    'THR007',
    /used after the program was built/,
    () => {
      build((t) => {
        late = t;
      })();
      late.compute({ seconds: 1 });
    },
  ],
  [
    'THR007',
    /used after the program was built/,
    () => {
      build((t) => {
        late = t;
      })();
      late.mutex('m');
    },
  ],

  [
    'THR008',
    /barrier "b" has 2 parties, and more threads of a section come to it/,
    build((t) => {
      const b = t.barriers('b', 2);
      t.parallel(3, () => t.barrier(b));
    }),
  ],

  ['THR009', /unlock m: it is not held, in main/, () => predict(model((t) => t.unlock(t.mutex('m'))) as never)],
  ...SCHEDULERS.map(
    (scheduler) =>
      [
        'THR009',
        /unlock m: it is not held, in thread 1 of .*, which has not locked it: .* is a semaphore/,
        () => predict(unlockedByAnother('mutex'), { scheduler, workers: 3 }),
      ] as const,
  ),
  ['THR009', /readUnlock m: it is not held, in thread 1/, () => predict(unlockedByAnother('rwlock'))],
  ['THR010', /scheduler/, () => predict(model((t) => compute(t)) as never, { scheduler: 'fifo' } as never)],
  ['THR011', /ranks/, () => predict(model((t) => compute(t)) as never, { ranks: 4 } as never)],
];

describe.each(CASES)('the problem %s with the text %s', (code, says, run) => {
  test('is reported', () => {
    calls = 0;
    const problem = problemOf(run);
    expect(problem.code).toBe(code);
    expect(problem.message).toMatch(says);
  });
});

test('every code of thread models is provoked', () => {
  const provoked = new Set([...CASES.map(([code]) => code), 'THR005', 'THR012', 'THR013']);
  expect(
    codesOf('thread')
      .map(({ code }) => code)
      .filter((code) => !provoked.has(code)),
  ).toEqual([]);
});

describe('programs that are too large stop, with their line', () => {
  const body = (t: any) => (): void => compute(t);
  /** The task `a`, whose body spawns `a` some times with this argument. */
  const recursive =
    (times: number, n: (s: any) => number) =>
    (t: any): void => {
      t.task('a', { n: 0 }, (b: any) => {
        for (let k = 0; k < times; k++) b.spawn('a', { n });
      });
      t.spawn('a');
    };
  const stops = (of: (t: any) => unknown): void => {
    const before = process.memoryUsage.rss();
    const problem = problemOf(build(of));
    expect(problem.code).toBe('THR005');
    expect(problem.place).toMatchObject({ file: expect.stringContaining('bad-input.long.test.ts') });
    expect(process.memoryUsage.rss() - before).toBeLessThan(4 * 2 ** 30);
  };
  test.each<readonly [string, (t: any) => unknown]>([
    ['10⁹ iterations', (t) => t.loop('k', 1e9, body(t))],
    ['10⁹ tasks', (t) => t.parallelFor({ n: 1e9, body: compute })],
    ['10⁹ tasks, linear', (t) => t.parallelFor({ n: 1e9, spawning: 'linear', body: compute })],
    ['10⁹ chunks', (t) => t.parallelFor({ n: 1e9, schedule: 'dynamic', body: compute })],
    ['10⁹ static chunks', (t) => t.parallelFor({ n: 1e9, chunk: 1, schedule: 'static', body: compute })],
    ['10⁹ items', (t) => t.pipeline({ items: 1e9, stages: [{ name: 's', body: compute }] })],
    [
      'mutual recursion without end',
      (t) => {
        t.task('a', { n: 0 }, (b: any) => b.spawn('b', { n: (s: any) => s.n }));
        t.task('b', { n: 0 }, (b: any) => b.spawn('a', { n: (s: any) => s.n }));
        t.spawn('a');
      },
    ],
    ['branching recursion without end', recursive(2, ({ n }) => 1 - n)],
    ['recursion with growing arguments', recursive(1, ({ n }) => n + 1)],
  ])('a program that is too large stops with its line: %s', (_, of) => stops(of), 60_000);

  // These reach the limits of rows and strands, which takes seconds.
  test.runIf(FULL_EFFORT).each<readonly [string, (t: any) => unknown]>([
    ['nested loops', (t) => t.loop('i', 1e5, () => t.loop('j', 1e5, body(t)))],
    ['threads that create threads', (t) => t.parallel(1e6, () => t.parallel(1e6, body(t)))],
    ['branching recursion with growing arguments', recursive(2, ({ n }) => n + 1)],
  ])('a program that is too large stops with its line: %s', (_, of) => stops(of), 300_000);
});

test('a lock that others release is a fault of verification, a semaphore is not', () => {
  const released = (kind: 'mutex' | 'rwlock' | 'semaphore'): boolean[] =>
    verifyThreads(unlockedByAnother(kind), { workers: 3 }).instances.map(({ properties }) =>
      properties.some(({ id, verdict }) => id === 'no-fault' && verdict === false),
    );
  expect(new Set(released('mutex'))).toEqual(new Set([true]));
  expect(new Set(released('rwlock'))).toEqual(new Set([true]));
  expect(new Set(released('semaphore'))).toEqual(new Set([false]));
});

test('a strand that takes a lock several times in a row may release it as often', () => {
  const twice = model((t) => {
    const m = t.rwlock('m');
    t.readLock(m);
    t.readLock(m);
    t.readUnlock(m);
    t.readUnlock(m);
    t.writeLock(m);
    t.writeUnlock(m);
  });
  expect(predict(twice).figures.runTime.value).toBeGreaterThan(0);
});

describe('the size is estimated before memory is used', () => {
  const many = 1e7;
  const spawning = (t: any, body: () => void): void => {
    t.task('a', {}, compute);
    body();
  };
  test.each<readonly [string, (t: any) => unknown]>([
    ['tasks of a loop', (t) => t.parallelFor({ n: many, grain: 1, body: compute })],
    [
      'tasks of iterations',
      (t) => t.parallelFor({ n: 1e4, body: (b: any) => b.parallelFor({ n: 1e4, body: compute }) }),
    ],
    ['spawns', (t) => spawning(t, () => t.loop('k', many, () => t.spawn('a')))],
    ['nested loops', (t) => spawning(t, () => t.loop('j', 1e4, () => t.loop('k', 1e4, () => t.spawn('a'))))],
    ['items', (t) => t.pipeline({ items: many, stages: [{ name: 's', body: compute }] })],
    ['threads', (t) => t.loop('k', 1e3, () => t.parallel(1e4, () => compute(t)))],
  ])('too many: %s', (_, of) => {
    const [before, begun] = [process.memoryUsage.rss(), performance.now()];
    const { code, message } = problemOf(build(of));
    expect(code).toBe('THR005');
    expect(message).toMatch(/at least 1\d{7,} threads and tasks, which take about \d+ GB/);
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(2 ** 27);
  });
});

test('loops without iterations and sections of one thread are valid', () => {
  for (const schedule of ['tasks', 'static', 'dynamic', 'guided', 'affinity'])
    expect(build((t) => t.parallelFor({ n: 0, schedule, chunk: 7, body: compute }))).not.toThrow();
  expect(build((t) => t.pipeline({ items: 0, stages: [{ name: 's', body: compute }] }))).not.toThrow();
  expect(build((t) => t.loop('k', 1e9, nothing))).not.toThrow();
});
