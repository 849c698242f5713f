import type { ScalarSet } from '../colour.ts';

/** An enumeration, or a partition with its elements as values. */
export type EnumerationSet = Extract<ScalarSet, { kind: 'enum' }>;

/**
 * A sort of a coloured net. `dot` has one value and no columns. A product of one part is that part. `number` is the
 * sort of multiplicities, not of tokens.
 */
export type Sort =
  | { readonly kind: 'dot' }
  | { readonly kind: 'number' }
  | { readonly kind: 'bool'; readonly set: ScalarSet }
  | { readonly kind: 'enum'; readonly set: EnumerationSet; readonly cyclic: boolean }
  | { readonly kind: 'range'; readonly set: Extract<ScalarSet, { kind: 'range' }> }
  | { readonly kind: 'product'; readonly parts: readonly Sort[]; readonly sets: readonly ScalarSet[] };

export const DOT: Sort = { kind: 'dot' };
export const NUMBER: Sort = { kind: 'number' };

const NONE: readonly ScalarSet[] = [];

/** The colour sets of its columns. */
export function setsOf(sort: Sort): readonly ScalarSet[] {
  switch (sort.kind) {
    case 'dot':
    case 'number':
      return NONE;
    case 'product':
      return sort.sets;
    default:
      return [sort.set];
  }
}

/** True if the sorts have the same values. Enumerations are equal only if their declaration is the same. */
export function sameSort(a: Sort, b: Sort): boolean {
  if (a === b) return true;
  if (a.kind === 'enum') return b.kind === 'enum' && a.set === b.set;
  if (a.kind === 'range') return b.kind === 'range' && a.set.low === b.set.low && a.set.high === b.set.high;
  if (a.kind !== 'product') return a.kind === b.kind;
  return b.kind === 'product' && a.parts.length === b.parts.length && a.parts.every((p, k) => sameSort(p, b.parts[k]!));
}

/** The name of a sort in messages. */
export function sortText(sort: Sort): string {
  if (sort.kind === 'product') return `(${sort.parts.map(sortText).join(', ')})`;
  return sort.kind === 'dot' || sort.kind === 'number' ? sort.kind : sort.set.name;
}
