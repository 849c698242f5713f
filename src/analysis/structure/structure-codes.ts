import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of structural analysis. */
export const STRUCTURE_CODES: readonly ProblemCode[] = [
  {
    code: 'STR001',
    meaning: 'An option of a structural analysis is invalid or out of range.',
    example: 'structure(net, { sets: 0 })',
  },
  {
    code: 'STR002',
    meaning: 'A target to be proved unreachable is empty, has path operators, or is not a formula.',
    example: "foretoken structure net.pnml --unreachable 'EF deadlock'",
  },
  {
    code: 'STR003',
    meaning: 'Shapes of unknown nodes, or of a net with colours.',
    example: "verifyShapes(net, { places: { nowhere: { kind: 'start' } } })",
  },
];
