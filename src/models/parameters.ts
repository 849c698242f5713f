import { didYouMean, fail, quote } from '../base/problem.ts';
import { Site } from './site.ts';

/** Parameters of a model: plain values, equal on all ranks. */
export type Parameters = Readonly<Record<string, number | string | boolean>>;

/** Parameter types as `with` takes them: any number instead of the number literal of the default. */
export type Widened<P> = {
  [K in keyof P]: P[K] extends number ? number : P[K] extends boolean ? boolean : P[K] extends string ? string : P[K];
};

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
