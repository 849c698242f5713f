import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of recorded worker states. */
export const WORKER_CODES: readonly ProblemCode[] = [
  {
    code: 'WRK001',
    meaning: 'A worker makes a transition that does not exist, such as from WAIT to EXEC.',
    example: '0,1,WAIT and 0,2,EXEC in a workers.csv',
  },
  {
    code: 'WRK002',
    meaning: 'The time of a worker runs backwards.',
    example: '0,2,EXEC and 0,1,LOCAL',
  },
  {
    code: 'WRK003',
    meaning: 'A worker has no END: the time of its last state is unknown.',
    example: 'a workers.csv whose last row of worker 3 is 3,7.5,EXEC',
  },
  {
    code: 'WRK004',
    meaning: 'A worker has a row after its END, in the same region.',
    example: '0,2,END and 0,3,EXEC',
  },
  {
    code: 'WRK005',
    meaning: 'A run has more than a million workers, or none.',
    example: 'a workers.csv with a header only',
  },
  {
    code: 'WRK006',
    meaning: 'A region has no name, or takes no time.',
    example: '0,1,EXEC,loop and 0,1,END,loop',
  },
];
