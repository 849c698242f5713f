import { MAX_NORMAL_CV, type Noise } from '../../base/noise.ts';
import { fail, shown } from '../../base/problem.ts';
import { Site } from './site.ts';

/** Random factors of mean 1: `noise.lognormal(0.02)` makes a computation vary by about 2 %. */
export const noise: {
  exponential(): Noise;
  lognormal(cv: number): Noise;
  /** Drawn again while below zero; `cv` at most 0.2, so that the mean stays 1. */
  normal(cv: number): Noise;
  uniform(spread: number): Noise;
} = {
  exponential: () => ({ kind: 'exponential' }),
  lognormal: (cv) => ({ kind: 'lognormal', cv: positive(cv, 'lognormal', noise.lognormal) }),
  normal: (cv) => {
    if (cv > MAX_NORMAL_CV)
      fail(
        'MODEL003',
        `normal noise of ${shown(cv)}: at most ${MAX_NORMAL_CV}, so that its mean is 1`,
        new Site(noise.normal).place,
      );
    return { kind: 'normal', cv: positive(cv, 'normal', noise.normal) };
  },
  uniform: (spread) => {
    if (!(spread >= 0 && spread <= 1))
      fail('MODEL003', `uniform noise of ${shown(spread)}: 0 to 1 is expected`, new Site(noise.uniform).place);
    return { kind: 'uniform', spread };
  },
};

/**
 * A random factor that a statement is given.
 *
 * @throws InputError MODEL003 for anything that {@link noise} does not make
 */
export function noiseOf(given: unknown, site: Site): Noise | undefined {
  if (given === undefined || isNoise(given)) return given;
  return fail('MODEL003', `noise of ${shown(given)}: one such as noise.lognormal(0.02) is expected`, site.place);
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

/** @param above the function that the model calls, for the place in messages */
function positive(cv: number, kind: string, above: (cv: number) => Noise): number {
  if (!(cv > 0 && cv < Number.POSITIVE_INFINITY))
    fail(
      'MODEL003',
      `${kind} noise of ${shown(cv)}: standard deviation over mean, above 0, is expected`,
      new Site(above).place,
    );
  return cv;
}
