import type { Expression } from '../expression.ts';
import type { EnumSet } from '../term.ts';

/*
 * Conversions between enumeration values and their positions. Expressions can only compare enumeration values, so both
 * directions are chains of comparisons.
 */

export function memberAt(set: EnumSet, position: number): Expression {
  return { op: 'const', value: position, colour: set.name };
}

/** The position of a term's value. O(values). */
export function positionOf(term: Expression, set: EnumSet): Expression {
  let position: Expression = { op: 'const', value: set.values.length - 1 };
  for (let k = set.values.length - 2; k >= 0; k--)
    position = {
      op: 'if',
      test: { op: 'eq', a: term, b: memberAt(set, k) },
      a: { op: 'const', value: k },
      b: position,
    };
  return position;
}

/**
 * The value at position `e`, which is one of `positions` (ascending). Evaluates O(log positions) of its O(positions)
 * nodes.
 */
export function memberOf(e: Expression, set: EnumSet, positions: readonly number[]): Expression {
  if (positions.length === 1) return memberAt(set, positions[0]!);
  const middle = positions.length >> 1;
  return {
    op: 'if',
    test: { op: 'lt', a: e, b: { op: 'const', value: positions[middle]! } },
    a: memberOf(e, set, positions.slice(0, middle)),
    b: memberOf(e, set, positions.slice(middle)),
  };
}
