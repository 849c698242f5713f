import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { netToJani } from '../../../src/analysis/model-checkers/jani.ts';
import { netToPrism } from '../../../src/analysis/model-checkers/prism.ts';
import { InputError } from '../../../src/base/problem.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { cox, erlang, exponential, hyperExponential } from '../../../src/net/builder/distributions.ts';
import type { Distribution } from '../../../src/net/distribution.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, mul } from '../../../src/net/terms.ts';
import { effort } from '../../effort.ts';
import { problemsOf } from '../../net/problems.ts';
import { plainNetOfOneOrManyClocks } from '../markov/random-plain-net.ts';
import { type Arcs, queue, stochasticNet } from '../markov/stochastic-nets.ts';
import { readJani } from './jani-reader.ts';
import { longRunFigures } from './long-run.ts';
import { readPrism } from './prism-reader.ts';

const RUNS = effort(500);
/** Markings with phases; those without time come on top. */
const MAX_STATES = 150;

const rate = fc.constantFrom(0.5, 1, 3, 8);
const phased: fc.Arbitrary<Distribution> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 3 }), rate).map(([n, r]) => erlang(n, r)),
  fc.tuple(rate, rate, fc.constantFrom(0.25, 1)).map(([a, b, onward]) =>
    cox([
      { rate: a, onward },
      { rate: b, onward: 0.5 },
      { rate: a, onward: 0 },
    ]),
  ),
  fc
    .array(fc.tuple(rate, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 3 })
    .map((branches) => hyperExponential(branches.map(([r, probability]) => ({ rate: r, probability })))),
);

/** Random nets whose holding firings, and races of one server, have delays with phases; half of them of races only. */
const phasedNet = fc
  .tuple(
    plainNetOfOneOrManyClocks,
    fc.array(fc.option(phased, { freq: 3 }), { minLength: 6, maxLength: 6 }),
    fc.boolean(),
  )
  .map(([{ initial, transitions }, delays, isOfRaces]) => ({
    initial,
    transitions: Object.fromEntries(
      Object.entries(transitions).map(([name, all], k): [string, Arcs] => {
        const { weight: _, priority: __, ...rest } = all;
        const { race, holding, ...arcs } = isOfRaces
          ? { ...rest, race: all.race ?? all.holding ?? 3, holding: undefined }
          : all;
        const delay = delays[k];
        if (race !== undefined)
          return [name, delay == null ? { ...arcs, race } : { ...arcs, raceDelay: delay, single: true }];
        if (holding === undefined) return [name, arcs];
        return [name, delay == null ? { ...arcs, holding } : { ...arcs, holdingDelay: delay }];
      }),
    ),
  }));

/** The exact figures of the chain, by identifier; the code of the refusal; undefined for a large chain. */
function exact(make: () => Net): Readonly<Record<string, number>> | string | undefined {
  let found: SteadyDocument;
  try {
    found = steady(make(), { method: 'ctmc', maxStates: MAX_STATES });
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return e.problems[0]!.code;
  }
  if (!found.complete) return undefined;
  return Object.fromEntries([
    ...found.places.map((p): [string, number] => [`mean_${p.name}`, p.mean!]),
    ...found.transitions.map((t): [string, number] => [`throughput_${t.name}`, t.throughput!]),
  ]);
}

function expectSame(text: ReturnType<typeof readPrism>, expected: Readonly<Record<string, number>>): void {
  const found = longRunFigures(text, 20 * MAX_STATES)!;
  const near = Object.entries(expected).map(([id, value]) => {
    const ids = found[id] === undefined ? [`${id}_min`, `${id}_max`] : [id];
    return [id, ids.every((own) => Math.abs(found[own]! - value) <= 1e-9 * Math.max(1, Math.abs(value)))];
  });
  expect(near).toEqual(Object.keys(expected).map((id) => [id, true]));
}

