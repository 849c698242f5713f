import * as fc from 'fast-check';
import type { Formula, Property, Relation, Sum } from '../../../src/analysis/properties/property.ts';
import { normalised } from '../../../src/analysis/properties/property.ts';

interface Names {
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  /** Colours for which tokens of a place can be counted; if empty, only the total. */
  readonly colours?: fc.Arbitrary<readonly (number | string)[] | undefined>;
}

export function sums({ places, colours = fc.constant(undefined) }: Names): fc.Arbitrary<Sum> {
  const term = fc
    .record({ factor: fc.integer({ min: -3, max: 3 }), place: fc.constantFrom(...places), colour: colours })
    .map(({ colour, ...t }) => (colour === undefined ? t : { ...t, colour }));
  return fc
    .record({ terms: fc.array(term, { maxLength: 3 }), constant: fc.integer({ min: -4, max: 4 }) })
    .map(({ terms, constant }) => normalised(terms, constant));
}

/** Random formulas in the parser's normal form: every `and`, `or` has at least two operands. */
export function formulas(names: Names, paths: boolean = true): fc.Arbitrary<Formula> {
  const sum = sums(names);
  const relation = fc.constantFrom<Relation>('<', '<=', '=', '!=', '>=', '>');
  const { formula } = fc.letrec<{ formula: Formula }>((tie) => {
    const of = tie('formula');
    const atom = fc.oneof(
      fc.constantFrom<Formula>({ op: 'true' }, { op: 'false' }, { op: 'dead' }, { op: 'deadlock' }, { op: 'initial' }),
      fc.record({ op: fc.constant('within' as const), tokens: fc.nat({ max: 2 }) }),
      fc.record({ op: fc.constant('compare' as const), relation, left: sum, right: sum }),
      fc.record({
        op: fc.constant('enabled' as const),
        transitions: fc.uniqueArray(fc.constantFrom(...names.transitions), { minLength: 1, maxLength: 2 }),
      }),
    );
    const plain = [
      fc.record({ op: fc.constant('not' as const), of }),
      fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(of, { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('implies' as const), a: of, b: of }),
    ];
    const withPaths = [
      fc.record({ op: fc.constantFrom('AX', 'EX', 'AF', 'EF', 'AG', 'EG'), of }),
      fc.record({ op: fc.constantFrom('AU', 'EU'), a: of, b: of }),
    ] as fc.Arbitrary<Formula>[];
    return {
      formula: fc.oneof({ depthSize: 'small' }, atom, ...plain, ...(paths ? [...withPaths, ...withPaths] : [])),
    };
  });
  return formula;
}

export function properties(names: Names): fc.Arbitrary<Property> {
  return fc.oneof(
    { weight: 5, arbitrary: formulas(names).map((formula): Property => ({ kind: 'formula', formula })) },
    sums(names).map((sum): Property => ({ kind: 'upper-bound', sum })),
    fc.constantFrom<Property>(
      { kind: 'deadlock-free' },
      { kind: 'safe' },
      { kind: 'one-safe' },
      { kind: 'reversible' },
      { kind: 'live' },
      { kind: 'quasi-live' },
      { kind: 'sound' },
      { kind: 'bounds' },
    ),
    fc.nat({ max: 9 }).map((tokens): Property => ({ kind: 'bounded', tokens })),
    fc
      .uniqueArray(fc.constantFrom(...names.places), { minLength: 1, maxLength: 3 })
      .map((places): Property => ({ kind: 'mutex', places })),
    fc
      .tuple(fc.constantFrom('invariant', 'home'), formulas(names, false))
      .map(([kind, formula]): Property => ({ kind, formula })),
    fc
      .tuple(fc.constantFrom('live', 'quasi-live'), fc.subarray([...names.transitions], { minLength: 1 }))
      .map(([kind, transitions]): Property => ({ kind, transitions })),
  );
}
