/** Position of a place's count in a packed marking: bits `shift` … `shift` + `bits` − 1 of a word. */
export interface PackedField {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
  /** True if the count provably fits; otherwise every addition is guarded. */
  readonly proved: boolean;
}

/**
 * Layout of markings bit-packed into 32-bit words. A place whose count never changes has no field; its count is in `constant`.
 */
export interface PackedLayout {
  readonly words: number;
  readonly fields: readonly (PackedField | undefined)[];
  readonly constant: readonly number[];
}

/** Initial bits of a place without a proved bound: 4, or 1 if there are more than MANY such places, which are often safe. */
const FIRST_BITS = 4;
const MANY = 32;
/** Maximum bits of a field: counts are below 2³¹. */
export const MAX_BITS = 31;

/** Requirements of a place on its field. */
export interface FieldRequest {
  readonly initial: number;
  /** True if any transition changes it. */
  readonly changes: boolean;
  /** Proved maximum of tokens; Infinity if not proved. */
  readonly bound: number;
  /** Minimum number of bits, for a place without a proved bound. */
  readonly bits: number;
}

/** Number of bits for integers up to `bound`, which is at most 2⁵³ − 1. */
export function bitsFor(bound: number): number {
  return bound < 2 ** 32 ? 32 - Math.clz32(bound) : 32 + bitsFor(Math.floor(bound / 2 ** 32));
}

/** True if a field can hold the initial count of a place. A place that never changes takes no bits, so its count is unlimited. */
export const fitsInitially = ({ initial, changes }: Pick<FieldRequest, 'initial' | 'changes'>): boolean =>
  !changes || bitsFor(initial) <= MAX_BITS;

/** Packs places in order, each in the first word with room: neighbouring places are often tested together. */
export function packedLayout(requests: readonly FieldRequest[]): PackedLayout {
  const used: number[] = [];
  /** All words before this one are full. */
  let first = 0;
  const unproved = requests.filter((r) => r.changes && r.bound >= 2 ** MAX_BITS).length;
  const start = unproved > MANY ? 1 : FIRST_BITS;
  const fields = requests.map(({ initial, changes, bound, bits: min }): PackedField | undefined => {
    if (!changes) return undefined;
    const proved = bound < 2 ** MAX_BITS;
    const bits = proved ? bitsFor(bound) : Math.min(MAX_BITS, Math.max(start, min, bitsFor(initial)));
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

export const maxOf = ({ bits }: PackedField): number => 2 ** bits - 1;

/** The bit mask of a field within its word, as a signed 32-bit number. */
export const maskOf = (f: PackedField): number => (maxOf(f) * 2 ** f.shift) | 0;

export function pack(layout: PackedLayout, counts: ArrayLike<number>, into: Int32Array): void {
  into.fill(0, 0, layout.words);
  layout.fields.forEach((f, p) => {
    if (f !== undefined) into[f.word]! |= counts[p]! << f.shift;
  });
}

/** The fields of a layout as word, shift and mask by place: a hundred times faster to read than objects. */
const tables = new WeakMap<PackedLayout, Int32Array>();

function tableOf(layout: PackedLayout): Int32Array {
  const known = tables.get(layout);
  if (known !== undefined) return known;
  // A mask of 0 marks a constant place: fields have at least one bit.
  const table = new Int32Array(3 * layout.fields.length);
  for (const [p, f] of layout.fields.entries()) if (f !== undefined) table.set([f.word, f.shift, maxOf(f)], 3 * p);
  tables.set(layout, table);
  return table;
}

/** Unpacks the counts of all places from the words at `at`. */
export function unpack(layout: PackedLayout, words: Int32Array, at: number, into: Float64Array): void {
  const table = tableOf(layout);
  const { constant, fields } = layout;
  for (let p = 0, k = 0; p < fields.length; p++, k += 3) {
    const mask = table[k + 2]!;
    into[p] = mask === 0 ? constant[p]! : (words[at + table[k]!]! >>> table[k + 1]!) & mask;
  }
}
