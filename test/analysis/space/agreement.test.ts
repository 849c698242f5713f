import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Net } from '../../../src/net/net.ts';
import { Tally } from '../../engine/random/tally.ts';
import { arbitraryNet, featuresOf } from '../../engine/random-net.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { compareSpaces } from './agree.ts';

const RUNS = Number(process.env['FORETOKEN_RUNS'] ?? 150);

/** With `FORETOKEN_TABLE` set, a run ends with what the nets contained and what happened in them. */
test.each([
  ['nets of every feature (E1 to E8)', arbitraryNet],
  ['nets of finite colours (E1 to E8)', finiteNet],
])('the explorer finds the space of the reference: %s', { timeout: 600_000 + RUNS * 200 }, (_, nets) => {
  const tally = new Tally();
  fc.assert(
    fc.property(nets, (net: Net) => {
      tally.add('net', featuresOf(net));
      tally.add('space', compareSpaces(net));
    }),
    { numRuns: RUNS },
  );
  expect(tally.cases('space', 'complete')).toBeGreaterThan(RUNS / 5);
  expect(tally.cases('space', 'step: end')).toBeGreaterThan(RUNS / 10);
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(tally.text());
});
