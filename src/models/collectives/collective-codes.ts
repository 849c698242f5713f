import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of the expansion of collectives. */
export const COLLECTIVE_CODES: readonly ProblemCode[] = [
  { code: 'COLL001', meaning: 'The number of ranks is not an integer >= 1.', example: '0 ranks' },
  { code: 'COLL002', meaning: 'The rank is out of range.', example: 'rank 8 of 8' },
  { code: 'COLL003', meaning: 'The root is out of range.', example: 'a bcast of 8 ranks with root 8' },
  {
    code: 'COLL004',
    meaning: 'The length of a list with one entry per rank differs from the number of ranks.',
    example: 'a gatherv of 8 ranks with 7 counts',
  },
  {
    code: 'COLL005',
    meaning: 'A number of bytes or operations is not a finite number >= 0.',
    example: 'an allreduce of −8 bytes',
  },
  { code: 'COLL006', meaning: 'A peer of a sendRecv is out of range.', example: 'a sendRecv to rank 8 of 8' },
];
