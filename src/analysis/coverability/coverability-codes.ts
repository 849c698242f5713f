import type { ProblemCode } from '../../base/problem-code.ts';

/** Reasons why coverability is not decided. */
export const COVERABILITY_CODES: readonly ProblemCode[] = [
  {
    code: 'COV001',
    meaning:
      'A transition has an inhibitor or a capacity on places that other transitions fill without that limit; coverability is undecidable.',
    example: 't.inhibit(buffer) of a buffer without capacity',
  },
  {
    code: 'COV002',
    meaning: 'The net has resets, for which boundedness is undecidable.',
    example: 'upper-bound(tokens(p)) of a net with t.reset(q)',
  },
  {
    code: 'COV003',
    meaning: 'The condition has too many minimal markings to list, or more tokens may make it false.',
    example: 'tokens(a) + … + tokens(z) >= 1000',
  },
  {
    code: 'COV004',
    meaning: 'Warning: a run reached its step limit, and the net has an unbounded place.',
    example: 'foretoken predict source.json --max-steps 1000',
  },
];
