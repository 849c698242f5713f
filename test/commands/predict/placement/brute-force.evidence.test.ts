import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { canonicalPlacement, equalHosts } from '../../../../src/commands/predict/placement/equal-hosts.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { Machine } from '../../../../src/machine/machine.ts';
import { machinePlatform } from '../../../../src/machine/topology/machine-platform.ts';
import { ALL_EVIDENCE, countCases } from '../../../effort.ts';
import { folder } from '../../../trace/support.ts';
import { MACHINES, programs, shortest, traceOf } from './random-exchange.ts';

const RANKS = 8;
/** Relative distance from the best of all placements. */
const GAP = 0.02;
/** A case takes 630 to 2,520 predictions, up to three minutes. */
const CASES = ALL_EVIDENCE ? 4 : 1;
const machines = Object.entries(MACHINES).filter(([name]) => ALL_EVIDENCE || name === 'fat tree');
const drawn = fc.sample(programs(RANKS), { seed: 1, numRuns: CASES });
const files = folder(Object.fromEntries(drawn.map((program, k) => [`${k}.ti`, traceOf(program)])));
afterAll(files.remove);

/** The shortest run time over all placements; of those that differ by an exchange of equal nodes, one is predicted. */
function shortestRun(trace: string, machine: Machine): number {
  const classes = equalHosts(machinePlatform(machine), () => 0);
  const room = machine.nodes.flatMap(({ count, cores }) => new Array<number>(count).fill(cores));
  const done = new Set<string>();
  return shortest(RANKS, room, (placement) => {
    const key = canonicalPlacement(placement, classes).join();
    if (done.has(key)) return Number.POSITIVE_INFINITY;
    done.add(key);
    return predict(trace, { machine, placement: [...placement] }).figures.runTime.value;
  });
}

describe.each(machines)('the suggested placement of 8 ranks on a machine with %s', (_, machine) => {
  test.each([...drawn.keys()])(
    'is at most 2 % slower than the best of all placements: program %i',
    (k) => {
      countCases(1);
      const trace = files.path(`${k}.ti`);
      const { figures, suggestedPlacement: suggested } = predict(trace, { machine, suggestPlacement: true });
      if (suggested === undefined || suggested.kind === 'none') throw new Error('no suggestion');
      const best = shortestRun(trace, machine);
      expect(suggested.predictions).toBeLessThanOrEqual(200);
      expect(suggested.after.runTime.value).toBeLessThanOrEqual(figures.runTime.value);
      expect(suggested.after.runTime.value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      expect(suggested.after.runTime.value).toBeLessThanOrEqual(best * (1 + GAP));
    },
    600_000,
  );
});
