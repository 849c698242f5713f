import { type Expression, operands } from './expression.ts';
import { withoutOperators } from './term.ts';

/**
 * The conditions that terms make while a block is open. Those that the block does not use have mostly been lost to
 * JavaScript's own `!`, `&&`, `?:` and `if`, to which a term is an object, and hence true. (What stands behind `||` is not
 * even made, and cannot be missed.)
 */
let made: Set<Expression> | undefined;

/** The same condition, made by an operator on terms. */
export function condition<E extends Expression>(e: E): E {
  made?.add(e);
  return withoutOperators(e);
}

/**
 * What a block answers, and a condition that is made in it but is no part of what it uses; the last one, which is the
 * whole of which others are parts. O(size of what is made and used).
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
