import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors of drawing a net. */
export const SVG_CODES: readonly ProblemCode[] = [
  {
    code: 'SVG001',
    meaning: 'More nodes or arcs than the limit: the layout would be slow, and the drawing unreadable.',
    example: 'a net of 301 places',
  },
];
