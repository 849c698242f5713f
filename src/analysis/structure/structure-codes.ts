import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of structural analysis. */
export const STRUCTURE_CODES: readonly ProblemCode[] = [
  {
    code: 'STR001',
    meaning: 'An option of a structural analysis is out of range, or is none.',
    example: 'structure(net, { sets: 0 })',
  },
  {
    code: 'STR002',
    meaning: 'A target that is to be unreachable is empty, has path operators, or is not a formula.',
    example: "foretoken structure net.pnml --unreachable 'EF deadlock'",
  },
  {
    code: 'STR003',
    meaning: 'Shapes of nodes that the net does not have, or of a net with colours.',
    example: "verifyShapes(net, { places: { nowhere: { kind: 'start' } } })",
  },
];
