import { InputError } from '../../base/problem.ts';
import { type Variables, valueIn } from './variables.ts';

/** What a function of a model is given: numbers by name, as tokens hold them. Each look-up is a recorded read. */
export type Numbers = Readonly<Record<string, number>>;

/** A function of a model, as users write them: `s => s.rank + 1`. */
export type Closure = (s: never) => unknown;

/** What the functions of one program know besides what tokens hold. */
export interface Surroundings {
  readonly size: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly variables: Variables;
  /** The rank of the world that is rank 0 of this program. */
  readonly first: number;
}

/** The name under which tokens hold the rank. */
export const RANK = 'rank';

/**
 * What a function answers on the state that the numbers stand for: `{ value }`, or `{ thrown }` what it threw. What a
 * function may never do (reading a clock, changing its argument) is thrown on.
 */
export function answerOf(
  closure: Closure,
  { size, params, variables, first }: Surroundings,
  numbers: Numbers,
): { readonly value: unknown } | { readonly thrown: unknown } {
  const view = new Proxy(numbers, {
    get: (target, key) => {
      if (key === 'size') return size;
      if (key === 'p') return params;
      if (key === RANK) return target[RANK]! - first;
      const variable = typeof key === 'string' && Object.hasOwn(variables, key) ? variables[key] : undefined;
      const number = Reflect.get(target, key) as number;
      return variable === undefined ? number : valueIn(variable, number);
    },
  });
  try {
    return { value: closure(view as never) };
  } catch (thrown) {
    if (thrown instanceof InputError) throw thrown;
    return { thrown };
  }
}
