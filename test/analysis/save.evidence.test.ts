import { serialize } from 'node:v8';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepare, type SimulatedRun, type SimulateOptions, simulate } from '../../src/analysis/simulate.ts';
import { savedBytes } from '../../src/base/saved-bytes.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { fcfs } from '../../src/net/builder/stations.ts';
import type { Net } from '../../src/net/net.ts';
import { atFullEffort, effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { everyFeature, withFunction } from '../net/every-feature.ts';
import { reordered } from '../net/reordered.ts';
import { expectSame } from './expect-same.ts';
import { hashOf } from './fresh-process.ts';
import { inFreshProcess } from './in-fresh-process.ts';
import { savedState } from './saved-state.ts';
import { everythingOf, orCodes, randomNets, resultText, watchAll } from './watch-all.ts';

const RUNS = effort(150);

/**
 * Runs `total` steps without interruption, and in two parts with save and resume between. Compares all results, then the
 * saved states of the resumed run and of the run that was saved in the middle and continued.
 */
function compareParts(net: Net, watched: boolean, options: SimulateOptions, at: number, total: number): string {
  const watch = watched ? watchAll(net) : {};
  const play = prepare(net, watch);
  const whole = orCodes(() => play({ ...options, maxSteps: total }));
  const first = orCodes(() => play({ ...options, maxSteps: at }));
  if (typeof first === 'string') {
    expect(whole).toBe(first);
    return 'failed before';
  }
  const from = first.save();
  const before = hashOf(from);
  // Compiles again, so that only the bytes carry state from one run to the other.
  const { maxInstantSteps = 1e6 } = options;
  const resume = (): SimulatedRun | string =>
    orCodes(() => simulate(net, { ...watch, from, maxSteps: total, maxInstantSteps }));
  const second = resume();
  expect(hashOf(from)).toBe(before);
  if (typeof whole === 'string' || typeof second === 'string') {
    expect(second).toBe(whole);
    return 'failed after';
  }
  expectSame(everythingOf(net, second), everythingOf(net, whole));
  first.run.run(total - first.steps);
  const [one, other] = [first.save(), second.save()];
  expectSame(savedState(other), savedState(one));
  // Saved bytes can be resumed repeatedly.
  const third = resume();
  expect(typeof third === 'string' ? third : hashOf(third.save())).toBe(hashOf(other));
  return hashOf(one) === hashOf(other) ? 'the same bytes' : 'the same state';
}

test('a saved and resumed run equals the uninterrupted run', { timeout: 600_000 + RUNS * 100 }, () => {
  const tally: Record<string, number> = {};
  fc.assert(
    fc.property(
      arbitraryNet,
      fc.nat({ max: 9 }),
      fc.nat({ max: 60 }),
      fc.nat({ max: 60 }),
      fc.boolean(),
      (net, n, at, more, watched) => {
        const seen = compareParts(net, watched, { seed: String(n), maxInstantSteps: 100 }, at, at + more);
        tally[seen] = (tally[seen] ?? 0) + 1;
      },
    ),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(tally);
  // The bytes rarely differ, and only in numbers that no event uses.
  expect(tally['the same bytes']).toBeGreaterThan(atFullEffort(RUNS * 0.8));
});

test.each([
  ['every feature', everyFeature()],
  ['a function of the host language', withFunction()],
])('%s, saved after every step', (_, net) => {
  const last = 150;
  const play = prepare(net, watchAll(net));
  const whole = play({ maxSteps: last });
  let from = play({ maxSteps: 0 }).save();
  for (let k = 1; k <= last; k++) from = play({ from, maxSteps: k }).save();
  expectSame(everythingOf(net, play({ from, maxSteps: last })), everythingOf(net, whole));
});

test('long runs of nets that neither end nor grow', () => {
  let played = 0;
  for (const net of randomNets(80)) {
    const start = orCodes(() => simulate(net, { maxSteps: 300, maxInstantSteps: 100 }));
    if (typeof start === 'string' || start.ended !== 'steps') continue;
    if (net.places.reduce((n, p) => n + start.run.tokens(p.name).length, 0) > 40) continue;
    compareParts(net, played % 2 === 0, { maxInstantSteps: 100 }, 1500, 3000);
    played++;
  }
  expect(played).toBeGreaterThan(5);
});

test('in another process', () => {
  const [nets, at, maxSteps] = [60, 25, 60];
  const runs = randomNets(nets).map((net) =>
    orCodes(() => simulate(net, { ...watchAll(net), seed: 'fresh', maxSteps: at })),
  );
  const saved = runs.map((run) => (typeof run === 'string' ? undefined : run.save()));
  const answer = inFreshProcess({
    nets,
    seed: 'fresh',
    maxSteps,
    saved: saved.map((bytes) => (bytes === undefined ? null : Buffer.from(bytes).toString('base64'))),
  });
  const own = randomNets(nets).map((net, k) => {
    const from = saved[k];
    const run = from && orCodes(() => simulate(net, { ...watchAll(net), from, maxSteps }));
    return {
      resumed: run === undefined ? null : resultText(net, run),
      again: run === undefined || typeof run === 'string' ? null : hashOf(run.save()),
    };
  });
  expect(own.filter((o) => o.again !== null).length).toBeGreaterThan(nets * 0.8);
  expectSame(
    answer.resumed,
    own.map((o) => o.resumed),
  );
  expectSame(
    answer.again,
    own.map((o) => o.again),
  );
});

describe('rejected resumptions', () => {
  const bank = (servers: number): Net => {
    const n = new NetBuilder('bank');
    const desk = n.place('desk', {}, { service: fcfs({ servers, time: exponential(1) }) });
    const door = n.place('door', {}, { initial: 1 });
    n.transition('arrive', (t) => {
      t.take(door);
      t.delay(exponential(1));
      t.put(door, {});
      t.put(desk, {});
    });
    n.transition('leave', (t) => {
      t.take(desk);
    });
    return n.build();
  };
  const net = bank(1);
  const monitors = { desk: { tokens: 'desk' }, left: { firings: 'leave' } } as const;
  const plain = simulate(net, { until: 20 }).save();
  const watched = simulate(net, { until: 20, monitors, record: ['leave'] }).save();
  const resume = (from: unknown, options: SimulateOptions = {}, of: Net = net): string => {
    try {
      simulate(of, { until: 40, ...options, from: from as Uint8Array });
      return 'resumed';
    } catch (e) {
      return (e as Error).message;
    }
  };

  test('an unchanged run is accepted', () => {
    expect(resume(plain)).toBe('resumed');
    expect(resume(Buffer.from(plain))).toBe('resumed');
    expect(resume(watched, { monitors: { left: monitors.left, desk: monitors.desk }, record: ['leave'] })).toBe(
      'resumed',
    );
  });

  test('runs of other nets', () => {
    for (const other of [bank(2), reordered(net, 0), everyFeature(), { ...net, name: 'other' }])
      expect(resume(plain, {}, other)).toMatch(/^RUN010 net .*: the saved run belongs to another net/);
  });

  test('monitors are equal for any order of members, and with an explicit default', () => {
    const saved = simulate(net, {
      maxSteps: 5,
      monitors: { d: { tokens: 'desk', from: 3 }, e: { tokens: 'desk' } },
    }).save();
    const again = { d: { from: 3, tokens: 'desk' }, e: { from: 0, tokens: 'desk' } } as const;
    expect(resume(saved, { monitors: again })).toBe('resumed');
    expect(resume(saved, { monitors: { ...again, d: { tokens: 'desk' } } })).toBe(
      'SIM005 simulate: monitor "d" of the saved run measures tokens "desk",from "3", not tokens "desk"',
    );
  });

  test('runs with different monitors', () => {
    expect(resume(plain, { monitors })).toBe('SIM005 simulate: the saved run has no monitor "desk"');
    expect(resume(plain, { record: 'all' })).toBe('SIM005 simulate: the saved run recorded nothing, not arrive, leave');
    expect(resume(watched)).toBe('SIM005 simulate: the saved run has a monitor "desk": the resumed run requires it');
    expect(resume(watched, { monitors })).toBe('SIM005 simulate: the saved run recorded leave, not nothing');
    const swapped = { desk: { busy: 'arrive' }, left: monitors.left } as const;
    expect(resume(watched, { monitors: swapped, record: ['leave'] })).toBe(
      'SIM005 simulate: monitor "desk" of the saved run measures tokens "desk", not busy "arrive"',
    );
  });

  test('compiled runs with different observers', () => {
    const counted = compile(net, { counts: { desk: () => {} } });
    const game = counted.start();
    game.run(100);
    expect(() => compile(net).start({ from: game.save() })).toThrow(/RUN010 .*other observers/);
    expect(counted.start({ from: game.save() }).steps).toBe(100);
  });

  test('a compiled run as a run of simulate, and vice versa', () => {
    const game = compile(net).start();
    game.run(10);
    expect(resume(game.save())).toMatch(/^RUN010 the saved run is of a compiled net/);
    expect(() => compile(net).start({ from: plain })).toThrow(/RUN010/);
  });

  test('bytes truncated anywhere', () => {
    for (let length = 0; length < plain.length; length += length < 200 || length > plain.length - 50 ? 1 : 97)
      expect(resume(plain.slice(0, length))).toMatch(/^RUN010/);
    expect(resume(new Uint8Array([...plain, 0]))).toMatch(/^RUN010/);
  });

  test('bytes with one flipped bit', () => {
    for (let k = 0; k < 600; k++) {
      const wrong = new Uint8Array(plain);
      wrong[Math.floor((k * wrong.length) / 600)]! ^= 1 << (k % 8);
      expect(resume(wrong)).toMatch(/^RUN010/);
    }
  });

  test('bytes that are not a saved run', () => {
    const things = [
      new Uint8Array(),
      new Uint8Array(1000),
      Buffer.from('{}'),
      serialize({ game: plain }),
      savedBytes({}),
    ];
    for (const bytes of [...things, savedBytes(undefined), savedBytes({ game: plain }), savedBytes([1])])
      expect(resume(bytes)).toMatch(/^RUN010/);
    for (const thing of ['text', 7, null, {}, [...plain]]) expect(resume(thing)).toMatch(/^RUN010/);
  });

  test('runs saved by another version of foretoken or Node', () => {
    const text = Buffer.from(plain.subarray(0, 64)).toString();
    for (const [own, other] of [
      [/, \d+\.\d+\.\d+,/, ', 0.0.9,'],
      [/Node \d+/, 'Node 99'],
    ] as const) {
      const bytes = new Uint8Array(plain);
      bytes.set(Buffer.from(`${text.replace(own, other).trim().padEnd(63)}\n`));
      expect(resume(bytes)).toMatch(/^RUN010 written by "foretoken saved run, .*only that version reads; this is/);
    }
  });
});
