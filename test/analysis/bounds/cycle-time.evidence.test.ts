import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CycleTimes, cycleTime } from '../../../src/analysis/bounds/cycle-time.ts';
import { simulate } from '../../../src/analysis/simulate.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { drafts, netOf } from './random-graphs.ts';

const RUNS = effort(200);
/** Simulated seconds after which all random nets are periodic. */
const SETTLED = 6000;
/** A multiple of the number of iterations in a period, which divides tokens of cycles. */
const ITERATIONS = 840;

/** The times, or the codes of the refusal. */
function answer(net: Net): CycleTimes | string {
  try {
    return cycleTime(net);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return [...new Set(e.problems.map((p) => p.code))].join();
  }
}

test.each([
  ['weights 1', false],
  ['weights', true],
])('simulated runs are periodic with the exact rate: %s', { timeout: 60_000 + 300 * RUNS }, (_, weights) => {
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(drafts(weights), (draft) => {
      const net = netOf(draft);
      const found = answer(net);
      if (typeof found === 'string') return count(found);
      for (const c of found.components) count(c.limitedBy);
      if (found.components.length > 1) count('several components');
      const settled = simulate(net, { until: SETTLED, maxInstantSteps: 1e4 });
      // Firings that end at the last instant count, whatever else is due then.
      const later = new Map<number, Readonly<Record<string, number>>>();
      for (const { name, exact } of found.transitions) {
        const [firings, seconds = 1] = exact.split('/').map(Number) as [number, number?];
        const window = firings === 0 ? 1000 : ITERATIONS * seconds;
        if (!later.has(window))
          later.set(
            window,
            simulate(net, { from: settled.save(), until: SETTLED + window, maxInstantSteps: 1e4 }).firings,
          );
        const more = later.get(window)![name]! - settled.firings[name]!;
        expect([name, more]).toEqual([name, (firings * window) / seconds]);
      }
      count('periodic');
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(counts);
  for (const what of ['cycle', 'input', 'deadlock', 'starved', 'several components', 'periodic', 'BND002'])
    expect([what, (counts.get(what) ?? 0) > atFullEffort(RUNS / 100)]).toEqual([what, true]);
});
