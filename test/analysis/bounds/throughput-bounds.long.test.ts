import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bounds, throughputBounds } from '../../../src/analysis/bounds/throughput-bounds.ts';
import { InputError } from '../../../src/base/problem.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { exactFigures } from '../markov/exact-chain.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { stochasticNet } from '../markov/stochastic-nets.ts';

const MAX_STATES = 40;
const RUNS = effort(2000);

/** Figures outside their bounds. */
function outside(bounds: readonly Bounds[], exact: Readonly<Record<string, number>>): unknown[] {
  return bounds
    .filter(({ name, lower, upper }) => {
      const value = exact[name]!;
      const rounded = 1e-15 * value;
      return value < lower - rounded || (upper !== null && value > upper + rounded);
    })
    .map((b) => [b, exact[b.name]]);
}

test('exact figures of random stochastic nets lie inside the bounds', { timeout: 60_000 + 100 * RUNS }, () => {
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(plainNet, (draft) => {
      const exact = exactFigures(draft, MAX_STATES);
      if (exact === undefined || exact === 'endless' || exact.open) return;
      const net = stochasticNet('random', draft.initial, draft.transitions);
      let found: ReturnType<typeof throughputBounds>;
      try {
        found = throughputBounds(net);
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        expect(e.problems[0]!.code).toBe('NET020');
        return;
      }
      expect([...outside(found.places, exact.mean), ...outside(found.transitions, exact.throughput)]).toEqual([]);
      count('inside');
      for (const { name, lower, upper } of found.transitions) {
        const value = exact.throughput[name]!;
        if (value === 0) continue;
        count('figures');
        if (upper === null) count('no upper bound');
        else if (upper < value * (1 + 1e-9)) count('upper bound reached');
        if (lower > value * (1 - 1e-9)) count('lower bound reached');
        else if (lower > 0) count('some lower bound');
      }
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(counts);
  for (const what of ['inside', 'upper bound reached', 'lower bound reached', 'some lower bound'])
    expect([what, (counts.get(what) ?? 0) > atFullEffort(RUNS / 100)]).toEqual([what, true]);
});
