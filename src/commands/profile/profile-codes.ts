import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of profiles. */
export const PROFILE_CODES: readonly ProblemCode[] = [
  {
    code: 'PROF001',
    meaning: 'An instant lies outside the run.',
    example: 'foretoken profile states.csv --at 100, of a run of one second',
  },
  {
    code: 'PROF002',
    meaning: 'A process number is not one of the run.',
    example: 'foretoken profile states.csv --process 8, of a run on 8 processes',
  },
  {
    code: 'PROF003',
    meaning: 'The run has no interval of this path.',
    example: 'foretoken profile states.csv --interval solv',
  },
  { code: 'PROF004', meaning: 'A warning: the record has no states.', example: 'a states.csv with a header only' },
  {
    code: 'PROF005',
    meaning: 'A warning: the record notes a diagnosis of its run, for instance a deadlock.',
    example: 'foretoken profile run.ftrun, of a program that deadlocks',
  },
  {
    code: 'PROF006',
    meaning: 'An input is a net, or an option does not apply to the input.',
    example: 'foretoken profile run.ftrun --machine cluster.yaml',
  },
];
