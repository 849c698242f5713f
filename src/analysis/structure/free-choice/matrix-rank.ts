/** The work that a computation may still do. */
export interface Work {
  /** Arcs or matrix entries. */
  left: number;
  /** Polled from time to time; true ends the computation. */
  readonly stop: () => boolean;
}

/** Columns of more entries than this are searched for a pivot together. */
const MAX_BUCKET = 64;

/**
 * The rank of an integer matrix by sparse elimination, exact: rows are combined with integer factors and divided by their
 * greatest common divisor. The next pivot is in a column with the fewest entries (Markowitz 1957), in its shortest row.
 * Undefined if the work limit is reached or a value exceeds 2⁵³.
 *
 * @param rows non-zero entries by column; changed
 */
export function rankOf(rows: readonly Map<number, number>[], columns: number, work: Work): number | undefined {
  const having = Array.from({ length: columns }, () => new Set<number>());
  rows.forEach((row, r) => {
    for (const c of row.keys()) having[c]!.add(r);
  });
  const buckets: number[][] = Array.from({ length: MAX_BUCKET + 1 }, () => []);
  const offer = (c: number): void => {
    buckets[Math.min(MAX_BUCKET, having[c]!.size)]!.push(c);
  };
  for (let c = 0; c < columns; c++) offer(c);
  const next = (): number | undefined => {
    for (let size = 1; size <= MAX_BUCKET; size++) {
      const list = buckets[size]!;
      for (let c = list.pop(); c !== undefined; c = list.pop())
        if (Math.min(MAX_BUCKET, having[c]!.size) === size) return c;
    }
    return undefined;
  };
  let rank = 0;
  for (let c = next(); c !== undefined; c = next()) {
    if (work.left < 0 || (rank % 64 === 0 && work.stop())) return undefined;
    let pivot = -1;
    for (const r of having[c]!) if (pivot < 0 || rows[r]!.size < rows[pivot]!.size) pivot = r;
    const by = rows[pivot]!;
    rank++;
    for (const d of by.keys()) having[d]!.delete(pivot);
    for (const r of having[c]!) {
      if (!combine(r, by, c)) return undefined;
      work.left -= rows[r]!.size + by.size;
    }
    having[c]!.clear();
    for (const d of by.keys()) if (d !== c) offer(d);
  }
  return rank;

  /** Eliminates a column of a row. */
  function combine(r: number, by: ReadonlyMap<number, number>, column: number): boolean {
    const row = rows[r]!;
    const common = gcd(Math.abs(by.get(column)!), Math.abs(row.get(column)!));
    const [a, b] = [by.get(column)! / common, row.get(column)! / common];
    if (a !== 1)
      for (const [d, n] of row) {
        if (!Number.isSafeInteger(n * a)) return false;
        row.set(d, n * a);
      }
    for (const [d, n] of by) {
      const sum = (row.get(d) ?? 0) - n * b;
      if (!Number.isSafeInteger(sum) || !Number.isSafeInteger(n * b)) return false;
      if (sum === 0) {
        row.delete(d);
        if (d !== column) having[d]!.delete(r);
      } else {
        row.set(d, sum);
        having[d]!.add(r);
      }
    }
    let divisor = 0;
    for (const n of row.values()) {
      divisor = gcd(divisor, Math.abs(n));
      if (divisor === 1) return true;
    }
    for (const [d, n] of row) row.set(d, n / divisor);
    return true;
  }
}

function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
