import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { netToJani } from '../../../src/analysis/model-checkers/jani.ts';
import { netToPrism } from '../../../src/analysis/model-checkers/prism.ts';
import { InputError } from '../../../src/base/problem.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { processorSharing } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { mul } from '../../../src/net/terms.ts';
import { effort } from '../../effort.ts';
import { problemsOf } from '../../net/problems.ts';
import { exactFigures, type PlainNet } from '../markov/exact-chain.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { queue, stochasticNet } from '../markov/stochastic-nets.ts';
import { readJani } from './jani-reader.ts';
import { longRunFigures } from './long-run.ts';
import { readPrism } from './prism-reader.ts';
import { serviceNet } from './random-service-net.ts';

const MAX_STATES = 60;
const RUNS = effort(1000);

type Figures = Readonly<Record<string, number>>;
const figuresOf = (model: ReturnType<typeof readPrism>): Figures => longRunFigures(model, 10 * MAX_STATES)!;

/** Expects figures by identifiers to be those by names; both values of a property of JANI. */
function expectSame(found: Figures, expected: Figures): void {
  const near = Object.entries(expected).map(([name, value]) => {
    const id = name.replace(/ /g, '_');
    const ids = found[id] === undefined ? [`${id}_min`, `${id}_max`] : [id];
    return [name, ids.every((own) => Math.abs(found[own]! - value) <= 1e-9 * Math.max(1, Math.abs(value)))];
  });
  expect(near).toEqual(Object.keys(expected).map((name) => [name, true]));
}

