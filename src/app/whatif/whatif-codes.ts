import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of what-if studies. */
export const WHATIF_CODES: readonly ProblemCode[] = [
  { code: 'WHAT001', meaning: 'An axis is not of the form NAME=VALUES.', example: '--vary placement' },
  { code: 'WHAT002', meaning: 'An axis, or one of its values, is empty.', example: '--vary placement=block,,cyclic' },
  { code: 'WHAT003', meaning: 'A range is malformed.', example: '--vary ranks=1..64/2' },
  {
    code: 'WHAT004',
    meaning: 'A range never ends (its step is 0, its factor 1), or points away from its end.',
    example: '--vary ranks=1..64*1',
  },
  { code: 'WHAT005', meaning: 'The same axis is given twice.', example: '--vary ranks=1,2 --vary ranks=4' },
  { code: 'WHAT006', meaning: 'A grid has more scenarios than the limit.', example: 'three axes of 1000 values' },
  { code: 'WHAT007', meaning: 'This input does not have this axis.', example: '--vary placment=block,cyclic' },
  { code: 'WHAT008', meaning: 'An axis lists a value twice.', example: '--vary ranks=4,1..8*2' },
  { code: 'WHAT009', meaning: 'An axis does not accept this value.', example: '--vary placement=5' },
  {
    code: 'WHAT011',
    meaning: 'A search lacks its axis or its target, the axis is not varied, or its values cannot be ordered.',
    example: '--vary placement=block,cyclic --find ranks --target 60s',
  },
  {
    code: 'WHAT012',
    meaning: 'This input cannot be idealised like this.',
    example: 'foretoken whatif x.ti --machine cluster.yaml --scenario ideal-balance',
  },
  { code: 'WHAT013', meaning: 'A what-if study has nothing to vary.', example: 'foretoken whatif x.ti' },
  {
    code: 'WHAT014',
    meaning: 'Every scenario reads the input, but it can be read only once.',
    example: 'foretoken whatif - --vary placement=block,cyclic',
  },
  {
    code: 'WHAT015',
    meaning: 'A scenario ended without an answer, for example because its thread ran out of memory.',
    example: 'a trace that is too large for the memory of a thread',
  },
  {
    code: 'WHAT016',
    meaning: 'A number of workers or scenarios is out of range.',
    example: "whatif('x.ti', { vary: { ranks: [1, 2] }, workers: 0 })",
  },
  {
    code: 'WHAT017',
    meaning:
      'A worker thread cannot import the model of a study again, so the study runs in one thread. Reported if threads were requested.',
    example: 'a module that exports its model and calls whatif() itself, imported by a study',
  },
  {
    code: 'WHAT018',
    meaning:
      'A warning: the scenarios of a model with random parts were run once each, so the spread of the figures is unknown.',
    example: 'foretoken whatif farm.ts --ranks 16 --elasticity all',
  },
  {
    code: 'WHAT019',
    meaning:
      'A warning: an elasticity is unknown, because a run with 1 % more or less of the parameter has no run time.',
    example: 'foretoken whatif app.ti --machine cluster.yaml --elasticity all, for a program that deadlocks',
  },
  {
    code: 'WHAT020',
    meaning: 'The scaling is neither strong nor weak, or is given without an axis of ranks.',
    example: 'foretoken whatif jacobi.ts --vary model.n=1,2 --scaling weak',
  },
  {
    code: 'WHAT021',
    meaning: 'A note: numbers of ranks in a range on which the model does not run are skipped.',
    example: '--vary ranks=1..16 of a model with ranks: (n) => Number.isInteger(Math.sqrt(n))',
  },
];
