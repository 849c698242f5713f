import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import type { FigureError } from '../../../src/commands/inputs/document-parts.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { type ExactFigures, exactFigures, type PlainNet } from './exact-chain.ts';
import { plainNet } from './random-plain-net.ts';
import { stochasticNet } from './stochastic-nets.ts';

const MAX_STATES = 40;
const RUNS = effort(1000);

const inside = (value: number, { lower, upper }: FigureError): boolean =>
  value >= lower! * (1 - 1e-15) && value <= upper! * (1 + 1e-15);

/** Expects that every interval contains the exact figure. */
function compare(found: SteadyDocument, exact: ExactFigures): void {
  expect(found.complete).toBe(true);
  const outside = [
    ...found.places.filter((p) => !inside(exact.mean[p.name]!, p)),
    ...found.transitions.filter((t) => !inside(exact.throughput[t.name]!, t)),
    ...found.transitions.filter((t) => !inside(exact.enabled[t.name]!, t.enabled)),
  ];
  expect(outside).toEqual([]);
  const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
  const probabilities = ascending(found.components.map((c) => c.probability));
  expect(probabilities).toHaveLength(exact.components.length);
  for (const [k, p] of ascending(exact.components).entries()) expect(probabilities[k]).toBeCloseTo(p, 13);
}

/** The code of the refusal, if the net is refused. */
function answer(net: PlainNet): SteadyDocument | string {
  try {
    return steady(stochasticNet('random', net.initial, net.transitions), { method: 'ctmc' });
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return e.problems[0]!.code;
  }
}

test('every interval contains the exact figure of random nets', { timeout: 60_000 + 100 * RUNS }, () => {
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(plainNet, (net) => {
      const exact = exactFigures(net, MAX_STATES);
      if (exact === undefined) return;
      const found = answer(net);
      if (found === 'NET020') return count('refused by validation');
      // Where immediate steps are open, the reference knows only one order; another one may be endless.
      if (found === 'CTMC002' || found === 'CTMC005') {
        if (exact !== 'endless') expect(exact.open).toBe(true);
        return count(found === 'CTMC005' ? 'endless' : 'order matters');
      }
      if (exact === 'endless') return expect(found).toBe('CTMC005');
      if (typeof found === 'string') expect(found).toBe('a result');
      compare(found as SteadyDocument, exact);
      count('solved');
      const races = Object.values(net.transitions);
      if (races.some((t) => t.speed !== undefined)) count('speed of counts');
      if (races.some((t) => t.servers !== undefined)) count('several servers');
      if (exact.open) count('order does not matter');
      if (exact.components.length > 1) count('several components');
      if ((found as SteadyDocument).vanishing > 0) count('vanishing');
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(counts);
  for (const what of [
    'solved',
    'vanishing',
    'speed of counts',
    'several servers',
    'several components',
    'order matters',
    'order does not matter',
    'endless',
  ])
    expect([what, (counts.get(what) ?? 0) > atFullEffort(RUNS / 200)]).toEqual([what, true]);
});
