/** A field of a token, a part of a record, or a free variable. */
export interface Field {
  /** Unique among the fields of one place, record or transition. */
  readonly name: string;
  /** Name of a colour set of the net. */
  readonly colour: string;
}

/** A colour set whose values are single numbers (one column). */
export type ScalarSet =
  | { readonly kind: 'bool'; readonly name: string }
  | { readonly kind: 'range'; readonly name: string; readonly low: number; readonly high: number }
  | { readonly kind: 'integer'; readonly name: string }
  | { readonly kind: 'enum'; readonly name: string; readonly values: readonly string[] };

/**
 * A colour set: the values a token field can take. Engines store numbers: a boolean is 0 or 1, an enumeration value is
 * its position. `integer` is unbounded (|value| < 2^53) and for simulation only. A product or record contributes the
 * columns of its parts; `unit` has no columns.
 */
export type ColourSet =
  | ScalarSet
  | { readonly kind: 'unit'; readonly name: string }
  | { readonly kind: 'product'; readonly name: string; readonly parts: readonly string[] }
  | { readonly kind: 'record'; readonly name: string; readonly fields: readonly Field[] };

/** One number of a token. `name` is its path, e.g. `position.x` or `pair.1`. */
export interface Column {
  readonly name: string;
  readonly colour: ScalarSet;
}

/** Maximum nesting depth of composite colour sets. */
export const MAX_DEPTH = 32;

/**
 * The columns of a list of fields; composite fields are flattened in order. Record parts are named by their field
 * names, product parts by their positions from 1. O(number of columns).
 *
 * @throws Error if a colour set is unknown or contains itself; validation rejects both.
 */
export function columnsOf(fields: readonly Field[], colours: ReadonlyMap<string, ColourSet>, depth = 0): Column[] {
  if (depth > MAX_DEPTH) throw new Error('a colour set contains itself');
  return fields.flatMap((f): Column[] => {
    const colour = colours.get(f.colour);
    if (colour === undefined) throw new Error(`no colour set ${f.colour}`);
    switch (colour.kind) {
      case 'unit':
        return [];
      case 'record':
        return inside(f, colour.fields, colours, depth);
      case 'product':
        return inside(
          f,
          colour.parts.map((part, k) => ({ name: String(k + 1), colour: part })),
          colours,
          depth,
        );
      default:
        return [{ name: f.name, colour }];
    }
  });
}

function inside(
  field: Field,
  parts: readonly Field[],
  colours: ReadonlyMap<string, ColourSet>,
  depth: number,
): Column[] {
  return columnsOf(parts, colours, depth + 1).map((c) => ({ ...c, name: `${field.name}.${c.name}` }));
}

/** Minimum and maximum of a scalar colour set, as numbers. */
export function colourBounds(colour: ScalarSet): { low: number; high: number } {
  switch (colour.kind) {
    case 'bool':
      return { low: 0, high: 1 };
    case 'range':
      return { low: colour.low, high: colour.high };
    case 'integer':
      return { low: -Number.MAX_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER };
    case 'enum':
      return { low: 0, high: colour.values.length - 1 };
  }
}
