import type { Expression } from './expression.ts';

/**
 * Distribution of a delay or service time in seconds; rates are per second. Parameters are expressions over the binding
 * or over a token's columns.
 *
 * - `exponential`: mean 1 / rate
 * - `erlang`: sum of `shape` exponential phases, each with `rate`; `shape` is an integer ≥ 1
 * - `hyper-exponential`: one exponential branch, chosen in proportion to `probability`
 * - `cox`: exponential phases in series; each continues to the next with probability `onward` (0 for the last)
 * - `uniform` between `low` and `high`; `triangular` with its peak at `mode`
 * - `normal` with `mean` and standard `deviation`, redrawn while negative
 * - `lognormal`: the logarithm is normal with `mean` and standard `deviation`
 * - `weibull` and `gamma` with `shape` and `scale`
 * - `discrete`: one of the values, in proportion to its weight
 * - `empirical`: piecewise linear through the sorted samples (Law, _Simulation Modeling and Analysis_, §6.2.4): F is (k
 *   − 1) / (n − 1) at the k-th of n samples
 */
export type Distribution =
  | { readonly dist: 'exponential'; readonly rate: Expression }
  | { readonly dist: 'erlang'; readonly shape: Expression; readonly rate: Expression }
  | { readonly dist: 'hyper-exponential'; readonly branches: readonly Branch[] }
  | { readonly dist: 'cox'; readonly phases: readonly Phase[] }
  | { readonly dist: 'uniform'; readonly low: Expression; readonly high: Expression }
  | { readonly dist: 'triangular'; readonly low: Expression; readonly mode: Expression; readonly high: Expression }
  | { readonly dist: 'normal' | 'lognormal'; readonly mean: Expression; readonly deviation: Expression }
  | { readonly dist: 'weibull' | 'gamma'; readonly shape: Expression; readonly scale: Expression }
  | { readonly dist: 'discrete'; readonly values: readonly { readonly value: number; readonly weight: number }[] }
  | { readonly dist: 'empirical'; readonly samples: readonly number[] };

/** One branch of a hyper-exponential distribution. */
export interface Branch {
  /** Relative to the sum over all branches. */
  readonly probability: Expression;
  /** In 1/s. */
  readonly rate: Expression;
}

/** One phase of a Cox distribution. */
export interface Phase {
  /** In 1/s. */
  readonly rate: Expression;
  /** Probability (0 … 1) of entering the next phase; 0 for the last phase. */
  readonly onward: Expression;
}

/** True if the delay is drawn from a distribution. */
export function isDistribution(delay: Expression | Distribution): delay is Distribution {
  return 'dist' in delay;
}

/** The expressions of a distribution's parameters, in order. */
export function parametersOf(d: Distribution): Expression[] {
  switch (d.dist) {
    case 'exponential':
      return [d.rate];
    case 'erlang':
      return [d.shape, d.rate];
    case 'hyper-exponential':
      return d.branches.flatMap((b) => [b.probability, b.rate]);
    case 'cox':
      return d.phases.flatMap((p) => [p.rate, p.onward]);
    case 'uniform':
      return [d.low, d.high];
    case 'triangular':
      return [d.low, d.mode, d.high];
    case 'normal':
    case 'lognormal':
      return [d.mean, d.deviation];
    case 'weibull':
    case 'gamma':
      return [d.shape, d.scale];
    case 'discrete':
    case 'empirical':
      return [];
  }
}
