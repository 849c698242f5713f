import { listing } from '../base/listing.ts';
import { didYouMean, fail, InputError, type Problem, quote, shown } from '../base/problem.ts';
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

/** A model of whatever kind whose parameters can be changed. */
export interface Adjustable {
  readonly name: string;
  readonly params: Parameters;
  /** The names that a parameter may have if it chooses the model of a module, also of one inside; undefined for other parameters. */
  choices?(param: string): readonly string[] | undefined;
}

/** The names among which a parameter of a model chooses; undefined if it chooses no model of a module. */
export const choicesIn = (model: object, param: string): readonly string[] | undefined =>
  (model as Pick<Adjustable, 'choices'>).choices?.(param);

/** Why a value is not the name of a model that a module may be; undefined if it is. */
export function refusedChoice(module: string, names: readonly string[], value: unknown): string | undefined {
  if (names.includes(value as string)) return undefined;
  return `module ${quote(module)}: expected one of ${names.map((name) => quote(name)).join(', ')}, got ${shown(value)}.${didYouMean(String(value), names)}`;
}

/**
 * Checks that the parameters exist, and that the values have their types and name models of their modules.
 *
 * @throws InputError MODEL005 with all problems
 */
export function checkedParameters(of: Adjustable, given: Parameters): Parameters {
  const { name, params } = of;
  const known = Object.keys(params);
  const problems = Object.entries(given ?? {}).flatMap(([key, value]): Problem[] => {
    if (!Object.hasOwn(params, key)) {
      const none = known.length === 0 ? ' It has none.' : nearest(key, known);
      return [{ code: 'MODEL005', message: `model ${quote(name)} has no parameter ${quote(key)}.${none}` }];
    }
    const names = of.choices?.(key);
    const refused = names === undefined ? undefined : refusedChoice(key, names, value);
    if (refused !== undefined) return [{ code: 'MODEL005', message: refused }];
    const expected = typeof params[key];
    if (typeof value === expected && !Number.isNaN(value)) return [];
    return [
      {
        code: 'MODEL005',
        message: `parameter ${quote(key)} of model ${quote(name)}: expected a ${expected}, got ${shown(value)}`,
      },
    ];
  });
  if (problems.length > 0) throw new InputError(problems);
  return given;
}

/** Suggestions for an unknown parameter. In compositions these are the modules' parameters of the same name, `prod.items` for `items`. */
function nearest(key: string, known: readonly string[]): string {
  const inParts = known.filter((name) => name.endsWith(`.${key}`));
  if (inParts.length === 0) return didYouMean(key, known);
  const meant = inParts.slice(0, 3).map((name) => quote(name));
  return ` Did you mean ${meant.join(' or ')}? Known: ${listing(known)}.`;
}
