import type { ProblemCode } from '../../base/problem-code.ts';

/** Reasons why a net is not reduced, or a property is not verified on a reduced net. */
export const REDUCTION_CODES: readonly ProblemCode[] = [
  {
    code: 'RED001',
    meaning: 'The net has priorities, or both race and immediate transitions, so its steps do not commute.',
    example: 'foretoken verify gspn.json -p deadlock-free --reduce stubborn',
  },
  {
    code: 'RED002',
    meaning:
      'The requested reduction does not preserve the property: paths, liveness, bounds and counts need the full state space.',
    example: 'foretoken verify net.pnml -p live --reduce stubborn',
  },
  {
    code: 'RED003',
    meaning: 'A structural reduction rule is unknown, or does not preserve the requested class of properties.',
    example: "structurallyReduced(petri, { keep: 'paths', visible: new Set() }, ['post-fusion'])",
  },
  {
    code: 'RED004',
    meaning:
      'A place holds more than 2³¹ − 1 tokens, initially or in a marking reached by the search; the net may be unbounded.',
    example: 'a transition that doubles the tokens of a place',
  },
  {
    code: 'RED005',
    meaning: 'The net cannot be unfolded to a place/transition net, which reductions require.',
    example: 'foretoken verify net.json -p deadlock-free --reduce all, of a queue of several colours',
  },
  {
    code: 'RED006',
    meaning: 'Unknown reduction.',
    example: "verify(net, ['safe'], { reduce: 'stuborn' })",
  },
];
