import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { WorkerMeter } from '../../src/analysis/diagnosis/worker-meter.ts';
import { InputError } from '../../src/base/problem.ts';
import { diagnose } from '../../src/commands/diagnose/diagnose.ts';
import { effort } from '../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-diagnosis-'));
afterAll(() => rmSync(folder, { recursive: true }));
const traced = (events: readonly unknown[]): string => {
  const path = join(folder, 'trace.json');
  writeFileSync(path, JSON.stringify({ traceEvents: events }));
  return path;
};

it('periods are bounded before the loop, for any span and period', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true }), (a, b, period) => {
      try {
        new WorkerMeter(period).span(0, 'r', 0, Math.min(a, b), Math.max(a, b));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect(String(error)).toContain('DIAG003');
      }
    }),
    { numRuns: effort(5000) },
  );
});

it('spans of a Chrome trace may be nested deeply, in linear time', () => {
  const n = 50_000;
  const thread = { pid: 1, tid: 1 };
  const events = [
    ...Array.from({ length: n }, (_, ts) => ({ ph: 'B', name: 'x', ts, ...thread })),
    ...Array.from({ length: n }, (_, k) => ({ ph: 'E', ts: n + k, ...thread })),
    { ph: 'X', name: 'task', ts: 3 * n, dur: 5, ...thread },
  ];
  expect(diagnose(traced(events), { states: { task: 'EXEC' } }).regions).toHaveLength(1);
});

it.each([0, 1, 3])('a span that never closes is reported, after %i others', (others) => {
  const closed = Array.from({ length: others }, (_, k) => ({ ph: 'X', name: 'task', ts: k, dur: 1, pid: 1, tid: 1 }));
  const events = [...closed, { ph: 'B', name: 'task', ts: 9, pid: 1, tid: 1 }];
  expect(() => diagnose(traced(events), { states: { task: 'EXEC' } })).toThrow(
    `REC009 event ${others}: the span "task" of thread 1:1 begins (B) and never ends`,
  );
});
