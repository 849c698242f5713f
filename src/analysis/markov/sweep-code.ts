/**
 * Gauss–Seidel sweeps over a matrix in compressed rows, in the kernel language. Row i has the entries `start[i]` …
 * `start[i + 1]` − 1. All arrays are parameters: their addresses are given with each call.
 *
 * - `flow`: one sweep, up the numbers, of xⱼ = Σ xᵢqᵢⱼ / exitⱼ over a matrix of the rates into each state. Returns the largest relative change;
 *   `total` is the sum of x.
 * - `relax`: one sweep, down the numbers, of hᵢ = (rᵢ − g + Σ qᵢⱼhⱼ) / exitᵢ over a matrix of the rates out of each state, for two right-hand sides at
 *   once.
 * - `bound`: `low` and `high`, the least rᵢ + (Qh)ᵢ − oᵢ and the largest rᵢ + (Qh)ᵢ + oᵢ of one of both, where oᵢ bounds the errors
 *   of rounding and of the rates (README.md); `low` is −Infinity if a number is out of range.
 */
export function sweepCode(isCoded: boolean): string {
  const rate = isCoded ? 'value[code[e]]' : 'value[e]';
  return `let total: num = 0; let low: num = 0; let high: num = 0;
export function flow(n: int, start: ints, source: ints, code: bytes, value: nums, inverse: nums, x: nums): num {
  let change: num = 0, sum: num = 0;
  for (let j = 0; j < n; j++) {
    let into: num = 0;
    const end = start[j + 1];
    for (let e = start[j]; e < end; e++) into += ${rate} * x[source[e]];
    into *= inverse[j];
    const apart = Math.abs(into - x[j]);
    if (apart > change * into) change = apart / into;
    x[j] = into;
    sum += into;
  }
  total = sum;
  return change;
}
export function scale(n: int, x: nums, factor: num) { for (let k = 0; k < n; k++) x[k] *= factor; }
export function relax(n: int, start: ints, target: ints, code: bytes, value: nums, inverse: nums, reward: pairs, mean: pairs, h: pairs) {
  const g = mean[0];
  for (let i = n - 1; i >= 0; i--) {
    let sum = reward[i] - g;
    const end = start[i + 1];
    for (let e = start[i]; e < end; e++) sum = sum + ${rate} * h[target[e]];
    h[i] = sum * inverse[i];
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
