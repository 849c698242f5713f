/**
 * Gauss–Seidel sweeps with over-relaxation over a matrix in compressed rows, in the kernel language. Row i has the entries `start[i]` …
 * `start[i + 1]` − 1. All arrays are parameters: their addresses are given with each call.
 *
 * - `flow`: one sweep, up the numbers, of xⱼ = (1 − ω)xⱼ + ω Σ xᵢqᵢⱼ / exitⱼ. The sum of state j is collected in `into`: each state adds its flows to its successors
 *   when its own value is known, so that no matrix of the rates into each state is needed. Returns the largest relative change.
 * - `relax`: one sweep, down the numbers, of hᵢ = (1 − ω)hᵢ + ω(rᵢ − g + Σ qᵢⱼhⱼ) / exitᵢ, for two right-hand sides at once.
 * - `bound`: `low` and `high`, the least rᵢ + (Qh)ᵢ − oᵢ and the largest rᵢ + (Qh)ᵢ + oᵢ of one of both, where oᵢ bounds the errors
 *   of rounding and of the rates (README.md); `low` is −Infinity if a number is out of range.
 */
export function sweepCode(isCoded: boolean): string {
  const rate = isCoded ? 'value[code[e]]' : 'value[e]';
  return `let low: num = 0; let high: num = 0;
export function flow(n: int, start: ints, target: ints, code: bytes, value: nums, inverse: nums, into: nums, x: nums, factor: num): num {
  const kept = 1 - factor;
  let change: num = 0;
  for (let i = 0; i < n; i++) {
    const own = kept * x[i] + factor * into[i] * inverse[i];
    into[i] = 0;
    const apart = Math.abs(own - x[i]);
    if (apart > change * Math.abs(own)) change = apart / Math.abs(own);
    x[i] = own;
    const end = start[i + 1];
    for (let e = start[i]; e < end; e++) into[target[e]] += ${rate} * own;
  }
  return change;
}
export function relax(n: int, start: ints, target: ints, code: bytes, value: nums, inverse: nums, reward: pairs, mean: pairs, h: pairs, factor: num) {
  const g = mean[0];
  const kept = 1 - factor;
  for (let i = n - 1; i >= 0; i--) {
    let sum = reward[i] - g;
    const end = start[i + 1];
    for (let e = start[i]; e < end; e++) sum = sum + ${rate} * h[target[e]];
    h[i] = kept * h[i] + factor * inverse[i] * sum;
  }
}
export function shift(n: int, h: pairs) {
  const first = h[0];
  for (let k = 0; k < n; k++) h[k] = h[k] - first;
}
export function bound(n: int, start: ints, target: ints, code: bytes, value: nums, reward: nums, h: nums, lane: int, error: num, rounding: num, underflow: num) {
  low = Infinity; high = -Infinity;
  for (let i = 0; i < n; i++) {
    const from = start[i], end = start[i + 1];
    const own = h[(i << 1) + lane];
    let sum = reward[(i << 1) + lane];
    let size = sum;
    for (let e = from; e < end; e++) {
      const term = ${rate} * (h[(target[e] << 1) + lane] - own);
      sum += term;
      size += Math.abs(term);
    }
    const entries: num = end - from + 6;
    const off = (2 * error + entries * rounding) * size + underflow;
    if (!(off < Infinity)) { low = -Infinity; high = Infinity; return; }
    low = Math.min(low, sum - off);
    high = Math.max(high, sum + off);
  }
}
`;
}
