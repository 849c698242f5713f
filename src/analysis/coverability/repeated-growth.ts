import type { Petri } from '../petri/petri.ts';
import { PetriMoves, type Tokens } from '../reduction/petri-moves.ts';

/** Firing sequence of a net that can be repeated forever, and adds tokens each time. */
export interface RepeatedGrowth {
  /** Transitions from the initial marking; those from `loop` on are repeated. */
  readonly path: readonly number[];
  readonly loop: number;
  /** Places that gain tokens in each iteration. */
  readonly places: readonly number[];
}

interface Node {
  readonly marking: Tokens;
  readonly parent: number;
  readonly by: number;
  readonly depth: number;
}

/**
 * Searches for a proof that a net with priorities, inhibitors, capacities or resets has infinitely many markings. Coverability
 * is undecidable for such nets, so `undefined` proves nothing.
 *
 * A sequence from a marking M to M' proves it if M' has at least the tokens of M, more in the places G, and
 *
 * - no transition of the sequence resets a place of G, or limits it by an inhibitor or a capacity;
 * - no transition whose priority is higher than that of some start in the sequence needs tokens of G.
 *
 * Then the sequence is possible again from M': its tests of other places have the same result, it has enough tokens in G, and
 * further tokens in G enable no transition that pre-empts one of its steps. Each iteration adds the same tokens.
 *
 * Depth first, then breadth first: one follows long sequences, the other finds short ones beside them.
 * O(maxNodes × (transitions + depth × places)).
 */
export function repeatedGrowth(petri: Petri, maxNodes: number, cancelled?: () => boolean): RepeatedGrowth | undefined {
  return search(petri, maxNodes, true, cancelled) ?? search(petri, maxNodes, false, cancelled);
}

/** Ancestors compared with a new marking. */
const MAX_ANCESTORS = 500;

function search(
  petri: Petri,
  maxNodes: number,
  deep: boolean,
  cancelled: (() => boolean) | undefined,
): RepeatedGrowth | undefined {
  const moves = new PetriMoves(petri);
  const tests = new Tests(petri);
  const nodes: Node[] = [{ marking: moves.initial(), parent: -1, by: -1, depth: 0 }];
  const known = new Set([nodes[0]!.marking.join()]);
  const open = [0];
  const enabled = new Int32Array(moves.transitions);
  for (let first = 0; first < open.length; ) {
    const from = deep ? open.pop()! : open[first++]!;
    const { marking, depth } = nodes[from]!;
    const count = startable(petri, enabled, moves.allEnabled(marking, enabled));
    for (let k = 0; k < count; k++) {
      // Depth first takes the last node of the list next.
      const by = enabled[deep ? count - 1 - k : k]!;
      const next = marking.slice();
      moves.fire(by, marking, next);
      if (next.some((n) => n > Number.MAX_SAFE_INTEGER)) return undefined;
      const key = next.join();
      if (known.has(key)) continue;
      known.add(key);
      nodes.push({ marking: next, parent: from, by, depth: depth + 1 });
      const found = growthAt(nodes, tests);
      if (found !== undefined) return found;
      if (nodes.length >= maxNodes || cancelled?.() === true) return undefined;
      open.push(nodes.length - 1);
    }
  }
  return undefined;
}

/** Keeps the transitions that no other enabled start pre-empts; returns their number. */
function startable({ transitions }: Petri, enabled: Int32Array, count: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < count; k++) top = Math.max(top, transitions[enabled[k]!]!.level ?? top);
  let kept = 0;
  for (let k = 0; k < count; k++) {
    const { level } = transitions[enabled[k]!]!;
    if (level === undefined || level === top) enabled[kept++] = enabled[k]!;
  }
  return kept;
}

function growthAt(nodes: readonly Node[], tests: Tests): RepeatedGrowth | undefined {
  const last = nodes.at(-1)!;
  const steps: number[] = [];
  let node = last;
  for (let k = 0; k < MAX_ANCESTORS && node.parent >= 0; k++) {
    steps.push(node.by);
    node = nodes[node.parent]!;
    const places = gains(node.marking, last.marking);
    if (places === undefined || places.length === 0 || !tests.allow(steps, places)) continue;
    const path = steps.toReversed();
    const loop = node.depth;
    for (let at = node; at.parent >= 0; at = nodes[at.parent]!) path.unshift(at.by);
    return { path, loop, places };
  }
  return undefined;
}

/** Places with more tokens in `after`; undefined if some place has fewer. */
function gains(before: Tokens, after: Tokens): number[] | undefined {
  const places: number[] = [];
  for (let p = 0; p < before.length; p++) {
    if (after[p]! < before[p]!) return undefined;
    if (after[p]! > before[p]!) places.push(p);
  }
  return places;
}

/** Steps that further tokens in a place can prevent. */
class Tests {
  readonly #petri: Petri;
  /** By transition: places that it resets, or whose number of tokens it limits. */
  readonly #bounded: readonly ReadonlySet<number>[];
  /** By place: the highest level of a start that needs its tokens. */
  readonly #levels: Float64Array;

  constructor(petri: Petri) {
    this.#petri = petri;
    this.#bounded = petri.transitions.map(
      ({ limits, resets }) => new Set([...resets, ...limits.flatMap(({ sum }) => sum.map(([p]) => p))]),
    );
    this.#levels = new Float64Array(petri.places.length).fill(Number.NEGATIVE_INFINITY);
    for (const { level, needs } of petri.transitions)
      if (level !== undefined) for (const [p] of needs) this.#levels[p] = Math.max(this.#levels[p]!, level);
  }

  /** True if the steps can be repeated with more tokens in these places. */
  allow(steps: readonly number[], places: readonly number[]): boolean {
    let lowest = Number.POSITIVE_INFINITY;
    for (const t of steps) {
      if (places.some((p) => this.#bounded[t]!.has(p))) return false;
      lowest = Math.min(lowest, this.#petri.transitions[t]!.level ?? lowest);
    }
    return places.every((p) => this.#levels[p]! <= lowest);
  }
}
