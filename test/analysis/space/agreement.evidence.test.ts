import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exploration } from '../../../src/analysis/space/explore.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { Tally } from '../../engine/random/tally.ts';
import { arbitraryNet, featuresOf } from '../../engine/random-net.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { explore, type Space } from '../../net/untimed-explorer.ts';
import { RunError } from '../../reference/evaluate.ts';
import { compareSpaces } from './agree.ts';

const RUNS = effort(150);

/** With `FORETOKEN_TABLE` set, prints statistics on the features of the nets. */
test.each([
  ['nets of every feature (E1 to E8)', arbitraryNet],
  ['nets of finite colours (E1 to E8)', finiteNet],
])('the explorer finds the same space as the reference: %s', { timeout: 600_000 + RUNS * 200 }, (_, nets) => {
  const tally = new Tally();
  fc.assert(
    fc.property(nets, (net: Net) => {
      tally.add('net', featuresOf(net));
      tally.add('space', compareSpaces(net));
    }),
    { numRuns: RUNS },
  );
  expect(tally.cases('space', 'complete')).toBeGreaterThan(atFullEffort(RUNS / 5));
  expect(tally.cases('space', 'step: end')).toBeGreaterThan(atFullEffort(RUNS / 10));
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(tally.text());
});

/** The same net with bags and immediate transitions without priorities. */
function plain(net: Net): Net {
  return {
    ...net,
    places: net.places.map(({ name, fields, capacity, initial }) => ({
      ...(capacity === undefined ? {} : { capacity }),
      name,
      fields,
      order: 'bag',
      key: [],
      initial,
    })),
    transitions: net.transitions.map(({ delay: _d, timing: _t, servers: _s, priority: _p, ...t }) => t),
  };
}

test('for untimed nets with bags, the plain explorer of firings finds the same space', () => {
  let compared = 0;
  fc.assert(
    fc.property(finiteNet, (timed) => {
      const net = plain(timed);
      let expected: Space;
      try {
        expected = explore(net, Number.POSITIVE_INFINITY, 300);
      } catch (e) {
        if (!(e instanceof RunError)) throw e;
        return;
      }
      const known = [...expected.values()].filter((firings) => firings.length > 0).length;
      const running = exploration(net, { engine: 'general' });
      // The plain explorer may have stopped at this level, without firings to compare.
      try {
        running.advance(expected.size);
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        return;
      }
      if (!running.space.complete) return;
      const { space } = running;
      const firings = Array.from({ length: space.states }, (_, state) => space.firings(state));
      const names = firings.map((list) => list.map((f) => net.transitions[f.node]!.name).sort());
      const others = [...expected.values()].map((list) => list.map((f) => f.split(' → ')[0]!).sort());
      expect(names.map(String).sort()).toEqual(others.map(String).sort());
      if (known > 1) compared++;
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(atFullEffort(RUNS / 5));
});
