import type { StateSpace } from './state-space.ts';

/** States that are looked at together: few where something is likely to be found, more the longer nothing is. */
const FEW = 64;
const MANY = 1 << 16;

/**
 * Those of the transitions that are possible in none of the states from … to − 1, of those that `within` admits.
 * Undefined where `stop` ended the search. What is possible in a state is asked only where some transition that was not
 * seen before is: O(states + transitions × (64 + firings of a state)) questions at most, few where most transitions
 * are possible near the first state.
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

/** The transitions that can fire or start in a state. */
export function startsIn(space: StateSpace, state: number): Set<number> {
  return new Set(space.firings(state).flatMap(({ kind, node }) => (kind === 'fire' || kind === 'start' ? [node] : [])));
}
