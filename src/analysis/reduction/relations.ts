import type { Petri } from '../space/petri.ts';
import { type Rows, rowsOf } from './petri-moves.ts';

/** Transitions related to each place, as rows by place. */
export interface Relations {
  /** Transitions that may increase its tokens. */
  readonly increasers: Rows;
  /** Transitions that may decrease its tokens: consumers and resetters. */
  readonly decreasers: Rows;
  /** Transitions that need a minimum number of tokens there. */
  readonly needers: Rows;
  /** Transitions that limit its tokens (inhibitors, capacities). */
  readonly limiters: Rows;
  /** Transitions that reset the place. */
  readonly resetters: Rows;
}

/** O(size of the net). */
export function relationsOf({ places, transitions }: Petri): Relations {
  const empty = (): number[][] => places.map(() => []);
  const [increasers, decreasers, needers, limiters, resetters] = [empty(), empty(), empty(), empty(), empty()];
  for (const [k, t] of transitions.entries()) {
    const resets = new Set(t.resets);
    for (const [p, n] of t.change)
      if (n > 0) increasers[p]!.push(k);
      else if (!resets.has(p)) decreasers[p]!.push(k);
    for (const p of resets) {
      decreasers[p]!.push(k);
      resetters[p]!.push(k);
    }
    for (const [p] of t.needs) needers[p]!.push(k);
    for (const p of new Set(t.limits.flatMap(({ sum }) => sum.map(([q]) => q)))) limiters[p]!.push(k);
  }
  return {
    increasers: rowsOf(increasers),
    decreasers: rowsOf(decreasers),
    needers: rowsOf(needers),
    limiters: rowsOf(limiters),
    resetters: rowsOf(resetters),
  };
}
