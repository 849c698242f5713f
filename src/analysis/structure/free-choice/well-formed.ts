import { rankOf, type Work } from './matrix-rank.ts';

/** A net with weights 1: places are the nodes 0 … places − 1, transitions follow. */
export interface PlainNet {
  readonly places: number;
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/** The result of {@link wellFormed}. */
export interface WellFormed {
  /** True if a sum with positive weights of all places is invariant, so the net is bounded for every marking. */
  readonly covered: boolean;
  /** Some marking is live and bounded; undefined if not decided. */
  readonly value: boolean | undefined;
}

/**
 * Decides if a strongly connected extended free-choice net with at least one place and one transition is well-formed, by the
 * rank theorem (Desel & Esparza, _Free Choice Petri Nets_, 1995, chapter 6): it has positive invariants of all places and of
 * all transitions, and the rank of the incidence matrix is the number of clusters less one. A cluster is a set of transitions
 * with the same input places, with these places. The two invariants are sums of components with one token in circulation:
 * {@link componentWith} finds them, and each is checked as an invariant, so a fault there could not cause a wrong answer. The
 * rank is exact.
 *
 * @complexity a search and a check, O(arcs) each, for every component needed; sparse elimination for the rank
 */
export function wellFormed(net: PlainNet, work: Work): WellFormed {
  const { places, before, after } = net;
  const nodes = before.length;
  if (!isCovered(before, after, 0, places, work)) return { covered: false, value: undefined };
  // Transitions are covered as places of the net with places and transitions exchanged and all arcs reversed.
  const consistent = isCovered(after, before, places, nodes, work);
  const rows = Array.from({ length: places }, (_, p) => {
    const row = new Map<number, number>();
    for (const t of before[p]!) row.set(t - places, 1);
    for (const t of after[p]!) row.set(t - places, (row.get(t - places) ?? 0) - 1);
    for (const [t, n] of row) if (n === 0) row.delete(t);
    return row;
  });
  const rank = rankOf(rows, nodes - places, work);
  if (rank === undefined) return { covered: true, value: undefined };
  if (rank !== clustersOf(net) - 1) return { covered: true, value: false };
  return { covered: true, value: consistent ? true : undefined };
}

/** Number of clusters of an extended free-choice net in which every place has a consumer. O(arcs). */
function clustersOf({ places, after }: PlainNet): number {
  const counted = new Uint8Array(after.length);
  let clusters = 0;
  for (let p = 0; p < places; p++) {
    // All places of a cluster have the same consumers.
    if (counted[after[p]![0]!] === 1) continue;
    for (const t of after[p]!) counted[t] = 1;
    clusters++;
  }
  return clusters;
}

/** True if components that were found cover the nodes from `from` to `to` − 1. */
function isCovered(
  before: PlainNet['before'],
  after: PlainNet['after'],
  from: number,
  to: number,
  work: Work,
): boolean {
  const done = new Uint8Array(before.length);
  for (let node = from; node < to; node++) {
    if (done[node] === 1) continue;
    const found = componentWith(node, before, after, done, work);
    if (found === undefined || !isInvariant(found, before, after)) return false;
    for (const x of found) done[x] = 1;
  }
  return true;
}

/**
 * A minimal siphon with the given place of a strongly connected extended free-choice net, found by adding handles (Kemper,
 * _Linear time algorithm to find a minimal deadlock in a strongly connected free-choice net_, 1993): a producer of a place of
 * the set that takes from none of it is connected to the set by a shortest path backwards. In well-formed nets it is the set
 * of places of a component with one token in circulation. Undefined if the work limit is reached.
 *
 * @param done 1 for places that are in a component already; others are preferred, so that few components are needed
 */
function componentWith(
  first: number,
  before: PlainNet['before'],
  after: PlainNet['after'],
  done: Uint8Array,
  work: Work,
): readonly number[] | undefined {
  const found: number[] = [];
  const inside = new Set<number>();
  /** Transitions that take from a place of the set. */
  const taking = new Set<number>();
  const add = (place: number): void => {
    if (inside.has(place)) return;
    inside.add(place);
    found.push(place);
    for (const t of after[place]!) taking.add(t);
  };
  add(first);
  for (let k = 0; k < found.length; k++) {
    for (const t of before[found[k]!]!) {
      work.left -= 1 + before[t]!.length + after[found[k]!]!.length;
      if (taking.has(t)) continue;
      const path = handle(t, before, taking, done, work);
      if (path === undefined) return undefined;
      for (const place of path) add(place);
    }
    if (work.left < 0 || (k % 256 === 0 && work.stop())) return undefined;
  }
  return found;
}

/** The places of a shortest path from a transition of `from` to the transition. */
function handle(
  to: number,
  before: PlainNet['before'],
  from: ReadonlySet<number>,
  done: Uint8Array,
  work: Work,
): readonly number[] | undefined {
  /** By place: the next place of the path to the transition. */
  const next = new Map<number, number>();
  const queue: number[] = [];
  const visit = (t: number, towards: number): void => {
    for (const isDone of [0, 1])
      for (const p of before[t]!) {
        if (done[p] !== isDone || next.has(p)) continue;
        next.set(p, towards);
        queue.push(p);
      }
  };
  visit(to, -1);
  for (let k = 0; k < queue.length; k++) {
    const p = queue[k]!;
    for (const t of before[p]!) {
      work.left -= 1 + before[t]!.length;
      if (!from.has(t)) {
        visit(t, p);
        continue;
      }
      const path: number[] = [];
      for (let at = p; at >= 0; at = next.get(at)!) path.push(at);
      return path;
    }
    if (work.left < 0) return undefined;
  }
  return undefined;
}

/** True if every neighbour of the set receives as many tokens from it as it returns. */
function isInvariant(set: readonly number[], before: PlainNet['before'], after: PlainNet['after']): boolean {
  const balance = new Map<number, number>();
  for (const x of set) {
    for (const t of after[x]!) balance.set(t, (balance.get(t) ?? 0) - 1);
    for (const t of before[x]!) balance.set(t, (balance.get(t) ?? 0) + 1);
  }
  for (const n of balance.values()) if (n !== 0) return false;
  return true;
}
