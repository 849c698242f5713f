import { ROUNDING, TINY } from './elimination.ts';

/** An irreducible generator: rates to other states in compressed rows. */
export interface Generator {
  readonly states: number;
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rate: Float64Array;
  /** Sum of the rates out of each state. */
  readonly exit: Float64Array;
}

/** A stationary distribution. */
export interface Stationary {
  readonly probability: Float64Array;
  /**
   * Bound on max log(πᵢ / exact) − min log(πᵢ / exact) of the distribution of the given rates; Infinity if there is none (of
   * iteration).
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
export function eliminate({ states: n, start, target, rate }: Generator): Stationary {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let e = start[i]!; e < start[i + 1]!; e++) a[i * n + target[e]!] = rate[e]!;
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

/** Maximum number of sweeps. */
const MAX_SWEEPS = 20_000;
/** Relative change of every probability in one sweep at which iteration ends. */
const SMALL_CHANGE = 1e-13;

/** The approximate stationary distribution by Gauss–Seidel iteration; its quality is measured by bounds, not by its change. */
export function iterate(chain: Generator, stop: () => boolean): Stationary {
  const { states: n, exit } = chain;
  const { start, source, rate } = transposed(chain);
  const x = new Float64Array(n).fill(1 / n);
  for (let sweep = 0; sweep < MAX_SWEEPS && !stop(); sweep++) {
    let change = 0;
    let total = 0;
    // Sweeps alternate, so that values spread at once in both directions of the numbering.
    const isForward = sweep % 2 === 0;
    for (let k = 0; k < n; k++) {
      const j = isForward ? k : n - 1 - k;
      let flow = 0;
      for (let e = start[j]!, end = start[j + 1]!; e < end; e++) flow += rate[e]! * x[source[e]!]!;
      flow /= exit[j]!;
      const apart = Math.abs(flow - x[j]!);
      if (apart > change * flow) change = apart / flow;
      x[j] = flow;
      total += flow;
    }
    for (let j = 0; j < n; j++) x[j]! /= total;
    if (change < SMALL_CHANGE) break;
  }
  return { probability: x, error: Number.POSITIVE_INFINITY };
}

/** The rates into each state. */
function transposed({ states: n, start, target, rate }: Generator): {
  readonly start: Uint32Array;
  readonly source: Int32Array;
  readonly rate: Float64Array;
} {
  const into = new Uint32Array(n + 1);
  for (const j of target) into[j + 1]!++;
  for (let j = 0; j < n; j++) into[j + 1]! += into[j]!;
  const next = into.slice();
  const source = new Int32Array(target.length);
  const rates = new Float64Array(target.length);
  for (let i = 0; i < n; i++)
    for (let e = start[i]!; e < start[i + 1]!; e++) {
      const at = next[target[e]!]!++;
      source[at] = i;
      rates[at] = rate[e]!;
    }
  return { start: into, source, rate: rates };
}

/** Largest difference of the flows into and out of a state, per second. */
export function residual(chain: Generator, x: Float64Array): number {
  const { start, source, rate } = transposed(chain);
  let most = 0;
  for (let j = 0; j < chain.states; j++) {
    let flow = 0;
    for (let e = start[j]!; e < start[j + 1]!; e++) flow += rate[e]! * x[source[e]!]!;
    most = Math.max(most, Math.abs(flow - chain.exit[j]! * x[j]!));
  }
  return most;
}
