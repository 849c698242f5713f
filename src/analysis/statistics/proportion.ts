/** Halvings of [0, 1]: to the precision of a double. */
const HALVINGS = 53;

/**
 * The interval of a probability from `count` successes in n independent trials (C. J. Clopper, E. S. Pearson, Biometrika 26, 1934): all
 * probabilities for which neither so few nor so many successes are rarer than (1 − confidence) / 2. It contains the probability at
 * least as often as `confidence` says, also for few trials and rare events. O(count).
 */
export function proportion(
  count: number,
  n: number,
  confidence: number,
): { readonly lower: number; readonly upper: number } {
  const tail = (1 - confidence) / 2;
  return {
    lower: count === 0 ? 0 : whereAtMost(count - 1, n, 1 - tail),
    upper: count === n ? 1 : whereAtMost(count, n, tail),
  };
}

/** The success probability with which at most k < n of n trials succeed with probability `level`. */
function whereAtMost(k: number, n: number, level: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (atMost(k, n, middle) > level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that at most k < n of n trials of probability 0 < p < 1 succeed. O(k). */
export function atMost(k: number, n: number, p: number): number {
  const odds = Math.log(p) - Math.log1p(-p);
  let term = n * Math.log1p(-p);
  let sum = Math.exp(term);
  for (let i = 1; i <= k; i++) {
    term += Math.log((n - i + 1) / i) + odds;
    sum += Math.exp(term);
  }
  return sum;
}
