import { type Expression, operands } from './expression.ts';
import { withoutOperators } from './term.ts';

/**
 * Conditions created by term operators while a block is open. A condition that the block does not use was probably lost
 * to JavaScript's own `!`, `&&`, `?:` or `if`: a term is an object, hence truthy. The right operand of `||` is never
 * evaluated, so it cannot be detected.
 */
let made: Set<Expression> | undefined;

/** Records a condition created by a term operator and returns it. */
export function condition<E extends Expression>(e: E): E {
  made?.add(e);
  return withoutOperators(e);
}

/**
 * Runs `block` and returns its result, plus the last condition that was created in it and is not part of `used`. The
 * last one is reported because it contains the others. O(size of the expressions created and used).
 */
export function withConditions<R>(block: () => R, used: Iterable<Expression>): { answer: R; lost?: Expression } {
  const outer = made;
  const own = new Set<Expression>();
  made = own;
  try {
    const answer = block();
    const seen = new Set<Expression>();
    const open = [...used];
    for (let e = open.pop(); e !== undefined; e = open.pop()) {
      if (seen.has(e)) continue;
      seen.add(e);
      open.push(...operands(e));
    }
    const lost = [...own].filter((e) => !seen.has(e)).at(-1);
    return lost === undefined ? { answer } : { answer, lost };
  } finally {
    made = outer;
  }
}
