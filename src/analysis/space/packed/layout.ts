/** Where a place's count lies in a packed marking: bits `shift` … `shift` + `bits` − 1 of a word. */
export interface PackedField {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
  /** Whether the count is proved to fit: otherwise every addition is guarded. */
  readonly proved: boolean;
}

/**
 * Markings packed to the bit into 32-bit words. A place whose count never changes has no bits (and no field): its count is
 * in `constant`.
 */
export interface PackedLayout {
  readonly words: number;
  readonly fields: readonly (PackedField | undefined)[];
  readonly constant: readonly number[];
}

/** Bits of a place for which nothing is proved, at first: one where there are many such places, which often are safe. */
const FIRST_BITS = 4;
const MANY = 32;
/** A count is a number below 2³¹. */
export const MOST_BITS = 31;

export interface FieldRequest {
  readonly initial: number;
  /** Whether any transition changes it. */
  readonly changes: boolean;
  /** Most tokens; Infinity where not proved. */
  readonly bound: number;
  /** At least so many bits, of a place without a proved bound. */
  readonly bits: number;
}

/** The width of a field. */
export function bitsFor(bound: number): number {
  return 32 - Math.clz32(bound);
}

/** Places side by side in their order, each in the first word that has room: neighbours are often tested together. */
export function packedLayout(requests: readonly FieldRequest[]): PackedLayout {
  const used: number[] = [];
  /** Words before this one are full. */
  let first = 0;
  const unproved = requests.filter((r) => r.changes && r.bound >= 2 ** MOST_BITS).length;
  const start = unproved > MANY ? 1 : FIRST_BITS;
  const fields = requests.map(({ initial, changes, bound, bits: least }): PackedField | undefined => {
    if (!changes) return undefined;
    const proved = bound < 2 ** MOST_BITS;
    const bits = proved ? bitsFor(bound) : Math.min(MOST_BITS, Math.max(start, least, bitsFor(initial)));
    if (bits === 0) return undefined;
    let word = first;
    while ((used[word] ?? 0) + bits > 32) word++;
    const shift = used[word] ?? 0;
    used[word] = shift + bits;
    while (used[first] === 32) first++;
    return { word, shift, bits, proved };
  });
  return { words: Math.max(1, used.length), fields, constant: requests.map((r) => r.initial) };
}

/** The largest number that a field holds. */
export const mostOf = ({ bits }: PackedField): number => 2 ** bits - 1;

/** The bits of a field within its word, as a signed 32-bit number. */
export const maskOf = (f: PackedField): number => (mostOf(f) * 2 ** f.shift) | 0;

/** Puts counts into words. */
export function pack(layout: PackedLayout, counts: ArrayLike<number>, into: Int32Array): void {
  into.fill(0, 0, layout.words);
  layout.fields.forEach((f, p) => {
    if (f !== undefined) into[f.word]! |= counts[p]! << f.shift;
  });
}

/** Reads the counts of all places from the words at `at`. */
export function unpack(layout: PackedLayout, words: Int32Array, at: number, into: Float64Array): void {
  layout.fields.forEach((f, p) => {
    into[p] = f === undefined ? layout.constant[p]! : (words[at + f.word]! >>> f.shift) & mostOf(f);
  });
}
