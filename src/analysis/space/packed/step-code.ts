import type { Petri, PetriTransition, Weighted } from '../../petri/petri.ts';
import { maskOf, maxOf, type PackedLayout } from './layout.ts';

/** The net cannot be packed: a sum of counts can exceed 32 bits, or the code would be too long. */
export class NotPackable extends Error {}

/** Multiplier of a word in the linear hash: odd; golden-ratio sequence with xor-shift-multiply mixing. */
export function multiplier(word: number): number {
  let x = Math.imul(word + 1, 0x9e3779b9);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 1;
}

/** Generates kernel source for the tests and effects of steps on packed words `s0`, `s1`, …. */
export class StepCode {
  readonly #layout: PackedLayout;

  constructor(layout: PackedLayout) {
    this.#layout = layout;
  }

  /** Expression for the count of a place. */
  count(place: number): string {
    const f = this.#layout.fields[place];
    if (f === undefined) return String(this.#layout.constant[place]!);
    const shifted = f.shift === 0 ? `s${f.word}` : `(s${f.word} >>> ${f.shift})`;
    return f.shift + f.bits === 32 ? shifted : `(${shifted} & ${maxOf(f)})`;
  }

  /** Test that a place is marked; undefined if its count is constant. */
  marked(place: number): string | undefined {
    const f = this.#layout.fields[place];
    return f === undefined ? undefined : `(s${f.word} & ${maskOf(f)}) !== 0`;
  }

  /** Enabling test; `true` if always enabled, undefined if never. `known`: a place already known to be marked. */
  test({ needs, limits }: PetriTransition, known?: number): string | undefined {
    const { fields, constant } = this.#layout;
    const ones = new Map<number, number>();
    const parts: string[] = [];
    for (const [p, n] of needs) {
      const f = fields[p];
      if (f === undefined) {
        if (constant[p]! < n) return undefined;
      } else if (n > maxOf(f)) {
        return undefined;
      } else if (p === known && n === 1) {
        // Already tested by the group.
      } else if (f.bits === 1) ones.set(f.word, (ones.get(f.word) ?? 0) | maskOf(f));
      else if (n === 1) parts.push(this.marked(p)!);
      else parts.push(`${this.count(p)} >= ${n}`);
    }
    const masks = [...ones].map(([word, mask]) => `(s${word} & ${mask}) === ${mask}`);
    const sums: string[] = [];
    for (const limit of limits) {
      const text = this.#limit(limit.sum, limit.most);
      if (text === undefined) return undefined;
      if (text !== '') sums.push(text);
    }
    const all = [...masks, ...parts, ...sums];
    return all.length === 0 ? 'true' : all.join(' && ');
  }

  /** Test of a limit: undefined if it never holds, empty if it always holds. */
  #limit(sum: readonly Weighted[], limit: number): string | undefined {
    const { fields, constant } = this.#layout;
    let max = limit;
    const open: Weighted[] = [];
    let largest = 0;
    for (const [p, weight] of sum) {
      const f = fields[p];
      if (f === undefined) max -= weight * constant[p]!;
      else {
        open.push([p, weight]);
        largest += weight * maxOf(f);
      }
    }
    if (max < 0) return undefined;
    if (largest <= max) return '';
    // Places of which a single token exceeds the limit must be empty.
    const each = open.filter(([, weight]) => weight > max);
    const rest = open.filter(([, weight]) => weight <= max);
    const zero = new Map<number, number>();
    for (const [p] of each) {
      const f = fields[p]!;
      zero.set(f.word, (zero.get(f.word) ?? 0) | maskOf(f));
    }
    const parts = [...zero].map(([word, mask]) => `(s${word} & ${mask}) === 0`);
    if (rest.length > 0) {
      const total = rest.reduce((n, [p, weight]) => n + weight * maxOf(fields[p]!), 0);
      if (total >= 2 ** 31) {
        // Each term is bounded before summing, so that the sum fits into 32 bits.
        if (max * rest.length >= 2 ** 31) throw new NotPackable('a sum of counts may exceed 32 bits');
        for (const [p, weight] of rest) parts.push(`${this.count(p)} <= ${Math.floor(max / weight)}`);
      }
      const terms = rest.map(([p, weight]) => (weight === 1 ? this.count(p) : `${weight} * ${this.count(p)}`));
      parts.push(`${terms.join(' + ')} <= ${max}`);
    }
    return parts.join(' && ');
  }

  /**
   * The effect of a step: new values of the changed words, and the new linear hash in terms of the old one, `l`. Undefined if
   * the step is never enabled, because it would change a place that is proved constant. `guards`: overflow tests of fields,
   * each with its place.
   */
  effect({ change, resets }: PetriTransition):
    | {
        readonly words: ReadonlyMap<number, string>;
        readonly hash: string;
        readonly guards: readonly { readonly place: number; readonly test: string }[];
      }
    | undefined {
    const { fields, constant } = this.#layout;
    const difference = new Map<number, number>();
    const cleared = new Map<number, number>();
    const guards: { place: number; test: string }[] = [];
    const reset = new Set(resets);
    for (const p of resets) {
      const f = fields[p];
      if (f !== undefined) cleared.set(f.word, (cleared.get(f.word) ?? 0) | maskOf(f));
    }
    for (const [p, n] of change) {
      const f = fields[p];
      if (f === undefined) {
        if (reset.has(p) && n === constant[p]) continue;
        return undefined;
      }
      if (n > maxOf(f) && f.proved) return undefined;
      difference.set(f.word, ((difference.get(f.word) ?? 0) + Math.imul(n, 1 << f.shift)) | 0);
      if (n <= 0 || f.proved) continue;
      if (n > maxOf(f)) guards.push({ place: p, test: 'true' });
      else if (!reset.has(p)) guards.push({ place: p, test: `${this.count(p)} > ${maxOf(f) - n}` });
    }
    const words = new Map<number, string>();
    let constantHash = 0;
    const hash: string[] = [];
    for (const word of new Set([...difference.keys(), ...cleared.keys()])) {
      const by = difference.get(word) ?? 0;
      const clear = cleared.get(word);
      if (clear !== undefined) {
        words.set(word, `((s${word} & ${~clear}) + ${by})`);
        hash.push(`(${words.get(word)!} - s${word}) * ${multiplier(word)}`);
      } else if (by !== 0) {
        words.set(word, `(s${word} + ${by})`);
        constantHash = (constantHash + Math.imul(by, multiplier(word))) | 0;
      }
    }
    return { words, hash: ['l', ...(constantHash === 0 ? [] : [String(constantHash)]), ...hash].join(' + '), guards };
  }
}

/** Starts by priority level, highest first, and the steps without priority: indices of transitions. */
export function levelsOf({ transitions }: Petri): {
  readonly starts: readonly number[][];
  readonly others: readonly number[];
} {
  const by = new Map<number, number[]>();
  const others: number[] = [];
  transitions.forEach(({ level }, t) => {
    if (level === undefined) others.push(t);
    else if (by.has(level)) by.get(level)!.push(t);
    else by.set(level, [t]);
  });
  const starts = [...by].sort(([a], [b]) => b - a).map(([, list]) => list);
  return { starts, others };
}
