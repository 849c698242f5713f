import { type Expression, operands } from '../net/expression.ts';
import { expressionsOfPlace, expressionsOfTransition } from '../net/expressions.ts';
import type { Place, Transition } from '../net/net.ts';

/** Estimated code size of looking up the token of an arc, in parts of expressions. */
const LOOK_UP = 16;

/**
 * Estimated code size of a transition, in parts of expressions. From each input arc all others are looked up, with guard and
 * patterns; arcs that take from one place are also compared with each other. O(size of the transition).
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

/** Estimated code size of a place, in parts of expressions. */
export function codeSizeOfPlace(p: Place): number {
  return LOOK_UP * p.fields.length + partsOf(expressionsOfPlace(p));
}

function partsOf(expressions: readonly Expression[]): number {
  return expressions.reduce((n, e) => n + 1 + partsOf(operands(e)), 0);
}
