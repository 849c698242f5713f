import { ROUNDING, TINY } from './elimination.ts';
import { rateAt } from './rows.ts';
import type { Generator } from './sweeps.ts';

/** A stationary distribution. */
export interface Stationary {
  readonly probability: Float64Array;
  /**
   * Bound on max log(πᵢ / exact) − min log(πᵢ / exact) of the distribution of the given rates; Infinity if the method gives no
   * bound (iteration).
   */
  readonly error: number;
}

/** Up to this number of states, chains are solved by elimination in a full matrix of at most 2 MiB. */
export const MAX_ELIMINATED = 512;

/**
 * The stationary distribution by state elimination (Grassmann, Taksar & Heyman 1985): positive numbers are added, multiplied and
 * divided only, so each probability is exact to rounding, however far apart the rates are. O(states³) time. Proof of the bound:
 * README.md.
 */
export function eliminate({ states: n, start, target, rates }: Generator): Stationary {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let e = start[i]!; e < start[i + 1]!; e++) a[i * n + target[e]!] = rateAt(rates, e);
  const totals = new Float64Array(n);
  const columns = new Int32Array(n);
  let error = 0;
  let lost = false;
  for (let k = n - 1; k > 0; k--) {
    let total = 0;
    let entries = 0;
    for (let j = 0; j < k; j++) {
      if (a[k * n + j] === 0) continue;
      total += a[k * n + j]!;
      columns[entries++] = j;
    }
    totals[k] = total;
    let sources = 0;
    for (let i = 0; i < k; i++) {
      if (a[i * n + k] === 0) continue;
      sources++;
      const factor = a[i * n + k]! / total;
      for (let c = 0; c < entries; c++) {
        const j = columns[c]!;
        if (j === i) continue;
        const product = factor * a[k * n + j]!;
        if (!(product > TINY)) lost = true;
        a[i * n + j]! += product;
      }
    }
    error += (2 * (k - 1) * (entries + 2) + entries + sources + 2) * ROUNDING;
  }
  const probability = new Float64Array(n);
  probability[0] = 1;
  let sum = 1;
  for (let k = 1; k < n; k++) {
    let flow = 0;
    for (let i = 0; i < k; i++) flow += probability[i]! * a[i * n + k]!;
    probability[k] = flow / totals[k]!;
    if (!(probability[k]! > TINY && probability[k]! < 1 / TINY)) lost = true;
    sum += probability[k]!;
  }
  for (let k = 0; k < n; k++) probability[k]! /= sum;
  return { probability, error: lost ? Number.POSITIVE_INFINITY : error + 2 * ROUNDING };
}

/** Largest difference of the flows into and out of a state, per second. */
export function residual({ states, start, target, rates, exit }: Generator, x: Float64Array): number {
  const net = x.map((p, i) => -p * exit[i]!);
  for (let i = 0; i < states; i++)
    for (let e = start[i]!, end = start[i + 1]!; e < end; e++) net[target[e]!]! += rateAt(rates, e) * x[i]!;
  return net.reduce((most, flow) => Math.max(most, Math.abs(flow)), 0);
}
