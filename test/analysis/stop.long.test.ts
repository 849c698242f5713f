import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Ended, type PreparedNet, prepare, type SimulateOptions, simulate } from '../../src/analysis/simulate.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { add, lt } from '../../src/net/terms.ts';
import { atFullEffort, effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { expectSame } from './expect-same.ts';
import { orCodes, outcomeOf } from './watch-all.ts';

const RUNS = effort(75);

/** Ticks every two seconds indefinitely: starts at 0, 2, 4 … s, ends at 2, 4 … s. */
const clock = net((n) => {
  const hand = n.place('hand', {}, { initial: 1 });
  n.transition('tick', (t) => {
    t.take(hand);
    t.delay(2);
    t.put(hand, {});
  });
});

/** After 1 s, counts to 5 in zero time. */
const counting = net((n) => {
  const I = n.integer('I');
  const at = n.place('at', { i: I });
  const begin = n.place('begin', {}, { initial: 1 });
  n.transition('begin', (t) => {
    t.take(begin);
    t.delay(1);
    t.put(at, { i: 0 });
  });
  n.transition('count', (t) => {
    const { i } = t.take(at);
    t.guard(lt(i, 5));
    t.put(at, { i: add(i, 1) });
  });
});

function net(build: (n: NetBuilder) => void): Net {
  const n = new NetBuilder('net');
  build(n);
  return n.build();
}

const short = ({ ended, time, steps }: { ended: Ended; time: number; steps: number }): unknown => [ended, time, steps];
const ends = (of: Net, options: SimulateOptions): unknown => short(simulate(of, options));

describe('until', () => {
  test.each([
    // At 0 s, at an event, between events, and before the first timed event.
    [0, ['time', 0, 1]],
    [2, ['time', 2, 3]],
    [4, ['time', 4, 5]],
    [5, ['time', 5, 5]],
    [1e-300, ['time', 1e-300, 1]],
    [1.5, ['time', 1.5, 1]],
  ])('%f s: what happens up to and at that time has happened', (until, expected) => {
    expect(ends(clock, { until })).toEqual(expected);
  });

  test('Infinity is no limit', () => {
    expect(ends(clock, { until: Number.POSITIVE_INFINITY, maxSteps: 99 })).toEqual(['steps', 98, 99]);
    expect(ends(counting, { until: Number.POSITIVE_INFINITY })).toEqual(['quiescent', 1, 7]);
  });

  test('a run that becomes quiescent earlier ends there', () => {
    expect(ends(counting, { until: 1 })).toEqual(['quiescent', 1, 7]);
    expect(ends(counting, { until: 100 })).toEqual(['quiescent', 1, 7]);
    expect(ends(counting, { until: 0.5 })).toEqual(['time', 0.5, 1]);
  });

  test('the time of −0 s is 0 s', () => {
    expect(Object.is(simulate(clock, { until: -0 }).time, 0)).toBe(true);
  });

  test('the same run continues with a later limit', () => {
    const { run: game } = simulate(clock, { until: 3 });
    expect([game.now, game.steps]).toEqual([3, 3]);
    expect(game.run(Number.POSITIVE_INFINITY, 7)).toBe(false);
    expect([game.now, game.steps, game.quiescent]).toEqual([7, 7, false]);
    expect(game.run(1)).toBe(true);
    expect([game.now, game.steps]).toEqual([8, 8]);
  });

  test('a resumed run past the limit does not go back', () => {
    const from = simulate(clock, { until: 7 }).save();
    expect(ends(clock, { from, until: 3 })).toEqual(['time', 7, 7]);
    expect(ends(clock, { from, until: 7 })).toEqual(['time', 7, 7]);
    expect(ends(clock, { from, until: 8 })).toEqual(['time', 8, 9]);
  });
});

describe('steps', () => {
  test.each([0, 1, 2, 50, 16_384, 16_385, 40_000])('a limit of %i steps ends the run', (maxSteps) => {
    expect(ends(clock, { maxSteps })).toEqual(['steps', 2 * Math.floor(maxSteps / 2), maxSteps]);
  });

  test('count from the beginning, also in a resumed run', () => {
    const from = simulate(clock, { maxSteps: 10 }).save();
    expect(ends(clock, { from, maxSteps: 15 })).toEqual(['steps', 14, 15]);
    expect(ends(clock, { from, maxSteps: 5 })).toEqual(['steps', 10, 10]);
  });
});

describe('stopWhen', () => {
  test('is evaluated after every step, with the state after it', () => {
    const seen: unknown[] = [];
    const run = simulate(counting, {
      stopWhen: ({ time, steps, firings, tokens }) => {
        seen.push([time, steps, firings('count'), tokens('at').map((t) => t.values)]);
        return tokens('at')[0]?.values[0] === 3;
      },
    });
    expect(short(run)).toEqual(['condition', 1, 5]);
    expect(seen).toEqual([
      [0, 1, 0, []],
      [1, 2, 0, [[0]]],
      [1, 3, 1, [[1]]],
      [1, 4, 2, [[2]]],
      [1, 5, 3, [[3]]],
    ]);
  });

  test('is not evaluated before the first step', () => {
    expect(ends(counting, { stopWhen: () => true })).toEqual(['condition', 0, 1]);
  });
});

describe('several conditions at once', () => {
  /** Times after each step of a run. */
  const timesOf = (play: PreparedNet, maxSteps: number): number[] => {
    const times = [0];
    play({
      maxSteps,
      stopWhen: ({ time }) => {
        times.push(time);
        return false;
      },
    });
    return times;
  };

  interface Limits {
    readonly until: number;
    readonly maxSteps: number;
    /** Number of the step after which the condition holds. */
    readonly at: number;
  }

  /** Expected end of a run with these step times. For endless runs the list is long enough for all limits. */
  const expected = (times: readonly number[], { until, maxSteps, at }: Limits): unknown => {
    for (let k = 0; ; k++) {
      if (k > 0 && k === at) return ['condition', times[k], k];
      if (k === maxSteps) return ['steps', times[k], k];
      if (k + 1 === times.length) return ['quiescent', times[k], k];
      if (times[k + 1]! > until) return ['time', until, k];
    }
  };

  test('condition first, then steps, then quiescence or time', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        arbitraryNet,
        fc.array(fc.record({ until: fc.nat(), maxSteps: fc.nat({ max: 42 }), at: fc.nat({ max: 60 }) }), {
          minLength: 5,
          maxLength: 5,
        }),
        (random, all) => {
          const play = prepare(random);
          const times = orCodes(() => timesOf(play, 40));
          if (typeof times === 'string') return;
          for (const { until: k, maxSteps, at } of all) {
            // Every second limit coincides with a step.
            const until = times[k % times.length]! + (k % 2) * 0.1;
            const limits = { until, maxSteps: Math.min(maxSteps, times.length < 41 ? 42 : 40) };
            const run = play({ ...limits, stopWhen: ({ steps }) => steps === at });
            expect(short(run)).toEqual(expected(times, { ...limits, at }));
            compared++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(atFullEffort(RUNS * 3));
  });

  test('the same without a condition, in slices of many steps', () => {
    fc.assert(
      fc.property(arbitraryNet, fc.nat(), fc.nat({ max: 40 }), (random, k, maxSteps) => {
        const play = prepare(random);
        const times = orCodes(() => timesOf(play, 40));
        if (typeof times === 'string') return;
        const limits = { until: times[k % times.length]! + (k % 2) * 0.1, maxSteps };
        expect(short(play(limits))).toEqual(expected(times, { ...limits, at: -1 }));
      }),
      { numRuns: RUNS },
    );
  });

  test('cancelled is last', () => {
    const asked: number[] = [];
    const cancelled = (): boolean => asked.push(0) > 1;
    expect(ends(clock, { cancelled })).toEqual(['cancelled', 32_768, 32_768]);
    expect(ends(clock, { maxSteps: 16_384, cancelled: () => true })).toEqual(['steps', 16_384, 16_384]);
    expect(ends(clock, { until: 10, cancelled: () => true })).toEqual(['time', 10, 11]);
    expect(ends(clock, { stopWhen: ({ steps }) => steps === 16_384, cancelled: () => true })).toEqual([
      'condition',
      16_384,
      16_384,
    ]);
    expect(ends(clock, { stopWhen: () => false, cancelled: () => true })).toEqual(['cancelled', 16_384, 16_384]);
  });

  test('progress is reported between slices', () => {
    const told: number[] = [];
    simulate(clock, { maxSteps: 60_000, progress: (game) => told.push(game.steps) });
    expect(told).toEqual([16_384, 32_768, 49_152]);
  });
});

test('a run to one time, continued to a later one, equals the run to the later one', () => {
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), fc.nat({ max: 40 }), fc.nat({ max: 40 }), (random, seed, a, b) => {
      const [first, second] = [Math.min(a, b) / 8, Math.max(a, b) / 8];
      const play = prepare(random, { record: 'all' });
      const limits = { maxSteps: 100, maxInstantSteps: 50 };
      const whole = orCodes(() => play({ ...limits, seed: String(seed), until: second }));
      const half = orCodes(() => play({ ...limits, seed: String(seed), until: first }));
      if (typeof half === 'string' || half.ended === 'steps') return;
      if (half.ended === 'time') expect(half.time).toBe(first);
      const rest = orCodes(() => play({ ...limits, until: second, from: half.save() }));
      if (typeof whole === 'string' || typeof rest === 'string') {
        expect(rest).toBe(whole);
        return;
      }
      expectSame(outcomeOf(random, rest), outcomeOf(random, whole));
      expectSame(rest.events, whole.events);
      expectSame(
        half.events,
        whole.events.filter((e) => e.time <= first),
      );
    }),
    { numRuns: RUNS },
  );
});

