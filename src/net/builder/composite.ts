import { fail } from '../../base/problem.ts';
import type { ColourSet, ScalarSet } from '../colour.ts';
import { isTerm, shown } from '../term.ts';
import { type SetSize, sizeFault } from '../validation/column-index.ts';
import type { Colour, Fields } from './builder-types.ts';

/**
 * Values of composite colours in the users' form: an object for a record, a list for a product, null for a unit. The
 * net has columns instead, named as by `columnsOf`: `position.x`, `pair.1`.
 */

const SIZES = new WeakMap<ColourSet, SetSize>();
const SCALAR: SetSize = { columns: 1, height: 0 };
const UNIT: SetSize = { columns: 0, height: 0 };

/**
 * Rejects an oversized composite colour set before its columns are created: columns may double with every set.
 * O(parts).
 *
 * @throws InputError NET009
 */
export function assertSize(set: ColourSet, parts: Fields): void {
  if (set.kind !== 'record' && set.kind !== 'product') return;
  const sizes = Object.values(parts).map((c) => (c.set.kind === 'unit' ? UNIT : (SIZES.get(c.set) ?? SCALAR)));
  const size = {
    columns: sizes.reduce((sum, s) => sum + s.columns, 0),
    height: 1 + sizes.reduce((max, s) => Math.max(max, s.height), 0),
  };
  const fault = sizeFault(size);
  if (fault !== undefined) fail('NET009', fault, { part: `colour set ${set.name}` });
  SIZES.set(set, size);
}

/** Calls `leaf` for every column and returns the results in the users' form. */
export function nested<T>(name: string, colour: Colour<unknown>, leaf: (column: string, set: ScalarSet) => T): unknown {
  const { set } = colour;
  switch (set.kind) {
    case 'unit':
      return null;
    case 'record':
      return nestedFields(colour.parts, leaf, `${name}.`);
    case 'product':
      return Object.entries(colour.parts).map(([part, c]) => nested(`${name}.${part}`, c, leaf));
    default:
      return leaf(name, set);
  }
}

export function nestedFields<T>(fields: Fields, leaf: (column: string, set: ScalarSet) => T, prefix = ''): object {
  return Object.fromEntries(Object.entries(fields).map(([f, c]) => [f, nested(`${prefix}${f}`, c, leaf)]));
}

/** The columns of fields, in order. */
export function columnNames(fields: Fields): string[] {
  const names: string[] = [];
  nestedFields(fields, (column) => names.push(column));
  return names;
}

/**
 * Flattens a value in the users' form to columns, in the order given. Omitted and undefined parts are skipped. Unknown
 * parts are passed on without a colour set, so that validation reports them.
 *
 * @throws InputError NET040 if a composite value has the wrong shape
 */
export function byColumn<T>(
  at: string,
  fields: Fields,
  given: unknown,
  leaf: (value: unknown, set: ScalarSet | undefined, column: string) => T,
): Record<string, T> {
  const out: Record<string, T> = {};
  const visit = (column: string, colour: Colour<unknown> | undefined, value: unknown): void => {
    if (value === undefined) return;
    const set = colour?.set;
    switch (set?.kind) {
      case 'unit':
        if (value !== null) wrongShape(at, column, value, 'null');
        return;
      case 'record':
        if (!isPlain(value)) wrongShape(at, column, value, `an object with ${Object.keys(colour!.parts).join(', ')}`);
        parts(`${column}.`, colour!.parts, Object.entries(value));
        return;
      case 'product':
        if (!Array.isArray(value)) wrongShape(at, column, value, `a list of ${Object.keys(colour!.parts).length}`);
        parts(
          `${column}.`,
          colour!.parts,
          value.map((part, k) => [String(k + 1), part]),
        );
        return;
      default:
        out[column] = leaf(value, set, column);
    }
  };
  const parts = (prefix: string, of: Fields, values: readonly (readonly [string, unknown])[]): void => {
    for (const [name, value] of values)
      visit(`${prefix}${name}`, Object.hasOwn(of, name) ? of[name] : undefined, value);
  };
  if (!isPlain(given)) fail('NET040', `expected an object with the fields, got ${shown(given)}`, { part: at });
  parts('', fields, Object.entries(given));
  return out;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isTerm(value);
}

function wrongShape(at: string, column: string, value: unknown, expected: string): never {
  fail('NET040', `field "${column}": expected ${expected}, got ${shown(value)}`, { part: at });
}
