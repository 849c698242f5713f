import { type Expression, operands } from '../net/expression.ts';
import { expressionsOfPlace, expressionsOfTransition } from '../net/expressions.ts';
import type { Place, Transition } from '../net/net.ts';

/** The code of an arc that is looked up, beside that of a part of an expression. */
const LOOK_UP = 16;

/**
 * About how much code a transition becomes, in parts of expressions: from each of its input arcs all others are looked up,
 * with guard and patterns, and of those that take from one place each may find the token of each. O(size of the transition).
 */
export function codeSize(t: Transition): number {
  const n = t.inputs.length;
  const takes = new Map<string, number>();
  for (const a of t.inputs) if (a.kind === 'take') takes.set(a.place, (takes.get(a.place) ?? 0) + 1);
  let lookUps = n * n;
  for (const m of takes.values()) lookUps += m ** 3;
  const looked = [...t.inputs.flatMap((a) => Object.values(a.pattern)), ...(t.guard === undefined ? [] : [t.guard])];
  return LOOK_UP * lookUps + n * partsOf(looked) + partsOf(expressionsOfTransition(t));
}

/** About how much code a place becomes. */
export function codeSizeOfPlace(p: Place): number {
  return LOOK_UP * p.fields.length + partsOf(expressionsOfPlace(p));
}

function partsOf(expressions: readonly Expression[]): number {
  return expressions.reduce((n, e) => n + 1 + partsOf(operands(e)), 0);
}
