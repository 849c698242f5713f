import { fieldOf, type Index, type PlaceLayout } from './layout.ts';

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
