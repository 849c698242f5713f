import type { Row } from './simplex.ts';

/** Unit roundoff, with room for second-order terms. */
const ROUNDING = 1.000001 * 2 ** -53;
/** Multipliers below this part of the largest one are noise. */
const NOISE = 1e-12;

/**
 * An upper bound of objective · x for all x with 0 ≤ x ≤ `most` that satisfy the rows, by multipliers y of the rows, whatever made
 * them (Neumaier & Shcherbina 2004):
 *
 *   c · x ≤ y · b + Σⱼ max(0, cⱼ − (yA)ⱼ) · mostⱼ
 *
 * for y ≥ 0 at inequalities. Rounding is added. Infinity if the multipliers prove none.
 */
export function provedBound(
  rows: readonly Row[],
  objective: ReadonlyMap<number, number>,
  multipliers: Float64Array,
  most: Float64Array,
): number {
  const noise = NOISE * multipliers.reduce((a, y) => Math.max(a, Math.abs(y)), 0);
  const rest = new Float64Array(most.length);
  const sizes = new Float64Array(most.length);
  const terms = new Float64Array(most.length);
  for (const [v, c] of objective) {
    rest[v] = c;
    sizes[v] = Math.abs(c);
  }
  const sum = new Sum();
  rows.forEach(({ coefficients, most: right, isEquation }, i) => {
    const y = multipliers[i]!;
    if (Math.abs(y) <= noise || (!isEquation && y < 0)) return;
    sum.add(y * right);
    for (const [v, c] of coefficients) {
      rest[v]! -= y * c;
      sizes[v]! += Math.abs(y * c);
      terms[v]!++;
    }
  });
  for (let v = 0; v < most.length; v++) {
    const excess = rest[v]! + (2 * terms[v]! + 2) * ROUNDING * sizes[v]!;
    if (!(excess > 0)) continue;
    // A sum without terms is exact.
    if (terms[v] === 0 && rest[v] === 0) continue;
    if (most[v] === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    sum.add(excess * (1 + 2 * ROUNDING) * most[v]!);
  }
  return sum.upper();
}

/** A sum of rounded products, with a bound on its error. */
class Sum {
  #sum = 0;
  #size = 0;
  #terms = 0;

  add(term: number): void {
    this.#sum += term;
    this.#size += Math.abs(term);
    this.#terms++;
  }

  /** At least the exact sum. */
  upper(): number {
    const error = (2 * this.#terms + 4) * ROUNDING * this.#size;
    return this.#size === 0 ? 0 : this.#sum + error;
  }
}

/** Relative room for rounding in bounds of single variables, which need not be narrow. */
const ROUNDED = 1e-9;
/** Passes over all rows that bound single variables, and the improvement that counts. */
const MAX_ROUNDS = 20;
const WORTH = 0.999;

/** Lowers the bounds `most` of x ≥ 0: a row limits a variable if those with the other sign are bounded. */
export function boundVariables(rows: readonly Row[], most: Float64Array): void {
  for (let round = 0, changed = true; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    for (const { coefficients, most: limit, isEquation } of rows)
      for (const sign of isEquation ? [1, -1] : [1]) {
        // sign · c · x ≤ sign · most + the largest contribution of the negative terms.
        let given = 0;
        for (const [v, c] of coefficients) if (sign * c < 0) given -= sign * c * most[v]!;
        const right = sign * limit + given + ROUNDED * (Math.abs(limit) + given);
        if (!(right < Number.POSITIVE_INFINITY)) continue;
        for (const [v, c] of coefficients) {
          if (sign * c <= 0) continue;
          const own = (Math.max(right, 0) / (sign * c)) * (1 + ROUNDED);
          if (!(own < most[v]! * WORTH)) continue;
          most[v] = own;
          changed = true;
        }
      }
  }
}
