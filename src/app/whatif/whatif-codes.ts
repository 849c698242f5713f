import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of what-if studies. */
export const WHATIF_CODES: readonly ProblemCode[] = [
  { code: 'WHAT001', meaning: 'What is to be varied is not of the form NAME=VALUES.', example: '--vary placement' },
  { code: 'WHAT002', meaning: 'An axis, or one of its values, is empty.', example: '--vary placement=block,,cyclic' },
  { code: 'WHAT003', meaning: 'A range is malformed.', example: '--vary ranks=1..64/2' },
  {
    code: 'WHAT004',
    meaning: 'A range never ends (its step is 0, its factor 1), or goes away from its end.',
    example: '--vary ranks=1..64*1',
  },
  { code: 'WHAT005', meaning: 'The same axis is given twice.', example: '--vary ranks=1,2 --vary ranks=4' },
  { code: 'WHAT006', meaning: 'A grid has more scenarios than the limit.', example: 'three axes of 1000 values' },
  { code: 'WHAT007', meaning: 'There is no such axis for this input.', example: '--vary placment=block,cyclic' },
  { code: 'WHAT008', meaning: 'A value stands twice on an axis.', example: '--vary ranks=4,1..8*2' },
  { code: 'WHAT009', meaning: 'An axis does not take such a value.', example: '--vary placement=5' },
  {
    code: 'WHAT011',
    meaning:
      'A search lacks its axis or its target, or the axis is not varied, or its values have no size to be ordered by.',
    example: '--vary placement=block,cyclic --find ranks --target 60s',
  },
  {
    code: 'WHAT012',
    meaning: 'This input cannot be idealised in this way.',
    example: 'foretoken whatif x.ti --machine cluster.yaml --scenario ideal-balance',
  },
  { code: 'WHAT013', meaning: 'A what-if study is asked for with nothing to vary.', example: 'foretoken whatif x.ti' },
  {
    code: 'WHAT014',
    meaning: 'An input that can be read once only, where every scenario reads it.',
    example: 'foretoken whatif - --vary placement=block,cyclic',
  },
  {
    code: 'WHAT015',
    meaning: 'A scenario ended without an answer: its thread ran out of memory, say.',
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
      'A thread cannot import the model of a study again: the study then runs in one thread. StatementInfo where it is asked for.',
    example: 'a module that exports its model and calls whatif() itself, imported by a study',
  },
  {
    code: 'WHAT018',
    meaning:
      'A warning: the scenarios of a model with random parts were run once each, so that nobody knows how far the draws make the figures differ.',
    example: 'foretoken whatif farm.ts --ranks 16 --elasticity all',
  },
  {
    code: 'WHAT019',
    meaning:
      'A warning: an elasticity is unknown, because a run with 1 % more or less of the parameter has no run time.',
    example: 'foretoken whatif app.ti --machine cluster.yaml --elasticity all, of a program that deadlocks',
  },
  {
    code: 'WHAT020',
    meaning: 'A kind of scaling is neither strong nor weak, or is given without an axis of ranks.',
    example: 'foretoken whatif jacobi.ts --vary model.n=1,2 --scaling weak',
  },
  {
    code: 'WHAT021',
    meaning: 'Numbers of ranks of a range that the model declares not to run on are left out (a note).',
    example: '--vary ranks=1..16 of a model with ranks: (n) => Number.isInteger(Math.sqrt(n))',
  },
];
