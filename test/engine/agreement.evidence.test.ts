import * as fc from 'fast-check';
import { test } from 'vitest';
import type { Net } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { compare } from './agree.ts';
import { Tally } from './random/tally.ts';
import { arbitraryNet, featuresOf } from './random-net.ts';

const RUNS = effort(1000);

/** With `FORETOKEN_TABLE` set, prints statistics on the features and events of the nets. */
test('the engine and the reference give the same run of every random net', { timeout: 600_000 + RUNS * 200 }, () => {
  const tally = new Tally();
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), (net: Net, seed) => {
      tally.add('net', featuresOf(net));
      tally.add('run', compare(net, { maxSteps: 60, seed: String(seed) }));
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(tally.text());
});
