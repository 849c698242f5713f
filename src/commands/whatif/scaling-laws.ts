import { assertIs } from '../../base/options.ts';
import { leastSquares, nonNegativeLeastSquares } from './least-squares.ts';
import type { AmdahlFit, GustafsonFit, ScalabilityFit, ScalingKind, ScalingPoint } from './whatif-result.ts';

/** A coherence κ that changes every measured run time by less than this share of T₁ / N is set to 0. */
const NEGLIGIBLE = 1e-9;

/** Run time in seconds on a number of ranks. */
export interface Measured {
  /** p, the number of ranks. */
  readonly ranks: number;
  /** Run time on that many ranks, in seconds. */
  readonly runTime: number;
  /** Mean number of ranks at work; absent if it is not known. */
  readonly parallelism?: number;
}

/**
 * Speed-up and efficiency relative to the smallest number of ranks, ascending by ranks; see {@link ScalingPoint} for the
 * meaning in strong and weak scaling.
 */
export function scalingPoints(measured: readonly Measured[], kind: ScalingKind = 'strong'): ScalingPoint[] {
  assertIs('scalingPoints', 'measured', measured, 'a list of objects', 'APP061');
  const ascending = [...measured].sort((a, b) => a.ranks - b.ranks);
  const first = ascending[0];
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return ascending.map(({ ranks, runTime }) => {
    const ratio = first!.runTime > 0 && runTime > 0 ? first!.runTime / runTime : Number.NaN;
    const speedUp = finite(kind === 'weak' ? (ratio * ranks) / first!.ranks : ratio);
    const efficiency = finite(kind === 'weak' ? ratio : (ratio * first!.ranks) / ranks);
    return { ranks, runTime, speedUp, efficiency };
  });
}

/**
 * Amdahl's law, T(p) = T₁ (s + (1 − s) / p) with 0 ≤ s ≤ 1, fitted to run times by least squares of *relative* errors,
 * since run times span orders of magnitude. The fit is linear in T₁ s and T₁ (1 − s). (G. M. Amdahl, AFIPS 1967.)
 *
 * @returns `undefined` for fewer than two rank counts, or a run time that is not positive
 */
export function fitAmdahl(measured: readonly Measured[]): AmdahlFit | undefined {
  assertIs('fitAmdahl', 'measured', measured, 'a list of objects', 'APP061');
  return amdahlOf(measured);
}

/**
 * As {@link fitAmdahl}.
 *
 * @param free true if coefficients may be negative: for intervals
 */
export function amdahlOf(measured: readonly Measured[], free = false): AmdahlFit | undefined {
  const fit = fitted(measured, [(p) => 1 / p, () => 1], free);
  if (fit === undefined) return undefined;
  const [parallel = 0, serial = 0] = fit.coefficients;
  return { serialTime: parallel + serial, serialShare: serial / (parallel + serial), rSquared: fit.rSquared };
}

/**
 * Gustafson's law: the scaled speed-up is p − s (p − 1) with 0 ≤ s ≤ 1. The speed-up of work that grows with the ranks is the
 * mean number of ranks at work, which is measured; run times alone do not show serial work. s is fitted by least squares of
 * relative errors. (J. L. Gustafson, Reevaluating Amdahl's law, CACM 31, 1988.)
 *
 * @returns `undefined` for fewer than two rank counts, or an unknown or zero parallelism
 */
export function fitGustafson(measured: readonly Measured[]): GustafsonFit | undefined {
  return gustafsonOf(measured);
}

/** As {@link fitGustafson}; `free`: s may be outside 0 … 1. */
export function gustafsonOf(measured: readonly Measured[], free = false): GustafsonFit | undefined {
  if (new Set(measured.map((m) => m.ranks)).size < 2) return undefined;
  if (!measured.every(({ ranks, runTime, parallelism = 0 }) => ranks > 0 && runTime > 0 && parallelism > 0))
    return undefined;
  const speedUps = measured.map(({ ranks, parallelism }) => ({ ranks, runTime: parallelism! }));
  const sum = (of: (m: Measured) => number): number => speedUps.reduce((all, m) => all + of(m), 0);
  const lost = sum((m) => ((m.ranks - m.runTime) * (m.ranks - 1)) / m.runTime ** 2);
  const share = lost / sum((m) => ((m.ranks - 1) / m.runTime) ** 2);
  const serialShare = free ? share : Math.min(1, Math.max(0, share));
  const left = speedUps.map((m) => 1 - (m.ranks - serialShare * (m.ranks - 1)) / m.runTime);
  const smallest = measured.reduce((a, m) => (m.ranks < a.ranks ? m : a));
  return { serialTime: smallest.runTime, serialShare, rSquared: rSquared(speedUps, left) };
}

