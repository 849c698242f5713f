import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../src/base/problem.ts';
import { scalarNet } from '../../src/net/expressions.ts';
import type { Net } from '../../src/net/net.ts';
import { assertValid, validate } from '../../src/net/validation/validate.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { everyFeature, withFunction } from './every-feature.ts';
import { NET_PROBLEMS } from './net-problems.ts';
import { codesOf } from './problems.ts';
import { type Draft, num, soundNet, v } from './sound-net.ts';
import { writableNet } from './writable-net.ts';

const draft = (): Draft<Net> => soundNet() as unknown as Draft<Net>;
const problems = (net: unknown): string[] => validate(net as Net).map(formatProblem);

function spoiled(spoil: (net: Draft<Net>) => void): string[] {
  const net = draft();
  spoil(net);
  return problems(net);
}

test('the nets that are modified below are valid', () => {
  expect(problems(soundNet())).toEqual([]);
  expect(problems(everyFeature())).toEqual([]);
  expect(problems(withFunction())).toEqual([]);
});

describe('every problem by its code', () => {
  test.each(NET_PROBLEMS)('an invalid net is refused: %s', (_, spoil, expected) => {
    expect(spoiled(spoil)).toEqual(expected);
  });
});

describe('valid nets that look invalid', () => {
  const right: [string, (net: Draft<Net>) => void][] = [
    ['a capacity of nothing, for a place that is empty', (n) => (n.places[1]!.capacity = 0)],
    ['a capacity that is full', (n) => (n.places[3]!.capacity = 2)],
    [
      'reading and inhibiting by counts',
      (n) => {
        n.transitions[0]!.inputs.push({ kind: 'read', place: 'ended', pattern: {}, count: 3 });
        n.transitions[0]!.inputs.push({ kind: 'inhibit', place: 'wire', pattern: {}, count: 2 });
      },
    ],
    ['a race that takes nothing', (n) => (n.transitions[1]!.inputs = [])],
    [
      'a free variable that an inhibitor compares',
      (n) => n.transitions[1]!.inputs.push({ kind: 'inhibit', place: 'ended', pattern: { slot: v('any') }, count: 1 }),
    ],
    [
      'a scalar field with a dot, which is what a column is called',
      (n) => n.places.push({ ...n.places[1]!, name: 'p', fields: [{ name: 'a.b', colour: 'Slot' }] }),
    ],
    [
      'a lognormal mean below zero, and no deviation',
      (n) => (n.transitions[1]!.delay = { dist: 'lognormal', mean: num(-3), deviation: num(0) }),
    ],
    [
      'one value, and weights of nothing beside it',
      (n) =>
        (n.transitions[1]!.delay = {
          dist: 'discrete',
          values: [
            { value: 0, weight: 0 },
            { value: 2, weight: 0.5 },
          ],
        }),
    ],
    [
      'parameters that only a run can tell',
      (n) => (n.transitions[1]!.delay = { dist: 'triangular', low: v('any'), mode: num(1), high: v('any') }),
    ],
    [
      'a function of no arguments',
      (n) => {
        n.functions = [{ name: 'f', apply: () => 1 }];
        n.transitions[0]!.delay = { op: 'call', function: 'f', args: [] };
      },
    ],
    ['a product of nothing', (n) => n.colours.push({ kind: 'product', name: 'Nothing', parts: [] })],
    [
      'the deepest parts of parts',
      (n) => {
        for (let k = 1; k <= 32; k++)
          n.colours.push({ kind: 'product', name: `c${k}`, parts: [k === 1 ? 'Slot' : `c${k - 1}`] });
        n.places.push({ name: 'deep', fields: [{ name: 'f', colour: 'c32' }], order: 'bag', key: [], initial: [] });
      },
    ],
  ];
  test.each(right)('a net that looks invalid is accepted: %s', (_, change) => {
    expect(spoiled(change)).toEqual([]);
  });
});

test('random nets are valid, and the scalar form of a valid net is', () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryNet, writableNet), (net) => {
      expect(problems(net)).toEqual([]);
      expect(problems(scalarNet(net))).toEqual([]);
    }),
    { numRuns: effort(300) },
  );
  expect(problems(scalarNet(everyFeature()))).toEqual([]);
  expect(problems(scalarNet(soundNet()))).toEqual([]);
});

test('all problems are reported at once', () => {
  const found = spoiled((n) => {
    (n.colours[0] as { high: number }).high = -1;
    n.places[1]!.key = ['slot'];
    n.transitions[0]!.inputs[0]!.place = 'bufer';
    n.transitions[0]!.outputs[0]!.values = { slot: v('slat') };
    n.processes!.colour = 'Flag';
  });
  expect(found.map((p) => p.slice(0, 6))).toEqual([
    'NET006',
    'NET014',
    'NET013',
    'NET014',
    'NET014',
    'NET012',
    'NET021',
    'NET030',
    'NET030',
  ]);
  expect(codesOf(() => assertValid({ ...soundNet(), name: 'fine' }))).toEqual([]);
  expect(codesOf(() => assertValid({ ...soundNet(), tables: [] }))).toEqual(['NET016']);
});

