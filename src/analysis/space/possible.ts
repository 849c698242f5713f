import type { StateSpace } from './state-space.ts';

/** Minimum and maximum number of states per query: starts small and doubles while nothing is found. */
const FEW = 64;
const MANY = 1 << 16;

/**
 * Those of `transitions` that are enabled in none of the states from … to − 1 that satisfy `within`. Undefined if `stop` ended
 * the search. Firings are listed only for states that enable a transition not seen before: at most O(states + transitions ×
 * (64 + firings of a state)) queries, few if most transitions are enabled near the first state.
 */
export function neverPossible(
  space: StateSpace,
  transitions: readonly number[],
  from: number,
  to: number,
  stop: () => boolean,
  within: (state: number) => boolean = () => true,
): number[] | undefined {
  let left = [...transitions];
  let size = FEW;
  for (let at = from; at < to && left.length > 0; ) {
    if (stop()) return undefined;
    const end = Math.min(to, at + size);
    const some = space.enabled(left, at, end);
    let hit = at;
    while (hit < end && !(some[hit - at] === 1 && within(hit))) hit++;
    if (hit === end) {
      at = end;
      size = Math.min(MANY, size * 2);
      continue;
    }
    const seen = startsIn(space, hit);
    left = left.filter((t) => !seen.has(t));
    at = hit + 1;
    size = FEW;
  }
  return left;
}

/** Transitions that can fire or start in a state. */
export function startsIn(space: StateSpace, state: number): Set<number> {
  return new Set(space.firings(state).flatMap(({ kind, node }) => (kind === 'fire' || kind === 'start' ? [node] : [])));
}
