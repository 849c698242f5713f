import { fail } from '../../../../base/problem.ts';
import { Site } from '../../../site.ts';

/** Parts of the state of every strand, and how a program uses them. */
const OF_STATE: Readonly<Record<string, string>> = {
  thread: 't.when((s) => s.thread === 0, …)',
  threads: 't.when((s) => s.threads > 1, …)',
  rank: 't.when((s) => s.rank === 0, …)',
  first: 't.compute({ seconds: (s) => 1e-6 * s.first })',
  count: 't.compute({ seconds: (s) => 1e-6 * s.count })',
  chunk: 't.when((s) => s.chunk === 0, …)',
  item: 't.when((s) => s.item === 0, …)',
};

/**
 * A builder that reports parts of the state which are read from it, as in `if (t.thread === 0)`: they are unknown while a program
 * is recorded, and would be `undefined`.
 */
export class StatelessBuilder {
  /** Counters of loops and arguments of tasks that are in scope. */
  readonly #inScope: string[] = [];

  /** Calls a function with further names in scope. */
  protected within<T>(names: readonly string[], body: () => T): T {
    this.#inScope.push(...names);
    try {
      return body();
    } finally {
      this.#inScope.length -= names.length;
    }
  }

  static isOfState(builder: object, name: string): boolean {
    return #inScope in builder && (Object.hasOwn(OF_STATE, name) || builder.#inScope.includes(name));
  }
}

/** Members of objects that are not builders. Names that a builder lacks are looked for here. */
const behind = new Proxy(Object.prototype, {
  get: function read(target, key, receiver): unknown {
    if (typeof key === 'string' && StatelessBuilder.isOfState(receiver as object, key)) report(key, read as never);
    return Reflect.get(target, key, receiver);
  },
});
Object.setPrototypeOf(StatelessBuilder.prototype, behind);

/** @throws InputError THR002 */
function report(name: string, above: (...args: never[]) => unknown): never {
  const remedy = OF_STATE[name] ?? `t.when((s) => s.${name} === 0, …)`;
  return fail(
    'THR002',
    `t.${name} does not exist: a program is recorded once for all its threads, tasks and passes. Use a function of the state for what depends on it: ${remedy}`,
    new Site(above).place,
  );
}
