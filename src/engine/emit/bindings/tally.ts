/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { t.take(p); const n = t.count(q); t.race({ delay: exponential(1), speed: n }); });
 * →
 *   function tally0_0(): int {
 *   let n = 0;
 *   for (let o = ~L1_h0[0]; o >= 0; o = I1[o + 3]) if (true) n++;
 *   return n;
 */
import { type Expression, variablesOf } from '../../../net/expression.ts';
import type { TokenCount } from '../../../net/net.ts';
import { countsIn } from '../../../net/race-timing.ts';
import type { Emission } from '../emission.ts';
import { emitValue, type Scope } from '../expression.ts';
import type { FiringScope } from '../firing/firing-scope.ts';
import { emitMatching } from './inhibit.ts';
import { inOrder } from './join.ts';
import type { TransitionPlan } from './plan.ts';
import type { Range } from './range.ts';

const TOKENS: Range = { low: 0, high: 2 ** 31 - 1, integer: true };

/** The counts that a transition uses. */
const usedCounts = ({ transition }: TransitionPlan): TokenCount[] => {
  const used = [transition.speed, transition.weight].flatMap((x) => countsIn(transition, x));
  return (transition.counts ?? []).filter((c) => used.includes(c));
};

/** Code of a function for each count of a transition, which counts the tokens that match its pattern (S9b). O(tokens). */
export function emitTallies(e: Emission, plan: TransitionPlan): string[] {
  return usedCounts(plan).map((count, k) => {
    const { parameters, outside, each } = emitMatching(e, plan, count, '0');
    return `function tally${plan.number}_${k}(${parameters}): int {
${outside}
let n = 0;
${each('n++;')}
return n;
}`;
  });
}

/**
 * The scope of an expression that may use counts: code that loads the variables of the binding, code that then evaluates the counts,
 * and the scope.
 */
export function counting(
  e: Emission,
  plan: TransitionPlan,
  firing: FiringScope,
  x: Expression,
): { readonly load: string; readonly tallies: string; readonly scope: Scope } {
  const counts = countsIn(plan.transition, x);
  if (counts.length === 0) return { load: firing.load([x]), tallies: '', scope: firing.scope };
  const all = usedCounts(plan);
  const names = new Map(firing.scope.names);
  const ranges = new Map(firing.scope.ranges);
  const tallies = counts.map((count) => {
    const k = all.indexOf(count);
    const values = Object.values(inOrder(count, e.layoutOf(count))).map((term) => emitValue(term, firing.scope));
    names.set(count.name, `c${k}`);
    ranges.set(count.name, TOKENS);
    return `const c${k} = tally${plan.number}_${k}(${values.join(', ')});`;
  });
  const used = new Set(counts.flatMap((c) => Object.values(c.pattern)).flatMap((term) => [...variablesOf(term)]));
  for (const v of variablesOf(x)) used.add(v);
  return { load: firing.loadThese(used), tallies: tallies.join(' '), scope: { ...firing.scope, names, ranges } };
}
