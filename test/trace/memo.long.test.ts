import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { folder, open, valueAt } from './support.ts';

/** Decimal numbers in the usual formats of tracers, and in unusual valid ones. */
const decimal = fc.oneof(
  fc.nat(10 ** 9).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
  fc.double({ min: 0, max: 1e30, noNaN: true }).map(String),
  fc.double({ min: 0, max: 1e12, noNaN: true }).map((x) => x.toFixed(6)),
  fc.constantFrom('0', '00012', '1e6', '5E+3', '.5', '12.', '999999999', '1000000000', '9007199254740993', '1e-400'),
);

// Repeated lines are read by different code than their first occurrence, up to the start of the number.
test('the number of a cached line is read like any other', () => {
  fc.assert(
    fc.property(
      fc.array(decimal, { minLength: 3, maxLength: 300 }),
      fc.integer({ min: 64, max: 4096 }),
      (all, block) => {
        const text = `0 init\n${all.map((x) => `0 compute ${x}\n`).join('')}0 finalize\n`;
        const files = folder({ 'a.ti': text });
        const { trace } = open(files.path('a.ti'), { blockBytes: block });
        const first = trace.start[0]!;
        all.forEach((x, k) => {
          expect(valueAt(trace.amount, first + k), x).toBe(Number(x));
        });
        expect(trace.actions).toBe(all.length + 2);
        trace.close();
        files.remove();
      },
    ),
    { numRuns: effort(200), seed: 3 },
  );
});

test('an invalid number is reported with its line, even after many similar lines', () => {
  for (const bad of ['-1', 'x', '1e999', '', '1 2', '12a', '\u0001']) {
    const before = 500;
    const text = `0 init\n${'0 compute 10\n'.repeat(before)}0 compute ${bad}\n${'0 compute 10\n'.repeat(9)}0 finalize\n`;
    const files = folder({ 'a.ti': text });
    expect(() => open(files.path('a.ti')), bad).toThrow(new RegExp(`a\\.ti:${before + 2}\\b`));
    files.remove();
  }
});

test('more than 255 kinds of collectives are compared', () => {
  const ranks = 300;
  const rank = (r: number, last: number): string => {
    const roots = Array.from({ length: ranks }, (_, root) => `${r} bcast 8 ${root}\n`).join('');
    return `${r} init\n${roots.repeat(8)}${r} bcast 8 ${last}\n${r} finalize\n`;
  };
  const text = (last: (r: number) => number): string =>
    Array.from({ length: ranks }, (_, r) => rank(r, last(r))).join('');
  const files = folder({ 'same.ti': text(() => 1), 'other.ti': text((r) => (r === 7 ? 299 : 1)) });
  const { trace } = open(files.path('same.ti'));
  expect(trace.actions).toBe(ranks * (ranks * 8 + 3));
  trace.close();
  expect(() => open(files.path('other.ti'))).toThrow(/collective 2401 of rank 7 is bcast with root 299/);
  files.remove();
});
