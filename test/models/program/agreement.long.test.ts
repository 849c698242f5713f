import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/models.ts';
import { effort } from '../../effort.ts';
import { traceOf } from './interpret.ts';
import { arbitrary, modelOf } from './random-model.ts';

/** Random models, run as nets and as the traces that they would produce: times are equal up to rounding. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-model-'));
afterAll(() => rmSync(dir, { recursive: true }));

const machine = cluster({
  nodes: 4,
  coresPerNode: 4,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1.25GB/s' },
  intraNode: { latency: '1us', bandwidth: '10GB/s' },
  eagerBelow: 4096,
  detachedBelow: 65536,
});

test('a random model takes as long as its trace', { timeout: 600_000 }, () => {
  const file = join(dir, 'model.ti');
  fc.assert(
    fc.property(arbitrary, ({ ranks, parts }) => {
      const model = modelOf(parts);
      const predicted = predict(model, { machine, ranks, placement: 'cyclic' });
      writeFileSync(file, traceOf(model.record(ranks)[0]!));
      const replayed = predict(file, { machine, ranks, placement: 'cyclic' });
      expect(predicted.deadlock).toEqual([]);
      for (const { rank, endTime, computing, communicating, waiting, idle } of replayed.ranks) {
        const own = predicted.ranks[rank]!;
        const near = (x: number, y: number): void =>
          expect(Math.abs(x - y)).toBeLessThanOrEqual(1e-12 * Math.abs(y) + 1e-18);
        near(own.endTime!, endTime!);
        near(own.computing, computing);
        near(own.idle, idle);
        near(own.communicating! + own.waiting!, communicating! + waiting!);
      }
    }),
    { numRuns: effort(25) },
  );
});
