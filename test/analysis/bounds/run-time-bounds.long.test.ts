import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runTimeBounds } from '../../../src/analysis/bounds/run-time-bounds.ts';
import { runTimes } from '../../../src/analysis/space/timed/run-times.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { renderSteady } from '../../../src/commands/steady/view/steady-view.ts';
import { noise, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { fcfs } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';

/** A task: its seconds, the earlier tasks that it waits for, and whether it needs a core, a disk, or is served by a clerk before. */
interface Job {
  readonly seconds: number;
  readonly after: readonly number[];
  readonly needs: 'nothing' | 'core' | 'disk' | 'both' | 'clerk';
  readonly tokens: number;
}

function netOf(jobs: readonly Job[], cores: number, isRandom = false): Net {
  const n = new NetBuilder('jobs');
  const core = n.place('core', {}, { initial: cores });
  const disk = n.place('disk', {}, { initial: 1 });
  const inputs = jobs.map(({ tokens }, k) => [n.place(`begin ${k}`, {}, { initial: tokens })]);
  const outputs = jobs.map((_, k) => [n.place(`end ${k}`, {})]);
  jobs.forEach(({ after, needs }, k) => {
    for (const j of new Set(after.map((a) => a % Math.max(1, k)).filter((a) => a < k))) {
      const service = needs === 'clerk' ? { service: fcfs({ servers: 1, time: 1.5 }) } : {};
      const between = n.place(`${j} to ${k}`, {}, service);
      outputs[j]!.push(between);
      inputs[k]!.push(between);
    }
  });
  jobs.forEach(({ seconds, needs }, k) => {
    n.transition(`job ${k}`, (t) => {
      const lent = [
        ...(needs === 'core' || needs === 'both' ? [core] : []),
        ...(needs === 'disk' || needs === 'both' ? [disk] : []),
      ];
      for (const place of [...inputs[k]!, ...lent]) t.take(place);
      for (const place of [...outputs[k]!, ...lent]) t.put(place, {});
      if (seconds > 0) t.delay(isRandom ? exponential(1 / seconds) : seconds);
    });
  });
  return n.build();
}

const jobs = fc.array(
  fc.record({
    seconds: fc.constantFrom(0, 1, 2, 3, 0.5),
    after: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
    needs: fc.constantFrom<Job['needs'][]>('nothing', 'core', 'disk', 'both', 'clerk'),
    tokens: fc.integer({ min: 1, max: 2 }),
  }),
  { minLength: 1, maxLength: 5 },
);

test('the run time of every order of random loop-free nets lies within the bounds', () => {
  const seen = { exact: 0, apart: 0, greedy: 0 };
  fc.assert(
    fc.property(jobs, fc.integer({ min: 1, max: 2 }), (given, cores) => {
      const net = netOf(given, cores);
      const { lower, upper, upperBy } = runTimeBounds(net);
      const { shortest, longest } = runTimes(net, { maxStates: 50_000 });
      if (shortest !== undefined) expect(lower).toBeLessThanOrEqual(shortest.seconds);
      if (longest === undefined) return;
      expect(upper).toBeGreaterThanOrEqual(longest.seconds);
      seen.exact++;
      if (longest.seconds > shortest!.seconds) seen.apart++;
      if (upperBy === 'greedy schedule') seen.greedy++;
    }),
    { numRuns: effort(600) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(atFullEffort(10));
});

test('the mean run time of random delays lies within the bounds of the means', () => {
  fc.assert(
    fc.property(jobs, (given) => {
      const plain = given.slice(0, 3).map((job): Job => ({ ...job, needs: 'nothing', seconds: job.seconds + 1 }));
      const net = netOf(plain, 1, true);
      const { lower, upper } = runTimeBounds(net);
      const { runTime } = steady(net, { restart: true, method: 'ctmc' });
      expect(lower).toBeLessThanOrEqual(runTime!.upper!);
      expect(upper).toBeGreaterThanOrEqual(runTime!.lower!);
    }),
    { numRuns: effort(100) },
  );
});

test('four jobs on two cores, by hand', () => {
  const job = (seconds: number): Job => ({ seconds, after: [], needs: 'core', tokens: 1 });
  const found = runTimeBounds(netOf([3, 2, 2, 1].map(job), 2));
  // Work 8 s on 2 cores; Graham: 8 / 2 + (1 − 1 / 2) · 3.
  expect(found).toMatchObject({ span: 3, work: 4, upperBy: 'greedy schedule' });
  expect(found.lower).toBeCloseTo(4, 9);
  expect(found.upper).toBeCloseTo(5.5, 9);
});

test('the page says what is bounded, and no more', () => {
  const job = (seconds: number): Job => ({ seconds, after: [], needs: 'core', tokens: 1 });
  const found = steady(netOf([3, 2, 2, 1].map(job), 2), { restart: true, method: 'bounds' });
  const page = renderSteady(found, { width: 100, colour: false, unicode: false });
  expect(page).toContain('The run time lies between proved bounds, and so do figures of the restarted net');
  expect(page).toContain('laws of work and span, because it was asked for');
  expect(page).toMatch(/run time +3\.9+ +5\.50+1\b/);
  // Graham's bound needs constant delays.
  expect(page).not.toContain('whatever the distributions');
});

test('steady compares the run time of programs by all methods', () => {
  const two = spmd({
    name: 'two',
    build(m) {
      m.compute({ seconds: 1, noise: noise.exponential() });
      m.when(
        (s) => s.rank === 0,
        () => m.compute({ seconds: 0.5, noise: noise.exponential() }),
      );
    },
  });
  const { methods, runTime } = steady(two, { ranks: 2, method: 'all', precision: 0.05 });
  expect(methods!.map(({ method, agree }) => [method, agree])).toEqual([
    ['ctmc', true],
    ['bounds', true],
    ['simulate', true],
  ]);
  const bounds = steady(two, { ranks: 2, method: 'bounds' }).runTime!;
  expect(bounds).toMatchObject({ lowerBy: 'longest path', upperBy: 'total work', certainty: 1 });
  // By hand: the mean is 11/6; rank 0 takes 1.5 s on average, all work is 2.5 s.
  expect(bounds.lower).toBeCloseTo(1.5, 6);
  expect(bounds.upper).toBeCloseTo(2.5, 6);
  expect(runTime!.mean).toBeCloseTo(11 / 6, 9);
});

test('loops, decisions and rewards are refused', () => {
  const n = new NetBuilder('loop');
  const [p, q] = [n.place('p', {}, { initial: 1 }), n.place('q', {})];
  n.transition('there', (t) => {
    t.take(p);
    t.put(q, {});
    t.delay(1);
  });
  n.transition('back', (t) => {
    t.take(q);
    t.put(p, {});
    t.delay(1);
  });
  expect(() => runTimeBounds(n.build())).toThrow(/BND002.*loop/);
  const d = new NetBuilder('decision');
  const from = d.place('from', {}, { initial: 1 });
  for (const name of ['one', 'other'])
    d.transition(name, (t) => {
      t.take(from);
      t.delay(1);
    });
  expect(() => runTimeBounds(d.build())).toThrow(/BND002.*decision/);
  const options = { restart: true, method: 'bounds', rewards: { r: '#from' } } as const;
  expect(() => steady(d.build(), options)).toThrow('STAT001');
});
