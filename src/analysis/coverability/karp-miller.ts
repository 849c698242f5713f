import type { Petri } from '../petri/petri.ts';
import { PetriMoves, type Tokens } from '../reduction/petri-moves.ts';

/** ω: arbitrarily many tokens. */
export const MANY: number = Number.POSITIVE_INFINITY;

/** A node of the Karp–Miller tree: its marking, with `MANY` for places that can grow without bound, and its origin. */
export interface CoverNode {
  readonly marking: Tokens;
  /** Index of the parent node; −1 at the root. */
  readonly parent: number;
  /** Transition that leads here from the parent; −1 at the root. */
  readonly by: number;
  /** Covered ancestors: the transitions from `from` to here can be repeated, and each iteration adds tokens to `places`. */
  readonly pumps: readonly { readonly from: number; readonly places: readonly number[] }[];
}

/** A tree of markings that together cover all reachable markings. */
export interface Coverability {
  readonly petri: Petri;
  readonly nodes: readonly CoverNode[];
  /** False if the search was given up; the nodes then cover only part of the reachable markings. */
  readonly complete: boolean;
}

export interface CoverabilityOptions {
  /** Maximum number of nodes; default 20 000. */
  readonly maxNodes?: number;
  readonly cancelled?: () => boolean;
  /** Stop as soon as some place is known to be unbounded. */
  readonly untilUnbounded?: boolean;
  /**
   * A branch ends only at a marking equal to that of another node. The nodes are then those of a coverability graph: they
   * stand for the reachable markings, with the exact counts of places without `MANY`. Default: at a covered marking.
   */
  readonly equalOnly?: boolean;
}

const MAX_NODES = 20_000;

/**
 * The Karp–Miller tree (_Parallel program schemata_, 1969): if a marking covers an ancestor, the places that have grown since
 * can grow without bound. A branch ends at a marking that another node covers. The tree stays complete: by induction along
 * the steps to it, every reachable marking is covered by an expanded node. The maximal markings are the minimal coverability
 * set (Finkel 1993). A place is unbounded if and only if some node has `MANY` there.
 *
 * The net must have no limits and no priorities: {@link monotone}. With resets, the search must stop at the first unbounded
 * place; a tree that completes before has none. Depth first, to find growth early. Worst-case time and size are not primitive
 * recursive.
 */
export function karpMiller(petri: Petri, options: CoverabilityOptions = {}): Coverability {
  const { maxNodes = MAX_NODES, cancelled, untilUnbounded = false, equalOnly = false } = options;
  const known = new Set<string>();
  const moves = new PetriMoves(petri);
  const nodes: CoverNode[] = [{ marking: moves.initial(), parent: -1, by: -1, pumps: [] }];
  if (equalOnly) known.add(nodes[0]!.marking.join());
  /** The marked places of each node: few in most markings of large nets, so that comparisons need not read all places. */
  const marked = [markedPlaces(moves.initial())];
  const left = [{ node: 0, next: 0 }];
  const next = moves.initial();
  for (let top = left.at(-1); top !== undefined; top = left.at(-1)) {
    const { marking } = nodes[top.node]!;
    let t = top.next;
    while (t < moves.transitions && !moves.enabled(t, marking)) t++;
    top.next = t + 1;
    if (t >= moves.transitions) {
      left.pop();
      continue;
    }
    fire(moves, t, marking, next);
    const pumps = accelerate(moves, nodes, marked, top.node, t, next);
    if (!isExact(next)) return { petri, nodes, complete: false };
    const places = markedPlaces(next);
    if (equalOnly ? known.has(next.join()) : nodes.some((n) => coversMarked(n.marking, next, places))) continue;
    if (nodes.length >= maxNodes || cancelled?.() === true) return { petri, nodes, complete: false };
    if (equalOnly) known.add(next.join());
    nodes.push({ marking: next.slice(), parent: top.node, by: t, pumps });
    marked.push(places);
    if (untilUnbounded && pumps.length > 0) return { petri, nodes, complete: false };
    left.push({ node: nodes.length - 1, next: 0 });
  }
  return { petri, nodes, complete: true };
}

function markedPlaces(marking: Tokens): Int32Array {
  let count = 0;
  for (let p = 0; p < marking.length; p++) if (marking[p] !== 0) count++;
  const places = new Int32Array(count);
  for (let p = marking.length - 1; count > 0; p--) if (marking[p] !== 0) places[--count] = p;
  return places;
}

/** True if `a` has at least as many tokens as `b` in each of the places that `b` marks. */
function coversMarked(a: Tokens, b: Tokens, places: Int32Array): boolean {
  for (let k = 0; k < places.length; k++) if (a[places[k]!]! < b[places[k]!]!) return false;
  return true;
}

/** True if all finite counts are safe integers. */
function isExact(marking: Tokens): boolean {
  for (let p = 0; p < marking.length; p++)
    if (marking[p]! > Number.MAX_SAFE_INTEGER && marking[p] !== MANY) return false;
  return true;
}

function fire(moves: PetriMoves, t: number, marking: Tokens, into: Tokens): void {
  moves.fire(t, marking, into);
  for (let p = 0; p < into.length; p++) if (marking[p] === MANY) into[p] = MANY;
}

/**
 * Sets places to `MANY` if the marking after a transition covers an ancestor and has more tokens there; repeats until nothing
 * changes. Skips places that were reset since that ancestor: their growth may not repeat.
 */
function accelerate(
  { resets }: PetriMoves,
  nodes: readonly CoverNode[],
  marked: readonly Int32Array[],
  from: number,
  last: number,
  marking: Tokens,
): CoverNode['pumps'] {
  const pumps: { from: number; places: number[] }[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    const emptied = new Set<number>();
    let by = last;
    for (let at = from; at >= 0; at = nodes[at]!.parent) {
      for (let k = resets.start[by]!, end = resets.start[by + 1]!; k < end; k += 2) emptied.add(resets.items[k]!);
      by = nodes[at]!.by;
      const before = nodes[at]!.marking;
      if (!coversMarked(marking, before, marked[at]!)) continue;
      const places: number[] = [];
      for (let p = 0; p < marking.length; p++)
        if (marking[p]! > before[p]! && marking[p] !== MANY && !emptied.has(p)) places.push(p);
      if (places.length === 0) continue;
      for (const p of places) marking[p] = MANY;
      pumps.push({ from: at, places });
      // A reset in a second loop might remove the gain of the first.
      if (resets.items.length > 0) return pumps;
      changed = true;
    }
  }
  return pumps;
}
