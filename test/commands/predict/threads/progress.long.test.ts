import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Progress } from '../../../../src/commands/predict/options.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { shareOfWork } from '../../../../src/commands/predict/threads/thread-subject.ts';
import { SCHEDULERS, type ThreadNet } from '../../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../../src/models/threads/program/threads.ts';
import { effort } from '../../../effort.ts';
import { modelOf, taskPrograms, threadPrograms } from '../../../models/threads/random-threads.ts';

/** The share of the work that a run has done at its end. */
function shareAtEnd(model: ThreadModel, options: Parameters<typeof predict>[1]): number | undefined {
  const { firings } = predict(model as never, { workers: 4, ...options });
  const transitions = Object.keys(firings);
  const net = { program: model.program(4, {}) } as unknown as ThreadNet;
  return shareOfWork(net, transitions)?.(transitions.map((name) => firings[name]!));
}

test('the share of the work is 1 at the end of each program of tasks', () => {
  fc.assert(
    fc.property(taskPrograms, fc.constantFrom(...SCHEDULERS), (parts, scheduler) => {
      const share = shareAtEnd(modelOf(parts), { scheduler });
      if (share !== undefined) expect(share).toBe(1);
    }),
    { numRuns: effort(500) },
  );
});

test('it is at most 1 where threads share objects', () => {
  fc.assert(
    fc.property(threadPrograms, (parts) => {
      const share = shareAtEnd(modelOf(parts), { scheduler: 'os' });
      if (share !== undefined) expect(share).toBeLessThanOrEqual(1);
    }),
    { numRuns: effort(200) },
  );
});

test('it is reported by predict, in the order of time', () => {
  const reports: Progress[] = [];
  const model = threads({
    name: 'many',
    build: (t) => t.parallelFor({ n: 20_000, grain: 1, body: (b) => b.compute({ seconds: 1e-3 }) }),
  });
  predict(model, { workers: 4, progress: (one) => reports.push(one) });
  expect(reports.length).toBeGreaterThan(2);
  const shares = reports.map(({ share }) => share);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBeGreaterThan(0.5);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
});
