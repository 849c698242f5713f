import type { Expression } from './expression.ts';

/**
 * A distribution of a delay or a service time, in seconds; rates are per second. Parameters are expressions of the binding,
 * or of a token's columns.
 *
 * - `exponential`: mean 1 / rate
 * - `erlang`: `shape` exponential phases in a row, each of `rate` (a whole number from 1)
 * - `hyper-exponential`: one of the branches, by its probability in proportion to all
 * - `cox`: exponential phases in a row, each followed by the next with the probability `onward` (of the last: 0)
 * - `uniform` between `low` and `high`, `triangular` with its peak at `mode`
 * - `normal` with `mean` and `deviation`, drawn again while below zero
 * - `lognormal`: the logarithm is normal with `mean` and `deviation`
 * - `weibull` and `gamma` with `shape` and `scale`
 * - `discrete`: one of the values, in proportion to its weight
 * - `empirical`: the piecewise linear distribution through the samples in order (Law, _Simulation Modeling and
 *   Analysis_, §6.2.4): F is (k − 1) / (n − 1) at the k-th of n
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

export interface Branch {
  readonly probability: Expression;
  readonly rate: Expression;
}

export interface Phase {
  readonly rate: Expression;
  readonly onward: Expression;
}

/** Whether a delay is drawn. */
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
