import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors in queries on a state space and in exploration options. */
export const SPACE_ANSWER_CODES: readonly ProblemCode[] = [
  {
    code: 'EXPL001',
    meaning: 'A place group of --bounds names a place that the net does not have.',
    example: 'foretoken explore net.json --bounds "buffer,ful"',
  },
  {
    code: 'EXPL002',
    meaning: 'A place group of --bounds is empty.',
    example: 'foretoken explore net.json --bounds "buffer;;full"',
  },
  {
    code: 'EXPL003',
    meaning: 'The graph has more states or edges than the drawing limit; its layout would be slow and unreadable.',
    example: 'foretoken explore philosophers.json --graph out.svg, of 2,000 states',
  },
  {
    code: 'EXPL004',
    meaning: 'The file extension of the output is not a supported graph format.',
    example: 'foretoken explore net.json --graph out.png',
  },
  {
    code: 'EXPL005',
    meaning: 'A limit of an exploration is not a positive number, or the search order is unknown.',
    example: 'explore(net, { maxStates: 0 })',
  },
];
