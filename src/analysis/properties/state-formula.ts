import type { MarkingView, StateSpace } from '../space/state-space.ts';
import { coloursOf } from './colours.ts';
import type { Formula, Relation, Sum } from './property.ts';

/** Places whose tokens are summed with one factor, or one place with one of its colours. */
interface Part {
  readonly factor: number;
  readonly places: readonly number[];
  readonly colour?: readonly number[];
  readonly key: string;
}

/** States evaluated together; their token counts are cached until the next slice. */
export const SLICE: number = 1 << 14;
/** Markings evaluated between two calls of `check`. */
const MARKINGS = 1 << 10;

/**
 * Evaluates formulas without path operators on ranges of states. O(states × size of the formula) plus the cost of counting
 * tokens. Tokens of one colour, and places with several colours, need a look at each marking.
 */
export class StateFormulas {
  readonly #space: StateSpace;
  readonly #final: Formula | undefined;
  readonly #check: () => void;
  readonly #parts = new WeakMap<Formula, readonly Part[]>();
  readonly #coloured: readonly number[];
  readonly #plain: readonly number[];
  #from = -1;
  #to = -1;
  /** Token counts and truth vectors of the current slice, by a key for the places and colour. */
  #kept = new Map<string, Float64Array | Uint8Array>();

  /**
   * @param final formula of the markings in which a run may end
   * @param check called regularly; may throw to cancel
   */
  constructor(space: StateSpace, final?: Formula, check: () => void = () => {}) {
    this.#space = space;
    this.#final = final;
    this.#check = check;
    const colours = coloursOf(space.net);
    const all = space.net.places.map((p, k) => [k, colours.columns(p.name).length > 0] as const);
    this.#coloured = all.filter(([, coloured]) => coloured).map(([k]) => k);
    this.#plain = all.filter(([, coloured]) => !coloured).map(([k]) => k);
  }

  /** One byte per state `from` … `to − 1`: 1 if the formula holds there. The caller must not modify the array. */
  holds(f: Formula, from: number, to: number): Uint8Array {
    if (from !== this.#from || to !== this.#to) {
      this.#kept = new Map();
      this.#from = from;
      this.#to = to;
    }
    return this.#holds(f);
  }

  /** The first state from `from` to `to − 1` in which the formula holds; −1 if not found. */
  first(f: Formula, from: number, to: number): number {
    for (let at = from; at < to; at += SLICE) {
      if (at > from) this.#check();
      const found = this.holds(f, at, Math.min(to, at + SLICE)).indexOf(1);
      if (found >= 0) return at + found;
    }
    return -1;
  }

  /** A sum in the states `from` … `to − 1`. */
  values(sum: Sum, from: number, to: number): Float64Array {
    this.holds({ op: 'true' }, from, to);
    return this.#sum(this.#partsOf(sum), sum.constant);
  }

  /** The maximum of a sum in the states `from` … `to − 1`. */
  most(sum: Sum, from: number, to: number): number {
    let max = Number.NEGATIVE_INFINITY;
    for (let at = from; at < to; at += SLICE) {
      const end = Math.min(to, at + SLICE);
      if (at > from) this.#check();
      for (const value of this.values(sum, at, end)) if (value > max) max = value;
    }
    return max;
  }

  #holds(f: Formula): Uint8Array {
    const n = this.#to - this.#from;
    switch (f.op) {
      case 'true':
        return new Uint8Array(n).fill(1);
      case 'false':
        return new Uint8Array(n);
      case 'initial': {
        const out = new Uint8Array(n);
        if (this.#from === 0 && n > 0) out[0] = 1;
        return out;
      }
      case 'dead':
        return this.#dead();
      case 'deadlock': {
        const dead = this.#dead();
        if (this.#final === undefined || !dead.includes(1)) return dead;
        const final = this.#holds(this.#final);
        return dead.map((d, k) => d & (final[k]! ^ 1));
      }
      case 'enabled':
        return this.#enabled(f.transitions);
      case 'within':
        return this.#within(f.tokens);
      case 'compare':
        return this.#compare(f);
      case 'not':
        return this.#holds(f.of).map((x) => x ^ 1);
      case 'and':
        return this.#all(f.of, 1);
      case 'or':
        return this.#all(f.of, 0);
      case 'implies': {
        const b = this.#holds(f.b);
        return this.#holds(f.a).map((x, k) => (x ^ 1) | b[k]!);
      }
      default:
        throw new Error(`${f.op} is not an operator on a single marking`);
    }
  }

  /** Conjunction (`neutral` 1) or disjunction (0) of the parts. */
  #all(parts: readonly Formula[], neutral: 0 | 1): Uint8Array {
    const out = new Uint8Array(this.#to - this.#from).fill(neutral);
    for (const part of parts) {
      const holds = this.#holds(part);
      if (neutral === 1) for (let k = 0; k < out.length; k++) out[k]! &= holds[k]!;
      else for (let k = 0; k < out.length; k++) out[k]! |= holds[k]!;
    }
    return out;
  }

  #keep<A extends Float64Array | Uint8Array>(key: string, make: () => A): A {
    let found = this.#kept.get(key) as A | undefined;
    if (found === undefined) {
      found = make();
      this.#kept.set(key, found);
    }
    return found;
  }

