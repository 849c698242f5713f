import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of the expansion of collectives. */
export const COLLECTIVE_CODES: readonly ProblemCode[] = [
  { code: 'COLL001', meaning: 'The number of ranks is no whole number from 1 on.', example: '0 ranks' },
  { code: 'COLL002', meaning: 'The rank is none of the ranks.', example: 'rank 8 of 8' },
  { code: 'COLL003', meaning: 'The root is none of the ranks.', example: 'a bcast of 8 ranks with root 8' },
  {
    code: 'COLL004',
    meaning: 'A list that has an entry for every rank has another length.',
    example: 'a gatherv of 8 ranks with 7 counts',
  },
  {
    code: 'COLL005',
    meaning: 'A number of bytes or operations is no finite number from 0 on.',
    example: 'an allreduce of −8 bytes',
  },
  { code: 'COLL006', meaning: 'A peer of a sendRecv is none of the ranks.', example: 'a sendRecv to rank 8 of 8' },
];
