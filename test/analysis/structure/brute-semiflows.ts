/**
 * Minimal semiflows by definition: a set of rows is the support of one if and only if the solutions of y · C = 0 over these
 * rows are the multiples of a single strictly positive vector. Tries all sets of rows, with exact arithmetic.
 */
export function bruteSemiflows(matrix: readonly (readonly number[])[]): Map<number, number>[] {
  const found: Map<number, number>[] = [];
  for (let set = 1; set < 1 << matrix.length; set++) {
    const rows = matrix.flatMap((_, k) => ((set >> k) & 1 ? [k] : []));
    const y = onlySolution(rows.map((k) => matrix[k]!.map(BigInt)));
    if (y === undefined) continue;
    const positive = y.every((v) => v > 0n) ? y : y.every((v) => v < 0n) ? y.map((v) => -v) : undefined;
    if (positive === undefined) continue;
    const divisor = positive.reduce(gcd, 0n);
    found.push(new Map(rows.map((k, i) => [k, Number(positive[i]! / divisor)])));
  }
  return found;
}

/** The basis vector of the solutions of y · rows = 0 if they have dimension 1; by fraction-free elimination. */
function onlySolution(rows: readonly (readonly bigint[])[]): bigint[] | undefined {
  const n = rows.length;
  // One equation per column, in n unknowns.
  const equations = rows[0]!.map((_, c) => rows.map((row) => row[c]!));
  const pivots: number[] = [];
  let rank = 0;
  for (let k = 0; k < n && rank < equations.length; k++) {
    const at = equations.findIndex((e, i) => i >= rank && e[k] !== 0n);
    if (at < 0) continue;
    [equations[rank], equations[at]] = [equations[at]!, equations[rank]!];
    const own = equations[rank]!;
    for (const [i, e] of equations.entries())
      if (i !== rank && e[k] !== 0n) {
        const factor = e[k]!;
        equations[i] = e.map((v, j) => v * own[k]! - own[j]! * factor);
      }
    pivots.push(k);
    rank++;
  }
  if (rank !== n - 1) return undefined;
  const free = Array.from({ length: n }, (_, k) => k).find((k) => !pivots.includes(k))!;
  // Scaled by the product of all pivots, so that all components are integers.
  const product = pivots.reduce((p, k, i) => p * equations[i]![k]!, 1n);
  const y = new Array<bigint>(n).fill(0n);
  y[free] = product;
  pivots.forEach((k, i) => {
    y[k] = (-equations[i]![free]! * product) / equations[i]![k]!;
  });
  return y;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
