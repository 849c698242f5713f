import { afterEach, describe, expect, test, vi } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import { compile, type NetRun } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { and, lt } from '../../src/net/terms.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { codesOf, problemsOf } from '../net/problems.ts';

type Next = (s: { readonly k: number }) => number;

/** A counter whose next value is computed by a function; unbounded, so the function is called at run time. */
function counter(next: Next): Net {
  const n = new NetBuilder('counter');
  const at = n.place('at', { k: n.integer('Count') }, { initial: [{ k: 0 }] });
  n.transition('step', (t) => {
    const { k } = t.take(at);
    t.put(at, { k: t.fn({ k }, next) });
    t.delay(1);
  });
  return n.build();
}

/** A run of the counter with an observer of starts. */
function observed(start: () => void, next: Next = (s) => s.k + 1): NetRun {
  return compile(counter(next), { observers: { step: { start } } }).start();
}

// A value that tabulation never tried.
const LATE = 77;
const late =
  (use: () => number): Next =>
  (s) =>
    s.k === LATE ? use() : s.k + 1;

const { Date: REAL } = globalThis;
class Later extends Date {}

const look = (): unknown[] => [
  Math.random,
  Date,
  Date.now,
  Date.prototype.constructor,
  performance.now,
  process.hrtime,
  process.hrtime.bigint,
  process.uptime,
  crypto.randomUUID,
];

/** Clock and random numbers work normally outside functions of a net. */
function readAll(): void {
  expect(Math.random()).toBeLessThan(1);
  expect(Date.now()).toBeGreaterThan(1e12);
  expect(new Date().getFullYear()).toBeGreaterThan(2000);
  expect(new Date().constructor).toBe(Date);
  expect(new Date(0)).toBeInstanceOf(Date);
  expect(new Later()).toBeInstanceOf(Later);
  expect(Date()).toMatch(/\d\d:\d\d/);
  expect(performance.now()).toBeGreaterThan(0);
  expect(process.hrtime.bigint()).toBeGreaterThan(0n);
  expect(process.hrtime()).toHaveLength(2);
  expect(crypto.randomUUID()).toHaveLength(36);
}

const before = look();
afterEach(() => {
  expect(look()).toEqual(before);
  readAll();
});

test('observers read time and chance while the functions of the net may not', () => {
  const read = vi.fn(readAll);
  observed(read).run(20);
  expect(read).toHaveBeenCalledTimes(10);
});

test.each<[string, string, () => number]>([
  ['Date.now', 'Date.now', () => Date.now()],
  ['now of the date by another name', 'Date.now', () => REAL.now()],
  ['now of the constructor of a date', 'Date.now', () => (new Date(0).constructor as DateConstructor).now()],
  ['now of a kind of date', 'Date.now', () => Later.now()],
  ['a date made by that of another', 'the current date', () => +new (new Date(0).constructor as DateConstructor)()],
  ['hrtime.bigint', 'process.hrtime.bigint', () => Number(process.hrtime.bigint())],
  ['Math.random', 'Math.random', () => Math.random()],
])('%s is rejected in the first state in which it occurs', (_, name, use) => {
  const problem = `NET051 transition step, fn1: reads ${name}: its result must depend only on its inputs`;
  expect(problemsOf(() => counter((s) => s.k + use()))).toEqual([problem]);
  const game = compile(counter(late(use))).start();
  expect(problemsOf(() => game.run(1000))).toEqual([problem]);
});

test('each evaluation records its own reads, and an error lists them', () => {
  for (const [answer, shown] of [
    [undefined, 'undefined'],
    [0.5, '0.5'],
    ['x', '"x"'],
    [Number.NaN, 'NaN'],
  ] as const) {
    const game = compile(counter(late(() => answer as never))).start();
    expect(problemsOf(() => game.run(1000))).toEqual([
      `RUN009 transition step, fn1: returns ${shown} where k = 77: expected an integer`,
    ]);
  }
  const throwing = compile(
    counter(
      late(() => {
        throw new Error('enough');
      }),
    ),
  ).start();
  expect(problemsOf(() => throwing.run(1000))).toEqual(['NET056 transition step, fn1: throws enough where k = 77']);
});

