import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors of unfolding a net. */
export const UNFOLD_CODES: readonly ProblemCode[] = [
  {
    code: 'UNF001',
    meaning: 'A field or free variable ranges over the unbounded integers.',
    example: "n.place('p', { k: n.integer('Int') })",
  },
  {
    code: 'UNF002',
    meaning: 'The unfolded net would have more places and transitions than the limit.',
    example: 'a place of two fields 0 … 9999 with `reachableOnly: false`',
  },
  {
    code: 'UNF003',
    meaning: 'The search for bindings tries too many combinations: a guard excludes them only when complete.',
    example: 'four arcs to places of 1000 colours each, and a guard on their sum',
  },
  {
    code: 'UNF004',
    meaning: 'In a fifo or priority place, tokens of several colours share one queue: their order would be lost.',
    example: "order: 'fifo' of a place with two colours",
  },
  {
    code: 'UNF005',
    meaning: 'A service is shared by several colours, which would become separate stations.',
    example: 'one server for a place with two colours',
  },
  {
    code: 'UNF006',
    meaning:
      'A transition resets only some of the colours that share a capacity or are counted by one inhibitor: the remaining tokens depend on the marking.',
    example: "t.reset(buffer, { sort: 'red' }) of a buffer with a capacity",
  },
  {
    code: 'UNF007',
    meaning: 'An inhibitor counts several tokens over several colours of a place with a service.',
    example: 't.inhibit(station, {}, 3) of an infinite server with two colours',
  },
  {
    code: 'UNF008',
    meaning: 'A race with a single server has several bindings that share it.',
    example: "t.race({ delay: 1, servers: 'single' }) of a transition with two bindings",
  },
  {
    code: 'UNF009',
    meaning: 'An expression has no valid value for a possible binding.',
    example: 'times.at(k) where k may be 5 in a table of five',
  },
  {
    code: 'UNF010',
    meaning: 'The unfolded net would have more than ten arcs per node of the limit.',
    example: 'an inhibitor without pattern on a place of 10,000 colours in 10,000 bindings',
  },
];
