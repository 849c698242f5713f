import { describe, expect, test } from 'vitest';
import { AREAS } from '../../scripts/errors.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { compile } from '../../src/engine/compile.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { fcfs } from '../../src/net/builder/stations.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { INT, netOf, num, put, reset, take, x } from '../reference/nets.ts';
import { compare, runCompiled } from './agree.ts';
import { DISTRIBUTIONS, EDGES, SPOTS, type Spot } from './limits/numbers.ts';

/** Edge-case numbers in every possible position: they work as in the reference, or are rejected with a code. */

const LISTED = new Set(AREAS.flatMap((a) => a.codes.map((c) => c.code)));
const named = (v: number): string => (Object.is(v, -0) ? '-0' : String(v));

/** Code of the first problem, or `works`. Checks that problems have a location and state the expected value. */
function outcome(run: () => unknown): string {
  try {
    run();
    return 'works';
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    for (const p of e.problems) {
      expect(LISTED).toContain(p.code);
      // Terms are created before their location is known.
      if (p.code !== 'NET040' && p.code !== 'NET041')
        expect(p.place?.part ?? p.place?.line, formatProblem(p)).toBeDefined();
    }
    return e.problems[0]!.code;
  }
}

function check({ net, works, codes }: Spot, v: number): string {
  const got = outcome(() => runCompiled(net(v), { maxSteps: 1000 }));
  const expected = works.some((w) => Object.is(w, v)) ? ['works'] : codes;
  expect(expected, `${named(v)}: ${got}`).toContain(got);
  return got;
}

describe.each(Object.entries(SPOTS))('edge-case numbers as %s', (_, spot) => {
  test.each(EDGES.map((v) => [named(v), v] as const))('%s works as in the reference, or is refused', (_name, v) => {
    const got = check(spot, v);
    if (got !== 'works') return;
    // The reference treats time differences near 0 as zero.
    if (v !== 5e-324) compare(spot.net(v), { maxSteps: 1000 });
  });
});

describe.each(Object.entries(DISTRIBUTIONS))('edge-case numbers as parameters: %s', (_, spot) => {
  test.each(EDGES.map((v) => [named(v), v] as const))('%s works as in the reference, or is refused', (_name, v) => {
    const got = outcome(() => runCompiled(spot.net(v), { maxSteps: 1000 }));
    // A rate near 0 may draw a time beyond the range of a double.
    if (spot.works.some((w) => Object.is(w, v))) expect(['works', 'RUN004']).toContain(got);
    else expect(spot.codes).toContain(got);
    // Such draws are compared as well: both draw the same.
    if (got === 'RUN004') compare(spot.net(v), { maxSteps: 1000 });
  });
});

describe('from JSON', () => {
  const TEXTS = ['0', '-0', '1e308', '9007199254740992', '9007199254740994', '5e-324', '-1', '0.5', '1e999', '-1e999'];
  const spots = Object.entries({ ...SPOTS, ...DISTRIBUTIONS });

  test.each(spots)('edge-case numbers in JSON work or are refused: %s', (_, spot) => {
    // A number that occurs nowhere else in the net and is valid in this position.
    const mark = [0.123, 123, 3].find((m) => validate(spot.net(m)).length === 0);
    if (mark === undefined) return;
    const text = netToJson(spot.net(mark));
    const write = (as: string): string => text.replace(new RegExp(`(?<![\\w.])${mark}(?![\\w.])`, 'g'), as);
    if (mark === 3) return;
    for (const as of TEXTS) {
      const direct = validate(spot.net(Number(as)))[0]?.code ?? 'works';
      const got = outcome(() =>
        expect(netToJson(netFromJson(write(as), 'net.json'))).toBe(netToJson(spot.net(Number(as)))),
      );
      // The reader may reject it with a different code.
      if (direct === 'works' && Number.isFinite(Number(as))) expect([as, got]).toEqual([as, 'works']);
      else if (direct !== 'works') expect([as, got]).not.toEqual([as, 'works']);
    }
    for (const as of ['NaN', 'Infinity', 'null', '{}'])
      expect([as, outcome(() => netFromJson(write(as), 'net.json'))]).not.toEqual([as, 'works']);
  });
});

