import type { Place } from '../../../base/problem.ts';
import { fail } from '../../../base/problem.ts';
import type { ObjectKind, Objects } from './statements.ts';

/** Objects of a module that other modules can share: kind by name. */
export type ThreadInterface = Readonly<Record<string, ObjectKind>>;

/** Where a model is recorded: alone, or as a module of a composition. */
export interface ThreadScope {
  /** Begins the names of objects, tasks and regions: empty, or `filter.` */
  readonly prefix: string;
  readonly interface: ThreadInterface;
  /** The connections of labels. A label without one is an object of the module itself. */
  readonly links: ReadonlyMap<string, SharedObjects>;
  /** Where the model is defined. */
  readonly place?: Place;
}

/** A place in a composition: the scope of a model without its own declarations. */
export type ThreadPosition = Pick<ThreadScope, 'prefix' | 'links'>;

/** The position of a model that is no module. */
export const ALONE: ThreadPosition = { prefix: '', links: new Map() };

/** The scope of a region of threads, which has no interface. */
export const NO_MODULE: ThreadScope = { ...ALONE, interface: {} };

/** Objects that several modules share. The module that is recorded first makes them; the others must agree. */
export class SharedObjects {
  #made: Objects | undefined;

  /**
   * The objects for a module that would make `own`.
   *
   * @throws InputError MODEL037 if their number, initial value or kind of lock differs
   */
  meet(own: Objects): Objects {
    const made = this.#made;
    this.#made ??= own;
    if (made === undefined) return own;
    if (own.count === made.count && own.initial === made.initial && own.lock === made.lock) return made;
    return fail(
      'MODEL037',
      `${own.name} is ${textOf(own)}, and ${made.name} is ${textOf(made)}: modules that share objects must agree`,
      own.site.place,
    );
  }
}

/** `one semaphore (permits: 4)`, `3 of kind mutex` */
function textOf({ kind, initial, count, lock }: Objects): string {
  const value = lock === undefined ? (VALUES[kind]?.(initial) ?? '') : ` (${lock})`;
  return count === 1 ? `one ${kind}${value}` : `${count} of kind ${kind}${value}`;
}

/** The initial value of objects that have one. */
const VALUES: Readonly<Partial<Record<ObjectKind, (initial: number) => string>>> = {
  semaphore: (n) => ` (permits: ${n})`,
  autoEvent: (n) => (n === 1 ? ' (set)' : ' (not set)'),
  barrier: (n) => ` (parties: ${n})`,
  counter: (n) => ` (initial value: ${n})`,
};