  #dead(): Uint8Array {
    return this.#keep('dead', () =>
      Uint8Array.from(this.#space.outDegree(this.#from, this.#to), (d) => (d === 0 ? 1 : 0)),
    );
  }

  #enabled(names: readonly string[]): Uint8Array {
    const { transitions } = coloursOf(this.#space.net);
    const list = names.map((name) => transitions.get(name)!);
    return this.#keep(`enabled ${list}`, () => this.#space.enabled(list, this.#from, this.#to));
  }

  #within(max: number): Uint8Array {
    const [from, to] = [this.#from, this.#to];
    const out = new Uint8Array(to - from).fill(1);
    if (this.#space.maxTokensInPlace <= max) return out;
    for (const place of this.#plain)
      this.#tokens([place], `${place}`).forEach((count, k) => {
        if (count > max) out[k] = 0;
      });
    if (this.#coloured.length > 0)
      for (let s = from; s < to; s++) {
        if ((s - from) % MARKINGS === MARKINGS - 1) this.#check();
        if (out[s - from] === 1 && maximumOfOne(this.#space.marking(s)) > max) out[s - from] = 0;
      }
    return out;
  }

  #compare(f: Formula & { op: 'compare' }): Uint8Array {
    let parts = this.#parts.get(f);
    if (parts === undefined) {
      const negative = f.right.terms.map((t) => ({ ...t, factor: -t.factor }));
      parts = this.#partsOf({ terms: [...f.left.terms, ...negative], constant: 0 });
      this.#parts.set(f, parts);
    }
    const difference = this.#sum(parts, f.left.constant - f.right.constant);
    const holds = HOLDS[f.relation];
    return Uint8Array.from(difference, (d) => (holds(d) ? 1 : 0));
  }

  #sum(parts: readonly Part[], constant: number): Float64Array {
    const out = new Float64Array(this.#to - this.#from).fill(constant);
    for (const { factor, places, colour, key } of parts) {
      const counts = colour === undefined ? this.#tokens(places, key) : this.#ofColour(places[0]!, colour, key);
      for (let k = 0; k < out.length; k++) out[k]! += factor * counts[k]!;
    }
    return out;
  }

  #tokens(places: readonly number[], key: string): Float64Array {
    return this.#keep(`tokens ${key}`, () => this.#space.tokens(places, this.#from, this.#to));
  }

  #ofColour(place: number, colour: readonly number[], key: string): Float64Array {
    return this.#keep(`tokens ${key}`, () => {
      const all = this.#tokens([place], `${place}`);
      // Empty places need no look at the marking.
      return all.map((count, k) => {
        if (k % MARKINGS === MARKINGS - 1) this.#check();
        return count === 0 ? 0 : ofColour(this.#space.marking(this.#from + k), place, colour);
      });
    });
  }

  #partsOf({ terms }: Sum): Part[] {
    const colours = coloursOf(this.#space.net);
    const byFactor = new Map<number, number[]>();
    const parts: Part[] = [];
    for (const { factor, place, colour } of terms) {
      const index = colours.places.get(place)!;
      if (colour === undefined) push(byFactor, factor, index);
      else {
        const values = colours.values(place, colour)!;
        parts.push({ factor, places: [index], colour: values, key: `${index}[${values}]` });
      }
    }
    for (const [factor, places] of byFactor) parts.push({ factor, places, key: places.join() });
    return parts;
  }
}

const HOLDS: Readonly<Record<Relation, (difference: number) => boolean>> = {
  '<': (d) => d < 0,
  '<=': (d) => d <= 0,
  '=': (d) => d === 0,
  '!=': (d) => d !== 0,
  '>=': (d) => d >= 0,
  '>': (d) => d > 0,
};

/** The largest number of equal tokens in any place. Equal tokens may be in several runs (queue order; place and service). */
function maximumOfOne({ places }: MarkingView): number {
  let max = 0;
  for (const { tokens } of places) {
    const counts = new Map<string, number>();
    for (const { values, count } of tokens) {
      const key = values.join();
      const now = (counts.get(key) ?? 0) + count;
      counts.set(key, now);
      if (now > max) max = now;
    }
  }
  return max;
}

function ofColour({ places }: MarkingView, place: number, colour: readonly number[]): number {
  const tokens = places.find((p) => p.place === place)?.tokens ?? [];
  return tokens.reduce((sum, t) => sum + (t.values.every((v, k) => v === colour[k]) ? t.count : 0), 0);
}

function push(into: Map<number, number[]>, key: number, value: number): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [value]);
  else list.push(value);
}
