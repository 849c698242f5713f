import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';
import type { Build, State } from './predicted-tries.ts';

const node = (coresPerNode: number) =>
  cluster({
    ...{ nodes: 1, coresPerNode, speed: 1e9, eagerBelow: 65536, link: { latency: 1e-6, bandwidth: 1e10 } },
    threads: { ...NO_COSTS, timeSlice: 0.25 },
  } as never);

// biome-ignore lint/suspicious/noExplicitAny: a document
const diagnosed = (build: Build, cores = 1): any =>
  diagnose(threads({ name: 'inversion', build }), { machine: node(cores), scheduler: 'os', inactive: 0.001 } as never);

interface Times {
  /** Work of the lowest thread with the lock, from 0 on, and of the highest one, which wants it at `wants`. */
  readonly low: number;
  readonly high: number;
  readonly wants: number;
  /** When the middle thread comes, and for how long it computes. */
  readonly comes: number;
  readonly middle: number;
  /** The highest thread sleeps at the end. */
  readonly rest: number;
}

const three =
  ({ low, high, wants, comes, middle, rest }: Times, options: object = { kind: 'handed-over' }): Build =>
  (t) => {
    const bus = t.mutex('bus', 1, options);
    const [HIGH, MIDDLE] = [0, 1];
    t.parallel(
      3,
      () =>
        t.when(
          (s: State) => s.thread === HIGH,
          () => {
            t.sleep({ seconds: wants });
            t.critical(bus, () => t.compute({ seconds: high }));
            t.sleep({ seconds: rest });
          },
          () =>
            t.when(
              (s: State) => s.thread === MIDDLE,
              () => {
                t.sleep({ seconds: comes });
                t.compute({ seconds: middle });
              },
              () => t.critical(bus, () => t.compute({ seconds: low })),
            ),
        ),
      { priority: (s: State) => -1 - s.thread },
    );
  };

const seconds = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: 8 * max }).map((k) => k / 8);
// biome-ignore lint/suspicious/noExplicitAny: a document
const invertedOf = (document: any): number =>
  document.locks.find(({ name }: { name: string }) => name === 'bus').inverted ?? 0;
// biome-ignore lint/suspicious/noExplicitAny: a document
const findings = (document: any): any[] => document.regions.flatMap((r: any) => r.findings);

test('the time of an inversion is that in which the middle thread has the core and the highest one waits', () => {
  fc.assert(
    fc.property(
      seconds(5),
      seconds(5),
      seconds(5),
      seconds(5),
      seconds(20),
      fc.boolean(),
      (wants, later, left, high, middle, isFirst) => {
        // The middle thread comes after the highest one wants the lock, or before: then it has the core until comes + middle.
        const comes = isFirst ? wants : wants + later;
        const times = {
          wants: isFirst ? wants + later : wants,
          comes,
          low: wants + later + left,
          high,
          middle,
          rest: 60,
        };
        const inverted = isFirst ? Math.max(0, comes + middle - times.wants) : middle;
        const found = diagnosed(three(times));
        expect(invertedOf(found)).toBeCloseTo(inverted, 6);
        expect(invertedOf(diagnosed(three(times, { priority: 'inherit' })))).toBe(0);
        // With a core for each there is no inversion.
        expect(invertedOf(diagnosed(three(times), 3))).toBe(0);
        const [finding] = findings(found).filter(({ cause }) => cause === 'priority-inversion');
        // Gains below 1 % of the region do not count.
        if (inverted < 0.02 * found.model.runTime) return;
        expect(finding).toMatchObject({
          subject: { object: 'bus', kind: 'mutex' },
          change: 'priority of mutex bus: none → inherit',
        });
        expect(finding.secondsLost).toBeCloseTo(inverted, 6);
        // The highest thread ends earlier by this time, and the run with it.
        expect(finding.predictedGain).toBeCloseTo(inverted, 6);
      },
    ),
    { numRuns: effort(40) },
  );
});

test('where the run is not shorter, the reason says how long urgent threads wait', () => {
  const found = diagnosed(three({ low: 4, high: 1, wants: 1, comes: 2, middle: 50, rest: 0 }));
  const [finding] = findings(found).filter(({ cause }) => cause === 'priority-inversion');
  expect(finding.predictedGain).toBeUndefined();
  expect(finding.noGain).toBe(
    'priority of mutex bus: none → inherit does not shorten the run; less urgent threads would then delay waiters of locks for 0 s instead of 50.00 s',
  );
});

test('a lock whose holder computes, and a holder behind more urgent threads, are no inversion', () => {
  // The "middle" thread is the most urgent one: nobody less urgent has the core.
  const build: Build = (t) => {
    const bus = t.mutex('bus', 1, { kind: 'handed-over' });
    t.parallel(
      3,
      () => {
        t.sleep({ seconds: (s: State) => s.thread });
        t.when(
          (s: State) => s.thread < 2,
          () => t.critical(bus, () => t.compute({ seconds: 5 })),
          () => t.compute({ seconds: 10 }),
        );
      },
      { priority: (s: State) => s.thread - 5 },
    );
  };
  const found = diagnosed(build);
  expect(invertedOf(found)).toBe(0);
  expect(findings(found).map(({ cause }) => cause)).toContain('lock-contention');
});

test('the chain of holders is followed to the one that has no core', () => {
  // Thread 1 holds a; thread 2 holds b and waits for a; thread 3 waits for b; the middle thread has the core for 20 s.
  const build =
    (priority: string): Build =>
    (t) => {
      const [a, bus] = [
        t.mutex('a', 1, { kind: 'handed-over', priority }),
        t.mutex('bus', 1, { kind: 'handed-over', priority }),
      ];
      const is = (k: number, block: () => void): void => t.when((s: State) => s.thread === k, block);
      t.parallel(
        4,
        () => {
          is(0, () => t.critical(a, () => t.compute({ seconds: 8 })));
          is(1, () => {
            t.sleep({ seconds: 1 });
            t.critical(bus, () => t.critical(a, () => t.compute({ seconds: 1 })));
          });
          is(2, () => {
            t.sleep({ seconds: 3 });
            t.compute({ seconds: 20 });
          });
          is(3, () => {
            t.sleep({ seconds: 2 });
            t.critical(bus, () => t.compute({ seconds: 1 }));
            t.sleep({ seconds: 1000 });
          });
        },
        { priority: (s: State) => s.thread - 5 },
      );
    };
  const found = diagnosed(build('none'));
  expect(invertedOf(found)).toBeCloseTo(20, 6);
  // Thread 2 waits for a as well, and is less urgent than the middle thread: its wait is no inversion.
  expect(found.locks.find(({ name }: { name: string }) => name === 'a').inverted).toBeUndefined();
  expect(invertedOf(diagnosed(build('inherit')))).toBe(0);
});
