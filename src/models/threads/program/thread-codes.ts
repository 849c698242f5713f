import type { ProblemCode } from '../../../base/problem-code.ts';

/** Problem codes of thread programs. */
export const THREAD_CODES: readonly ProblemCode[] = [
  { code: 'THR001', meaning: 'The options of `threads` are invalid.', example: "threads({ name: 'x' })" },
  { code: 'THR002', meaning: 'An argument of a statement has the wrong type.', example: "t.loop('k', 'three', …)" },
  {
    code: 'THR003',
    meaning: 'A synchronisation object, task or future does not belong to the program, or has the wrong kind.',
    example: 't.lock(event)',
  },
  {
    code: 'THR004',
    meaning: 'A function of the state returns an invalid value, throws, reads an unknown name, or is not pure.',
    example: 't.compute({ flops: (s) => s.k }) outside a loop over k',
  },
  { code: 'THR005', meaning: 'The program has too many steps.', example: "t.loop('k', 1e9, …)" },
  {
    code: 'THR006',
    meaning: 'Constructs that cannot be combined.',
    example: 't.parallelFor({ schedule: "guided", … }) in a task',
  },
  { code: 'THR007', meaning: 'The builder is used after the program was built.', example: 'async build(t) { … }' },
  {
    code: 'THR008',
    meaning: 'More threads come to a barrier than it has parties.',
    example: 't.barriers("b", 2) used by three threads',
  },
  {
    code: 'THR009',
    meaning: 'A strand releases an object that is not held: it unlocks a mutex that is not locked.',
    example: 't.unlock(m) without t.lock(m)',
  },
  {
    code: 'THR010',
    meaning: 'An option of a thread program is invalid, or does not belong to its scheduler.',
    example: 'foretoken predict model.ts --scheduler central --victim nearest',
  },
  {
    code: 'THR011',
    meaning:
      'A command or an option does not apply to a thread model, or an option of thread models to another kind of input.',
    example: 'foretoken predict threads.ts --ranks 4',
  },
];
