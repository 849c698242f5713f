import type { Petri, PetriTransition, Weighted } from '../../petri/petri.ts';
import { EXTRA_WORDS, type HashWords } from './hash-words.ts';
import { maskOf, maxOf, type PackedField, type PackedLayout } from './layout.ts';

/** The net cannot be packed: a sum of counts can exceed 32 bits, or the code would be too long. */
export class NotPackable extends Error {}

/** Multiplier of a word in the linear hash: odd; golden-ratio sequence with xor-shift-multiply mixing. */
export function multiplier(word: number): number {
  let x = Math.imul(word + 1, 0x9e3779b9);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 1;
}

/** A place with a field must hold at least `least` tokens. */
export interface FieldTest {
  readonly place: number;
  readonly field: PackedField;
  readonly least: number;
}

/** Tests of the places whose counts vary; undefined if the step is never enabled. Limits are not among them. */
export function testsOf(
  { fields, constant }: PackedLayout,
  { needs }: Pick<PetriTransition, 'needs'>,
): FieldTest[] | undefined {
  const tests: FieldTest[] = [];
  for (const [place, least] of needs) {
    const field = fields[place];
    if (field === undefined ? constant[place]! < least : least > maxOf(field)) return undefined;
    if (field !== undefined) tests.push({ place, field, least });
  }
  return tests;
}

/** Changes of the words of a packed marking by one step. */
export interface WordChanges {
  /** By word: the number added to it after the bits in `cleared` are set to 0. */
  readonly difference: ReadonlyMap<number, number>;
  readonly cleared: ReadonlyMap<number, number>;
  /** A field overflows if the count of its place is above `most`; -1: always. */
  readonly guards: readonly { readonly place: number; readonly field: PackedField; readonly most: number }[];
  /** Changes of counts, and places that are emptied first, both without constant places. */
  readonly changed: readonly Weighted[];
  readonly emptied: readonly number[];
}

/** The changes of a step; undefined if it is never enabled, because it would change a place that is proved constant. */
export function changesOf(
  { fields, constant }: PackedLayout,
  { change, resets }: PetriTransition,
): WordChanges | undefined {
  const difference = new Map<number, number>();
  const cleared = new Map<number, number>();
  const guards: { place: number; field: PackedField; most: number }[] = [];
  const again = new Set(resets);
  for (const p of resets) {
    const f = fields[p];
    if (f !== undefined) cleared.set(f.word, (cleared.get(f.word) ?? 0) | maskOf(f));
  }
  for (const [place, n] of change) {
    const field = fields[place];
    const reset = again.has(place);
    if (field === undefined) {
      if (reset && n === constant[place]) continue;
      return undefined;
    }
    if (n > maxOf(field) && field.proved) return undefined;
    difference.set(field.word, ((difference.get(field.word) ?? 0) + Math.imul(n, 1 << field.shift)) | 0);
    if (n <= 0 || field.proved) continue;
    if (n > maxOf(field)) guards.push({ place, field, most: -1 });
    else if (!reset) guards.push({ place, field, most: maxOf(field) - n });
  }
  const varies = (place: number): boolean => fields[place] !== undefined;
  return {
    difference,
    cleared,
    guards,
    changed: change.filter(([place]) => varies(place)),
    emptied: resets.filter(varies),
  };
}

/** Generates kernel source for the tests and effects of steps on packed words `s0`, `s1`, …. */
export class StepCode {
  readonly #layout: PackedLayout;
  readonly #hashes: HashWords | undefined;

  /** @param hashes kept in the words of a row that follow its packed words */
  constructor(layout: PackedLayout, hashes?: HashWords) {
    this.#layout = layout;
    this.#hashes = hashes;
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
    const tests = testsOf(this.#layout, { needs });
    if (tests === undefined) return undefined;
    const ones = new Map<number, number>();
    const parts: string[] = [];
    for (const { place, field: f, least } of tests)
      if (place === known && least === 1) {
        // Already tested by the group.
      } else if (f.bits === 1) ones.set(f.word, (ones.get(f.word) ?? 0) | maskOf(f));
      else if (least === 1) parts.push(this.marked(place)!);
      else parts.push(`${this.count(place)} >= ${least}`);
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
   * The effect of a step: new values of the changed words, and the new linear hash in terms of the old one, `l`; undefined as
   * for {@link changesOf}. `guards`: overflow tests of fields, each with its place.
   */
  effect(transition: PetriTransition):
    | {
        readonly words: ReadonlyMap<number, string>;
        readonly hash: string;
        readonly guards: readonly { readonly place: number; readonly test: string }[];
      }
    | undefined {
    const effect = changesOf(this.#layout, transition);
    if (effect === undefined) return undefined;
    const { difference, cleared } = effect;
    const guards = effect.guards.map(({ place, most }) => ({
      place,
      test: most < 0 ? 'true' : `${this.count(place)} > ${most}`,
    }));
    const words = new Map<number, string>();
    if (this.#hashes !== undefined)
      for (const which of [0, 1] as const) {
        const word = this.#layout.words - EXTRA_WORDS + which;
        words.set(
          word,
          this.#hashes.after(which, `s${word}`, effect, (p) => this.count(p)),
        );
      }
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
