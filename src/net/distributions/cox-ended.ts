/**
 * Shortest phase, as a fraction of `x`. A shorter one is treated as this long; the difference is below double
 * precision.
 */
const SHORTEST = 1e-20;

/**
 * Probability that a series of exponential phases has ended by time x ≥ 0; after phase k the next one follows with
 * probability `onward[k]`. Parameters must be in range. O(phases³ · log(largest rate · x)); relative error about 10⁻¹⁶
 * · phases · that logarithm, for any ratio of the rates.
 *
 * Exponential of the generator: uniformisation for a short time, then squaring. All terms are ≥ 0, so nothing cancels.
 * The diagonal is reset after each squaring, so that errors of slow phases do not double (as in Al-Mohy & Higham, _A
 * new scaling and squaring algorithm for the matrix exponential_, 2009, for triangular matrices).
 */
export function coxEnded(rates: readonly number[], onward: readonly number[], x: number): number {
  // Scale by x, so that the time is 1.
  const scaled = rates.map((r) => Math.min(r * x, 1 / SHORTEST));
  const largest = Math.max(...scaled);
  if (largest === 0) return 0;
  const squarings = Math.max(0, Math.ceil(Math.log2(largest)));
  let time = 2 ** -squarings;
  let m = shortTime(scaled, onward, time);
  for (let k = 0; k < squarings; k++) {
    time *= 2;
    m = squared(m);
    setDiagonal(m, scaled, time);
  }
  return Math.min(1, m[0]![rates.length]!);
}

/**
 * Transition probabilities from each phase to each later one and to the end (last column), for a time shorter than
 * every phase: Σ e^(−q t) (q t)ᵏ / k! Pᵏ, with largest rate q and step probabilities P.
 */
function shortTime(rates: readonly number[], onward: readonly number[], time: number): Float64Array[] {
  const n = rates.length;
  const q = Math.max(...rates);
  let power: Float64Array[] = Array.from({ length: n + 1 }, (_, i) =>
    Float64Array.from({ length: n + 1 }, (_, j) => (i === j ? 1 : 0)),
  );
  const sum = power.map((row) => row.map((p) => p * Math.exp(-q * time)));
  let weight = Math.exp(-q * time);
  // Term k is the first to reach phase k; twenty further terms leave a remainder below 20!⁻¹ of it.
  for (let k = 1; k <= n + 20; k++) {
    weight *= (q * time) / k;
    power = power.map((row) => step(row, rates, onward, q));
    for (const [i, row] of power.entries()) for (const [j, p] of row.entries()) sum[i]![j]! += weight * p;
  }
  setDiagonal(sum, rates, time);
  return sum;
}

/** Sets the probabilities of staying, which are known exactly. */
function setDiagonal(m: readonly Float64Array[], rates: readonly number[], time: number): void {
  for (const [i, row] of m.entries()) row[i] = i < rates.length ? Math.exp(-rates[i]! * time) : 1;
}

/** One row of the probability matrix after one more step of the uniformised chain. */
function step(row: Float64Array, rates: readonly number[], onward: readonly number[], q: number): Float64Array {
  const n = rates.length;
  const next = new Float64Array(n + 1);
  next[n] = row[n]!;
  for (let j = 0; j < n; j++) {
    const leave = row[j]! * (rates[j]! / q);
    next[j]! += row[j]! * (1 - rates[j]! / q);
    next[j + 1]! += j + 1 < n ? leave * onward[j]! : 0;
    next[n]! += leave * (1 - onward[j]!);
  }
  return next;
}

/** The square of an upper triangular matrix. */
function squared(m: readonly Float64Array[]): Float64Array[] {
  const size = m.length;
  return m.map((row, i) => {
    const result = new Float64Array(size);
    for (let k = i; k < size; k++) {
      const factor = row[k]!;
      if (factor === 0) continue;
      const other = m[k]!;
      for (let j = k; j < size; j++) result[j]! += factor * other[j]!;
    }
    return result;
  });
}
