/*
 * Sample:
 * place('p');
 * →
 *   let I0: ints = ints(256); let D0: nums = view(I0); …
 *   let L0_h0: ints = ints(10); let L0_e0: ints = ints(10);
 *   …
 *   I0[s + 2] = f0;
 */
import { colourBounds, type ScalarSet } from '../../net/colour.ts';
import type { Net, Place } from '../../net/net.ts';
import { isWide, type Range } from './bindings/range.ts';

/** Maximum number of buckets of a dense index; beyond it, tokens are found by hashing. */
const DENSE_LIMIT = 1 << 20;

/** The same for an index that only finds hidden tokens: it is rarely used, and would take megabytes. */
const GROUP_LIMIT = 1 << 16;

/**
 * An index over the tokens of a place: one chain of tokens per bucket, oldest first. In a `dense` index, the bucket is the values
 * of the fields combined into one number, so a chain holds exactly the tokens with one key. A bucket of a `hash` index may mix
 * keys. `all` is a single chain.
 */
export interface Index {
  readonly kind: 'dense' | 'hash' | 'all';
  readonly fields: readonly number[];
  /** Number of buckets (`dense`, `all`) or buckets at the start (`hash`). */
  readonly buckets: number;
}

/**
 * How the tokens of one place are stored. A token is a record of 32-bit words in `I<number>`; its slot is the offset of the
 * record. `D<number>` is the same memory as doubles.
 *
 * | offset | content |
 * |---|---|
 * | 0 | status: state (0 free, 1 hidden, 2 visible, 3 in service) + 4 × generation |
 * | 1 | age; in a free record, the next free record |
 * | 2 … | wide fields, then priority, then arrival time, two words each |
 * | … | narrow fields |
 * | … | per index, the next and the previous record of the chain; only the next if {@link onlyHeads} |
 *
 * The generation grows when the token leaves or is hidden, which invalidates the candidates that bound it.
 */
export interface PlaceLayout {
  readonly place: Place;
  readonly number: number;
  readonly ranges: readonly Range[];
  /** By field: true if it is stored as a double, because it does not fit 32 bits. */
  readonly wide: readonly boolean[];
  /** The fields that define a group (S3), ascending: the key of a fifo or priority queue, all fields of a bag. */
  readonly group: readonly number[];
  /** True if tokens keep their arrival time. */
  readonly timed: boolean;
  /** True if a token other than the visible one of its group can leave or be counted. */
  readonly midst: boolean;
  /** Offset of each field in the record: of wide fields in doubles, of others in words. */
  readonly offsets: readonly number[];
  /** In doubles; −1 if there is no priority. */
  readonly priorityOffset: number;
  /** In doubles; −1 if the place is not timed. */
  readonly timeOffset: number;
  /** Offset of the links of the first index, in words. */
  readonly firstLink: number;
  readonly indexes: Index[];
  /** Index whose chains are searched for tokens of the same group; set by {@link chooseGroupIndex}, −1 before. */
  groupIndex: number;
}

export function layoutOf(net: Net, place: Place, number: number, timed: boolean, midst: boolean): PlaceLayout {
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  const ranges = place.fields.map((f) => ({ ...colourBounds(colours.get(f.colour) as ScalarSet), integer: true }));
  const position = (name: string): number => place.fields.findIndex((f) => f.name === name);
  const wide = ranges.map(isWide);
  let doubles = 1;
  const wideOffsets = wide.map((w) => (w ? doubles++ : -1));
  const priorityOffset = place.order === 'priority' ? doubles++ : -1;
  const timeOffset = timed ? doubles++ : -1;
  let words = doubles * 2;
  const offsets = wide.map((w, k) => (w ? wideOffsets[k]! : words++));
  return {
    place,
    number,
    ranges,
    wide,
    group: place.order === 'bag' ? place.fields.map((_, k) => k) : place.key.map(position).sort((a, b) => a - b),
    timed,
    midst: midst || place.order === 'priority',
    offsets,
    priorityOffset,
    timeOffset,
    firstLink: words,
    indexes: [],
    groupIndex: -1,
  };
}

/** Words per record: even, so that a record consists of whole doubles. */
export const strideOf = (l: PlaceLayout): number => (l.firstLink + (onlyHeads(l) ? 1 : 2 * l.indexes.length) + 1) & ~1;

