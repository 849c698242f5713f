import type { ProblemCode } from '../base/problem-code.ts';

/** What can go wrong where a trace is written. */
export const OUTPUT_CODES: readonly ProblemCode[] = [
  {
    code: 'OUT001',
    meaning: 'The file of a Chrome trace cannot be written.',
    example: '--trace /nowhere/out.json',
  },
];
