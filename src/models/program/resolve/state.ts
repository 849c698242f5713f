import { InputError } from '../../../base/problem.ts';
import { type Variables, valueIn } from '../record/variables.ts';

/** Argument of a model's functions: numbers by name, as in tokens. Each read is recorded. */
export type Numbers = Readonly<Record<string, number>>;

/** A function in a model, as users write it: `s => s.rank + 1`. */
export type Closure = (s: never) => unknown;

/** Data of a program that its functions can read in addition to the token. */
export interface Surroundings {
  readonly size: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly variables: Variables;
  /** World rank of the program's rank 0. */
  readonly first: number;
}

/** Name of the rank in tokens. */
export const RANK = 'rank';

/**
 * Evaluates a function in a state: returns its `{ value }`, or `{ thrown }` with the exception. InputErrors for
 * forbidden operations (reading a clock, changing the argument) are rethrown.
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
