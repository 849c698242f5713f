import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/analysis/event-log.ts';
import type { Figures, MonitorSpec } from '../../src/analysis/monitor.ts';
import { type PreparedNet, prepare, type SimulatedRun, simulate } from '../../src/analysis/simulate.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer } from '../../src/net/builder/stations.ts';
import type { Net } from '../../src/net/net.ts';
import { add } from '../../src/net/terms.ts';
import { atFullEffort, effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { expectSame } from './expect-same.ts';
import { orCodes, outcomeOf, watchAll } from './watch-all.ts';

const RUNS = effort(150);
const LIMITS = { maxSteps: 60, maxInstantSteps: 100 };

test('monitors and recording do not change a run', () => {
  let played = 0;
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), fc.option(fc.nat({ max: 20 })), (net, n, until) => {
      const options = { ...LIMITS, seed: String(n), ...(until === null ? {} : { until: until / 4 }) };
      const plain = orCodes(() => simulate(net, options));
      const watched = orCodes(() => simulate(net, { ...options, ...watchAll(net) }));
      if (typeof plain === 'string' || typeof watched === 'string') {
        expect(watched).toBe(plain);
        return;
      }
      expectSame(outcomeOf(net, watched), outcomeOf(net, plain));
      played++;
    }),
    { numRuns: RUNS },
  );
  expect(played).toBeGreaterThan(atFullEffort(RUNS * 0.8));
});

/** A marking of the run: the number of tokens in each place after a step, and its time. */
interface Moment {
  readonly time: number;
  readonly tokens: ReadonlyMap<string, number>;
}

/** A run with all monitors, and its markings after every step. */
function moments(net: Net, play: PreparedNet, seed: string): { run: SimulatedRun; history: Moment[] } {
  const initial = net.places.map((p) => [p.name, p.initial.reduce((n, t) => n + t.count, 0)] as const);
  const history: Moment[] = [{ time: 0, tokens: new Map(initial) }];
  const run = play({
    ...LIMITS,
    seed,
    stopWhen: ({ time, tokens }) => {
      history.push({ time, tokens: new Map(net.places.map((p) => [p.name, tokens(p.name).length])) });
      return false;
    },
  });
  return { run, history };
}

/** A step function: values and the times from which they apply. */
type Steps = readonly (readonly [time: number, value: number])[];

function figuresOf(steps: Steps, end: number): { mean: number; least: number; most: number; last: number } {
  const values = steps.map(([, value]) => value);
  const area = steps.reduce((sum, [time, value], k) => sum + value * ((steps[k + 1]?.[0] ?? end) - time), 0);
  const last = values.at(-1)!;
  return { mean: end > 0 ? area / end : Number.NaN, least: Math.min(...values), most: Math.max(...values), last };
}

/** Counts must be bitwise equal; times may differ by rounding, because they are summed in a different order. */
function expectFigures(got: Figures, expected: Figures, end: number): void {
  const exact = ['least', 'most', 'last', 'count'];
  expect(Object.keys(got)).toEqual(Object.keys(expected));
  for (const [name, value] of Object.entries(expected)) {
    const away = exact.includes(name) ? 0 : 1e-12 * Math.max(1, Math.abs(value), end);
    const fits = Object.is(got[name], value) || Math.abs(got[name]! - value) <= away;
    if (!fits) throw new Error(`${name} is ${got[name]} where ${value} is expected`);
  }
}

test('figures agree with the markings and the recorded events', () => {
  let played = 0;
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), (net, n) => {
      const play = prepare(net, watchAll(net));
      const outcome = orCodes(() => moments(net, play, String(n)));
      if (typeof outcome === 'string') return;
      played++;
      const { run, history } = outcome;
      const end = run.time;
      for (const { name } of net.places) {
        const steps = history.map((m) => [m.time, m.tokens.get(name)!] as const);
        expectFigures(run.monitors[`tokens ${name}`]!, figuresOf(steps, end), end);
      }
      for (const { name, delay, timing } of net.transitions) {
        const own = run.events.filter((e) => e.transition === name);
        const starts = own.filter((e) => e.what !== 'end').map((e) => e.time);
        expectFigures(run.monitors[`firings ${name}`]!, firingsOf(starts, end), end);
        expect(run.firings[name]).toBe(starts.length);
        if (delay !== undefined && timing !== 'race')
          expectFigures(run.monitors[`busy ${name}`]!, busyOf(own, end), end);
      }
    }),
    { numRuns: RUNS },
  );
  expect(played).toBeGreaterThan(atFullEffort(RUNS * 0.8));
});

