import * as fc from 'fast-check';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';

/** A random thread program as data. Times are in units of 0.5 s, so that sums are exact. */
export type Work =
  | { readonly kind: 'compute'; readonly time: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Work[] }
  /** Spawns the parts, and waits for them. */
  | { readonly kind: 'spawns'; readonly parts: readonly Work[]; readonly own: number }
  /** Spawns the parts in a chain of dependences. */
  | { readonly kind: 'chain'; readonly parts: readonly Work[]; readonly keys: readonly number[] }
  | {
      readonly kind: 'loop';
      readonly n: number;
      readonly grain: number;
      readonly spawning: 'linear' | 'recursive';
      readonly time: number;
    }
  /** Only on the main strand. */
  | {
      readonly kind: 'team';
      readonly n: number;
      readonly chunk: number;
      readonly schedule: 'static' | 'dynamic' | 'guided' | 'affinity';
      readonly time: number;
    }
  | { readonly kind: 'critical'; readonly threads: number; readonly time: number };

const time = fc.nat(6).map((k) => k / 2);

const { work } = fc.letrec<{ work: Work }>((tie) => ({
  work: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('compute' as const), time }),
    fc.record({ kind: fc.constant('sequence' as const), parts: fc.array(tie('work'), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('spawns' as const), parts: fc.array(tie('work'), { maxLength: 4 }), own: time }),
    fc.record({
      kind: fc.constant('chain' as const),
      parts: fc.array(tie('work'), { maxLength: 4 }),
      keys: fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('loop' as const),
      n: fc.nat(9),
      grain: fc.integer({ min: 1, max: 4 }),
      spawning: fc.constantFrom('linear' as const, 'recursive' as const),
      time,
    }),
  ),
}));

const team = fc.record({
  kind: fc.constant('team' as const),
  n: fc.nat(12),
  chunk: fc.integer({ min: 1, max: 3 }),
  schedule: fc.constantFrom('static' as const, 'dynamic' as const, 'guided' as const, 'affinity' as const),
  time,
});
const critical = fc.record({ kind: fc.constant('critical' as const), threads: fc.integer({ min: 1, max: 4 }), time });

/** Programs of tasks and joins: all that the work and span analysis covers exactly. */
export const taskPrograms: fc.Arbitrary<readonly Work[]> = fc.array(work, { minLength: 1, maxLength: 3 });
/** The same, with loops whose chunks are assigned at run time, and locks. */
export const threadPrograms: fc.Arbitrary<readonly Work[]> = fc.array(fc.oneof(work, team, critical), {
  minLength: 1,
  maxLength: 4,
});

/** The model of a random program. */
export function modelOf(parts: readonly Work[]): ThreadModel {
  return threads({
    name: 'random',
    build(t) {
      let tasks = 0;
      const mutex = t.mutex('m');
      type Builder = typeof t;
      const emit = (b: Builder, w: Work): void => {
        switch (w.kind) {
          case 'compute':
            b.compute({ seconds: w.time });
            break;
          case 'sequence':
            for (const part of w.parts) emit(b, part);
            break;
          case 'spawns':
            for (const part of w.parts) b.spawn(taskOf(part));
            b.compute({ seconds: w.own });
            b.sync();
            break;
          case 'chain':
            for (const [k, part] of w.parts.entries()) b.spawn(taskOf(part), {}, { writes: w.keys[k]! });
            b.sync();
            break;
          case 'loop':
            b.parallelFor({
              n: w.n,
              grain: w.grain,
              spawning: w.spawning,
              body: (c) => c.compute({ seconds: ({ count }) => count * w.time }),
            });
            break;
          case 'team':
            b.parallelFor({
              n: w.n,
              chunk: w.chunk,
              schedule: w.schedule,
              body: (c) => c.compute({ seconds: ({ count }) => count * w.time }),
            });
            break;
          case 'critical':
            b.parallel(w.threads, () => b.critical(mutex, () => b.compute({ seconds: w.time })));
            break;
        }
      };
      const taskOf = (part: Work): string => {
        const name = `task ${tasks++}`;
        t.task(name, {}, (b) => emit(b as Builder, part));
        return name;
      };
      for (const part of parts) emit(t, part);
    },
  }) as ThreadModel;
}
