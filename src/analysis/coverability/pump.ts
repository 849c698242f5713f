import { PetriMoves } from '../reduction/petri-moves.ts';
import { type Coverability, MANY } from './karp-miller.ts';

/** A way to many tokens. */
export interface Pump {
  readonly way: readonly number[];
  /** The steps from this one on can be repeated for ever, and bring tokens every time; absent where several pumps must be worked in turn. */
  readonly loop?: number;
}

/** Longer sequences are not written down. */
const MOST_STEPS = 100_000;

/**
 * A sequence of transitions that shows that a place is unbounded: it brings it to `tokens` tokens at least. Undefined where
 * the place is bounded as far as the tree goes, or the sequence would be longer than 10⁵ steps.
 *
 * Where one loop does it, the sequence is a way to it and the loop once (repeated: any number). Otherwise what each
 * loop consumes has to be pumped before: how often is computed backwards along the branch. O(steps × places).
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
    return { way: path.slice(1, to + 1).map(by), loop: path.indexOf(simple.from) };
  }
  const way = new Backwards(tree, path).run(place, tokens);
  return way === undefined ? undefined : { way };
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
  /** Tokens that unbounded places must have at the point that was reached, going back. */
  readonly #need = new Map<number, number>();
  /** The steps, last one first. */
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
        if (this.#steps.length + times * loop.length > MOST_STEPS) return undefined;
        for (let n = 0; n < times; n++) for (const t of [...loop].reverse()) this.#back(t, many);
        for (const p of places) this.#need.delete(p);
      }
      if (k === 0) break;
      const before = nodes[this.#path[k - 1]!]!.marking;
      this.#back(node.by, new Set([...before.keys()].filter((p) => before[p] === MANY)));
    }
    return this.#steps.length > MOST_STEPS ? undefined : this.#steps.reverse();
  }

  /** How often a loop has to be repeated to bring what is needed of its places; they have what they had, and one turn more. */
  #times(loop: readonly number[], places: readonly number[], before: Int32Array): number {
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

  /** What must be there before a step, of the places that are unbounded there. */
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
