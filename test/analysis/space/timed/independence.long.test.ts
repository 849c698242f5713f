import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RunTimes, runTimes } from '../../../../src/analysis/space/timed/run-times.ts';
import { explorableProgram } from '../../../../src/commands/exact/explorable.ts';
import { mapModel } from '../../../../src/commands/predict/model/stages.ts';
import { cluster } from '../../../../src/machine/cluster.ts';
import { spmd } from '../../../../src/models.ts';
import type { Net } from '../../../../src/net/net.ts';
import { effort } from '../../../effort.ts';
import { netOf, num, take } from '../../../reference/nets.ts';
import { randomTimedNet } from './random-timed-net.ts';

const figures = ({ shortest, longest, deadlocks, because }: RunTimes) => ({
  shortest: shortest?.seconds,
  longest: longest?.seconds,
  deadlocks,
  because,
});

test('without orders that differ in nothing, run times and deadlocks of random nets are the same', () => {
  let [compared, all, kept] = [0, 0, 0];
  fc.assert(
    fc.property(randomTimedNet, (net) => {
      const full = runTimes(net, { reduced: false, maxStates: 1000 });
      if (!full.complete) return;
      const reduced = runTimes(net);
      expect(figures(reduced)).toEqual(figures(full));
      compared++;
      all += full.states;
      kept += reduced.states;
    }),
    { numRuns: Math.max(250, effort(1000)) },
  );
  expect(compared).toBeGreaterThan(200);
  expect(kept).toBeLessThan(0.98 * all);
});

const machine = cluster({
  nodes: 8,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 65536,
});

/** Each rank computes, sends to the next one, and computes again. */
const ring = spmd({
  name: 'ring',
  build(m) {
    m.compute({ flops: 1e6 });
    m.send({ to: (s) => (s.rank + 1) % m.size, bytes: 8 });
    m.recv({ from: (s) => (s.rank + m.size - 1) % m.size });
    m.compute({ flops: 1e6 });
  },
});

const alone = spmd({
  name: 'alone',
  build(m) {
    m.compute({ flops: 1e6 });
    m.compute({ flops: 2e6 });
  },
});

function searched(model: typeof ring, ranks: number, reduced: boolean): RunTimes {
  const { net, final } = explorableProgram(mapModel(model, { machine, ranks }).program);
  return runTimes(net, { reduced, ...(final === undefined ? {} : { final }) });
}

test('timed states of programs: ranks that do not wait for each other, and a ring', () => {
  // A begin, two starts, two ends and an end of each rank, and three times at which time passes.
  for (const ranks of [2, 4, 8]) expect(searched(alone, ranks, true).states).toBe(6 * ranks + 3);
  expect(searched(alone, 4, false).states).toBe(143);
  const [full, reduced] = [searched(ring, 4, false), searched(ring, 4, true)];
  expect(figures(reduced)).toEqual(figures(full));
  expect([full.states, reduced.states]).toEqual([2800, 473]);
  // 2 × (1 ms + 1 µs + 8 ns): computing, and the latency and the transfer of one message.
  expect(searched(ring, 6, true).shortest!.seconds).toBeCloseTo(0.002001008 + 1e-6, 12);
});

const put = (place: string) => ({ place, values: {}, count: num(1) });

/** Two immediate steps of one instant, and what they decide. */
test.each<readonly [string, Net, readonly [number, number]]>([
  [
    'both take one token',
    netOf({
      places: { a: { tokens: 1 }, b: { tokens: 1 }, lock: { tokens: 1 }, c: {}, d: {}, end: {} },
      transitions: {
        first: { inputs: [take('a'), take('lock')], outputs: [put('c')] },
        second: { inputs: [take('b'), take('lock')], outputs: [put('d')] },
        slow: { inputs: [take('c')], outputs: [put('end')], delay: num(2) },
        fast: { inputs: [take('d')], outputs: [put('end')], delay: num(1) },
      },
    }),
    [1, 2],
  ],
  [
    'one enables a step of a higher priority that takes a token of the other',
    netOf({
      places: { a: { tokens: 1 }, b: { tokens: 1 }, c: {}, d: {}, end: {} },
      transitions: {
        wake: { inputs: [take('a')], outputs: [put('c')] },
        other: { inputs: [take('b')], outputs: [put('d')] },
        steal: { inputs: [take('c'), take('b')], outputs: [put('end')], delay: num(5), priority: 1 },
        slow: { inputs: [take('d')], outputs: [put('end')], delay: num(2) },
      },
    }),
    [2, 5],
  ],
])('steps whose order matters are followed in every order: %s', (_, net, [shortest, longest]) => {
  for (const reduced of [false, true]) expect(figures(runTimes(net, { reduced }))).toMatchObject({ shortest, longest });
});
