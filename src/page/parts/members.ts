/** A value of a document that a table shows: a number with its unit, or a text. */
export interface Cell {
  readonly value: number | string | null;
  readonly unit: string;
  /** Pointer (RFC 6901) of the value in the document. */
  readonly pointer: string;
}

/** A list of records of a document as rows of cells, by column. */
export interface Listing {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, Cell>[];
}

/** Depth to which records inside a row become columns. */
const MAX_DEPTH = 3;
/** Columns of a table; further members stay in the document. */
const MAX_COLUMNS = 40;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A step of a pointer (RFC 6901). */
const step = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * The scalar members of a record: figures with their units, records inside it with dotted names, lists of scalars as texts. Lists of
 * records are left out. O(members).
 */
export function cellsOf(record: Readonly<Record<string, unknown>>, pointer: string, depth = 0): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [key, value] of Object.entries(record)) {
    const at = pointer + step(key);
    if (isFigure(value)) {
      cells.set(key, { value: value.value, unit: value.unit, pointer: `${at}/value` });
      for (const end of ['lower', 'upper'] as const) {
        const bound = value[end];
        if (typeof bound === 'number')
          cells.set(`${key}.${end}`, { value: bound, unit: value.unit, pointer: `${at}/${end}` });
      }
    } else if (isRecord(value)) {
      if (depth >= MAX_DEPTH) continue;
      for (const [name, cell] of cellsOf(value, at, depth + 1)) cells.set(`${key}.${name}`, cell);
    } else if (Array.isArray(value)) {
      if (value.some((one) => typeof one === 'object' && one !== null)) continue;
      const shown = value.slice(0, 20).map(String).join(', ');
      cells.set(key, { value: value.length > 20 ? `${shown}, … (${value.length})` : shown, unit: '', pointer: at });
    } else if (typeof value === 'number' || value === null) cells.set(key, { value, unit: '1', pointer: at });
    else cells.set(key, { value: String(value), unit: '', pointer: at });
  }
  return cells;
}

function isFigure(
  value: unknown,
): value is { readonly value: number | null; readonly unit: string } & Readonly<Record<string, unknown>> {
  return (
    isRecord(value) &&
    (typeof value['value'] === 'number' || value['value'] === null) &&
    typeof value['unit'] === 'string'
  );
}

/** All lists of records of a document, also inside records: names are dotted paths. */
export function listingsOf(record: Readonly<Record<string, unknown>>, pointer = '', name = ''): Listing[] {
  return Object.entries(record).flatMap(([key, value]): Listing[] => {
    const at = pointer + step(key);
    const path = name === '' ? key : `${name}.${key}`;
    if (isRecord(value)) return isFigure(value) ? [] : listingsOf(value, at, path);
    if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return [];
    const rows = value.map((row, k) => cellsOf(row, at + step(k)));
    const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].slice(0, MAX_COLUMNS);
    return [{ name: path, columns, rows }];
  });
}
