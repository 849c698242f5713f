import { describe, expect, test } from 'vitest';
import { replicate } from '../../src/analysis/replicate.ts';
import { type SimulateOptions, simulate } from '../../src/analysis/simulate.ts';
import { summary } from '../../src/analysis/statistics/summary.ts';
import { compile } from '../../src/engine/compile.ts';
import { problemsOf } from '../net/problems.ts';
import { netOf, num, put, take } from '../reference/nets.ts';

/** Invalid arguments that untyped callers may pass to simulations, and the resulting errors. */

const net = netOf({
  places: { p: { tokens: 2 }, q: {} },
  transitions: { t: { inputs: [take('p')], outputs: [put('q')], delay: num(1) } },
});
// biome-ignore lint/suspicious/noExplicitAny: passes values that the types reject
const loose = (x: unknown): any => x;

type Cases = readonly (readonly [string, () => unknown, string])[];

describe('a string instead of a number is shown in quotes', () => {
  const cases: Cases = [
    ['until', () => simulate(net, { until: loose('5') }), 'SIM003 simulate: until: expected seconds >= 0, got "5"'],
    [
      'maxSteps',
      () => simulate(net, { maxSteps: loose('5') }),
      'SIM003 simulate: maxSteps: expected an integer >= 0, got "5"',
    ],
    [
      'maxInstantSteps',
      () => simulate(net, { maxInstantSteps: loose('5') }),
      'SIM003 simulate: maxInstantSteps: expected an integer >= 1, got "5"',
    ],
    [
      'replication',
      () => simulate(net, { replication: loose('5') }),
      'SIM003 simulate: replication: expected an integer >= 0, got "5"',
    ],
    [
      'a seed, the other way round',
      () => simulate(net, { seed: loose(5) }),
      'SIM003 simulate: seed: expected a string, got 5',
    ],
    [
      'from of a monitor',
      () => simulate(net, { monitors: { m: { tokens: 'p', from: loose('5') } } }),
      'SIM003 monitor m: from: expected finite seconds >= 0, got "5"',
    ],
    [
      'lastAge',
      () => compile(net, { lastAge: loose('5') }),
      'SIM003 compile: lastAge: expected an integer from 1 to 1073741824, got "5"',
    ],
    ['steps', () => compile(net, { steps: loose('5') }), 'SIM003 compile: steps: expected a number >= 0, got "5"'],
    [
      'replication of a game',
      () => compile(net).start({ replication: loose('5') }),
      'SIM003 run: replication: expected an integer from 0 to 2^53 - 1, got "5"',
    ],
    [
      'the steps of a run',
      () => compile(net).start().run(loose('5')),
      'SIM003 run: budget: expected a number of steps >= 0, got "5"',
    ],
    ['the end of a run', () => compile(net).start().run(5, loose('5')), 'SIM003 run: until: expected seconds, got "5"'],
    ['a value of a summary', () => summary(loose(['1'])), 'SIM009 summary: value 0: expected a finite number, got "1"'],
    [
      'a confidence',
      () => summary([1, 2], loose('0.5')),
      'SIM009 summary: confidence: expected a number between 0 and 1, got "0.5"',
    ],
    ['a summary of a text', () => summary(loose('12')), 'SIM009 summary: expected a list of numbers, got "12"'],
    [
      'a summary of nothing',
      () => summary(loose(undefined)),
      'SIM009 summary: expected a list of numbers, got nothing',
    ],
    [
      'a name, the other way round',
      () => compile(net).variables(loose(5)),
      'SIM001 compile: unknown transition 5. Known: t.',
    ],
  ];
  test.each(cases)('a string instead of a number is shown in quotes: %s', (_, run, problem) => {
    expect(problemsOf(run)).toEqual([problem]);
  });

  test('replications', async () => {
    await expect(replicate(net, { replications: loose('5') })).rejects.toThrow(
      'SIM003 replicate: replications: expected an integer from 1 to 10000000, got "5"',
    );
  });

  test('a typed array is accepted as a list of numbers', () => {
    expect(summary(loose(Float64Array.of(1, 3))).mean).toBe(2);
  });
});

