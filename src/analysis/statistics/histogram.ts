/** A class of a histogram. */
export interface Bin {
  /** Lower limit of the class, in the unit of the values; the minimum of all values in the first class. */
  readonly from: number;
  /** Lower limit of the next class; in the last class the maximum of all values, which belongs to it. */
  readonly to: number;
  /** Number of values in the class. */
  readonly count: number;
}

/**
 * Counts values in classes of equal width from their minimum to their maximum; their number is 1 + log₂ n (H. A. Sturges, JASA 21,
 * 1926). One class if all values are equal. O(n).
 *
 * @param most maximum number of classes
 */
export function histogram(values: readonly number[], most: number = Number.POSITIVE_INFINITY): Bin[] {
  if (values.length === 0) return [];
  const [min, max] = values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  const border = (k: number): number => (k === classes ? max : min + ((max - min) * k) / classes);
  const classes = min < max ? Math.min(most, 1 + Math.ceil(Math.log2(values.length))) : 1;
  const counts = new Array<number>(classes).fill(0);
  for (const value of values) {
    let k = min < max ? Math.min(classes - 1, Math.floor(((value - min) / (max - min)) * classes)) : 0;
    // The quotient and the border are rounded, and can disagree by one class.
    if (value < border(k)) k -= 1;
    else if (k < classes - 1 && value >= border(k + 1)) k += 1;
    counts[k]! += 1;
  }
  return counts.map((count, k) => ({ from: border(k), to: border(k + 1), count }));
}
