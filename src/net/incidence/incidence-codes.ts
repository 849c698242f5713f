import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors of computing an incidence matrix. */
export const INCIDENCE_CODES: readonly ProblemCode[] = [
  {
    code: 'INC001',
    meaning: 'The matrix would have more than ten million cells, too many for a table in CSV.',
    example: 'a net of 10,000 places and 2,000 transitions',
  },
  {
    code: 'INC002',
    meaning: 'A number of tokens does not fit into 32 bits.',
    example: 't.take(p, {}, 2 ** 32)',
  },
];
