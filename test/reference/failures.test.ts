import { expect, test } from 'vitest';
import type { Expression } from '../../src/net/expression.ts';
import type { Service } from '../../src/net/net.ts';
import { INT, type NetParts, netOf, num, put, take, x } from './nets.ts';
import { referenceRun } from './token-game.ts';

const table = { kind: 'int', name: 'three', values: Int32Array.of(1, 0, 1), low: 0, high: 1 } as const;
const routes = {
  kind: 'routes',
  name: 'routes',
  start: Int32Array.of(0, 1),
  link: Int32Array.of(0),
  coefficient: Float64Array.of(1),
} as const;
const functions = [{ name: 'none', apply: () => Number.NaN }];
/** Value 0; validation would reject a constant. */
const none: Expression = { op: 'sub', a: num(1), b: num(1) };
const look = (index: Expression): Expression => ({ op: 'at', table: 'three', index });

/** A net with a transition that takes a token with value k and has the given other parts. */
const withK = (k: number, t: NetParts['transitions'][string]): NetParts => ({
  tables: [table, routes],
  functions,
  places: { p: { fields: [{ name: 'k', colour: INT }], tokens: [[k]] }, out: { fields: [{ name: 'v', colour: INT }] } },
  transitions: { t: { inputs: [take('p', { k: x('k') })], ...t } },
});

const served = (service: Service): NetParts => ({
  tables: [routes],
  places: { s: { tokens: 1, service } },
  transitions: {},
});
const drawnBy = (process: Expression): NetParts =>
  withK(2 ** 52, { delay: { dist: 'exponential', rate: num(1) }, process });
const maxMin = (weight: number, route: number): NetParts =>
  served({
    kind: 'max-min',
    links: [{ name: 'l', capacity: 1, fatpipe: false }],
    amount: num(1),
    weight: num(weight),
    bound: num(1),
    routes: 'routes',
    route: num(route),
  });

test.each<[string, string, NetParts]>([
  ['RUN002', 'a value outside the colour set', withK(0, { outputs: [put('out', { v: num(2 ** 54) })] })],
  ['RUN003', 'an index outside the table', withK(3, { outputs: [put('out', { v: look(x('k')) })] })],
  ['RUN004', 'a negative delay', withK(-1, { delay: x('k') })],
  ['RUN004', 'a delay drawn with a rate of 0', withK(0, { delay: { dist: 'exponential', rate: x('k') } })],
  ['RUN004', 'a negative delay of a race', withK(-1, { delay: x('k'), timing: 'race' })],
  ['RUN004', 'a negative service time', served({ kind: 'fcfs', servers: 1, time: num(-1) })],
  ['RUN004', 'an endless service time', served({ kind: 'ps', servers: 1, time: num(Number.POSITIVE_INFINITY) })],
  ['RUN005', 'a negative count', withK(-1, { outputs: [put('out', { v: num(0) }, x('k'))] })],
  ['RUN006', 'a weight of a demand', maxMin(0, 0)],
  ['RUN007', 'a route that is not there', maxMin(1, 1)],
  ['RUN015', 'a draw for a process that is too large', drawnBy({ op: 'mul', a: x('k'), b: num(4) })],
  ['RUN015', 'a draw for a process that is not a number', drawnBy({ op: 'mod', a: x('k'), b: num(0) })],
  ['RUN009', 'a function that returns no number', withK(0, { delay: { op: 'call', function: 'none', args: [] } })],
])('%s: %s (S7)', (code, _, parts) => {
  expect(() => referenceRun(netOf(parts))).toThrow(expect.objectContaining({ code }));
});

test('RUN008: a weight that is not positive, if a draw needs it', () => {
  const parts: NetParts = {
    places: { p: { tokens: 1 }, q: { tokens: 1 } },
    transitions: { a: { inputs: [take('p')] }, b: { inputs: [take('q')], weight: none } },
  };
  expect(() => referenceRun(netOf(parts))).toThrow(expect.objectContaining({ code: 'RUN008' }));
});

test('counts that affect capacity are checked before the transition starts (S8a)', () => {
  const parts = withK(-1, { outputs: [put('out', { v: num(0) }, x('k'))] });
  const room = { ...parts, places: { ...parts.places, out: { ...parts.places['out'], capacity: 1 } } };
  expect(referenceRun(netOf(parts), { maxSteps: 0 }).steps).toBe(0);
  expect(() => referenceRun(netOf(room), { maxSteps: 0 })).toThrow(expect.objectContaining({ code: 'RUN005' }));
});

const fires = (guard: Expression): number => referenceRun(netOf(withK(3, { guard }))).firings['t']!;

test('parts of a guard protect those after them; a failure goes unreported where any part excludes (S7)', () => {
  const bad: Expression = { op: 'eq', a: look(x('k')), b: num(1) };
  const inside: Expression = { op: 'lt', a: x('k'), b: num(3) };
  expect(fires({ op: 'and', a: inside, b: bad })).toBe(0);
  expect(fires({ op: 'and', a: bad, b: inside })).toBe(0);
  expect(() => fires({ op: 'and', a: bad, b: { op: 'eq', a: x('k'), b: num(3) } })).toThrow(
    expect.objectContaining({ code: 'RUN003' }),
  );
});

test('a guard is tested only where all patterns match (S8)', () => {
  const parts = withK(3, {
    inputs: [take('p', { k: x('k') }), take('out')],
    guard: { op: 'eq', a: look(x('k')), b: num(1) },
  });
  expect(referenceRun(netOf(parts)).firings['t']).toBe(0);
});