/**
 * True if every chain is the queue of one group, of which only the head is ever examined and only the head leaves. The head is
 * then the visible token; the state of the tokens behind it does not matter, and they need no link to the previous token.
 */
export const onlyHeads = (l: PlaceLayout): boolean =>
  !l.midst && l.indexes.length === 1 && isExactGroup(l, l.indexes[0]!);

/** Offsets in a record, in words. */
const STATUS = 0;
export const AGE = 1;

/** States of a record. */
export const FREE = 0;
export const HIDDEN = 1;
export const VISIBLE = 2;
export const SERVED = 3;

export const stateAt = (words: Int32Array, slot: number): number => words[slot + STATUS]! & 3;

const plus = (base: string, offset: number): string => (offset === 0 ? base : `${base} + ${offset}`);

/** Code: the word of a record at an offset. */
const word = (l: PlaceLayout, slot: string, offset: number): string => `I${l.number}[${plus(slot, offset)}]`;
const double = (l: PlaceLayout, slot: string, offset: number): string => `D${l.number}[(${slot} >> 1) + ${offset}]`;

/** Code: state and generation of a record in one word. A candidate is valid while these words of its tokens are unchanged. */
export const statusOf = (l: PlaceLayout, slot: string): string => word(l, slot, STATUS);
/** Code: true if a record is in the given state. */
export const isState = (l: PlaceLayout, slot: string, state: number): string =>
  `(${statusOf(l, slot)} & 3) === ${state}`;
/** Code: sets the state of a record. */
export const become = (l: PlaceLayout, slot: string, state: number): string =>
  `${statusOf(l, slot)} = (${statusOf(l, slot)} & -4) + ${state};`;
/** Code: sets the state of a record and increments its generation, which invalidates the candidates that bound it. */
export const cease = (l: PlaceLayout, slot: string, state: number): string =>
  `${statusOf(l, slot)} = (${statusOf(l, slot)} | 3) + ${state + 1};`;
export const ageOf = (l: PlaceLayout, slot: string): string => word(l, slot, AGE);
export const fieldOf = (l: PlaceLayout, field: number, slot: string): string =>
  (l.wide[field] ? double : word)(l, slot, l.offsets[field]!);
export const priorityOf = (l: PlaceLayout, slot: string): string => double(l, slot, l.priorityOffset);
export const timeOf = (l: PlaceLayout, slot: string): string => double(l, slot, l.timeOffset);
export const nextOf = (l: PlaceLayout, index: number, slot: string): string => word(l, slot, l.firstLink + 2 * index);
export const previousOf = (l: PlaceLayout, index: number, slot: string): string =>
  word(l, slot, l.firstLink + 2 * index + 1);
/*
 * Code: the first and the last record of a bucket, −1 if it is empty. They are stored as their complement, so that the zeros of
 * new memory are empty buckets: most buckets of a dense index are never used, and memory that is not touched costs no time.
 */
export const headOf = (l: PlaceLayout, index: number, bucket: string): string => `~L${l.number}_h${index}[${bucket}]`;
export const tailOf = (l: PlaceLayout, index: number, bucket: string): string => `~L${l.number}_e${index}[${bucket}]`;
export const setHead = (l: PlaceLayout, index: number, bucket: string, slot: string): string =>
  `L${l.number}_h${index}[${bucket}] = ~${slot};`;
export const setTail = (l: PlaceLayout, index: number, bucket: string, slot: string): string =>
  `L${l.number}_e${index}[${bucket}] = ~${slot};`;

/**
 * The number of an index that finds the tokens with given values in the fields `known`; the index is created if missing. A queue
 * whose key is known is found by its key, so that only its head is examined. The index is dense if it has at most `DENSE_LIMIT`
 * buckets. Otherwise it hashes all known fields: a dense index on some of them would have chains that grow with the net.
 */
export function indexFor(layout: PlaceLayout, known: readonly number[]): number {
  const { group, place } = layout;
  const byGroup = place.order !== 'bag' && group.every((f) => known.includes(f));
  const fields = byGroup ? group : [...known].sort((a, b) => a - b);
  if (fields.length === 0) return entered(layout, { kind: 'all', fields: [], buckets: 1 });
  const buckets = denseBuckets(layout, fields);
  if (buckets <= DENSE_LIMIT) return entered(layout, { kind: 'dense', fields, buckets });
  return entered(layout, { kind: 'hash', fields, buckets: 64 });
}

