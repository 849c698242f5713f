import type { Formula } from '../properties/property.ts';
import type { Petri } from '../space/petri.ts';
import { asksDead, type Condition, compared, joined, OPPOSITE } from './condition.ts';
import { conditionOf } from './condition-of.ts';
import type { Goal } from './reduced-exploration.ts';

/**
 * What is looked for where a formula without path operators is to be reached: a dead marking, if the formula is that and a
 * condition of places, for which more can be left out. O(size of formula × net).
 *
 * @param final which markings a run may end in
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

/** Holds where the condition does not. O(its size). */
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
