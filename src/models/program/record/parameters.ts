import { didYouMean, fail, quote } from '../../../base/problem.ts';
import { Site } from './site.ts';

/** Parameters of a model: plain values, equal on all ranks. */
export type Parameters = Readonly<Record<string, number | string | boolean>>;

/** Parameters of a model as a proxy: reading an unknown one is an error (MODEL005) instead of undefined. */
export function guarded(model: string, params: Parameters): Parameters {
  const get = (target: Parameters, key: string | symbol): unknown => {
    if (typeof key !== 'string' || Object.hasOwn(target, key) || key in Object.prototype || key === 'toJSON')
      return Reflect.get(target, key) as unknown;
    return fail(
      'MODEL005',
      `model ${quote(model)} has no parameter ${quote(key)}.${didYouMean(key, Object.keys(target))}`,
      new Site(get).place,
    );
  };
  return new Proxy(params, { get });
}
