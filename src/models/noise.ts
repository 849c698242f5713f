import { fail, shown } from '../base/problem.ts';
import { MAX_NORMAL_CV, type Noise } from '../base/random/noise.ts';
import { Site } from './site.ts';

/**
 * Random factors of mean 1: `noise.lognormal(0.02)` makes a computation vary by about 2 %. Argument `cv` is the
 * standard deviation over the mean.
 *
 * @throws InputError MODEL003 for parameters outside their range
 */
export const noise: {
  /** Exponentially distributed factor. */
  exponential(): Noise;
  /** Lognormal factor; `cv` above 0. */
  lognormal(cv: number): Noise;
  /** Normal factor, redrawn if negative; `cv` above 0 and at most 0.2, which keeps the mean at 1. */
  normal(cv: number): Noise;
  /** Factor uniform in 1 ± `spread`; `spread` from 0 to 1. */
  uniform(spread: number): Noise;
} = {
  exponential: () => ({ kind: 'exponential' }),
  lognormal: (cv) => ({ kind: 'lognormal', cv: positive(cv, 'lognormal', noise.lognormal) }),
  normal: (cv) => {
    if (cv > MAX_NORMAL_CV)
      fail(
        'MODEL003',
        `normal noise: expected a coefficient of variation of at most ${MAX_NORMAL_CV}, which keeps the mean at 1, got ${shown(cv)}`,
        new Site(noise.normal).place,
      );
    return { kind: 'normal', cv: positive(cv, 'normal', noise.normal) };
  },
  uniform: (spread) => {
    if (!(spread >= 0 && spread <= 1))
      fail(
        'MODEL003',
        `uniform noise: expected a spread from 0 to 1, got ${shown(spread)}`,
        new Site(noise.uniform).place,
      );
    return { kind: 'uniform', spread };
  },
};

/**
 * Checks the noise of a statement.
 *
 * @throws InputError MODEL003 for a value that {@link noise} cannot make
 */
export function noiseOf(given: unknown, site: Site): Noise | undefined {
  if (given === undefined || isNoise(given)) return given;
  return fail('MODEL003', `noise: expected a noise such as noise.lognormal(0.02), got ${shown(given)}`, site.place);
}

function isNoise(x: unknown): x is Noise {
  if (typeof x !== 'object' || x === null || !('kind' in x)) return false;
  const given = x as { readonly kind: unknown; readonly cv?: unknown; readonly spread?: unknown };
  switch (given.kind) {
    case 'exponential':
      return true;
    case 'uniform':
      return typeof given.spread === 'number' && given.spread >= 0 && given.spread <= 1;
    case 'lognormal':
    case 'normal':
      return typeof given.cv === 'number' && given.cv > 0 && given.cv < Number.POSITIVE_INFINITY;
    default:
      return false;
  }
}

/** @param above the function that the model calls; its call site is the place in messages */
function positive(cv: number, kind: string, above: (cv: number) => Noise): number {
  if (!(cv > 0 && cv < Number.POSITIVE_INFINITY))
    fail('MODEL003', `${kind} noise: expected a coefficient of variation > 0, got ${shown(cv)}`, new Site(above).place);
  return cv;
}
