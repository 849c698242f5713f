import { expect, test } from 'vitest';
import { Streams } from '../../src/base/random/streams.ts';
import type { Expression } from '../../src/net/expression.ts';
import { INT, inhibit, netOf, num, put, take, x } from './nets.ts';
import { referenceRun } from './token-game.ts';

test('the highest priority starts first, regardless of waiting times (S10)', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, q: { tokens: 1 }, r: { tokens: 1 } },
      transitions: {
        a: { inputs: [take('p')], priority: -1 },
        b: { inputs: [take('q')] },
        c: { inputs: [take('r')], priority: 2 },
      },
    }),
  );
  expect(run.trace.map((e) => e.transition)).toEqual(['c', 'b', 'a']);
});

/** Value 0; validation would reject a constant. */
const none: Expression = { op: 'sub', a: num(1), b: num(1) };

const STARTS = 4000;

/** Transitions `heads` and `tails` compete repeatedly for one token. */
function toss(weights: { heads?: Expression; tails?: Expression }): string[] {
  const side = (weight: Expression | undefined): object => ({
    inputs: [take('n', { n: x('n') })],
    outputs: [put('n', { n: { op: 'sub', a: x('n'), b: num(1) } })],
    guard: { op: 'gt', a: x('n'), b: num(0) },
    ...(weight === undefined ? {} : { weight }),
  });
  const run = referenceRun(
    netOf({
      places: { n: { fields: [{ name: 'n', colour: INT }], tokens: [[STARTS]] } },
      transitions: { heads: side(weights.heads), tails: side(weights.tails) },
    }),
    { seed: 'toss' },
  );
  return run.trace.map((e) => e.transition);
}

test('weights: the first candidate whose running sum exceeds u · T starts (S10)', () => {
  const sides = toss({ heads: num(3), tails: num(1) });
  const stream = new Streams('toss').stream('choice', '');
  expect(sides).toEqual(Array.from({ length: STARTS }, () => (3 > stream.next() * 4 ? 'heads' : 'tails')));
  expect(sides.filter((s) => s === 'heads').length / STARTS).toBeCloseTo(0.75, 1);
});

test('choices of a process use its own random stream, independent of others (S15)', () => {
  const ranks = 3;
  const side = (weight: number): object => ({
    inputs: [take('at', { r: x('r'), n: x('n') })],
    outputs: [put('at', { r: x('r'), n: { op: 'sub', a: x('n'), b: num(1) } })],
    guard: { op: 'gt', a: x('n'), b: num(0) },
    process: x('r'),
    weight: num(weight),
  });
  const sides = (tokens: number[][]): string[][] => {
    const run = referenceRun(
      netOf({
        places: { at: { fields: ['r', 'n'].map((name) => ({ name, colour: INT })), tokens } },
        transitions: { heads: side(3), tails: side(1) },
      }),
      { seed: 'toss' },
    );
    return [0, 1, 2].map((r) => run.trace.filter((e) => e.binding['r'] === r).map((e) => e.transition));
  };
  const own = new Streams('toss').ofProcesses('choice', '');
  const expected = Array.from({ length: ranks }, (_, r) =>
    Array.from({ length: STARTS }, () => {
      own.begin(r);
      return 3 > own.draw() * 4 ? 'heads' : 'tails';
    }),
  );
  for (const drawn of expected) expect(drawn.filter((s) => s === 'heads').length / STARTS).toBeCloseTo(0.75, 1);
  const few = 200;
  const start = expected.map((all) => all.slice(0, few));
  expect(sides([0, 1, 2].map((r) => [r, few]))).toEqual(start);
  expect(sides([[1, few]])).toEqual([[], start[1], []]);
});

test('a missing weight counts 1', () => {
  expect(toss({ tails: num(0.5) })).toEqual(toss({ heads: num(2), tails: num(1) }));
});

test('without weights, the canonical order decides without a draw', () => {
  expect(new Set(toss({}))).toEqual(new Set(['heads']));
});

test('draws happen only among several candidates of the highest priority', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, q: { tokens: 1 } },
      // An invalid weight is an error only if it is needed, which is not the case here.
      transitions: {
        a: { inputs: [take('p')], weight: none, priority: 1 },
        b: { inputs: [take('q')], weight: none },
      },
    }),
  );
  expect(run.trace.map((e) => e.transition)).toEqual(['a', 'b']);
});

test('free variables range over their colour sets, in the order of their names, then values (S6, S10)', () => {
  const run = referenceRun(
    netOf({
      colours: [
        { kind: 'range', name: 'Sign', low: -1, high: 1 },
        { kind: 'bool', name: 'Bool' },
      ],
      places: {
        go: { tokens: 9 },
        done: {
          fields: [
            { name: 'a', colour: 'Bool' },
            { name: 'b', colour: 'Sign' },
          ],
          order: 'fifo',
        },
      },
      transitions: {
        t: {
          inputs: [take('go'), inhibit('done', { a: x('a'), b: x('b') })],
          outputs: [put('done', { a: x('a'), b: x('b') })],
          free: [
            { name: 'b', colour: 'Sign' },
            { name: 'a', colour: 'Bool' },
          ],
        },
      },
    }),
  );
  expect(run.marking['done']).toEqual([
    [0, -1],
    [0, 0],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ]);
  expect(run.trace[4]!.binding).toEqual({ a: 1, b: 0 });
});
