import type { ProblemCode } from '../../base/problem-code.ts';

/** Why a net is not reduced, or a property not verified on a reduced one. */
export const REDUCTION_CODES: readonly ProblemCode[] = [
  {
    code: 'RED001',
    meaning: 'The net has priorities, or races beside immediate transitions: its steps do not commute.',
    example: 'foretoken verify gspn.json -p deadlock-free --reduce stubborn',
  },
  {
    code: 'RED002',
    meaning:
      'The reduction that is asked for does not keep the property: paths, liveness, bounds and counts take the full space.',
    example: 'foretoken verify net.pnml -p live --reduce stubborn',
  },
  {
    code: 'RED003',
    meaning: 'A rule of structural reduction is not known, or does not keep what is to be kept.',
    example: "structurallyReduced(petri, { keep: 'paths', visible: new Set() }, ['post-fusion'])",
  },
  {
    code: 'RED004',
    meaning: 'A place comes to hold 2³⁰ tokens while markings are looked for: the net seems to be unbounded.',
    example: 'a transition that doubles the tokens of a place',
  },
  {
    code: 'RED005',
    meaning:
      'The net cannot be taken apart into places and transitions without colours, which is what reductions work on.',
    example: 'foretoken verify net.json -p deadlock-free --reduce all, of a queue of several colours',
  },
  {
    code: 'RED006',
    meaning: 'There is no such reduction.',
    example: "verify(net, ['safe'], { reduce: 'stuborn' })",
  },
];
