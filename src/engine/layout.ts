import { type ColourSet, colourBounds, type Net, type Place } from '../net/net.ts';
import type { Range } from './range.ts';

/** Dense indexes have at most this many buckets; beyond it, tokens are found by hashing. */
const DENSE_LIMIT = 1 << 20;

/**
 * An index over the tokens of a place: chains of tokens, oldest first, one chain per bucket. A `dense` bucket is the
 * fields' values as one number, so that a chain holds exactly the tokens with one key; a `hash` bucket may mix keys;
 * `all` is a single chain.
 */
export interface Index {
  readonly kind: 'dense' | 'hash' | 'all';
  readonly fields: readonly number[];
  /** Number of buckets (`dense`, `all`) or buckets at the start (`hash`). */
  readonly buckets: number;
}

/** How the tokens of one place are stored. */
export interface PlaceLayout {
  readonly place: Place;
  readonly number: number;
  readonly ranges: readonly Range[];
  /** Fields that are stored as doubles, because they do not fit 32 bits. */
  readonly wide: readonly boolean[];
  /** The fields in which tokens that hide one another agree: the key of a fifo, all fields of a bag. */
  readonly group: readonly number[];
  readonly indexes: Index[];
  /** The index in whose chains the tokens of a group are looked for; set by {@link chooseGroupIndex}. */
  groupIndex: number;
}

export function layoutOf(net: Net, place: Place, number: number): PlaceLayout {
  const colours = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
  const ranges = place.fields.map((f) => ({ ...colourBounds(colours.get(f.colour)!), whole: true }));
  const position = (name: string): number => place.fields.findIndex((f) => f.name === name);
  return {
    place,
    number,
    ranges,
    wide: ranges.map((r) => r.low < -(2 ** 31) || r.high > 2 ** 31 - 1),
    group: place.order === 'bag' ? place.fields.map((_, k) => k) : place.key.map(position).sort((a, b) => a - b),
    indexes: [],
    groupIndex: -1,
  };
}

/**
 * The number of an index that finds the tokens with given values in the fields `known`, made if there is none yet. A
 * fifo whose key is known is found by its key, so that only its head is looked at; else as many fields as a dense index
 * allows, else all by hash.
 */
export function indexFor(layout: PlaceLayout, known: readonly number[]): number {
  const { group, place } = layout;
  const byGroup = place.order === 'fifo' && group.every((f) => known.includes(f));
  const fields = byGroup ? group : [...known].sort((a, b) => a - b);
  const dense = denseFields(layout, fields);
  if (fields.length === 0) return entered(layout, { kind: 'all', fields: [], buckets: 1 });
  if (dense.fields.length > 0 && (!byGroup || dense.fields.length === fields.length))
    return entered(layout, { kind: 'dense', ...dense });
  return entered(layout, { kind: 'hash', fields, buckets: 64 });
}

/** Picks the index that tells fastest whether a token is hidden by an older one, making one if need be. */
export function chooseGroupIndex(layout: PlaceLayout): void {
  const usable = (i: Index): boolean => i.fields.every((f) => layout.group.includes(f));
  let best = -1;
  layout.indexes.forEach((index, k) => {
    if (!usable(index) || (index.kind === 'all' && layout.group.length > 0)) return;
    if (best < 0 || index.fields.length > layout.indexes[best]!.fields.length) best = k;
  });
  if (best < 0) {
    const dense = denseFields(layout, layout.group);
    const index: Index =
      layout.group.length === 0
        ? { kind: 'all', fields: [], buckets: 1 }
        : dense.fields.length > 0
          ? { kind: 'dense', ...dense }
          : { kind: 'hash', fields: layout.group, buckets: 64 };
    best = entered(layout, index);
  }
  layout.groupIndex = best;
}

/** Whether every chain of an index holds the tokens of just one group. */
export function isExactGroup(layout: PlaceLayout, index: Index): boolean {
  return (
    index.kind !== 'hash' &&
    index.fields.length === layout.group.length &&
    index.fields.every((f) => layout.group.includes(f))
  );
}

function denseFields(layout: PlaceLayout, fields: readonly number[]): { fields: number[]; buckets: number } {
  const chosen: number[] = [];
  let buckets = 1;
  for (const f of fields) {
    const r = layout.ranges[f]!;
    const size = r.high - r.low + 1;
    if (buckets * size > DENSE_LIMIT) continue;
    buckets *= size;
    chosen.push(f);
  }
  return { fields: chosen, buckets };
}

function entered(layout: PlaceLayout, index: Index): number {
  const same = layout.indexes.findIndex((i) => i.kind === index.kind && i.fields.join() === index.fields.join());
  return same >= 0 ? same : layout.indexes.push(index) - 1;
}