function firingsOf(starts: readonly number[], end: number): Figures {
  return {
    count: starts.length,
    rate: end > 0 ? starts.length / end : Number.NaN,
    between: starts.length > 1 ? (starts.at(-1)! - starts[0]!) / (starts.length - 1) : Number.NaN,
  };
}

function busyOf(events: readonly LoggedEvent[], end: number): Figures {
  const steps: [number, number][] = [[0, 0]];
  for (const e of events) steps.push([e.time, steps.at(-1)![1] + (e.what === 'start' ? 1 : -1)]);
  const level = steps.at(-1)![1];
  const { mean, most, last } = figuresOf(steps, end);
  const ended = events.filter((e) => e.what === 'end');
  // Total duration of all firings, with those in progress counted up to now.
  const sum = (all: readonly LoggedEvent[]): number => all.reduce((total, e) => total + e.time, 0);
  const lasted = sum(ended) + level * end - sum(events.filter((e) => e.what === 'start'));
  return { mean, most, last, count: ended.length, duration: ended.length > 0 ? lasted / ended.length : Number.NaN };
}

describe('a workshop', () => {
  // Jobs arrive at 0, 1, 2, 3 s. The machine serves them one by one for 2 s each; packing takes 0.5 s per job.
  const n = new NetBuilder('workshop');
  const machine = n.place('machine', {}, { service: fcfs({ time: 2 }) });
  const jobs = n.place('jobs', {}, { initial: 4 });
  const out = n.place('out', {});
  n.transition('come', (t) => {
    t.take(jobs);
    t.race({ delay: 1, servers: 'single' });
    t.put(machine, {});
  });
  n.transition('pack', (t) => {
    t.take(machine);
    t.delay(0.5);
    t.put(out, {});
  });
  const net = n.build();
  const monitors = {
    there: { tokens: 'machine' },
    gone: { tokens: 'out' },
    come: { firings: 'come' },
    pack: { busy: 'pack' },
  } as const;

  test('its figures', () => {
    // Jobs in the machine: 1 from 1 to 2 s, 2 to 4 s (one leaves and one arrives at 3 s), 3 to 5 s, 2 to 7 s, 1 to 9 s.
    const { time, monitors: got } = simulate(net, { monitors });
    expect(time).toBe(9.5);
    expect(got['there']!['mean']).toBeCloseTo((1 + 2 * 2 + 3 + 2 * 2 + 1 * 2) / 9.5, 14);
    expect(got['there']).toMatchObject({ least: 0, most: 3, last: 0 });
    expect(got['gone']!['mean']).toBeCloseTo((6 + 4 + 2 + 0) / 9.5, 14);
    expect(got['come']).toEqual({ count: 4, rate: 4 / 9.5, between: 1 });
    expect(got['pack']).toEqual({ mean: 2 / 9.5, most: 1, last: 0, count: 4, duration: 0.5 });
  });

  test("Little's law: the mean number is the rate times the mean time in the system", () => {
    const { time, monitors: got, events } = simulate(net, { monitors, record: 'all' });
    const at = (transition: string, what: string): number =>
      events.filter((e) => e.transition === transition && e.what === what).reduce((sum, e) => sum + e.time, 0);
    expect(got['there']!['mean']! * time).toBeCloseTo(at('pack', 'start') - at('come', 'fire'), 12);
    expect(got['pack']!['mean']! * time).toBeCloseTo(got['pack']!['count']! * got['pack']!['duration']!, 14);
  });

  test('at 0 s there are no means, and nothing has a rate', () => {
    const { monitors: got } = simulate(net, { monitors, until: 0 });
    expect(got).toEqual({
      there: { mean: Number.NaN, least: 0, most: 0, last: 0 },
      gone: { mean: Number.NaN, least: 0, most: 0, last: 0 },
      come: { count: 0, rate: Number.NaN, between: Number.NaN },
      pack: { mean: Number.NaN, most: 0, last: 0, count: 0, duration: Number.NaN },
    });
  });

  test('several monitors of one quantity have the same figures', () => {
    const twice = { a: monitors.there, b: monitors.there, c: monitors.come, d: monitors.come } as const;
    const { a, b, c, d } = simulate(net, { monitors: twice, record: ['come'] }).monitors;
    expect(b).toEqual(a);
    expect(d).toEqual(c);
    expect(d).toEqual(simulate(net, { monitors }).monitors['come']);
  });
});

