/**
 * Finds a cycle in a wait-for graph; the result starts with its smallest member. Undefined if the graph is acyclic.
 * Depth first with an explicit stack, O(nodes + edges).
 *
 * @param waits for each waiting node, the nodes it waits for
 */
export function cycleOf(waits: ReadonlyMap<number, readonly number[]>): number[] | undefined {
  const done = new Set<number>();
  for (const root of waits.keys()) {
    const path: { readonly who: number; next: number }[] = [];
    const position = new Map<number, number>();
    const enter = (who: number): void => {
      position.set(who, path.length);
      path.push({ who, next: 0 });
    };
    if (!done.has(root)) enter(root);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const target = waits.get(top.who)![top.next++];
      if (target === undefined) {
        done.add(top.who);
        position.delete(top.who);
        path.pop();
        continue;
      }
      const seen = position.get(target);
      if (seen !== undefined) return fromSmallest(path.slice(seen).map((p) => p.who));
      if (waits.has(target) && !done.has(target)) enter(target);
    }
  }
  return undefined;
}

function fromSmallest(cycle: readonly number[]): number[] {
  const first = cycle.reduce((best, who, k) => (who < cycle[best]! ? k : best), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
