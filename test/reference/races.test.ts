import { expect, test } from 'vitest';
import { Streams } from '../../src/base/random/streams.ts';
import { INT, netOf, num, put, read, take, x } from './nets.ts';
import { type ReferenceRun, referenceRun } from './token-game.ts';

const when = (run: ReferenceRun, transition: string): number[] =>
  run.trace.filter((e) => e.transition === transition).map((e) => e.time);

test('a candidate has as many clocks as consecutive firings are possible (S9a)', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 3 }, out: {} },
      transitions: { t: { inputs: [take('p')], outputs: [put('out')], delay: num(1), timing: 'race' } },
    }),
  );
  expect(run.trace.map((e) => [e.time, e.what])).toEqual([
    [1, 'fire'],
    [1, 'fire'],
    [1, 'fire'],
  ]);
});

test('the degree is divided by the number of taken tokens', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 5 }, slow: { tokens: 1 } },
      transitions: {
        t: { inputs: [take('p', {}, 2)], delay: num(1), timing: 'race' },
        // A token arrives at 0.5 s and starts the third clock.
        come: { inputs: [take('slow')], outputs: [put('p')], delay: num(0.5) },
      },
    }),
  );
  expect(when(run, 't')).toEqual([1, 1, 1.5]);
});

test('with a single server one clock runs at a time', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 3 } },
      transitions: { t: { inputs: [take('p')], delay: num(1), timing: 'race', servers: 'single' } },
    }),
  );
  expect(when(run, 't')).toEqual([1, 2, 3]);
});

test('a single server goes to the candidate enabled longest: a firing sends its own to the end (S9a, S10)', () => {
  const fields = [{ name: 'k', colour: INT }];
  const run = referenceRun(
    netOf({
      places: { p: { fields, tokens: [[1], [1], [2]] } },
      transitions: {
        t: { inputs: [take('p', { k: x('k') })], delay: num(1), timing: 'race', servers: 'single' },
      },
    }),
  );
  expect(run.trace.map((e) => [e.time, e.binding['k']])).toEqual([
    [1, 1],
    [2, 2],
    [3, 1],
  ]);
});

/** A clock of 3 s for a token that is taken at 2 s and returned after `away` seconds, or in the same step. */
function disturbed(away: number | undefined): ReferenceRun {
  return referenceRun(
    netOf({
      places: { on: { tokens: 1 }, thief: { tokens: 1 }, ready: {} },
      transitions: {
        come: { inputs: [take('thief')], outputs: [put('ready')], delay: num(2) },
        steal: {
          inputs: [take('ready'), take('on')],
          outputs: [put('on')],
          ...(away === undefined ? {} : { delay: num(away) }),
        },
        t: { inputs: [take('on')], delay: num(3), timing: 'race' },
      },
    }),
  );
}

test('among equal waiting times, the candidate with the oldest token is first (S9a, S10)', () => {
  const fields = [{ name: 'k', colour: INT }];
  const run = referenceRun(
    netOf({
      places: { p: { fields, tokens: [[0], [1], [2]] }, later: { tokens: 1 }, ready: {} },
      transitions: {
        t: { inputs: [take('p', { k: x('k') })], delay: num(2), timing: 'race', servers: 'single' },
        come: { inputs: [take('later')], outputs: [put('ready')], delay: num(1) },
        // From 1 s on, the token of value 1 is the youngest.
        swap: { inputs: [take('ready'), take('p', { k: num(1) })], outputs: [put('p', { k: num(1) })] },
      },
    }),
  );
  expect(run.trace.filter((e) => e.transition === 't').map((e) => [e.time, e.binding['k']])).toEqual([
    [2, 0],
    [4, 2],
    [6, 1],
  ]);
});

test('a clock is lost when its candidate is disabled, and starts from the beginning (enabling memory)', () => {
  const run = disturbed(0.5);
  expect(when(run, 't')).toEqual([5.5]);
  expect(run.happened['race: clock lost']).toBe(1);
  // Also if no time passes between the two steps.
  expect(when(disturbed(0), 't')).toEqual([5]);
});

test('a clock is kept where an equal token takes the place of another in one step (S9a)', () => {
  const run = disturbed(undefined);
  expect(when(run, 't')).toEqual([3]);
  expect(run.happened['race: clock lost']).toBeUndefined();
  expect(run.happened['race: same colours, other tokens']).toBe(1);
});

test('superfluous clocks are dropped, the youngest first', () => {
  // Clocks end at 3 s and, for the token that arrives at 1 s, at 4 s. At 2 s one of the two equal tokens is taken.
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, a: { tokens: 1 }, b: { tokens: 1 }, ready: {} },
      transitions: {
        come: { inputs: [take('a')], outputs: [put('p')], delay: num(1) },
        wait: { inputs: [take('b')], outputs: [put('ready')], delay: num(2) },
        go: { inputs: [take('ready'), take('p')] },
        t: { inputs: [take('p')], delay: num(3), timing: 'race' },
      },
    }),
  );
  expect(when(run, 't')).toEqual([3]);
  expect(run.happened['race: clock dropped']).toBe(1);
});

test('a race that only reads has one clock, and starts the next when it has fired', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 3 }, out: {} },
      transitions: { t: { inputs: [read('p')], outputs: [put('out')], delay: num(1), timing: 'race' } },
    }),
    { until: 3.5 },
  );
  expect(when(run, 't')).toEqual([1, 2, 3]);
  expect(run.time).toBe(3.5);
});

test('simultaneous clocks fire in the order of their starts, after immediate transitions (S10)', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, q: { tokens: 1 }, late: { tokens: 1 }, soon: {}, now: {} },
      transitions: {
        // Clocks started at 0 s in the order of token ages, p before q; the clock for `soon` at 1 s.
        c: { inputs: [take('p')], outputs: [put('now')], delay: num(2), timing: 'race' },
        b: { inputs: [take('q')], delay: num(2), timing: 'race' },
        come: { inputs: [take('late')], outputs: [put('soon')], delay: num(1) },
        a: { inputs: [take('soon')], delay: num(1), timing: 'race' },
        z: { inputs: [take('now')], priority: -5 },
      },
    }),
  );
  expect(run.trace.filter((e) => e.time === 2).map((e) => e.transition)).toEqual(['c', 'z', 'b', 'a']);
});

test('priority precedes the order of clocks', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 1 }, q: { tokens: 1 } },
      transitions: {
        a: { inputs: [take('p')], delay: num(2), timing: 'race' },
        b: { inputs: [take('q')], delay: num(2), timing: 'race', priority: 1 },
      },
    }),
  );
  expect(run.trace.map((e) => e.transition)).toEqual(['b', 'a']);
});

test('each clock draws its delay when it starts, in the order of starts (S15)', () => {
  const run = referenceRun(
    netOf({
      places: { p: { tokens: 2 }, out: {} },
      transitions: {
        t: {
          inputs: [take('p')],
          outputs: [put('out')],
          delay: { dist: 'uniform', low: num(0), high: num(1) },
          timing: 'race',
        },
      },
    }),
    { seed: 'clocks' },
  );
  const stream = new Streams('clocks').stream('delay', 't');
  expect(when(run, 't')).toEqual([stream.next(), stream.next()].sort((a, b) => a - b));
});
