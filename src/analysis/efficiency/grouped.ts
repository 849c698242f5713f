/** Indices by key; see {@link grouped}. */
export interface Grouped {
  readonly order: Int32Array;
  readonly begin: Int32Array;
}

/** Indices by key, in ascending order within a key: those of key `k` are `order[begin[k]]` up to `order[begin[k + 1]]`. */
export function grouped(key: ArrayLike<number>, count: number, keys: number): Grouped {
  const begin = new Int32Array(keys + 1);
  for (let k = 0; k < count; k++) begin[key[k]! + 1]!++;
  for (let k = 0; k < keys; k++) begin[k + 1]! += begin[k]!;
  const next = begin.slice();
  const order = new Int32Array(count);
  for (let k = 0; k < count; k++) order[next[key[k]!]!++] = k;
  return { order, begin };
}