test('tokens taken and returned by one step count as no change', () => {
  const n = new NetBuilder('back');
  const p = n.place('p', {}, { initial: 2 });
  n.transition('t', (t) => {
    t.take(p);
    t.take(p);
    t.race({ delay: 1 });
    t.put(p, {}, 2);
  });
  const { monitors } = simulate(n.build(), { until: 5, monitors: { p: { tokens: 'p' } } });
  expect(monitors['p']).toEqual({ mean: 2, least: 2, most: 2, last: 2 });
});

test('every run of a prepared net has separate monitors and a separate recording, also if runs alternate', () => {
  const n = new NetBuilder('clock');
  const hand = n.place('hand', {}, { initial: 1 });
  n.transition('tick', (t) => {
    t.take(hand);
    t.delay(1);
    t.put(hand, {});
  });
  const net = n.build();
  const play = prepare(net, watchAll(net));
  const first = play({ until: 3 });
  const second = play({ until: 10 });
  const events = second.events.length;
  first.run.run(Number.POSITIVE_INFINITY, 5);
  expect(second.events.length).toBe(events);
  const saved = (run: SimulatedRun): SimulatedRun => play({ from: run.save(), until: 20 });
  expect(saved(first).monitors).toEqual(play({ until: 20 }).monitors);
  expect(saved(second).events).toEqual(saved(first).events);
});

test.each([
  [{ tokens: 'bufer' }, /SIM001 monitor m: unknown place "bufer"\. Did you mean "buffer"\?/],
  [{ firings: 'mvoe' }, /SIM001 monitor m: unknown transition "mvoe"\. Did you mean "move"\?/],
  [{ busy: 'mvoe' }, /SIM001 monitor m: unknown transition "mvoe"/],
  [{ busy: 'move' }, /SIM002 monitor m: transition "move" has no delay/],
  [{ busy: 'race' }, /SIM002 monitor m: transition "race" is a race/],
  [{ token: 'buffer' } as never, /SIM001 monitor m: unknown member "token"\. Did you mean "tokens"\?/],
])('%j is rejected', (monitor, message) => {
  const n = new NetBuilder('net');
  const buffer = n.place('buffer', {}, { initial: 1 });
  n.transition('move', (t) => {
    t.take(buffer);
  });
  n.transition('race', (t) => {
    t.take(buffer);
    t.race({ delay: 1 });
  });
  expect(() => simulate(n.build(), { monitors: { m: monitor } })).toThrow(message);
});

