/** Values averaged into one before the search: MSER-5. */
const AVERAGED = 5;

/**
 * The number of first values to leave out of a mean, so that it does not depend on where the run began: MSER-5 (K. P. White,
 * Simulation 69, 1997; K. P. White, M. J. Cobb, S. C. Spratt, Winter Simulation Conference 2000). Averages of five values; the
 * truncation d minimises Σ (x − mean)² / (n − d)² over the averages that are left, the squared error of their mean if they were
 * independent.
 *
 * Undefined if the minimum lies in the second half: then the run is too short for its warm-up, or there is no steady state. O(n).
 */
export function warmUp(series: ArrayLike<number>): number | undefined {
  const n = Math.floor(series.length / AVERAGED);
  if (n < 2) return 0;
  const first = series.length - n * AVERAGED;
  const half = Math.floor(n / 2);
  let [count, mean, squares] = [0, 0, 0];
  let [best, least] = [n, Number.POSITIVE_INFINITY];
  // From the end, by Welford's recurrence: cancellation would hide small variances.
  for (let d = n - 1; d >= 0; d--) {
    let sum = 0;
    for (let k = 0; k < AVERAGED; k++) sum += series[first + d * AVERAGED + k]!;
    const value = sum / AVERAGED;
    const away = value - mean;
    count += 1;
    mean += away / count;
    squares += away * (value - mean);
    // Few values at the end may be equal by chance (Spratt 1998).
    if (count < AVERAGED) continue;
    const error = squares / (count * count);
    if (error <= least) [best, least] = [d, error];
  }
  if (best > half) return undefined;
  return best === 0 ? 0 : first + best * AVERAGED;
}
