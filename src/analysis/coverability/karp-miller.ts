import { PetriMoves } from '../reduction/petri-moves.ts';
import type { Petri } from '../space/petri.ts';

/** As many tokens as one likes. */
export const MANY: number = 2 ** 30;

/** A marking of the tree, with `MANY` tokens where there can be any number, and how it came about. */
export interface CoverNode {
  readonly marking: Int32Array;
  /** −1 at the root. */
  readonly parent: number;
  readonly by: number;
  /** Ancestors that it covers: the transitions from each of them to here can be repeated, and add to these places. */
  readonly pumps: readonly { readonly from: number; readonly places: readonly number[] }[];
}

/** A tree of markings that together cover all that are reachable. */
export interface Coverability {
  readonly petri: Petri;
  readonly nodes: readonly CoverNode[];
  /** False where it was given up: then nothing but `nodes` is known. */
  readonly complete: boolean;
}

export interface CoverabilityOptions {
  /** Most nodes; default 20 000. */
  readonly maxNodes?: number;
  readonly cancelled?: () => boolean;
  /** Ends as soon as some place is known to be unbounded. */
  readonly untilUnbounded?: boolean;
}

const MOST_NODES = 20_000;

/**
 * The tree of Karp and Miller (_Parallel program schemata_, 1969): where a marking covers one on the way to it, what has grown
 * can grow for ever. A branch ends at a marking that another node covers, which keeps the tree complete: every
 * reachable marking is covered by a node that was expanded, by induction along the steps to it. Its maximal markings are the
 * minimal coverability set (Finkel 1993), and a place is unbounded exactly where some node has `MANY` there.
 *
 * The net has no limits or priorities: {@link monotone}; with resets the search has to end at the first place that is
 * unbounded, and a tree that is complete before has none. Depth first, so that what grows is found soon. Time
 * and size are not primitive recursive in the worst case.
 */
export function karpMiller(petri: Petri, options: CoverabilityOptions = {}): Coverability {
  const { maxNodes = MOST_NODES, cancelled, untilUnbounded = false } = options;
  const moves = new PetriMoves(petri);
  const nodes: CoverNode[] = [{ marking: moves.initial(), parent: -1, by: -1, pumps: [] }];
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
    const pumps = accelerate(moves, nodes, top.node, t, next);
    if (nodes.some((n) => covers(n.marking, next))) continue;
    if (nodes.length >= maxNodes || cancelled?.() === true) return { petri, nodes, complete: false };
    nodes.push({ marking: next.slice(), parent: top.node, by: t, pumps });
    if (untilUnbounded && pumps.length > 0) return { petri, nodes, complete: false };
    left.push({ node: nodes.length - 1, next: 0 });
  }
  return { petri, nodes, complete: true };
}

/** Whether each place holds at least as much. */
export function covers(a: Int32Array, b: Int32Array): boolean {
  for (let p = 0; p < a.length; p++) if (a[p]! < b[p]!) return false;
  return true;
}

function fire(moves: PetriMoves, t: number, marking: Int32Array, into: Int32Array): void {
  moves.fire(t, marking, into);
  for (let p = 0; p < into.length; p++) if (marking[p] === MANY) into[p] = MANY;
}

/**
 * Puts `MANY` where the marking, after a transition, has more than on an ancestor that it covers, until nothing changes; not where
 * a reset between has made it so, once for all.
 */
function accelerate(
  { resets }: PetriMoves,
  nodes: readonly CoverNode[],
  from: number,
  last: number,
  marking: Int32Array,
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
      if (!covers(marking, before)) continue;
      const places: number[] = [];
      for (let p = 0; p < marking.length; p++)
        if (marking[p]! > before[p]! && marking[p] !== MANY && !emptied.has(p)) places.push(p);
      if (places.length === 0) continue;
      for (const p of places) marking[p] = MANY;
      pumps.push({ from: at, places });
      // A second loop might undo by a reset what the first has brought.
      if (resets.items.length > 0) return pumps;
      changed = true;
    }
  }
  return pumps;
}