test('consequences of a wrong colour set are not reported again', () => {
  const found = spoiled((n) => {
    n.places[3]!.fields[0]!.colour = 'Spott';
  });
  expect(found).toEqual([
    'NET011 place stack: unknown colour set "Spott". Did you mean "Spot"? Known: Slot, Flag, Sort, Pair, Spot.',
  ]);
});

test('a problem has its position in the file', () => {
  const net = draft();
  const [move, toss] = net.transitions as [Draft<Net>['transitions'][0], Draft<Net>['transitions'][0]];
  move.guard = v('slot');
  move.delay = v('sort');
  move.outputs[0]!.values = {};
  toss.free![0]!.colour = 'Slots';
  toss.delay = { dist: 'exponential', rate: num(0) };
  toss.priority = 0.5;
  const at = (line: number): { file: string; line: number; column: number } => ({ file: 'net.json', line, column: 1 });
  const positions = new Map<object, ReturnType<typeof at>>([
    [move, at(3)],
    [move.outputs[0]!, at(4)],
    [move.guard, at(5)],
    [toss, at(6)],
    [toss.free![0]!, at(7)],
    [toss.delay, at(8)],
  ]);
  expect(validate(net as unknown as Net, positions).map((p) => formatProblem(p).split(' ').slice(0, 2))).toEqual([
    ['net.json:4:1:', 'NET017'],
    ['net.json:5:1:', 'NET022'],
    ['net.json:3:1:', 'NET022'],
    ['net.json:7:1:', 'NET011'],
    ['net.json:8:1:', 'NET029'],
    ['net.json:6:1:', 'NET034'],
  ]);
});

describe('large inputs', () => {
  const many = Array.from({ length: 20_000 }, (_, k) => k);

  test('very many problems with very many names', () => {
    const net = soundNet();
    const found = validate({
      ...net,
      places: [...net.places, ...many.map((k) => ({ ...net.places[1]!, name: `place ${k}` }))],
      transitions: many.map((k) => ({
        name: `t${k}`,
        inputs: [{ kind: 'take' as const, place: `palce ${k}`, pattern: {}, count: 1 }],
        outputs: [],
      })),
    });
    expect(found).toHaveLength(20_000);
    expect(found[0]!.message).toContain('Did you mean');
    expect(found.at(-1)!.message).toBe('unknown place "palce 19999".');
  });

  test('a million places, each of 10⁹ values', () => {
    const net = soundNet();
    const fields = [{ name: 'n', colour: 'Huge' }];
    const places = Array.from({ length: 1e6 }, (_, k) => ({
      name: `place ${k}`,
      fields,
      order: 'bag' as const,
      key: [],
      initial: [{ values: [k], count: 1 }],
    }));
    const colours = [...net.colours, { kind: 'range' as const, name: 'Huge', low: 0, high: 999_999_999 }];
    expect(validate({ ...net, colours, places: [...net.places, ...places] })).toEqual([]);
    places.push({ ...places[0]!, name: 'last', initial: [{ values: [1e9], count: 1 }] });
    expect(problems({ ...net, colours, places: [...net.places, ...places] })).toEqual([
      'NET014 place last: initial token: n = 1000000000 is not in Huge (0 … 999999999)',
    ]);
  });

  test('a cycle of colour sets', () => {
    const chain = many.map((k) => ({
      kind: 'product' as const,
      name: `c${k}`,
      parts: [`c${(k + 1) % many.length}`, `c${k % 7}`],
    }));
    const found = problems({ ...soundNet(), colours: [...soundNet().colours, ...chain] });
    expect(found).toEqual([
      'NET009 colour set c0: contains itself: c0 → c1 → c2 → c3 → c4 → c5 → c6 → c7 → c8 → c9 → c10 → c11 → … → c0',
    ]);
  });

  test('many services over one long table of routes', () => {
    const net = soundNet();
    const wire = net.places[2]!;
    const start = Int32Array.of(0, 1e6);
    const table = {
      kind: 'routes' as const,
      name: 'routes',
      start,
      link: new Int32Array(1e6),
      coefficient: new Float64Array(1e6).fill(1),
    };
    const places = many.map((k) => ({ ...wire, name: `wire ${k}` }));
    const tables = [...net.tables.slice(0, 3), table];
    expect(validate({ ...net, tables, places: [...net.places, ...places] })).toEqual([]);
  });
});