describe('endless cycles without delay fail with RUN001 and the names of the transitions', () => {
  /** Two transitions pass a token back and forth with the given delays; a third one is unrelated. */
  const cycle = (delay: number | undefined, race: boolean): Net =>
    net((n) => {
      const [a, b, c] = [n.place('a', {}), n.place('b', {}), n.place('c', {}, { initial: 1 })];
      n.transition('other', (t) => {
        t.take(c);
        t.delay(1);
        t.put(a, {});
        t.put(c, {});
      });
      for (const [name, from, to] of [
        ['to', a, b],
        ['fro', b, a],
      ] as const)
        n.transition(name, (t) => {
          t.take(from);
          if (delay !== undefined && race) t.race({ delay });
          else if (delay !== undefined) t.delay(delay);
          t.put(to, {});
        });
    });

  const failing = { code: 'RUN001', message: expect.stringMatching(/at time 1 s.* through fro, to$/) };

  test.each([
    ['immediate', cycle(undefined, false)],
    ['holding 0 s', cycle(0, false)],
    ['racing with clocks of 0 s', cycle(0, true)],
    ['holding less than a double can add to the time', cycle(1e-17, false)],
  ])('an endless cycle fails with RUN001: %s', (_, endless) => {
    for (const options of [{}, { stopWhen: () => false }, { until: 5 }, { until: 1 }] as SimulateOptions[])
      expect(() => simulate(endless, { ...options, maxInstantSteps: 1000 })).toThrow(
        expect.objectContaining({ problems: [failing] }),
      );
    expect(ends(endless, { until: 0.5 })).toEqual(['time', 0.5, 1]);
    // Two starts and an end of `other`; the last two of these steps are at 1 s.
    expect(ends(endless, { maxInstantSteps: 1000, maxSteps: 1001 })).toEqual(['steps', 1, 1001]);
    expect(() => simulate(endless, { maxInstantSteps: 1000, maxSteps: 1002 })).toThrow(/RUN001/);
  });

  test('the count of steps at an instant continues in a resumed run', () => {
    const endless = cycle(undefined, false);
    const from = simulate(endless, { maxSteps: 900 }).save();
    expect(ends(endless, { from, maxInstantSteps: 1000, maxSteps: 1001 })).toEqual(['steps', 1, 1001]);
    expect(() => simulate(endless, { from, maxInstantSteps: 1000 })).toThrow(/RUN001/);
  });

  test('exactly the allowed number of steps is not a cycle', () => {
    expect(ends(counting, { maxInstantSteps: 6 })).toEqual(['quiescent', 1, 7]);
    expect(() => simulate(counting, { maxInstantSteps: 5 })).toThrow(/RUN001 .*raise maxInstantSteps to allow more/);
  });

  test('the default is 10⁶ steps', () => {
    const from = compile(cycle(undefined, false)).start();
    expect(from.run(1_000_001)).toBe(true);
    expect(() => from.run(1)).toThrow(/RUN001 more than 1000000 steps/);
  });
});

test.each<[string, unknown]>([
  ['until', -1],
  ['until', Number.NaN],
  ['until', '5'],
  ['maxSteps', -1],
  ['maxSteps', 2.5],
  ['maxSteps', Number.NaN],
  ['maxInstantSteps', 0],
  ['maxInstantSteps', Number.NaN],
  ['replication', -1],
  ['replication', 0.5],
  ['seed', 7],
])('%s: %s is rejected with SIM003', (option, value) => {
  expect(orCodes(() => simulate(clock, { maxSteps: 10, [option]: value }))).toBe('SIM003');
});

test('conditions with unknown names are rejected', () => {
  expect(() => simulate(clock, { stopWhen: (run) => run.firings('tik') > 1 })).toThrow(/SIM001.*Did you mean "tick"/);
  expect(() => simulate(clock, { stopWhen: (run) => run.tokens('hnad').length > 1 })).toThrow(/SIM001.*"hand"/);
});
