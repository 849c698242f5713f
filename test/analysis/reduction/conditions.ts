import * as fc from 'fast-check';
import type { Petri, Weighted } from '../../../src/analysis/petri/petri.ts';
import type { Relation } from '../../../src/analysis/properties/property.ts';
import { type Condition, compared, joined } from '../../../src/analysis/reduction/condition.ts';
import { isEnabled } from './plain-space.ts';

/** Random conditions over a few places. `dead`: may contain `dead` and `alive`. */
export function conditions(places: number, dead: boolean = true): fc.Arbitrary<Condition> {
  const term = fc.tuple(
    fc.nat({ max: places - 1 }),
    fc.integer({ min: -2, max: 2 }).map((n) => (n === 0 ? 1 : n)),
  );
  const sum = fc
    .record({
      terms: fc.uniqueArray(term, { minLength: 1, maxLength: 3, selector: ([p]) => p }),
      relation: fc.constantFrom<Relation>('<', '<=', '=', '!=', '>=', '>'),
      than: fc.integer({ min: -2, max: 4 }),
    })
    .map(({ terms, relation, than }) => compared(terms as Weighted[], relation, than));
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { depthSize: 'small' },
      { weight: 4, arbitrary: sum },
      ...(dead ? [fc.constantFrom<Condition>({ op: 'dead' }, { op: 'alive' })] : []),
      fc
        .record({
          op: fc.constantFrom('and' as const, 'or' as const),
          of: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
        })
        .map(({ op, of }) => joined(op, of)),
    ),
  }));
  return condition;
}

/** Reference implementation: evaluates a condition. */
export function naive(c: Condition, marking: readonly number[], petri: Petri): boolean {
  switch (c.op) {
    case 'true':
    case 'false':
      return c.op === 'true';
    case 'dead':
      return petri.transitions.every((t) => !isEnabled(t, marking));
    case 'alive':
      return petri.transitions.some((t) => isEnabled(t, marking));
    case 'and':
      return c.of.every((part) => naive(part, marking, petri));
    case 'or':
      return c.of.some((part) => naive(part, marking, petri));
    case 'sum': {
      const value = c.sum.reduce((s, [p, n]) => s + n * marking[p]!, 0);
      const { relation, than } = c;
      if (relation === '!=') return value !== than;
      return (
        (relation.includes('=') && value === than) ||
        (relation.startsWith('<') && value < than) ||
        (relation.startsWith('>') && value > than)
      );
    }
  }
}
