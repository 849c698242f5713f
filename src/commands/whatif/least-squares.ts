/**
 * Non-negative least squares: coefficients c ≥ 0 that minimise ‖y − Σ cⱼ·columns[j]‖². Columns may differ in scale. Solves
 * the unconstrained problem for every subset of columns; the constrained optimum is one of these solutions, so the result
 * is exact (C. L. Lawson, R. J. Hanson, _Solving Least Squares Problems_, 1974, ch. 23). O(2ᵏ k² n) for k columns of n
 * numbers; k is 2 or 3 here.
 */
export function nonNegativeLeastSquares(columns: readonly (readonly number[])[], y: readonly number[]): number[] {
  let best: number[] = columns.map(() => 0);
  let min = squares(y);
  for (let set = 1; set < 1 << columns.length; set++) {
    const used = columns.map((_, j) => j).filter((j) => (set >> j) & 1);
    const found = leastSquares(
      used.map((j) => columns[j]!),
      y,
    );
    if (found === undefined || found.coefficients.some((c) => c < 0)) continue;
    if (!(found.residual < min)) continue;
    min = found.residual;
    best = columns.map(() => 0);
    used.forEach((j, k) => {
      best[j] = found.coefficients[k]!;
    });
  }
  return best;
}

/** Unconstrained least squares by Gram–Schmidt with reorthogonalisation; `undefined` if the columns are linearly dependent. */
export function leastSquares(
  columns: readonly (readonly number[])[],
  y: readonly number[],
): { readonly coefficients: readonly number[]; readonly residual: number } | undefined {
  const k = columns.length;
  if (k > y.length) return undefined;
  const orthogonal: number[][] = [];
  const upper = columns.map(() => new Array<number>(k).fill(0));
  const right: number[] = [];
  const rest = [...y];
  for (const [j, column] of columns.entries()) {
    const q = [...column];
    const size = Math.sqrt(squares(column));
    for (let pass = 0; pass < 2; pass++) for (const [i, p] of orthogonal.entries()) upper[i]![j]! += subtract(q, p);
    const norm = Math.sqrt(squares(q));
    if (!(norm > 1e-12 * size)) return undefined;
    upper[j]![j] = norm;
    orthogonal.push(q.map((x) => x / norm));
    right.push(subtract(rest, orthogonal[j]!));
  }
  const coefficients = new Array<number>(k).fill(0);
  for (let j = k - 1; j >= 0; j--) {
    let sum = right[j]!;
    for (let i = j + 1; i < k; i++) sum -= upper[j]![i]! * coefficients[i]!;
    coefficients[j] = sum / upper[j]![j]!;
  }
  return { coefficients, residual: squares(rest) };
}

/** Subtracts from `vector` its component along the unit vector `unit`; returns the length of that component. */
function subtract(vector: number[], unit: readonly number[]): number {
  const along = vector.reduce((sum, x, i) => sum + x * unit[i]!, 0);
  for (const [i, u] of unit.entries()) vector[i]! -= along * u;
  return along;
}

function squares(vector: readonly number[]): number {
  return vector.reduce((sum, x) => sum + x * x, 0);
}
