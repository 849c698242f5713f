import type { ProblemCode } from './problem-code.ts';

/** Problems of quantities with units. */
export const UNIT_CODES: readonly ProblemCode[] = [
  { code: 'UNIT001', meaning: 'A value is neither a number nor a number with a unit.', example: 'latency: fast' },
  {
    code: 'UNIT002',
    meaning: 'A unit is unknown, or belongs to another dimension.',
    example: "cluster({ memory: '12GB', … }), where a rate is expected",
  },
  { code: 'UNIT003', meaning: 'A quantity is out of range.', example: "bandwidth: '0GB/s'" },
];
