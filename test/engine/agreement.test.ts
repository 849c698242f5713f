import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validate.ts';
import { compare } from './agree.ts';
import { arbitraryNet } from './random-net.ts';

const RUNS = Number(process.env['FORETOKEN_RUNS'] ?? 3000);

test('random nets are valid', () => {
  fc.assert(
    fc.property(arbitraryNet, (net: Net) => {
      expect(validate(net)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('the engine plays every random net as the reference does', () => {
  fc.assert(
    fc.property(arbitraryNet, (net: Net) => compare(net, { maxSteps: 60 })),
    { numRuns: RUNS },
  );
});
