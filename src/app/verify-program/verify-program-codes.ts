import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of program verification. */
export const VERIFY_PROGRAM_CODES: readonly ProblemCode[] = [
  {
    code: 'VER001',
    meaning: 'There is no such protocol of sends.',
    example: 'foretoken verify trace.ti --sends buffered',
  },
  {
    code: 'VER002',
    meaning: 'A limit, a number of ranks or of messages is none.',
    example: 'verifyProgram(model, { maxSteps: 0 })',
  },
  {
    code: 'VER003',
    meaning: 'An option for nets with a trace or a model without properties, or the other way about.',
    example: 'foretoken verify net.pnml --sends eager',
  },
  {
    code: 'VER004',
    meaning: 'A file that is taken for a trace is a module, or a net in XML or JSON whose name has another ending.',
    example: "verifyProgram('model.ts')",
  },
];
