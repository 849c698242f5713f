/**
 * A random factor with mean 1 on a duration, drawn anew for each use; `cv` is its standard deviation.
 *
 * - `lognormal`: its logarithm is normal with variance ln(1 + cv²) and mean −ln(1 + cv²) / 2
 * - `exponential`: its standard deviation is 1
 * - `uniform`: between 1 − `spread` and 1 + `spread`
 * - `normal`: negative values are drawn again; for cv up to {@link MAX_NORMAL_CV} this changes the mean by less than 10⁻⁶
 */
export type Noise =
  | { readonly kind: 'lognormal'; readonly cv: number }
  | { readonly kind: 'exponential' }
  | { readonly kind: 'uniform'; readonly spread: number }
  | { readonly kind: 'normal'; readonly cv: number };

/** Maximum standard deviation of a normal factor. */
export const MAX_NORMAL_CV = 0.2;
