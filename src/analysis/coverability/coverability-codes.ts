import type { ProblemCode } from '../../base/problem-code.ts';

/** Why what a net can cover is not decided. */
export const COVERABILITY_CODES: readonly ProblemCode[] = [
  {
    code: 'COV001',
    meaning: 'A transition has an inhibitor or a capacity over places that may grow without it.',
    example: 't.inhibit(buffer) of a buffer without capacity',
  },
  {
    code: 'COV002',
    meaning: 'The net has resets: whether it is bounded cannot be decided.',
    example: 'upper-bound(tokens(p)) of a net with t.reset(q)',
  },
  {
    code: 'COV003',
    meaning: 'The markings to be covered are too many to be listed, or more tokens may make the condition false.',
    example: 'tokens(a) + … + tokens(z) >= 1000',
  },
  {
    code: 'COV004',
    meaning: 'A warning: a net was played for as many steps as are allowed, and a place of it is unbounded.',
    example: 'foretoken predict source.json --max-steps 1000',
  },
];
