import { didYouMean, fail, quote, shown } from '../../../../base/problem.ts';
import type { Site } from '../../../site.ts';
import type { ThreadScope } from '../module-scope.ts';
import type { ObjectKind, Objects } from '../statements.ts';

/** Maximum number of objects of one name. */
const MAX_OBJECTS = 1_000_000;

/** The synchronisation objects of a program while it is recorded. */
export class RecordedObjects {
  readonly #scope: ThreadScope;
  /** By name in the model. */
  readonly #objects = new Map<string, Objects>();

  constructor(scope: ThreadScope) {
    this.#scope = scope;
  }

  /** All objects. @throws InputError THR003 for a label without object */
  finish(): Objects[] {
    for (const [label, kind] of Object.entries(this.#scope.interface))
      if (!this.#objects.has(label))
        fail(
          'THR003',
          `interface: build makes no ${kind} ${quote(label)}.${didYouMean(label, this.#objects.keys())}`,
          this.#scope.place,
        );
    return [...this.#objects.values()];
  }

  /** Declares objects by their name in the model; those of a connected label may be declared already. */
  declare<K extends ObjectKind>(objects: Objects<K>): Objects<K> {
    const { kind, name, count, initial, site } = objects;
    if (this.#objects.has(name)) fail('THR003', `duplicate object ${quote(name)}`, site.place);
    if (!(Number.isSafeInteger(count) && count >= 1 && count <= MAX_OBJECTS))
      fail('THR002', `${name}: count: expected an integer from 1 to ${MAX_OBJECTS}, got ${shown(count)}`, site.place);
    const least = kind === 'barrier' ? 1 : 0;
    if (!(Number.isSafeInteger(initial) && initial >= least && initial < 2 ** 31))
      fail('THR002', `${name}: expected an integer >= ${least}, got ${shown(initial)}`, site.place);
    const declared = this.#scope.interface[name];
    if (declared !== undefined && declared !== kind)
      fail(
        'THR003',
        `${quote(name)} is a ${declared} in the interface: expected the same, got the kind ${kind}`,
        site.place,
      );
    const own = { ...objects, name: `${this.#scope.prefix}${name}` };
    const object = (this.#scope.links.get(name)?.meet(own) as Objects<K> | undefined) ?? own;
    this.#objects.set(name, object);
    return object;
  }

  /** @throws InputError THR003 unless the objects are of this program and of one of the kinds */
  assertOwn(call: string, objects: Objects, kinds: readonly ObjectKind[], site: Site): void {
    if (![...this.#objects.values()].includes(objects) || !kinds.includes(objects.kind))
      fail(
        'THR003',
        `${call}: expected ${kinds.join(' or ')} of this program, got ${shown(objects?.kind ?? objects)}`,
        site.place,
      );
  }
}