/** Relative growth of the run time from the fewest to the most ranks; 0 is perfect weak scaling. */
export function runTimeGrowth(measured: readonly Measured[]): number | undefined {
  const ascending = [...measured].sort((a, b) => a.ranks - b.ranks);
  const [first, last] = [ascending[0], ascending.at(-1)];
  if (first === undefined || last === undefined || !(first.runTime > 0)) return undefined;
  return last.runTime / first.runTime - 1;
}

/**
 * Universal scalability law, T(N) = T₁ (1 + σ (N − 1) + κ N (N − 1)) / N with 0 ≤ σ ≤ 1 and κ ≥ 0. Fitted by least squares
 * of relative errors, linear in T₁ (1 − σ), T₁ σ and T₁ κ with terms 1 / N, 1 and N − 1. The run time is minimal at
 * N* = √((1 − σ) / κ). (N. J. Gunther, _Guerrilla Capacity Planning_, 2007, ch. 4–6.)
 *
 * @returns `undefined` for fewer than three rank counts, a run time that is not positive, or run times that grow as N − 1
 */
export function fitScalability(measured: readonly Measured[]): ScalabilityFit | undefined {
  assertIs('fitScalability', 'measured', measured, 'a list of objects', 'APP061');
  return scalabilityOf(measured);
}

/** As {@link fitScalability}; `free`: coefficients may be negative. */
export function scalabilityOf(measured: readonly Measured[], free = false): ScalabilityFit | undefined {
  const fit = fitted(measured, [(n) => 1 / n, () => 1, (n) => n - 1], free);
  if (fit === undefined) return undefined;
  const [parallel = 0, serial = 0, coherence = 0] = fit.coefficients;
  const serialTime = parallel + serial;
  if (!(serialTime > 0)) return undefined;
  const contention = serial / serialTime;
  // A rounding error in place of κ = 0 would put the peak at about 10⁸ ranks.
  const max = measured.reduce((a, m) => Math.max(a, m.ranks), 0);
  const found = coherence / serialTime;
  const kappa = !free && found * max * max < NEGLIGIBLE ? 0 : found;
  const peak = kappa > 0 ? Math.max(1, Math.sqrt((1 - contention) / kappa)) : null;
  return { serialTime, contention, coherence: kappa, peak, rSquared: fit.rSquared };
}

/**
 * Fits coefficients of `terms` by least squares of relative errors: each equation is divided by its run time. They are not negative
 * unless they are free.
 */
function fitted(
  measured: readonly Measured[],
  terms: readonly ((ranks: number) => number)[],
  free: boolean,
): { readonly coefficients: readonly number[]; readonly rSquared: number } | undefined {
  if (new Set(measured.map((m) => m.ranks)).size < terms.length) return undefined;
  if (!measured.every((m) => m.runTime > 0 && m.ranks > 0)) return undefined;
  const rows = terms.map((term) => measured.map(({ ranks, runTime }) => term(ranks) / runTime));
  const ones = measured.map(() => 1);
  const coefficients = free ? leastSquares(rows, ones)?.coefficients : nonNegativeLeastSquares(rows, ones);
  if (coefficients === undefined) return undefined;
  const left = measured.map((_, i) => 1 - rows.reduce((sum, row, j) => sum + row[i]! * coefficients[j]!, 0));
  return { coefficients, rSquared: rSquared(measured, left) };
}

/** Coefficient of determination of relative errors; 1 if all run times are equal. */
function rSquared(measured: readonly Measured[], left: readonly number[]): number {
  const weights = measured.map(({ runTime }) => 1 / runTime ** 2);
  const mean =
    measured.reduce((sum, m, i) => sum + weights[i]! * m.runTime, 0) / weights.reduce((sum, w) => sum + w, 0);
  const total = measured.reduce((sum, m) => sum + (1 - mean / m.runTime) ** 2, 0);
  const unexplained = left.reduce((sum, x) => sum + x * x, 0);
  return total > 1e-24 ? Math.max(0, 1 - unexplained / total) : 1;
}
