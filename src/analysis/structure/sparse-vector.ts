/** The non-zero entries of an integer vector, by index. */
export type SparseVector = ReadonlyMap<number, number>;