const named = (prefix: string, of: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(of).map(([name, value]) => [`${prefix}_${name}`, value]);

/** The text, or the code of the refusal. */
function written(write: (net: Net) => string, make: () => Net): { readonly text: string } | { readonly code: string } {
  try {
    return { text: write(make()) };
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return { code: e.problems[0]!.code };
  }
}

/** Counts what happened, so that a test can demand that enough of everything did. */
class Counts {
  readonly #counts = new Map<string, number>();
  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
  expectMany(share: number, ...whats: string[]): void {
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(this.#counts);
    for (const what of whats) expect([what, (this.#counts.get(what) ?? 0) > RUNS * share]).toEqual([what, true]);
  }
}

describe('figures of the texts are exact', { timeout: 60_000 + 100 * RUNS }, () => {
  const expected = (net: PlainNet): Figures | undefined => {
    const exact = exactFigures(net, MAX_STATES);
    if (exact === undefined || exact === 'endless') return undefined;
    return Object.fromEntries([...named('mean', exact.mean), ...named('throughput', exact.throughput)]);
  };

  test('random nets with immediate, holding and race timing in JANI', () => {
    const counts = new Counts();
    fc.assert(
      fc.property(plainNet, (net) => {
        const figures = expected(net);
        if (figures === undefined) return;
        const result = written(netToJani, () => stochasticNet('random', net.initial, net.transitions));
        if ('code' in result) return expect(result.code).toBe('NET020');
        expectSame(figuresOf(readJani(result.text)), figures);
        counts.add(result.text.includes('"type": "ma"') ? 'automaton' : 'chain');
        if (result.text.includes('"probability"')) counts.add('draw');
      }),
      { numRuns: RUNS },
    );
    counts.expectMany(0.02, 'automaton', 'draw');
  });

  test('random nets of races in PRISM and JANI', () => {
    const counts = new Counts();
    fc.assert(
      fc.property(plainNet, ({ initial, transitions }) => {
        const races = Object.entries(transitions).map(([name, { holding, weight: _, priority: __, race, ...arcs }]) => [
          name,
          { ...arcs, race: race ?? holding ?? 3 },
        ]);
        const net = { initial, transitions: Object.fromEntries(races) } as PlainNet;
        const figures = expected(net);
        if (figures === undefined) return;
        const make = (): Net => stochasticNet('random', net.initial, net.transitions);
        const result = written(netToPrism, make);
        if ('code' in result) return expect(result.code).toBe('NET020');
        expectSame(figuresOf(readPrism(result.text)), figures);
        expectSame(figuresOf(readJani(netToJani(make()))), figures);
        counts.add('chain');
      }),
      { numRuns: RUNS },
    );
    counts.expectMany(0.2, 'chain');
  });

  test('random nets with colours, services, capacities, read and reset arcs are solved alike', () => {
    const counts = new Counts();
    fc.assert(
      fc.property(serviceNet, (net) => {
        const jani = written(netToJani, () => net);
        if ('code' in jani) return counts.add(jani.code);
        const answer = written(
          (own) => JSON.stringify(steady(own, { method: 'ctmc', maxStates: MAX_STATES })),
          () => net,
        );
        if ('code' in answer) {
          expect(answer.code).toMatch(/^CTMC00[245]$/);
          return counts.add(answer.code);
        }
        const found = JSON.parse(answer.text) as SteadyDocument;
        if (!found.complete) return counts.add('too large');
        const figures = Object.fromEntries([
          ...found.places.map((p): [string, number] => [`mean_${p.name}`, p.mean!]),
          ...found.transitions.map((t): [string, number] => [`throughput_${t.name}`, t.throughput!]),
        ]);
        expectSame(figuresOf(readJani(jani.text)), figures);
        counts.add('JANI');
        if (net.colours.length > 0) counts.add('colours');
        const prism = written(netToPrism, () => net);
        if ('code' in prism) {
          expect(prism.code).toMatch(/^LANG00[23]$/);
          return;
        }
        expectSame(figuresOf(readPrism(prism.text)), figures);
        counts.add('PRISM');
      }),
      { numRuns: RUNS },
    );
    counts.expectMany(0.02, 'JANI', 'colours', 'PRISM');
  });
});

test('a queue in PRISM reads like one written by hand', () => {
  expect(netToPrism(queue(2, 3, 4))).toBe(`// Net "M/M/1/K" as a continuous-time Markov chain; rates per second.
// Rewards: the mean number of tokens of each place, and the firings per second of each transition.
//   prism FILE -pf 'R{"mean_free"}=? [ S ]'
//   storm --prism FILE --prop 'R{"mean_free"}=? [ LRA ]'
ctmc

module net
  p_free : [0..4] init 4; // tokens in place "free"
  p_waiting : [0..4] init 0; // tokens in place "waiting"

  // firing of transition "arrive"
  [] (p_free >= 1) -> 2 : (p_free' = (p_free - 1)) & (p_waiting' = (p_waiting + 1));
  // firing of transition "serve"
  [] (p_waiting >= 1) -> 3 : (p_free' = (p_free + 1)) & (p_waiting' = (p_waiting - 1));
endmodule

rewards "mean_free" // place "free"
  true : p_free;
endrewards

rewards "mean_waiting" // place "waiting"
  true : p_waiting;
endrewards

rewards "throughput_arrive" // transition "arrive"
  (p_free >= 1) : 2;
endrewards

rewards "throughput_serve" // transition "serve"
  (p_waiting >= 1) : 3;
endrewards
`);
});

test('names become distinct identifiers, and stand in comments', () => {
  const names = ['a b', 'a_b', 'a-b', 'true', 'π', 'ψ', '"\n*/', 'A'];
  const initial = Object.fromEntries(names.map((name, k) => [name, k]));
  const n = new NetBuilder('line\nbreak "');
  const places = names.map((name) => n.place(name, {}, { initial: initial[name]! }));
  for (const [k, name] of names.entries())
    n.transition(name, (t) => {
      t.take(places[k]!);
      t.put(places[k]!, {});
      t.race({ delay: exponential(4e9 + k) });
    });
  const net = n.build();
  const figures = figuresOf(readPrism(netToPrism(net)));
  const means = Object.keys(figures).filter((id) => id.startsWith('mean'));
  expect(means.map((id) => figures[id])).toEqual(names.map((_, k) => k));
  expect(figuresOf(readJani(netToJani(net)))).toEqual(figures);
  for (const name of names) expect(netToPrism(net)).toContain(`// place ${JSON.stringify(name)}\n`);
});

test('a place without a bound is an unbounded integer of JANI', () => {
  const net = stochasticNet('open', { idle: 1, q: 0 }, { come: { take: 'idle', put: 'idle q', race: 1 } });
  const { variables } = JSON.parse(netToJani(net)) as { variables: { name: string; type: unknown }[] };
  expect(variables.map((v) => v.type)).toEqual([
    { kind: 'bounded', base: 'int', 'lower-bound': 0, 'upper-bound': 1 },
    'int',
  ]);
});

describe('refusals name every part', () => {
  const problems = (write: (net: Net) => string, net: Net): string[] =>
    problemsOf(() => write(net)).map((line) => line.split(': ').slice(0, 2).join(': '));

  test('LANG001 delays and services that are not exponential', () => {
    const n = new NetBuilder('fixed');
    const a = n.place('a', {}, { initial: 1, service: processorSharing({ servers: 1, time: 2 }) });
    n.transition('move', (t) => {
      t.take(a);
      t.put(a, {});
      t.delay(3);
    });
    for (const write of [netToPrism, netToJani])
      expect(problems(write, n.build())).toEqual([
        'LANG001 transition move: has a deterministic delay',
        'LANG001 place a: has a deterministic delay',
      ]);
    const untimed = { ...queue(1, 1, 1), untimed: true };
    expect(problems(netToJani, untimed)).toEqual(['LANG001 net M/M/1/K: the net has no delays']);
  });

  test('LANG002 and LANG003: PRISM has no steps without time, and bounds', () => {
    const net = stochasticNet(
      'open',
      { idle: 1, q: 0 },
      {
        come: { take: 'idle', put: 'idle q', race: 1 },
        go: { take: 'q', put: '', holding: 1 },
        drop: { take: 'q', put: '', weight: 1 },
      },
    );
    expect(problems(netToPrism, net)).toEqual([
      'LANG002 start of transition "go": takes no time, which a PRISM model of type ctmc cannot express. Write JANI instead (.jani)',
      'LANG002 firing of transition "drop": takes no time, which a PRISM model of type ctmc cannot express. Write JANI instead (.jani)',
      'LANG003 tokens in place "q": has no known bound, but PRISM needs one',
      'LANG003 firings in progress of transition "go": has no known bound, but PRISM needs one',
    ]);
  });

  test('LANG004 a speed by table', () => {
    const net = queue(2, 3, 4);
    const speed = { op: 'at', table: 'speeds', index: { op: 'var', name: 'n' } } as const;
    const [arrive, serve] = net.transitions;
    const counts = [{ name: 'n', place: 'waiting', pattern: {} }];
    const tables = [{ kind: 'real', name: 'speeds', values: Float64Array.of(0, 1, 2, 3, 4) }] as const;
    const byTable = { ...net, tables, transitions: [arrive!, { ...serve!, speed, counts }] };
    for (const write of [netToPrism, netToJani])
      expect(problems(write, byTable)).toEqual([
        'LANG004 transition serve: has a rate or weight that looks up numbers of tokens in the table "speeds", which PRISM and JANI cannot express',
      ]);
  });

  test('LANG005 draws among very many steps', () => {
    const many = Array.from({ length: 400 }, (_, k) => [`t${k}`, { take: 'a', put: 'a', weight: 1 }] as const);
    const net = stochasticNet('wide', { a: 1 }, Object.fromEntries(many));
    expect(problems(netToJani, net)).toEqual([
      'LANG005 net wide: has 400 immediate steps, of which more than 100000 pairs exclude each other by priority or share a draw',
    ]);
  });

  test('UNF008 a server shared by colours', () => {
    const n = new NetBuilder('shared');
    const a = n.place('a', { c: n.range('C', 1, 2) }, { initial: [{ c: 1 }, { c: 2 }] });
    n.transition('move', (t) => {
      const { c } = t.take(a);
      t.put(a, { c });
      t.race({ delay: exponential(mul(1, c)), servers: 'single' });
    });
    expect(problems(netToJani, n.build())[0]).toMatch(/^UNF008 transition move/);
  });
});
