import { expect, test } from 'vitest';
import type { MatcherResult } from '../../src/testing/answer.ts';
import type { MatcherOptions } from '../../src/testing/matcher-options.ts';
import { toBeDeadlockFree, toBeSound } from '../../src/testing/net-matchers.ts';
import { model, philosophers } from '../commands/verify/threads/cases.ts';

const matchers = { toBeDeadlockFree, toBeSound };
type Matcher = keyof typeof matchers;

const ask = (matcher: Matcher, received: unknown, options: MatcherOptions = {}, isNot = false): MatcherResult =>
  matchers[matcher].call({ isNot }, received, options);
const passes = (matcher: Matcher, received: unknown, options?: MatcherOptions): boolean[] =>
  [false, true].map((isNot) => ask(matcher, received, options, isNot).pass);

test('a thread model is free of deadlocks, or not', () => {
  const options = { scheduler: 'os', workers: 2 } as const;
  expect(passes('toBeDeadlockFree', philosophers(3, true), options)).toEqual([true, true]);
  expect(passes('toBeDeadlockFree', philosophers(3, false), options)).toEqual([false, false]);
});

test('the default is threads and a pool', () => {
  const barrier = model((t) => {
    const b = t.barriers('b', 3);
    t.parallel(3, () => t.barrier(b));
  });
  expect(ask('toBeDeadlockFree', barrier).pass).toBe(false);
  expect(ask('toBeDeadlockFree', barrier, { workers: 3 }).pass).toBe(true);
});

test('soundness includes locks at the end', () => {
  const holding = model((t) => t.lock(t.mutex('m')));
  expect(ask('toBeDeadlockFree', holding).pass).toBe(true);
  expect(ask('toBeSound', holding).pass).toBe(false);
  expect(ask('toBeSound', philosophers(2, true)).pass).toBe(true);
});

test('the message has the verdict, the strands and their lines', () => {
  const message = ask('toBeDeadlockFree', philosophers(2, false), { scheduler: 'os' }).message();
  expect(message).toMatch(/^expected thread model "case" with 2 workers to be free of deadlocks\nViolated/);
  expect(message).toMatch(/thread 1 of parallel cases\.ts:\d+: at lock fork\[0\], cases\.ts:\d+/);
});

test('an open verdict fails both forms', () => {
  const options = { scheduler: 'os', maxStates: 20 } as const;
  expect(passes('toBeDeadlockFree', philosophers(3, true), options)).toEqual([false, true]);
  expect(ask('toBeDeadlockFree', philosophers(3, true), options).message()).toMatch(/^UNKNOWN: /);
});

test('options of other models are rejected', () => {
  expect(() => ask('toBeSound', philosophers(2, true), { ranks: 2 })).toThrow('TEST002');
  expect(() => ask('toBeSound', philosophers(2, true), { scheduler: 'so' as never })).toThrow('VER005');
});
