import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of program verification. */
export const VERIFY_PROGRAM_CODES: readonly ProblemCode[] = [
  {
    code: 'VER001',
    meaning: 'The send protocol is unknown.',
    example: 'foretoken verify trace.ti --sends buffered',
  },
  {
    code: 'VER002',
    meaning: 'A limit, a number of ranks or a number of messages is invalid.',
    example: 'verifyProgram(model, { maxSteps: 0 })',
  },
  {
    code: 'VER003',
    meaning:
      'An option for nets is given with a trace or a model without properties, or an option for programs with a net.',
    example: 'foretoken verify net.pnml --sends eager',
  },
  {
    code: 'VER004',
    meaning: 'The file given as a trace is a module, or a net in XML or JSON with another extension.',
    example: "verifyProgram('model.ts')",
  },
  {
    code: 'VER005',
    meaning: 'The scheduler of a verification is unknown.',
    example: 'foretoken verify threads.ts --scheduler fifo',
  },
];
