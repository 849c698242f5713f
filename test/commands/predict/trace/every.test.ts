import { afterEach, expect, test, vi } from 'vitest';
import { every } from '../../../../src/commands/predict/trace/trace-subject.ts';

afterEach(() => vi.useRealTimers());

test('returns true at first, then again once the interval has passed', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const due = every(20);
  const after = (milliseconds: number): boolean => {
    vi.advanceTimersByTime(milliseconds);
    return due();
  };
  expect([0, 0, 19, 1, 19.5, 0.5, 100, 1, 19].map(after)).toEqual([
    true, // 0
    false,
    false,
    true, // 20
    false,
    true, // 40
    true, // 140
    false,
    true, // 160
  ]);
});
