import type { ProblemCode } from '../base/problem-code.ts';

/** Problem codes of writing traces. */
export const OUTPUT_CODES: readonly ProblemCode[] = [
  {
    code: 'OUT001',
    meaning: 'The file of a Chrome trace cannot be written.',
    example: '--trace /nowhere/out.json',
  },
];