describe('from the builder', () => {
  const builds: Readonly<Record<string, (n: NetBuilder, v: number) => void>> = {
    range: (n, v) => void n.place('r', { k: n.range('R', v, 5) }),
    initial: (n, v) => void n.place('r', {}, { initial: v }),
    value: (n, v) => void n.place('r', { k: n.integer('Z') }, { initial: [{ k: v }] }),
    capacity: (n, v) => void n.place('r', {}, { capacity: v }),
    servers: (n, v) => void n.place('r', {}, { service: fcfs({ servers: v, time: 1 }) }),
    time: (n, v) => void n.place('r', {}, { initial: 1, service: fcfs({ time: v }) }),
    table: (n, v) => void n.realTable('T', v as never),
    bounds: (n, v) => void n.intTable('T', Int32Array.of(0), { low: v, high: 0 }),
    take: (n, v) => moving(n, (t, p) => t.take(p, {}, v)),
    put: (n, v) =>
      moving(n, (t, p) => {
        t.take(p);
        t.put(p, {}, v);
        t.delay(1);
      }),
    delay: (n, v) =>
      moving(n, (t, p) => {
        t.take(p);
        t.delay(v);
      }),
    weight: (n, v) =>
      moving(n, (t, p) => {
        t.take(p);
        t.weight(v);
      }),
    priority: (n, v) =>
      moving(n, (t, p) => {
        t.take(p);
        t.priority(v);
      }),
    guard: (n, v) =>
      moving(n, (t, p) => {
        t.take(p);
        t.guard(v as never);
      }),
  };
  type Block = Parameters<Parameters<NetBuilder['transition']>[1]>[0];
  function moving(
    n: NetBuilder,
    act: (t: Block, p: ReturnType<typeof n.place<Record<string, never>>>) => unknown,
  ): void {
    const p = n.place('p', {}, { initial: 3 });
    n.transition('t', (t) => void act(t, p));
  }

  test.each(Object.entries(builds))('edge-case numbers given to the builder work or are refused: %s', (_, build) => {
    for (const v of [...EDGES, '5', {}, true] as number[]) {
      let net: Net | undefined;
      const built = outcome(() => {
        const n = new NetBuilder('built');
        build(n, v);
        net = n.build();
      });
      if (built !== 'works') continue;
      // Booleans are accepted as token counts.
      expect(['number', 'boolean']).toContain(typeof v);
      outcome(() => runCompiled(net!, { maxSteps: 1000 }));
      expect(outcome(() => compare(net!, { maxSteps: 1000 }))).toBe('works');
    }
  });
});

describe('options', () => {
  const net = SPOTS['delay']!.net(1);
  const WHOLE = [2 ** 53, 2 ** 53 + 2, 1e308];
  const spots: Readonly<Record<string, readonly [(v: never) => unknown, readonly number[]]>> = {
    'maxInstantSteps of simulate': [(maxInstantSteps) => simulate(net, { maxInstantSteps }), [...WHOLE, Infinity]],
    'maxInstantSteps of start': [
      (maxInstantSteps) => compile(net).start({ maxInstantSteps }).run(100),
      [...WHOLE, Infinity],
    ],
    maxSteps: [(maxSteps) => simulate(net, { maxSteps }), [0, -0, ...WHOLE, Infinity]],
    until: [(until) => simulate(net, { until }), [0, -0, 5e-324, 0.5, ...WHOLE, Infinity]],
    'until of a game': [(until) => compile(net).start().run(100, until), EDGES.filter((v) => !Number.isNaN(v))],
    budget: [(budget) => compile(net).start().run(budget), [0, -0, ...WHOLE, Infinity]],
    'replication of simulate': [(replication) => simulate(net, { replication }), [0, -0]],
    'replication of start': [(replication) => compile(net).start({ replication }), [0, -0]],
    'seed of simulate': [(seed) => simulate(net, { seed }), []],
    'seed of start': [(seed) => compile(net).start({ seed }), []],
    lastAge: [(lastAge) => compile(net, { lastAge }), []],
    steps: [(steps) => compile(net, { steps }), [0, -0, 5e-324, 0.5, ...WHOLE, Infinity]],
  };

  test.each(Object.entries(spots))('edge-case numbers as an option work or are refused: %s', (_, [run, works]) => {
    for (const v of [...EDGES, null, {}, true] as number[]) {
      const expected = works.some((w) => Object.is(w, v)) ? 'works' : 'SIM003';
      expect([named(v), outcome(() => run(v as never))]).toEqual([named(v), expected]);
    }
  });

  test.each([1, 2, 3, 5])('ages up to %i give the same run', (lastAge) => {
    const run = (more: object): unknown => {
      const game = compile(SPOTS['side of a guard']!.net(5), more).start();
      game.run(100);
      return game.tokens('q').map((t) => t.values);
    };
    expect(run({ lastAge })).toEqual(run({}));
  });
});

// One server takes the oldest of the visible tokens of two queues, one of which is filled during the run.
const queued = [1, 3, 7, 20].flatMap((age) => [false, true].map((isReset) => [age, isReset] as const));
test.each(queued)('renumbering ages, from age %i on, keeps the order of queues (reset: %s)', (lastAge, isReset) => {
  const fields = [{ name: 'k', colour: INT }];
  const k = { k: x('k') };
  const serves = (queue: string): object => ({
    inputs: [take(queue, k), take('server')],
    outputs: [put('out', k), put('server')],
    delay: num(1),
  });
  const net = netOf({
    places: {
      a: { fields, order: 'fifo', tokens: [[0], [1], [2], [3], [4], [5]] },
      b: { fields, order: 'fifo' },
      out: { fields, order: 'fifo' },
      server: { tokens: 1 },
      source: { fields, tokens: [[6]] },
    },
    transitions: {
      feed: {
        inputs: [take('source', k)],
        outputs: [put('b', k), put('source', { k: { op: 'add', a: x('k'), b: num(1) } })],
        guard: { op: 'lt', a: x('k'), b: num(12) },
        delay: num(0.75),
      },
      first: serves('a'),
      second: serves('b'),
      ...(isReset ? { never: { inputs: [reset('a'), reset('b'), take('server', {}, 2)] } } : {}),
    },
  });
  const run = compile(net, { lastAge }).start();
  run.run(1000);
  expect(run.tokens('out').map((t) => t.values[0])).toEqual(Array.from({ length: 12 }, (_, n) => n));
});
