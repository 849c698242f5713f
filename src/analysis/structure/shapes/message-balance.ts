import type { NodeShapes, PlaceShape, TurnGroup, Turns } from '../../../net/shapes/node-shapes.ts';
import type { PlainMatrix } from './plain-matrix.ts';

/** The tokens added to some places in a complete run, the tokens taken, and those left. */
export interface Balance {
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  readonly produced: Turns;
  readonly consumed: Turns;
  /** m₀ + C · x over all firing counts x allowed by the given turns. */
  readonly left: Turns;
  /** True if the counts of all adjacent transitions are given; otherwise each one not given is assumed to fire once. */
  readonly known: boolean;
}

/**
 * The state equation of message places (Murata 1989), row by row, for the firing counts allowed. Places among which one
 * operation can choose are also treated together, because only the total count of its alternatives is known. O(arcs).
 */
export class MessageBalance {
  readonly #matrix: PlainMatrix;
  readonly #messages: readonly string[];
  readonly #groups: readonly TurnGroup[];
  readonly #groupsOf = new Map<string, number[]>();
  readonly #given: number;

  constructor(matrix: PlainMatrix, shapes: ReadonlyMap<string, PlaceShape>, { turns = [] }: NodeShapes) {
    this.#matrix = matrix;
    this.#messages = [...shapes].filter(([, { kind }]) => kind === 'message').map(([name]) => name);
    const named = new Set(turns.flatMap((g) => g.transitions));
    const once = [...matrix.inputs.keys()]
      .filter((name) => !named.has(name))
      .map((name): TurnGroup => ({ transitions: [name], least: 1, most: 1 }));
    this.#groups = [...turns, ...once];
    this.#given = turns.length;
    this.#groups.forEach(({ transitions }, g) => {
      for (const t of transitions) this.#groupsOf.set(t, [...(this.#groupsOf.get(t) ?? []), g]);
    });
  }

  /** The balance of every message place. */
  each(): Balance[] {
    return this.#messages.map((place) => this.#of([place]));
  }

  /** The balance of each set of places among which operations choose; sets of a single place are left out. */
  together(): Balance[] {
    const leader = new Map(this.#messages.map((p) => [p, p]));
    const find = (p: string): string => {
      let at = p;
      while (leader.get(at) !== at) at = leader.get(at)!;
      leader.set(p, at);
      return at;
    };
    for (const { transitions } of this.#groups) {
      const touched = transitions.flatMap((t) => [
        ...this.#matrix.inputs.get(t)!.keys(),
        ...this.#matrix.outputs.get(t)!.keys(),
      ]);
      const messages = touched.filter((p) => leader.has(p));
      for (const p of messages) leader.set(find(p), find(messages[0]!));
    }
    const sets = new Map<string, string[]>();
    for (const p of this.#messages) sets.set(find(p), [...(sets.get(find(p)) ?? []), p]);
    return [...sets.values()].filter((set) => set.length > 1).map((set) => this.#of(set));
  }

  #of(places: readonly string[]): Balance {
    const { takes, puts, initial } = this.#matrix;
    const into = new Map<string, number>();
    const out = new Map<string, number>();
    let first = 0;
    for (const p of places) {
      first += initial.get(p)!;
      for (const [t, n] of puts.get(p)!) into.set(t, (into.get(t) ?? 0) + n);
      for (const [t, n] of takes.get(p)!) out.set(t, (out.get(t) ?? 0) + n);
    }
    const transitions = [...new Set([...into.keys(), ...out.keys()])];
    const groups = [...new Set(transitions.flatMap((t) => this.#groupsOf.get(t)!))];
    const total = (of: (t: string) => number): Turns => {
      let [min, max] = [0, 0];
      for (const g of groups) {
        const group = this.#groups[g]!;
        const weights = group.transitions.map(of);
        const [low, high] = [Math.min(...weights), Math.max(...weights)];
        min += Math.min(product(low, group.least), product(low, group.most));
        max += Math.max(product(high, group.least), product(high, group.most));
      }
      return { least: min, most: max };
    };
    const left = total((t) => (into.get(t) ?? 0) - (out.get(t) ?? 0));
    return {
      places,
      transitions,
      produced: total((t) => into.get(t) ?? 0),
      consumed: total((t) => out.get(t) ?? 0),
      left: { least: first + left.least, most: first + left.most },
      known: groups.every((g) => g < this.#given),
    };
  }
}

/** The product with 0 · Infinity = 0. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}