/** Sets the index in which an older token that hides a token is found fastest; creates one if necessary. */
export function chooseGroupIndex(layout: PlaceLayout): void {
  const usable = (i: Index): boolean => i.fields.every((f) => layout.group.includes(f));
  let best = -1;
  layout.indexes.forEach((index, k) => {
    if (!usable(index) || (index.kind === 'all' && layout.group.length > 0)) return;
    if (best < 0 || index.fields.length > layout.indexes[best]!.fields.length) best = k;
  });
  if (best < 0) {
    const buckets = denseBuckets(layout, layout.group);
    const index: Index =
      layout.group.length === 0
        ? { kind: 'all', fields: [], buckets: 1 }
        : buckets <= GROUP_LIMIT
          ? { kind: 'dense', fields: layout.group, buckets }
          : { kind: 'hash', fields: layout.group, buckets: 64 };
    best = entered(layout, index);
  }
  layout.groupIndex = best;
}

/** True if every chain of an index holds the tokens of exactly one group. */
export function isExactGroup(layout: PlaceLayout, index: Index): boolean {
  return (
    index.kind !== 'hash' &&
    index.fields.length === layout.group.length &&
    index.fields.every((f) => layout.group.includes(f))
  );
}

/** Number of buckets of a dense index on the fields: the number of combinations of their values. */
const denseBuckets = (layout: PlaceLayout, fields: readonly number[]): number =>
  fields.reduce((buckets, f) => buckets * (layout.ranges[f]!.high - layout.ranges[f]!.low + 1), 1);

function entered(layout: PlaceLayout, index: Index): number {
  const same = layout.indexes.findIndex((i) => i.kind === index.kind && i.fields.join() === index.fields.join());
  return same >= 0 ? same : layout.indexes.push(index) - 1;
}

/** Fields of a token that are passed as arguments when it enters its place, so that they are not read from its record again. */
export const keysOf = (layout: PlaceLayout): readonly number[] => (onlyHeads(layout) ? layout.group : []);

/** Code that links the record in `slot` into the chains of its place, with the given age; `field` is code for a field of its group. */
export const linkCall = (layout: PlaceLayout, slot: string, age: string, field: (k: number) => string): string =>
  `link${layout.number}(${[slot, age, ...keysOf(layout).map(field)].join(', ')});`;

/** Code that adds the token in `slot` to its place and examines the enabled transitions; `field` is code for a field of its group. */
export const enterCall = (layout: PlaceLayout, slot: string, field: (k: number) => string): string =>
  `enter${layout.number}(${[slot, ...keysOf(layout).map(field)].join(', ')});`;

/** Multipliers of multiplicative hashing (Knuth 1998, §6.4), one per field. */
const MIX = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1];

/** Code for the bucket of an index that holds the given values. Values for a dense index must be known to lie in range. */
export function bucketCode(layout: PlaceLayout, number: number, values: readonly string[]): string {
  const index = layout.indexes[number]!;
  if (index.kind === 'all') return '0';
  if (index.kind === 'hash') return `(hash(${hashCode(layout, index, values)}) & L${layout.number}_m${number})`;
  let code = '';
  index.fields.forEach((f, k) => {
    const { low, high } = layout.ranges[f]!;
    const offset = low === 0 ? values[k]! : `(${values[k]} - (${low}))`;
    code = code === '' ? offset : `(${code} * ${high - low + 1} + ${offset})`;
  });
  return code;
}

const hashCode = (layout: PlaceLayout, index: Index, values: readonly string[]): string =>
  values
    .map((v, k) => `Math.imul(${layout.wide[index.fields[k]!] ? `folded(${v})` : v}, ${MIX[k % MIX.length]! | 0})`)
    .join(' ^ ');

/** Code that is true if records `a` and `b` have equal values in the given fields. */
export function agree(layout: PlaceLayout, fields: readonly number[], a: string, b: string): string {
  return fields.map((f) => `${fieldOf(layout, f, a)} === ${fieldOf(layout, f, b)}`).join(' && ') || 'true';
}
