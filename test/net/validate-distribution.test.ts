import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Distribution } from '../../src/net/distribution.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { FROM_NUMBERS } from './distribution-cases.ts';
import { soundNet } from './sound-net.ts';

/** True if validation accepts a delay; it must reject others with NET029. */
function isTaken(delay: Distribution): boolean {
  const [move, toss] = soundNet().transitions;
  const problems = validate({ ...soundNet(), transitions: [move!, { ...toss!, delay }] });
  expect(problems.every((p) => p.code === 'NET029')).toBe(true);
  return problems.length === 0;
}

/** Numbers on both sides of every limit. */
const number = fc.constantFrom(-1, -0, 0, 0.25, 0.5, 1, 1.5, 2, 3, 1e308, Number.POSITIVE_INFINITY, Number.NaN);
const few = fc.array(number, { maxLength: 3 });

describe('validation accepts exactly the constant parameters that can be sampled', () => {
  test.each(Object.entries(FROM_NUMBERS))('validation accepts what can be sampled: %s', (_, law) => {
    const taken = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.tuple(number, number, number), few, few, (numbers, a, b) => {
        const [distribution, canBeDrawn] = law(numbers, a, b);
        taken[`${canBeDrawn}`]++;
        expect(isTaken(distribution)).toBe(canBeDrawn);
      }),
      { numRuns: effort(500) },
    );
    expect(Math.min(taken.true, taken.false)).toBeGreaterThan(atFullEffort(10));
  });
});
