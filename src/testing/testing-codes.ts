import type { ProblemCode } from '../base/problem-code.ts';

/** Problems of matchers and arbitraries. */
export const TESTING_CODES: readonly ProblemCode[] = [
  {
    code: 'TEST001',
    meaning: 'A matcher, or an arbitrary, is given something that is neither a net nor a model of a program.',
    example: 'expect(new NetBuilder("n")).toBeSafe()',
  },
  {
    code: 'TEST002',
    meaning: 'An option that a matcher or an arbitrary does not have, or a value that it cannot take.',
    example: 'expect(net).toBeSafe({ maxState: 1000 })',
  },
  {
    code: 'TEST003',
    meaning: 'A property is asked that is a number, or that is not a formula where one is expected.',
    example: "expect(net).toReach('deadlock-free')",
  },
  {
    code: 'TEST004',
    meaning: 'A net is to be sound, and nothing says which marking is its final one.',
    example: 'expect(net).toBeSound()',
  },
  {
    code: 'TEST005',
    meaning: 'Weights, or a marking, name a place that the net does not have, or give it no whole number.',
    example: 'expect(net).toConserve({ bufer: 1 })',
  },
  {
    code: 'TEST006',
    meaning: 'So few replications cannot show a quantile at the confidence that is asked for.',
    example: 'expect(net).toFinishWithin(10, { replications: 20 })',
  },
];
