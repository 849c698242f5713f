import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exploration } from '../../../src/analysis/space/explore.ts';
import { flatten } from '../../../src/analysis/space/flatten.ts';
import type { ExploreOptions, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { spaceFigures, spaceText } from './same-space.ts';

const RUNS = Number(process.env['FORETOKEN_RUNS'] ?? 300);
const SEED = process.env['FORETOKEN_SEED'] === undefined ? 11 : Number(process.env['FORETOKEN_SEED']);
const MOST = 1500;

function explored(net: Net, options: ExploreOptions): StateSpace {
  const running = exploration(net, { ...options, maxStates: MOST });
  while (running.advance(64));
  return running.space;
}

/** Whether the packed explorer takes the net. */
function isFlat(net: Net): boolean {
  try {
    flatten(net);
    return true;
  } catch (e) {
    if (e instanceof InputError) return false;
    throw e;
  }
}

test('packed and general explorer find the same space, breadth and depth first', { timeout: 600_000 }, () => {
  const seen = { nets: 0, complete: 0, states: 0, timed: 0 };
  fc.assert(
    fc.property(finiteNet, (net) => {
      if (!isFlat(net)) return;
      const packed = explored(net, { engine: 'packed' });
      const general = explored(net, { engine: 'general' });
      seen.nets++;
      expect(packed.complete).toBe(general.complete);
      if (!general.complete) return;
      seen.complete++;
      seen.states += packed.states;
      if (net.transitions.some((t) => t.delay !== undefined)) seen.timed++;
      expect(spaceFigures(packed)).toEqual(spaceFigures(general));
      expect(spaceText(packed)).toEqual(spaceText(general));
      const deep = explored(net, { engine: 'packed', order: 'depth' });
      expect(spaceText(deep)).toEqual(spaceText(general));
    }),
    { numRuns: RUNS, seed: SEED },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  expect(seen.complete).toBeGreaterThan(RUNS / 10);
});