test('texts of random nets with phases have the exact figures', { timeout: 60_000 + 300 * RUNS }, () => {
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(phasedNet, ({ initial, transitions }) => {
      const all = Object.values(transitions);
      if (!all.some((t) => t.raceDelay !== undefined || t.holdingDelay !== undefined)) return;
      const make = (): Net => stochasticNet('random', initial, transitions);
      const figures = exact(make);
      if (figures === undefined || typeof figures === 'string') return count(figures ?? 'large');
      const net = make();
      expectSame(readJani(netToJani(net)), figures);
      if (all.some((t) => t.holdingDelay !== undefined)) count('holding');
      if (all.some((t) => t.raceDelay !== undefined)) count('race');
      if (all.some((t) => t.race === undefined && t.raceDelay === undefined)) return;
      expectSame(readPrism(netToPrism(net)), figures);
      count('PRISM');
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(counts);
  for (const what of ['holding', 'race', 'PRISM'])
    expect([what, (counts.get(what) ?? 0) > RUNS / 50]).toEqual([what, true]);
});

/** A queue with this service. */
const served = (delay: Distribution, more: Partial<Arcs> = {}): Net =>
  stochasticNet(
    'served',
    { free: 3, waiting: 0 },
    {
      arrive: { take: 'free', put: 'waiting', race: 2, single: true },
      serve: { take: 'waiting', put: 'free', raceDelay: delay, single: true, ...more },
    },
  );

test('phases that go on alike are one command, and a race that is disabled begins anew', () => {
  const text = netToPrism(served(erlang(20, 60)));
  expect(text.split('\n').filter((line) => line.startsWith('  [] '))).toHaveLength(3);
  expect(text).toContain('h_serve : [0..20] init 1;');
  expect(text).toContain("(h_serve >= 1) & (h_serve <= 19) -> 60 : (h_serve' = (h_serve + 1));");
  // Taking the last free place disables the clock of a rival.
  const rival = stochasticNet(
    'rival',
    { a: 1, b: 0 },
    {
      go: { take: 'a', put: 'b', race: 1, single: true },
      late: { take: 'a', put: 'b', raceDelay: erlang(2, 3), single: true },
      back: { take: 'b', put: 'a', race: 5, single: true },
    },
  );
  const found = longRunFigures(readPrism(netToPrism(rival)), 10)!;
  // Cycle: the first of both, of mean 1/4 + 3/4 · 1/4, then 1/5.
  expect(found['mean_a']).toBeCloseTo(7 / 16 / (7 / 16 + 1 / 5), 12);
});

test('branches become a series with the same distribution', () => {
  // M/H2/1 of no waiting room: the share of time at work is that of the mean, 0.25 / 1 + 0.75 / 8, of its service.
  const delay = hyperExponential([
    { rate: 1, probability: 0.25 },
    { rate: 8, probability: 0.75 },
  ]);
  const net = stochasticNet(
    'loss',
    { idle: 1, work: 0 },
    {
      begin: { take: 'idle', put: 'work', race: 2, single: true },
      end: { take: 'work', put: 'idle', raceDelay: delay, single: true },
    },
  );
  const mean = 0.25 + 0.75 / 8;
  expect(longRunFigures(readPrism(netToPrism(net)), 10)!['mean_work']).toBeCloseTo(mean / (mean + 0.5), 12);
});

test('each colour has its own phases', () => {
  const n = new NetBuilder('coloured');
  const fields = { c: n.range('C', 1, 2) };
  const idle = n.place('idle', fields, { initial: [{ c: 1 }, { c: 1 }, { c: 2 }] });
  const ready = n.place('ready', fields);
  n.transition('work', (t) => {
    const { c } = t.take(idle);
    t.put(ready, { c });
    t.delay(erlang(add(c, 1), mul(2, c)));
  });
  n.transition('rest', (t) => {
    const { c } = t.take(ready);
    t.put(idle, { c });
    t.race({ delay: exponential(mul(1, c)) });
  });
  const net = n.build();
  expectSame(readJani(netToJani(net)), exact(() => net) as Readonly<Record<string, number>>);
});

test('LANG001: clocks that no variable can follow', () => {
  const refused = (more: Partial<Arcs>): string[] =>
    problemsOf(() => netToJani(served(erlang(2, 3), more))).map((line) => line.split(': ')[0]!);
  for (const more of [{ servers: 2 }, { memory: 'age' }, { memory: 'resampling' }, { speed: 'waiting' }] as const)
    expect(refused(more)).toEqual(['LANG001 transition serve']);
  expect(refused({})).toEqual([]);
  expect(netToPrism(served(erlang(1, 3)))).not.toContain('h_serve');
  expect(netToPrism(served(exponential(3))).replaceAll('served', 'M/M/1/K')).toBe(netToPrism(queue(2, 3, 3)));
});
