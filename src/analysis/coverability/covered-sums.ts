import type { Petri } from '../space/petri.ts';
import { type Coverability, MANY } from './karp-miller.ts';

/** Maximum of a sum with non-negative factors over a complete tree; Infinity if unbounded. O(nodes × terms). */
export function largest({ nodes }: Coverability, weights: ReadonlyMap<number, number>): number {
  let max = 0;
  for (const { marking } of nodes) {
    let value = 0;
    for (const [p, w] of weights) if (w > 0) value += marking[p] === MANY ? Number.POSITIVE_INFINITY : w * marking[p]!;
    if (value > max) max = value;
  }
  return max;
}

/** Maximum tokens of each net place over all colours, and maximum tokens of any one colour in one place. O(nodes × places). */
export function largestTokens(
  { net, places }: Petri,
  tree: Coverability,
): { readonly ofPlaces: number[]; readonly ofOneColour: number } {
  const ofPlaces = net.places.map(() => new Map<number, number>());
  const colours = new Map<string, Map<number, number>>();
  for (const [k, { kind, node, values }] of places.entries()) {
    if (kind === 'busy') continue;
    ofPlaces[node]!.set(k, 1);
    const key = `${node}:${values}`;
    colours.set(key, (colours.get(key) ?? new Map<number, number>()).set(k, 1));
  }
  return {
    ofPlaces: ofPlaces.map((weights) => largest(tree, weights)),
    ofOneColour: Math.max(0, ...[...colours.values()].map((weights) => largest(tree, weights))),
  };
}