describe('a function may fail where another part of the guard is false; engine and unfolding agree', () => {
  /** Two tokens; the function fails, but only after the net is built. */
  const net = (fail: () => unknown, both: boolean): Net => {
    let built = false;
    const n = new NetBuilder('guarded', { tableLimit: 0 });
    const R = n.range('R', 0, 3);
    const p = n.place('p', { r: R }, { initial: [{ r: 1 }, { r: 3 }] });
    const q = n.place('q', { r: R });
    n.transition('t', (t) => {
      const { r } = t.take(p);
      const asked = lt(
        t.fn({ r }, (s) => (built && s.r === 3 ? (fail() as number) : s.r)),
        9,
      );
      t.guard(both ? and(asked, lt(r, 3)) : asked);
      t.put(q, { r });
    });
    const made = n.build();
    built = true;
    return made;
  };
  test.each<[string, () => unknown, string]>([
    ['no number', () => Number.NaN, 'RUN009'],
    ['another kind', () => 'red', 'RUN009'],
    [
      'an error',
      () => {
        throw new Error('enough');
      },
      'NET056',
    ],
    ['chance', () => Math.random(), 'NET051'],
  ])('a function may give %s where another part of the guard is false', (_, fail, code) => {
    const lawful = net(fail, true);
    expect(simulate(lawful).firings).toEqual({ t: 1 });
    expect(explore(lawful).states).toBe(2);
    expect(unfold(lawful).transitions.map((t) => t.name)).toEqual(['t[r=1]']);
    const lawless = net(fail, false);
    expect(codesOf(() => simulate(lawless))).toEqual([code]);
    expect(problemsOf(() => unfold(lawless))).toEqual([
      expect.stringMatching(new RegExp(`^UNF009 transition t: with r = 3: transition t, fn1: .* \\(${code}\\)\\.`)),
    ]);
  });
});

describe('replacement of a source by an observer', () => {
  test('is undone without effect', () => {
    const { random } = Math;
    const { now } = Date;
    for (let k = 0; k < 3; k++) {
      observed(() => {
        const [savedRandom, savedNow] = [Math.random, Date.now];
        Math.random = () => 0.25;
        Date.now = () => 5;
        expect([Math.random(), Date.now()]).toEqual([0.25, 5]);
        Math.random = savedRandom;
        Date.now = savedNow;
        readAll();
      }).run(10);
      readAll();
    }
    expect([Math.random, Date.now]).toEqual([random, now]);
  });

  test('stays after the run; restoring it later restores the original', () => {
    const saved: (typeof Math.random)[] = [];
    const { random } = Math;
    observed(() => {
      saved.push(Math.random);
      Math.random = () => 0.25;
    }).run(2);
    expect(Math.random()).toBe(0.25);
    Math.random = saved[0]!;
    expect(Math.random()).toBeLessThan(1);
    // Math.random is the guard of the earlier run again; a new run accepts that.
    observed(readAll).run(10);
    Math.random = random;
  });

  test('a replaced date, restored during the run', () => {
    vi.useFakeTimers({ now: 42 });
    const refused = problemsOf(() =>
      compile(counter(late(() => Date.now())))
        .start()
        .run(1000),
    );
    expect(refused).toEqual([expect.stringMatching(/^NET051 .* reads Date\.now/)]);
    expect(Date.now()).toBe(42);
    observed(() => {
      vi.useRealTimers();
    }).run(10);
    expect(Date).toBe(REAL);
  });

  test('a date replaced during the run', () => {
    let first = true;
    observed(() => {
      if (first) vi.useFakeTimers({ now: 42 });
      first = false;
      expect(Date.now()).toBe(42);
    }).run(10);
    expect(Date.now()).toBe(42);
    vi.useRealTimers();
    expect(Date.now()).toBeGreaterThan(1e12);
    // The restored functions were harmless guards, removed by the next run.
    observed(readAll).run(10);
  });
});

test('a source that can no longer be guarded does not affect the others', () => {
  const holder = Object.getPrototypeOf(performance) as object;
  const own = Object.getOwnPropertyDescriptor(holder, 'now')!;
  try {
    Object.defineProperty(holder, 'now', { ...own, writable: false });
    for (let k = 0; k < 3; k++) observed(readAll).run(10);
  } finally {
    Object.defineProperty(holder, 'now', own);
  }
});

test('a run inside an observer of another run has the same guards', () => {
  const inner = compile(counter(late(() => Math.random())));
  const outer = observed(() => {
    expect(problemsOf(() => inner.start().run(1000))).toEqual([expect.stringMatching(/^NET051 .* Math\.random/)]);
    readAll();
  });
  outer.run(10);
});
