import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors of drawing a net. */
export const SVG_CODES: readonly ProblemCode[] = [
  {
    code: 'SVG001',
    meaning: 'There are more nodes or arcs than the limit: the layout would take long, and nobody could read it.',
    example: 'a net of 301 places',
  },
];
