import type { ProblemCode } from '../base/problem-code.ts';

/** Problems of matchers and arbitraries. */
export const TESTING_CODES: readonly ProblemCode[] = [
  {
    code: 'TEST001',
    meaning: 'The argument of a matcher or an arbitrary is neither a net nor a model of a program.',
    example: 'expect(new NetBuilder("n")).toBeSafe()',
  },
  {
    code: 'TEST002',
    meaning: 'An unknown option of a matcher or an arbitrary, or an invalid value.',
    example: 'expect(net).toBeSafe({ maxState: 1000 })',
  },
  {
    code: 'TEST003',
    meaning: 'A property is a number, not true or false, or it is not a formula.',
    example: "expect(net).toReach('deadlock-free')",
  },
  {
    code: 'TEST004',
    meaning: 'Soundness is tested without a final marking.',
    example: 'expect(net).toBeSound()',
  },
  {
    code: 'TEST005',
    meaning: 'Weights or a marking have an unknown place or a value that is not an integer.',
    example: 'expect(net).toConserve({ bufer: 1 })',
  },
  {
    code: 'TEST006',
    meaning: 'There are too few replications for a quantile at the requested confidence.',
    example: 'expect(net).toFinishWithin(10, { replications: 20 })',
  },
];
