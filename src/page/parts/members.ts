import { isNamed, labelOf, unitOf } from '../../report/labels.ts';
import { figureText } from '../../report/units.ts';

/** A value of a document that a table shows: a number with its unit, or a text. */
export interface Cell {
  readonly value: number | string | null;
  readonly unit: string;
  /** Pointer (RFC 6901) of the value in the document. */
  readonly pointer: string;
  /** Name of the figure whose format the number has, if its key does not tell it. */
  readonly like?: string;
}

/** Scalars of a record, by their labels; `name` is empty for those of the document itself. */
export interface Group {
  readonly name: string;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** A list of records of a document as rows of cells, by the labels of columns. */
export interface Listing {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, Cell>[];
  /** Columns that are not shown. */
  readonly more: number;
}

/** The members of a document that a page shows. */
export interface Members {
  readonly groups: readonly Group[];
  readonly listings: readonly Listing[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Columns of a table; further members stay in the document. */
const MAX_COLUMNS = 40;
/** Values of a list of scalars that are shown. */
const MAX_VALUES = 20;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);
const isScalar = (value: unknown): boolean =>
  Array.isArray(value) ? !value.some((one) => typeof one === 'object' && one !== null) : !isRecord(value);

/** A step of a pointer (RFC 6901). */
const step = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Members that describe how a record was made. */
const LEFT_OUT: ReadonlySet<string> = new Set(['inputs', 'options']);

const NONE: ReadonlySet<string> = new Set();

/** An interval without ends has no certainty. */
const fieldsOf = (record: Fields): [string, unknown][] =>
  Object.entries(record).filter(([key]) => key !== 'certainty' || record['lower'] !== null || record['upper'] !== null);

/** A member of which null means that it is not known. Other members that are null are absent, as their record has no such value. */
const isAsked = (path: readonly string[]): boolean => path.some((key) => key === 'verdict' || key === 'verdicts');

/** The scalars of a document and of the records in it, and its lists of records, all with labels. O(members). */
export function membersOf(document: Fields): Members {
  const groups: Group[] = [];
  const listings: Listing[] = [];
  const visit = (record: Fields, pointer: string, path: readonly string[]): void => {
    const cells = new Map<string, Cell>();
    groups.push({ name: labelOf(path), cells });
    const tables = sameKeys(record);
    for (const [key, value] of fieldsOf(record)) {
      if (LEFT_OUT.has(key)) continue;
      const [at, own] = [pointer + step(key), [...path, key]];
      const table = tables.find(([first]) => first === key);
      if (table !== undefined) listings.push(tableOf(table, record, pointer, path));
      else if (tables.some((keys) => keys.includes(key))) continue;
      else if (isRecord(value) && figureOf(value) === undefined) {
        if (isTable(value)) listings.push(listingOf(entriesOf(value, at), own));
        // The figures of a document are its own.
        else if (key === 'figures' && path.length === 0) scalars(value, at, own, cells, own.length);
        else visit(value, at, own);
      } else if (isRows(value))
        addRows(
          value.map((row, k) => [undefined, row, at + step(k)]),
          own,
        );
      else scalar(key, value, pointer, path, cells, path.length);
    }
  };
  /** A list, and the lists in its rows as separate tables. */
  const addRows = (rows: readonly Entry[], path: readonly string[]): void => {
    const listing = listingOf(rows, path, 'Of');
    listings.push(listing);
    const inner = new Map<string, Entry[]>();
    const names = namesOf(listing);
    rows.forEach(([name, row, at], k) => {
      const of = name === undefined ? names[k]! : `${name}, ${names[k]!}`;
      for (const [keys, list, pointer] of listsIn(row, at, [])) {
        const key = JSON.stringify(keys);
        const found = inner.get(key) ?? [];
        inner.set(key, found);
        list.forEach((one, j) => {
          found.push([of, one, pointer + step(j)]);
        });
      }
    });
    for (const [keys, list] of inner) addRows(list, [...path, ...(JSON.parse(keys) as string[])]);
  };
  visit(document, '', []);
  return { groups: groups.filter(({ cells }) => cells.size > 0), listings };
}

/** A row: its name, if it has one outside its record, and its pointer. */
type Entry = readonly [name: string | undefined, row: Fields, pointer: string];

const entriesOf = (record: Fields, pointer: string): Entry[] =>
  Object.entries(record).map(([key, row]) => [labelOf([key]), row as Fields, pointer + step(key)]);

/** @param heading of the column of names that rows have outside their records */
function listingOf(entries: readonly Entry[], path: readonly string[], heading = 'Name'): Listing {
  const texts = uneven(
    entries.map(([, row]) => row),
    path,
  );
  const rows = entries.map(([name, row, at]) => {
    const cells = new Map<string, Cell>();
    if (name !== undefined) cells.set(heading, { value: name, unit: '', pointer: at });
    if (isNamed(path)) cells.set('Terms', { value: termsText(row), unit: '', pointer: at });
    else scalars(row, at, path, cells, path.length, texts);
    return cells;
  });
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return {
    name: labelOf(path) || 'Figures',
    columns: columns.slice(0, MAX_COLUMNS),
    rows,
    more: Math.max(0, columns.length - MAX_COLUMNS),
  };
}

/** Verdicts that are null are not known. */
const kindOf = (value: unknown): string => (value === null ? 'boolean' : typeof value);

/** Records of scalars with the same keys, as verdicts and their reasons: one table, with a row for each key. */
function sameKeys(record: Fields): (readonly string[])[] {
  const found = new Map<string, string[]>();
  for (const [key, value] of Object.entries(record)) {
    if (!isRecord(value) || figureOf(value) !== undefined || Object.keys(value).length < 2) continue;
    if (new Set(Object.values(value).map(kindOf)).size > 1 || !Object.values(value).every(isScalar)) continue;
    const keys = JSON.stringify(Object.keys(value).sort());
    found.set(keys, [...(found.get(keys) ?? []), key]);
  }
  return [...found.values()].filter((keys) => keys.length > 1);
}

function tableOf(keys: readonly string[], record: Fields, pointer: string, path: readonly string[]): Listing {
  const names = Object.keys(record[keys[0]!] as Fields);
  const columns = keys.map((key) => labelOf([...path, key]));
  const rows = names.map((name) => {
    const cells = new Map<string, Cell>([['Name', { value: labelOf([name]), unit: '', pointer: '' }]]);
    keys.forEach((key, k) => {
      const one = new Map<string, Cell>();
      scalar(name, (record[key] as Fields)[name], pointer + step(key), [...path, key], one, 0);
      for (const cell of one.values()) cells.set(columns[k]!, cell);
    });
    return cells;
  });
  return { name: labelOf([...path, keys[0]!]), columns: ['Name', ...columns], rows, more: 0 };
}

/** True for a record of records that are alike, as the verdicts of a net: each has at least half of all their keys. */
function isTable(record: Fields): boolean {
  const values = Object.values(record);
  if (values.length < 2 || !values.every((value) => isRecord(value) && figureOf(value) === undefined)) return false;
  const all = new Set(values.flatMap((value) => Object.keys(value as Fields)));
  return values.every((value) => 2 * Object.keys(value as Fields).length >= all.size);
}

/** Largest number of names that become columns. */
const MAX_NAMES = 12;

/** Members of rows with names of the user, such as weights of places, that differ from row to row: they become one text. */
function uneven(rows: readonly Fields[], path: readonly string[]): ReadonlySet<string> {
  const named = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => isNamed([...path, key]));
  return new Set(
    named.filter((key) => {
      const keys = rows.map((row) => Object.keys((row[key] as Fields | undefined) ?? {}));
      const all = new Set(keys.flat());
      return all.size > MAX_NAMES || keys.some(({ length }) => length > 0 && length < all.size);
    }),
  );
}

const termsText = (record: Fields): string =>
  valuesText(Object.entries(record).map(([name, value]) => `${name} ${String(value)}`));

function valuesText(values: readonly string[]): string {
  if (values.length === 0) return 'none';
  const shown = values.slice(0, MAX_VALUES).join(', ');
  return values.length > MAX_VALUES ? `${shown}, … (${values.length})` : shown;
}

/** The lists of records in a row, also inside its records. */
function listsIn(
  row: Fields,
  pointer: string,
  path: readonly string[],
): (readonly [path: readonly string[], list: readonly Fields[], pointer: string])[] {
  return Object.entries(row).flatMap(([key, value]) => {
    const [at, own] = [pointer + step(key), [...path, key]];
    if (isRows(value)) return [[own, value, at] as const];
    return isRecord(value) ? listsIn(value, at, own) : [];
  });
}

/** Values that tell the rows of a list from each other, fewest columns first; numbers of rows where they do not differ. */
function namesOf({ rows, columns }: Listing): string[] {
  const shown = (column: string): (string | undefined)[] =>
    rows.map((row) => {
      const cell = row.get(column);
      const isName = typeof cell?.value === 'string' || Number.isInteger(cell?.value);
      return cell === undefined || !isName
        ? undefined
        : `${typeof cell.value === 'number' ? `${column} ` : ''}${cell.value}`;
    });
  let names = rows.map(() => '');
  const isText = (column: string): boolean => rows.some((row) => typeof row.get(column)?.value === 'string');
  for (const column of [...columns.filter(isText), ...columns.filter((one) => !isText(one))]) {
    if (new Set(names).size === rows.length && rows.length > 1) return names;
    const values = shown(column);
    if (values.every((value) => value === undefined) || (rows.length > 1 && new Set(values).size === 1)) continue;
    names = names.map((name, k) => [name, values[k] ?? ''].filter((part) => part !== '').join(', '));
    if (rows.length === 1) return names;
  }
  return new Set(names).size === rows.length ? names : rows.map((_, k) => `row ${k + 1}`);
}

/** Adds the scalars of a record, also of the records in it, to the cells of a row or of a group. */
function scalars(
  record: Fields,
  pointer: string,
  path: readonly string[],
  cells: Map<string, Cell>,
  from: number,
  texts: ReadonlySet<string> = NONE,
): void {
  const common = commonOf(record, path);
  for (const [key, value] of fieldsOf(record)) {
    if (texts.has(key) && isRecord(value))
      cells.set(labelOf([...path, key], from), { value: termsText(value), unit: '', pointer: pointer + step(key) });
    else if (isRecord(value) && figureOf(value) === undefined)
      scalars(value, pointer + step(key), [...path, key], cells, from);
    else scalar(key, value, pointer, path, cells, from, key === 'relative' ? {} : common);
  }
}

/** A unit and a format that all numbers of a row have: those of the figure that a row of a comparison is about. */
function commonOf(row: Fields, path: readonly string[]): Pick<Partial<Cell>, 'unit' | 'like'> {
  const { unit, name } = row as { readonly unit?: unknown; readonly name?: unknown };
  if (typeof unit === 'string') return { unit, ...(typeof name === 'string' ? { like: name } : {}) };
  return path.at(-1) === 'resources' && 'a' in row ? { like: 'utilisation' } : {};
}

/** Adds a scalar to cells: a figure with its ends, or a value of which the table knows the unit. */
function scalar(
  key: string,
  value: unknown,
  pointer: string,
  path: readonly string[],
  cells: Map<string, Cell>,
  from: number,
  common: ReturnType<typeof commonOf> = {},
): void {
  const [at, own] = [pointer + step(key), [...path, key]];
  const label = labelOf(own, from);
  // A name of the user says nothing of the format: a place may be called `share`.
  const plain = isNamed(path) ? { like: '' } : {};
  const figure = figureOf(value);
  if (figure !== undefined) {
    cells.set(label, { value: figure.value, unit: figure.unit, pointer: `${at}/value` });
    for (const end of ['lower', 'upper'] as const) {
      const bound = figure[end];
      if (typeof bound === 'number')
        cells.set(labelOf([...own, end], from), { value: bound, unit: figure.unit, pointer: `${at}/${end}` });
    }
  } else if (Array.isArray(value)) {
    if (!isScalar(value)) return;
    cells.set(label, {
      value: valuesText(
        value.map((one) => (typeof one === 'number' ? figureText(one, unitOf(own), key) : String(one))),
      ),
      unit: '',
      pointer: at,
    });
  } else if (typeof value === 'number')
    cells.set(label, { value, unit: unitOf(own), pointer: at, ...plain, ...common });
  else if (value === null || value === undefined) {
    if (value === null && isAsked(own)) cells.set(label, { value: 'not known', unit: '', pointer: at });
  } else {
    const text = textOf(value, own);
    if (text !== '') cells.set(label, { value: text, unit: '', pointer: at });
  }
}

/** Booleans become words; a text stays. */
function textOf(value: unknown, path: readonly string[]): string {
  const key = path.at(-1);
  if (typeof value === 'boolean') return key === 'verdict' ? (value ? 'holds' : 'violated') : value ? 'yes' : 'no';
  if (key === 'unit' && value === '1') return '';
  // Names of figures are keys of documents.
  return key === 'name' && path.at(-2) === 'figures' ? labelOf([String(value)]) : String(value);
}

function figureOf(value: unknown): ({ readonly value: number | null; readonly unit: string } & Fields) | undefined {
  if (!isRecord(value) || typeof value['unit'] !== 'string') return undefined;
  const number = value['value'];
  return typeof number === 'number' || number === null
    ? (value as { readonly value: number | null; readonly unit: string } & Fields)
    : undefined;
}
