import type { ProblemCode } from '../../base/problem-code.ts';

/** Reasons why a net cannot be made safe. */
export const SAFE_CODES: readonly ProblemCode[] = [
  {
    code: 'SAFE001',
    meaning: 'A place is unbounded, or its bound is unknown: only bounded nets have an equivalent safe net.',
    example: 'a producer without a consumer',
  },
  {
    code: 'SAFE002',
    meaning: 'The safe net would have more places and transitions than the limit.',
    example: 'a transition with ten places of up to nine tokens each',
  },
  {
    code: 'SAFE003',
    meaning: 'The net has priorities and also ends of firings or services, which have none.',
    example: 'a transition with a delay and two of different priorities',
  },
];
