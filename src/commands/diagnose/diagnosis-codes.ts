import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of diagnoses. */
export const DIAGNOSIS_CODES: readonly ProblemCode[] = [
  {
    code: 'DIAG001',
    meaning: 'A threshold or another option of a diagnosis is out of its range.',
    example: 'foretoken diagnose workers.csv --active 1.5',
  },
  {
    code: 'DIAG002',
    meaning: 'A sequential time is given for a region that the run does not have, or without a region for several.',
    example: 'foretoken diagnose workers.csv --sequential lop=2.5',
  },
  {
    code: 'DIAG003',
    meaning: 'The monitoring period is too short: the run would have more than 10,000 periods.',
    example: 'foretoken diagnose workers.csv --period 1e-9',
  },
  {
    code: 'DIAG004',
    meaning: 'The input is not a recording of worker states.',
    example: 'foretoken diagnose trace.ti',
  },
  {
    code: 'DIAG005',
    meaning: 'A warning: the run has more than 100,000 workers, so that only sums are listed.',
    example: 'a workers.csv of a million workers',
  },
  {
    code: 'DIAG008',
    meaning: 'A run of a thread model takes more than 10⁹ steps.',
    example: 'foretoken diagnose model.ts, of a model with 10⁸ tasks',
  },
  {
    code: 'DIAG009',
    meaning: 'An option of recorded runs is given for a model, or the reverse.',
    example: 'foretoken diagnose workers.csv --workers 8',
  },
];
