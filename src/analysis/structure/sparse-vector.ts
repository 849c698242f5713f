/** A vector of whole numbers ≠ 0, by index. */
export type SparseVector = ReadonlyMap<number, number>;
