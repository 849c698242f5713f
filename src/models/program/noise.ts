import { fail, shown } from '../../base/problem.ts';

/** A random factor of mean 1 on a time. */
export type Noise =
  | { readonly kind: 'exponential' }
  /** `cv`: standard deviation over mean. */
  | { readonly kind: 'lognormal' | 'normal' | 'gamma'; readonly cv: number }
  /** Evenly between 1 − spread and 1 + spread. */
  | { readonly kind: 'uniform'; readonly spread: number };

/** Random factors of mean 1: `noise.lognormal(0.02)` makes a computation vary by about 2 %. */
export const noise: {
  exponential(): Noise;
  lognormal(cv: number): Noise;
  /** Drawn again while below zero, which lifts the mean where `cv` is large. */
  normal(cv: number): Noise;
  gamma(cv: number): Noise;
  uniform(spread: number): Noise;
} = {
  exponential: () => ({ kind: 'exponential' }),
  lognormal: (cv) => ({ kind: 'lognormal', cv: positive(cv, 'lognormal') }),
  normal: (cv) => ({ kind: 'normal', cv: positive(cv, 'normal') }),
  gamma: (cv) => ({ kind: 'gamma', cv: positive(cv, 'gamma') }),
  uniform: (spread) => {
    if (!(spread >= 0 && spread <= 1)) fail('MODEL003', `uniform noise of ${shown(spread)}: 0 to 1 is expected`);
    return { kind: 'uniform', spread };
  },
};

function positive(cv: number, kind: string): number {
  if (!(cv > 0 && cv < Number.POSITIVE_INFINITY))
    fail('MODEL003', `${kind} noise of ${shown(cv)}: standard deviation over mean, above 0, is expected`);
  return cv;
}
