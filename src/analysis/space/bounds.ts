import { didYouMean, fail, quote } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { StateSpace } from './state-space.ts';

/**
 * Parses groups of places, `p1,p2;p3`, to place indices. Place names may contain commas: the name with the fewest commas that
 * matches a place is used. Duplicates within a group are removed.
 *
 * @throws InputError EXPL001 for an unknown place, with the nearest known one; EXPL002 for an empty group
 */
export function parseGroups(text: string, net: Net): number[][] {
  return groupIndices(
    net,
    text.split(';').map((group) => namesIn(group, net)),
  );
}

/**
 * Converts groups of place names to place indices.
 *
 * @throws InputError EXPL001, EXPL002 as above
 */
export function groupIndices(net: Net, groups: readonly (readonly string[])[]): number[][] {
  const known = new Map(net.places.map((p, k) => [p.name, k]));
  return groups.map((names, g) => {
    if (names.length === 0) fail('EXPL002', 'names no place: expected p1,p2;p3', { part: `group ${g + 1}` });
    const found = names.map(
      (name) =>
        known.get(name) ??
        fail('EXPL001', `the net has no place ${quote(name)}.${didYouMean(name, known.keys())}`, {
          part: `group ${g + 1}`,
        }),
    );
    return [...new Set(found)];
  });
}

/** Place names of a group: pieces between commas, joined where only the longer name matches a place. */
function namesIn(group: string, net: Net): string[] {
  const known = new Set(net.places.map((p) => p.name));
  const pieces = group.split(',');
  const names: string[] = [];
  for (let k = 0; k < pieces.length; ) {
    let end = k + 1;
    const name = (): string => pieces.slice(k, end).join(',');
    const fits = (): boolean => known.has(name()) || known.has(name().trim());
    while (end < pieces.length && !fits()) end++;
    if (!fits()) end = k + 1;
    names.push(known.has(name()) ? name() : name().trim());
    k = end;
  }
  return names.filter((name) => name !== '');
}

/** States processed for all groups before the next chunk, so that their markings stay in the CPU cache. */
const CHUNK = 1 << 13;

/**
 * The maximum sum of tokens over each group of places, all colours together, in the states found. A lower bound if the space is
 * truncated. Undefined if `stop` ended the search. `first`: the number of the first state that is examined. O(states × places of the groups).
 */
export function largestSums(
  space: StateSpace,
  groups: readonly (readonly number[])[],
  stop: () => boolean = () => false,
  first = 0,
): number[] | undefined {
  const max = new Array<number>(groups.length).fill(0);
  for (let from = first; from < space.states && groups.length > 0; from += CHUNK) {
    if (stop()) return undefined;
    const to = Math.min(space.states, from + CHUNK);
    for (const [g, group] of groups.entries()) {
      const sums = space.tokens(group, from, to);
      let largest = max[g]!;
      for (let k = 0; k < to - from; k++) if (sums[k]! > largest) largest = sums[k]!;
      max[g] = largest;
    }
  }
  return max;
}
