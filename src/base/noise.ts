/**
 * A random factor of mean 1 on how long something takes, drawn anew each time: `cv` is its standard deviation.
 *
 * - `lognormal`: its logarithm is normal with variance ln(1 + cv²) and mean −ln(1 + cv²) / 2
 * - `exponential`: its standard deviation is 1
 * - `uniform` between 1 − `spread` and 1 + `spread`
 * - `normal`, drawn again while below zero; where cv is at most {@link MAX_NORMAL_CV}, that moves the mean by less
 *   than 10⁻⁶
 */
export type Noise =
  | { readonly kind: 'lognormal'; readonly cv: number }
  | { readonly kind: 'exponential' }
  | { readonly kind: 'uniform'; readonly spread: number }
  | { readonly kind: 'normal'; readonly cv: number };

/** The largest standard deviation of a normal factor. */
export const MAX_NORMAL_CV = 0.2;
