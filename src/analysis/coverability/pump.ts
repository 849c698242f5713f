import { PetriMoves, type Tokens } from '../reduction/petri-moves.ts';
import { type Coverability, MANY } from './karp-miller.ts';

/** A firing sequence that shows that a place is unbounded. */
export interface Pump {
  /** Transitions from the initial marking. */
  readonly path: readonly number[];
  /** Index in `path`: the steps from here on can be repeated forever, and add tokens each time. Absent if several loops are needed. */
  readonly loop?: number;
}

/** Longer sequences are not written out. */
const MAX_STEPS = 100_000;

/**
 * A sequence of transitions that brings a place to at least `tokens` tokens. Undefined if the tree does not show the place to
 * be unbounded, or the sequence would exceed 10⁵ steps.
 *
 * If a single loop suffices, the result is the path to the loop and one iteration of it. Otherwise each loop needs tokens that
 * earlier loops must provide; the numbers of iterations are computed backwards along the branch. O(steps × places).
 */
export function pumpOf(tree: Coverability, place: number, tokens: number): Pump | undefined {
  const target = tree.nodes.findIndex((n) => n.marking[place] === MANY);
  if (target < 0) return undefined;
  const path = pathTo(tree, target);
  const first = path.find((n) => tree.nodes[n]!.pumps.length > 0)!;
  const simple = tree.nodes[first]!.pumps[0]!;
  const by = (n: number): number => tree.nodes[n]!.by;
  if (simple.places.includes(place)) {
    const to = path.indexOf(first);
    return { path: path.slice(1, to + 1).map(by), loop: path.indexOf(simple.from) };
  }
  const sequence = new Backwards(tree, path).run(place, tokens);
  return sequence === undefined ? undefined : { path: sequence };
}

function pathTo({ nodes }: Coverability, node: number): number[] {
  const path: number[] = [];
  for (let n = node; n >= 0; n = nodes[n]!.parent) path.push(n);
  return path.reverse();
}

class Backwards {
  readonly #tree: Coverability;
  readonly #path: readonly number[];
  readonly #moves: PetriMoves;
  /** By unbounded place: tokens it must hold at the current point of the backward pass. */
  readonly #need = new Map<number, number>();
  /** Steps in reverse order. */
  readonly #steps: number[] = [];

  constructor(tree: Coverability, path: readonly number[]) {
    this.#tree = tree;
    this.#path = path;
    this.#moves = new PetriMoves(tree.petri);
  }

  run(place: number, tokens: number): number[] | undefined {
    this.#need.set(place, tokens);
    const { nodes } = this.#tree;
    for (let k = this.#path.length - 1; k >= 0; k--) {
      const node = nodes[this.#path[k]!]!;
      const many = new Set([...node.marking.keys()].filter((p) => node.marking[p] === MANY));
      for (const { from, places } of [...node.pumps].reverse()) {
        const at = this.#path.indexOf(from);
        const loop = this.#path.slice(at + 1, k + 1).map((n) => nodes[n]!.by);
        const times = this.#times(loop, places, nodes[from]!.marking);
        for (const p of places) many.delete(p);
        if (this.#steps.length + times * loop.length > MAX_STEPS) return undefined;
        for (let n = 0; n < times; n++) for (const t of [...loop].reverse()) this.#back(t, many);
        for (const p of places) this.#need.delete(p);
      }
      if (k === 0) break;
      const before = nodes[this.#path[k - 1]!]!.marking;
      this.#back(node.by, new Set([...before.keys()].filter((p) => before[p] === MANY)));
    }
    return this.#steps.length > MAX_STEPS ? undefined : this.#steps.reverse();
  }

  /** Iterations of a loop needed to supply its places; the places start with their tokens in `before` plus one iteration. */
  #times(loop: readonly number[], places: readonly number[], before: Tokens): number {
    let times = 0;
    for (const p of places) {
      let gain = 0;
      for (const t of loop) gain += this.#effect(t, p);
      const missing = (this.#need.get(p) ?? 0) - before[p]! - gain;
      times = Math.max(times, Math.ceil(missing / gain));
    }
    return times;
  }

  #effect(t: number, p: number): number {
    const { start, items } = this.#moves.changes;
    for (let k = start[t]!; k < start[t + 1]!; k += 2) if (items[k] === p) return items[k + 1]!;
    return 0;
  }

  /** Moves the requirements on the unbounded places to the point before a step. */
  #back(t: number, many: ReadonlySet<number>): void {
    this.#steps.push(t);
    const { changes, needs } = this.#moves;
    for (let k = changes.start[t]!; k < changes.start[t + 1]!; k += 2) {
      const p = changes.items[k]!;
      if (many.has(p)) this.#need.set(p, Math.max(0, (this.#need.get(p) ?? 0) - changes.items[k + 1]!));
    }
    for (let k = needs.start[t]!; k < needs.start[t + 1]!; k += 2) {
      const p = needs.items[k]!;
      if (many.has(p)) this.#need.set(p, Math.max(this.#need.get(p) ?? 0, needs.items[k + 1]!));
    }
  }
}
