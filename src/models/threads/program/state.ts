import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import { problemsOf, thrown } from '../../../base/thrown.ts';
import type { Parameters } from '../../parameters.ts';
import type { Site } from '../../site.ts';
import type { Argument } from './statements.ts';

/** Names and values that functions of the state may read. */
export type Scope = Readonly<Record<string, number | Parameters>>;

/** A scope with further names. The outer scope is its prototype, so that nesting costs O(1). */
export function inner(outer: Scope, names: Scope): Scope {
  return Object.assign(Object.create(outer) as Record<string, number | Parameters>, names);
}

/** Evaluates arguments; the first evaluation of each function in a program is made twice, to detect impure ones. */
export class Evaluator {
  readonly #checked = new Set<unknown>();

  /**
   * The value of an argument in a scope.
   *
   * @throws InputError THR004 if a function throws, reads an unknown name, or is not pure
   */
  value(argument: Argument, scope: Scope, name: string, site: Site): unknown {
    if (typeof argument !== 'function') return argument;
    const first = this.#call(argument as (s: Scope) => unknown, scope, name, site);
    if (!this.#checked.has(argument)) {
      this.#checked.add(argument);
      const again = this.#call(argument as (s: Scope) => unknown, scope, name, site);
      if (!(Object.is(first, again) || JSON.stringify(first) === JSON.stringify(again)))
        fail(
          'THR004',
          `${name}: the function is not pure: it returned ${shown(first)}, then ${shown(again)}`,
          site.place,
        );
    }
    return first;
  }

  /** A finite number ≥ 0. @throws InputError THR004 */
  amount(argument: Argument, scope: Scope, name: string, site: Site): number {
    if (argument === undefined) return 0;
    const value = this.value(argument, scope, name, site);
    if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
    return fail('THR004', `${name}: expected a number >= 0, got ${shown(value)}${atScope(scope)}`, site.place);
  }

  /** An integer between two bounds. @throws InputError THR004 */
  integer(argument: Argument, scope: Scope, name: string, site: Site, low: number, high: number): number {
    const value = this.value(argument, scope, name, site);
    if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
    return fail(
      'THR004',
      `${name}: expected an integer from ${low} to ${high}, got ${shown(value)}${atScope(scope)}`,
      site.place,
    );
  }

  /** A boolean. @throws InputError THR004 */
  truth(argument: Argument, scope: Scope, site: Site): boolean {
    const value = this.value(argument, scope, 'when', site);
    if (typeof value === 'boolean') return value;
    return fail('THR004', `when: expected a boolean, got ${shown(value)}${atScope(scope)}`, site.place);
  }

  /** The keys of a dependence: a number, a string, or a list of them. @throws InputError THR004 */
  keys(argument: Argument, scope: Scope, name: string, site: Site): readonly (number | string)[] {
    if (argument === undefined) return [];
    const value = this.value(argument, scope, name, site);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    for (const key of list)
      if (typeof key !== 'string' && typeof key !== 'number')
        fail('THR004', `${name}: expected numbers or strings, got ${shown(key)}`, site.place);
    return list as (number | string)[];
  }

  #call(f: (s: Scope) => unknown, scope: Scope, name: string, site: Site): unknown {
    try {
      return f(guarded(scope));
    } catch (e) {
      const [problem] = problemsOf(e) ?? [];
      const text = problem?.message ?? `throws ${thrown(e).text}`;
      return fail('THR004', `${name}: ${text}${atScope(scope)}`, site.place);
    }
  }
}

/** Reading an unknown name is an error instead of undefined. */
function guarded(scope: Scope): Scope {
  return new Proxy(scope, {
    get: (target, key) => {
      if (typeof key === 'symbol' || key in target) return Reflect.get(target, key) as unknown;
      const known = namesOf(target);
      return fail('THR004', `the state has no ${quote(key)} here.${didYouMean(key, known)}`);
    },
    set: (_, key) => fail('THR004', `the function changes ${quote(String(key))} of the state`),
  });
}

function namesOf(scope: Scope): string[] {
  const names: string[] = [];
  for (const name in scope) names.push(name);
  return names;
}

/** The numbers in scope, for messages. */
function atScope(scope: Scope): string {
  const values = namesOf(scope)
    .filter((name) => name !== 'p')
    .map((name) => `${name} = ${shown(scope[name])}`);
  return values.length === 0 ? '' : `, at ${values.join(', ')}`;
}
