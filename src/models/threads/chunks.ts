/**
 * Chunk sizes of a loop of n iterations, in the order in which they are handed out.
 *
 * @param least iterations of a chunk for `dynamic`; the smallest chunk for the others
 */
export function dynamicChunks(n: number, least: number): number[] {
  const full = Math.floor(n / least);
  const sizes = new Array<number>(full).fill(least);
  if (n % least > 0) sizes.push(n % least);
  return sizes;
}

/** Guided self-scheduling: each chunk is a share 1/parts of the rest (Polychronopoulos and Kuck, IEEE ToC 36(12), 1987). */
export function guidedChunks(n: number, least: number, parts: number): number[] {
  const sizes: number[] = [];
  for (let rest = n; rest > 0; ) {
    const size = Math.min(rest, Math.max(least, Math.ceil(rest / parts)));
    sizes.push(size);
    rest -= size;
  }
  return sizes;
}

/** The pieces into which a loop is cut: piece k has the iterations from `first(k)` on, before `first(k + 1)`. */
export interface Pieces {
  readonly count: number;
  first(k: number): number;
}

/** Pieces of `size` iterations, of which the last one may have fewer. */
export function exactPieces(n: number, size: number): Pieces {
  return { count: Math.ceil(n / size), first: (k) => Math.min(n, k * size) };
}

/** Even pieces, of which the first n mod parts have one more iteration. */
export function evenPieces(n: number, parts: number): Pieces {
  const count = Math.min(n, parts);
  const share = Math.floor(n / Math.max(1, count));
  const rest = n - share * count;
  return { count, first: (k) => k * share + Math.min(k, rest) };
}

/** Even shares of n iterations: the first n mod parts have one more. */
export function evenShares(n: number, parts: number): number[] {
  const share = Math.floor(n / parts);
  return Array.from({ length: parts }, (_, k) => share + (k < n % parts ? 1 : 0));
}
