import { expect, test } from 'vitest';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { problemsOf } from '../net/problems.ts';

/** A counter whose next value is what a function says, which is called: the counter has no bounds. */
function counter(next: (s: { readonly k: number }) => number): Net {
  const n = new NetBuilder('counter');
  const at = n.place('at', { k: n.integer('Count') }, { initial: [{ k: 0 }] });
  n.transition('step', (t) => {
    const { k } = t.take(at);
    t.put(at, { k: t.fn({ k }, next) });
    t.delay(1);
  });
  return n.build();
}

const look = (): unknown[] => [Math.random, Date, Date.now, performance.now, process.hrtime, crypto.randomUUID];

/** Time and chance as anybody may read them who is no function of a net. */
function readAll(): void {
  expect(Math.random()).toBeLessThan(1);
  expect(Date.now()).toBeGreaterThan(1e12);
  expect(new Date().getFullYear()).toBeGreaterThan(2000);
  expect(Date()).toMatch(/\d\d:\d\d/);
  expect(performance.now()).toBeGreaterThan(0);
  expect(process.hrtime.bigint()).toBeGreaterThan(0n);
  expect(process.hrtime()).toHaveLength(2);
  expect(crypto.randomUUID()).toHaveLength(36);
}

test('observers read time and chance while the functions of the net may not', () => {
  const before = look();
  let seen = 0;
  const game = compile(
    counter((s) => s.k + 1),
    {
      observers: {
        step: {
          start: () => {
            readAll();
            seen++;
          },
        },
      },
    },
  ).start();
  game.run(20);
  expect(seen).toBeGreaterThan(5);
  expect(look()).toEqual(before);
});

test('what a function reads in a state that nobody tried is refused when it comes there', () => {
  const before = look();
  const game = compile(counter((s) => (s.k !== 77 ? s.k + 1 : Date.now()))).start();
  expect(problemsOf(() => game.run(1000))).toEqual([
    'NET051 transition step, fn1: reads Date.now: its answer must depend on nothing but what it is given',
  ]);
  expect(look()).toEqual(before);
  readAll();
});

test('each evaluation reads anew, and an error says what it has read', () => {
  const game = compile(counter((s) => (s.k !== 77 ? s.k + s.k - s.k + 1 : (undefined as never)))).start();
  expect(problemsOf(() => game.run(1000))).toEqual([expect.stringMatching(/^RUN009 /)]);
  const throwing = compile(
    counter((s) => {
      if (s.k === 77) throw new Error('enough');
      return s.k + 1;
    }),
  ).start();
  expect(problemsOf(() => throwing.run(1000))).toEqual(['NET056 transition step, fn1: throws enough where k = 77']);
});