describe('from a start time', () => {
  const net = (() => {
    const n = new NetBuilder('desk');
    const outside = n.place('outside', {}, { initial: 3 });
    const desk = n.place('desk', {});
    n.transition('come', (t) => {
      t.take(outside);
      t.delay(exponential(1));
      t.put(desk, {});
    });
    n.transition('go', (t) => {
      t.take(desk);
      t.delay(exponential(2));
      t.put(outside, {});
    });
    return n.build();
  })();
  const FROM = 40;
  const monitors = {
    waiting: { tokens: 'desk' },
    late: { tokens: 'desk', from: FROM },
    gone: { firings: 'go' },
    goneLate: { firings: 'go', from: FROM },
    busy: { busy: 'go' },
    busyLate: { busy: 'go', from: FROM },
  } as const;

  test('figures are those of the whole run minus those of the warm-up', () => {
    const early = simulate(net, { monitors, until: FROM });
    const whole = simulate(net, { monitors, until: 100 });
    const rest = (a: number, b: number): number => (b * 100 - a * FROM) / (100 - FROM);
    const [a, b] = [early.monitors, whole.monitors];
    // By their types, these figures are never undefined.
    expect(b.late.mean).toBeCloseTo(rest(a.waiting.mean, b.waiting.mean), 9);
    expect(b.goneLate.count).toBe(b.gone.count - a.gone.count);
    expect(b.goneLate.rate).toBeCloseTo(b.goneLate.count / (100 - FROM), 12);
    expect(b.busyLate.mean).toBeCloseTo(rest(a.busy.mean, b.busy.mean), 9);
    expect(b.busyLate.count).toBe(b.busy.count - a.busy.count);
    expect([b.late.last, b.busyLate.last]).toEqual([b.waiting.last, b.busy.last]);
  });

  test('before it, only the last value exists', () => {
    const { late, goneLate } = simulate(net, { monitors, until: FROM / 2 }).monitors;
    expect(late).toEqual({ mean: Number.NaN, least: late.last, most: late.last, last: late.last });
    expect(goneLate).toEqual({ count: 0, rate: Number.NaN, between: Number.NaN });
  });

  test('a resumed run keeps it', () => {
    const first = simulate(net, { monitors, until: FROM + 5 });
    const second = simulate(net, { monitors, until: 100, from: first.save() });
    expect(second.monitors).toEqual(simulate(net, { monitors, until: 100 }).monitors);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%d is not a valid time', (from) => {
    expect(() => simulate(net, { monitors: { m: { tokens: 'desk', from } } })).toThrow('SIM003');
  });
});

test('tokens of one colour, of several, and in service; the sum over colours is that of all tokens', () => {
  const n = new NetBuilder('colours');
  const K = n.range('K', 0, 2);
  const Sort = n.enumeration('Sort', 'a', 'b');
  const come = n.place(
    'come',
    { k: K, s: Sort },
    { initial: [0, 1, 2].map((k) => ({ k, s: k === 1 ? 'b' : 'a' }) as const) },
  );
  const line = n.place('line', { k: K, s: Sort }, { service: ({ k }) => infiniteServer({ time: add(k, 1) }) });
  n.transition('move', (t) => t.put(line, t.take(come)));
  n.transition('leave', (t) => {
    t.take(line, { s: 'b' });
    t.delay(1);
  });
  const run = simulate(n.build(), {
    until: 4,
    monitors: {
      all: { tokens: 'line' },
      k0: { tokens: 'line', colour: { k: 0 } },
      b: { tokens: 'line', colour: { s: 'b' } },
      a2: { tokens: 'line', colour: { s: 'a', k: 2 } },
      none: { tokens: 'line', colour: { s: 'b', k: 2 } },
      before: { tokens: 'come', colour: { k: 1 } },
    },
  });
  const { all, k0, b, a2, none, before } = run.monitors;
  // The token of `b` is served after 2 of 3 s and leaves at once.
  expect([all.mean, k0.mean, b.mean, a2.mean, none.mean]).toEqual([2 + 2 / 3, 1, 2 / 3, 1, 0]);
  expect(before).toMatchObject({ mean: 0, last: 0 });
});

test.each([
  [{ tokens: 'p', colour: { j: 1 } }, 'SIM001 monitor m: colour: place "p" has no column "j". Known: k.'],
  [{ tokens: 'p', colour: { k: 'x' } }, 'SIM001 monitor m: colour: "x" is no value of column "k" (K)'],
  [{ tokens: 'p', colour: 1 }, 'SIM001 monitor m: colour: expected an object, as in { k: 1 }, got 1'],
  [{ firings: 't', colour: {} }, 'SIM001 monitor m: colour: only tokens have colours, not firings'],
])('a colour that does not fit is refused: %o', (spec, message) => {
  const n = new NetBuilder('n');
  const p = n.place('p', { k: n.range('K', 0, 1) });
  n.transition('t', (t) => t.take(p));
  expect(() => simulate(n.build(), { monitors: { m: spec as MonitorSpec } })).toThrow(message);
});
