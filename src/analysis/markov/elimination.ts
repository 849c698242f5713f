/**
 * Unit roundoff of a double, rounded up so that sums of up to 10⁶ errors stay proven: one operation has a relative error of at
 * most `ROUNDING`, and n of them one of at most n · `ROUNDING`, as logarithms of the ratio of computed and exact value.
 */
export const ROUNDING: number = 1.000_001 * 2 ** -53;

/** Weights by number of a state or transition. */
export type Weights = Map<number, number>;

/** Where a transient state leads to, and the expected firings until then. */
export interface Outcome {
  /** Probability by state. */
  readonly to: ReadonlyMap<number, number>;
  /** Expected number of firings by transition. */
  readonly firings: ReadonlyMap<number, number>;
  /** Bound on the logarithm of the ratio of each computed value and its exact one. */
  readonly error: number;
}

/**
 * A transient state of a class: weights of its next states in the class, by position, and of those outside; expected firings
 * of its step. Weights are proportional to probabilities or rates.
 */
export interface TransientRow {
  readonly inner: Weights;
  readonly outer: Weights;
  readonly firings: Weights;
}

/**
 * Where a strongly connected class of transient states is left, from each of its states, by state elimination without
 * subtraction (Grassmann, Taksar & Heyman 1985). Undefined if it is never left, a number left the range of a double, or `stop`
 * ended the work.
 * Changes the rows. O(class³) time at most.
 *
 * @param given bound on the error of the weights, as in {@link Outcome}; for the bound of the results see README.md
 */
export function eliminated(
  rows: readonly TransientRow[],
  given: number,
  stop: () => boolean = () => false,
): Outcome[] | undefined {
  const size = rows.length;
  const totals = new Float64Array(size);
  let error = 2 * size * given;
  for (let k = 0; k < size; k++) {
    if (stop()) return undefined;
    const row = rows[k]!;
    const total = sumWithout(row, k);
    // Also false for NaN.
    if (!(total > TINY && total < 1 / TINY)) return undefined;
    totals[k] = total;
    const entries = row.inner.size + row.outer.size + row.firings.size;
    error += (2 * (size - k) + 2) * (entries + 4) * ROUNDING;
    for (let i = k + 1; i < size; i++) {
      const other = rows[i]!;
      const weight = other.inner.get(k);
      if (weight === undefined) continue;
      other.inner.delete(k);
      const factor = weight / total;
      if (
        !addTimes(other.inner, factor, row.inner, k) ||
        !addTimes(other.outer, factor, row.outer) ||
        !addTimes(other.firings, factor, row.firings)
      )
        return undefined;
    }
  }
  const results = new Array<Outcome>(size);
  for (let k = size - 1; k >= 0; k--) {
    if (stop()) return undefined;
    const row = rows[k]!;
    const to: Weights = new Map();
    const firings: Weights = new Map();
    const factor = 1 / totals[k]!;
    if (!addTimes(to, factor, row.outer) || !addTimes(firings, factor, row.firings)) return undefined;
    for (const [j, weight] of row.inner) {
      if (j === k) continue;
      const { to: further, firings: more } = results[j]!;
      if (!addTimes(to, weight * factor, further) || !addTimes(firings, weight * factor, more)) return undefined;
    }
    results[k] = { to, firings, error };
  }
  return results;
}

/** Smaller products may have lost digits. */
export const TINY: number = 2 ** -900;

function sumWithout({ inner, outer }: TransientRow, self: number): number {
  let sum = 0;
  for (const [j, weight] of inner) if (j !== self) sum += weight;
  for (const weight of outer.values()) sum += weight;
  return sum;
}

/** Adds a multiple of weights, `without` that of one number; false if a product left the range of a double. */
export function addTimes(sum: Weights, factor: number, added: ReadonlyMap<number, number>, without?: number): boolean {
  for (const [j, weight] of added) {
    if (j === without) continue;
    const product = factor * weight;
    if (!(product > TINY)) return false;
    sum.set(j, (sum.get(j) ?? 0) + product);
  }
  return true;
}