describe('an invalid log is reported by name', () => {
  const log =
    (numbers: unknown, more: object = {}) =>
    () =>
      compile(net, { log: { transitions: { t: numbers }, read: () => {}, ...more } } as never);
  const cases: Cases = [
    ['null', log(null), 'SIM010 log of t: options: expected an object, got null'],
    [
      'a member that is misspelt',
      log({ strat: 1 }),
      'SIM010 log of t: unknown option "strat". Did you mean "start"? Known: start, end, variables.',
    ],
    ['a number in a text', log({ start: '7' }), 'SIM003 log of t: expected a 32-bit integer, got "7"'],
    ['a fraction', log({ end: 1.5 }), 'SIM003 log of t: expected a 32-bit integer, got 1.5'],
    ['too large', log({ end: 2 ** 40 }), 'SIM003 log of t: expected a 32-bit integer, got 1099511627776'],
    ['not a number', log({ start: Number.NaN }), 'SIM003 log of t: expected a 32-bit integer, got NaN'],
    [
      'a name that is no list',
      log({ start: 1, variables: 'a' }),
      'SIM003 log of t: variables: expected a list of names or their number, got "a"',
    ],
    [
      'fewer than none',
      log({ start: 1, variables: -1 }),
      'SIM003 log of t: variables: expected a list of names or their number, got -1',
    ],
    [
      'no variables',
      log({ start: 1, variables: null }),
      'SIM003 log of t: variables: expected a list of names or their number, got null',
    ],
    ['no reader', log({ start: 1 }, { read: undefined }), 'SIM010 log: read: expected a function, got nothing'],
    ['no transitions', log({}, { transitions: undefined }), 'SIM010 log: transitions: expected an object, got nothing'],
  ];
  test.each(cases)('an invalid log is reported by name: %s', (_, run, problem) => {
    expect(problemsOf(run)).toEqual([problem]);
  });
});

describe('an invalid monitor is reported by name', () => {
  const monitor = (given: unknown) => () => simulate(net, { monitors: { q: given } } as SimulateOptions);
  const known = 'Known: tokens, firings, busy, colour, from.';
  const cases: Cases = [
    [
      'a member that is misspelt',
      monitor({ tokens: 'p', form: 3 }),
      `SIM001 monitor q: unknown member "form". Did you mean "from"? ${known}`,
    ],
    [
      'a kind that is misspelt',
      monitor({ bussy: 't' }),
      `SIM001 monitor q: unknown member "bussy". Did you mean "busy"? ${known}`,
    ],
    ['empty', monitor({}), 'SIM001 monitor q: expected one of tokens, firings and busy, got none'],
    ['a time alone', monitor({ from: 3 }), 'SIM001 monitor q: expected one of tokens, firings and busy, got none'],
    [
      'two kinds at once',
      monitor({ tokens: 'p', busy: 't' }),
      'SIM001 monitor q: expected one of tokens, firings and busy, got tokens and busy',
    ],
    [
      'a Map of them',
      () => simulate(net, { monitors: new Map([['q', { tokens: 'p' }]]) } as never),
      'SIM010 simulate: monitors: expected an object, got an object',
    ],
    ['null', monitor(null), "SIM001 monitor q: expected an object, as in { tokens: 'p' }, got null"],
    ['a text', monitor('p'), `SIM001 monitor q: expected an object, as in { tokens: 'p' }, got "p"`],
    ['a list', monitor(['p']), "SIM001 monitor q: expected an object, as in { tokens: 'p' }, got a list"],
    ['no name of a place', monitor({ tokens: 5 }), 'SIM001 monitor q: unknown place 5. Known: p, q.'],
    [
      'a place that is misspelt',
      monitor({ tokens: 'pp' }),
      'SIM001 monitor q: unknown place "pp". Did you mean "p"? Known: p, q.',
    ],
  ];
  test.each(cases)('an invalid monitor is reported by name: %s', async (_, run, problem) => {
    expect(problemsOf(run)).toEqual([problem]);
  });
});
