import type { Formula } from '../properties/property.ts';
import type { Petri } from '../space/petri.ts';
import { asksDead, type Condition, compared, joined, OPPOSITE } from './condition.ts';
import { conditionOf } from './condition-of.ts';
import type { Goal } from './reduced-exploration.ts';

/**
 * The search goal for reaching a marking that satisfies a formula without path operators. If the formula is a conjunction of
 * `dead` and a condition on places, the goal is a deadlock, for which reductions can omit more. O(size of formula × net).
 *
 * @param final condition on the markings in which a run may end
 */
export function goalOf(petri: Petri, formula: Formula, final?: Formula): Goal {
  const condition = conditionOf(petri, formula, final);
  const parts = condition.op === 'and' ? condition.of : [condition];
  if (!parts.some((part) => part.op === 'dead')) return { kind: 'reach', condition };
  const rest = joined(
    'and',
    parts.filter((part) => part.op !== 'dead'),
  );
  if (asksDead(rest)) return { kind: 'reach', condition };
  return rest.op === 'true' ? { kind: 'deadlock' } : { kind: 'deadlock', unless: negated(rest) };
}

/** The negation of a condition. O(size of the condition). */
export function negated(c: Condition): Condition {
  switch (c.op) {
    case 'true':
      return { op: 'false' };
    case 'false':
      return { op: 'true' };
    case 'dead':
      return { op: 'alive' };
    case 'alive':
      return { op: 'dead' };
    case 'sum':
      return compared(c.sum, OPPOSITE[c.relation], c.than);
    case 'and':
    case 'or':
      return joined(c.op === 'and' ? 'or' : 'and', c.of.map(negated));
  }
}
