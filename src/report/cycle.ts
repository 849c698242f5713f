import type { BlockedRank } from './prediction.ts';

/**
 * Ranks that wait for each other in a circle, the smallest first; undefined where there is none. A rank waits for all
 * ranks it names; one that waits for any is left out, for a message from outside the circle could free it.
 * Depth first with an explicit stack, O(ranks + waits).
 */
export function cycleOf(deadlock: readonly BlockedRank[]): number[] | undefined {
  const waits = new Map(deadlock.map((b) => [b.rank, b.waitsFor ?? []]));
  const done = new Set<number>();
  for (const root of waits.keys()) {
    const path: { readonly rank: number; next: number }[] = [];
    const position = new Map<number, number>();
    const enter = (rank: number): void => {
      position.set(rank, path.length);
      path.push({ rank, next: 0 });
    };
    if (!done.has(root)) enter(root);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const target = waits.get(top.rank)![top.next++];
      if (target === undefined) {
        done.add(top.rank);
        position.delete(top.rank);
        path.pop();
        continue;
      }
      const seen = position.get(target);
      if (seen !== undefined) return fromSmallest(path.slice(seen).map((p) => p.rank));
      if (waits.has(target) && !done.has(target)) enter(target);
    }
  }
  return undefined;
}

function fromSmallest(cycle: readonly number[]): number[] {
  const first = cycle.reduce((best, rank, k) => (rank < cycle[best]! ? k : best), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
