import type { ProblemCode } from '../../base/problem-code.ts';

/** What can be wrong with what is asked of a state space. */
export const SPACE_ANSWER_CODES: readonly ProblemCode[] = [
  {
    code: 'EXPL001',
    meaning: 'A group of places whose largest sum is asked for names a place that the net does not have.',
    example: 'foretoken explore net.json --bounds "buffer,ful"',
  },
  {
    code: 'EXPL002',
    meaning: 'A group of places whose largest sum is asked for is empty.',
    example: 'foretoken explore net.json --bounds "buffer;;full"',
  },
  {
    code: 'EXPL003',
    meaning: 'There are more states or edges than are drawn: the layout would take long, and nobody could read it.',
    example: 'foretoken explore philosophers.json --graph out.svg, of 2,000 states',
  },
  {
    code: 'EXPL004',
    meaning: 'The ending of the output names no form that the graph of a space can be written in.',
    example: 'foretoken explore net.json --graph out.png',
  },
  {
    code: 'EXPL005',
    meaning: 'A limit of an exploration is out of range: zero, negative, no number; or its order is none.',
    example: 'explore(net, { maxStates: 0 })',
  },
];
