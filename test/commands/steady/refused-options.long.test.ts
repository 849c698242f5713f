import { describe, expect, it } from 'vitest';
import { netToMarkovFiles } from '../../../src/analysis/model-checkers/explicit.ts';
import { InputError } from '../../../src/base/problem.ts';
import { runTimes } from '../../../src/commands/exact/space-run-time.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { absorption, fragments, transient } from '../../../src/commands/steady/steady-answers.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import { mixed, queue, stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

describe('a net that may end and may run forever', () => {
  it('is restarted until it runs for ever, with a warning', () => {
    const { warnings, components, runTime, places } = steady(mixed, { restart: true });
    expect(components).toHaveLength(1);
    expect(runTime).toBeUndefined();
    // From b at rate 1, and back at rate 2.
    expect(places.map(({ mean }) => Number(mean.toFixed(12)))).toEqual(
      [0, 2 / 3, 0, 1 / 3].map((x) => Number(x.toFixed(12))),
    );
    expect(warnings).toEqual([expect.stringContaining('may run forever, and in the long run it does')]);
    expect(steady(mixed).warnings).toEqual([]);
    expect(steady(queue(1, 2, 3), { restart: true }).warnings).toEqual([]);
  });
});

it('a marking in which a transition goes on firing is no end', () => {
  const arcs = { ab: { take: 'a', put: 'b', race: 1 }, again: { take: 'b', put: 'b', race: 3 } };
  const places = { a: 1, b: 0, c: 0 };
  const polling = steady(stochasticNet('polling', places, arcs), { restart: true });
  expect(polling).toMatchObject({ transitions: [{ throughput: 0 }, { throughput: 3 }], warnings: [] });
  expect(polling.runTime).toBeUndefined();
  const alsoEnds = stochasticNet('also ends', places, { ...arcs, ac: { take: 'a', put: 'c', race: 1 } });
  expect(steady(alsoEnds, { restart: true }).warnings).toEqual([expect.stringContaining('in the long run it does')]);
});

describe('functions', () => {
  it('refuse options that are none, or have no meaning', () => {
    const net = queue(1, 2, 3);
    const anyOf = (f: unknown): ((...given: readonly unknown[]) => unknown) => f as never;
    const refused = (act: () => unknown): void => expect(act).toThrow(InputError);
    for (const wrong of [5, null, 'x', { foo: 1 }]) {
      for (const answer of [steady, absorption, fragments, runTimes, netToMarkovFiles])
        refused(() => anyOf(answer)(net, wrong));
      refused(() => anyOf(transient)(net, 1, wrong));
    }
    for (const maxStates of [-1, 0, 1.5, '9'])
      for (const answer of [steady, runTimes, netToMarkovFiles]) refused(() => anyOf(answer)(net, { maxStates }));
    for (const time of [undefined, null, -1, Number.NaN, '1']) refused(() => anyOf(transient)(net, time));
    for (const rewards of [null, ['#free'], '#free', { all: 1 }]) refused(() => anyOf(steady)(net, { rewards }));
  });
});

describe('options', () => {
  const messageOf = (net: Parameters<typeof steady>[0], options: SteadyOptions): string => {
    try {
      steady(net as never, options as never);
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
    return 'accepted';
  };

  it('are named in the messages of formulas to reach', () => {
    const net = queue(1, 2, 3);
    for (const reach of ['', '#nowhere > 0', 'EF #free > 0', '#free > 0 #free'])
      expect(messageOf(net, { reach })).toMatch(/^(?!.*reward).*reach formula/s);
  });

  it('of the chain alone are not sent to a simulation that refuses them', () => {
    const arcs = { arrive: { take: '', put: 'w', race: 1 }, serve: { take: 'w', put: '', race: 3, single: true } };
    const open = stochasticNet('open', { w: 0 }, arcs);
    for (const options of [{ at: 1 }, { absorption: true }, { reach: '#w > 2' }])
      expect(messageOf(open, options)).toMatch(/CTMC004.*Only figures of the long run can be estimated/s);
  });

  it('that change nothing are told: a capacity of a net with maxima', () => {
    const net = queue(1, 2, 3);
    const { warnings, places } = steady(net, { capacity: 1 });
    expect(warnings).toEqual([expect.stringContaining('nothing is cut')]);
    expect(places).toEqual(steady(net).places);
  });
});
