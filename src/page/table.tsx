import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { csvCell } from '../base/csv.ts';
import { type About, Explained, Scroll, useDescription } from './figure.tsx';
import { save } from './save.ts';

/** A column of a table. `value` sorts rows and goes to CSV; `cell` is what is shown, by default the value. */
export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | null | undefined;
  readonly cell?: (row: Row, index: number) => ComponentChildren;
  /** The member of a document that the column shows: its description becomes the title. */
  readonly about?: About;
  /** Unit of the numbers: CSV has it in the heading; where it differs from row to row, in a column. Absent, `` and `1`: none. */
  readonly unit?: string | ((row: Row) => string);
  /** The cells are pictures of another column: they are not sorted, and CSV has none. */
  readonly isPicture?: true;
}

/** Shows a number of a document by its pointer. */
export type Show = (pointer: string, value: number, unit: string) => ComponentChildren;

/** A member of a row, or a member of a record in it: `counters/execExec`. */
type KeyOf<Row> = (keyof Row & string) | `${keyof Row & string}/${string}`;

/**
 * Makes columns of a list of a document: numbers are figures with their pointers, titles are the descriptions in the schema.
 *
 * @param kind kind of the document
 * @param list pointer of the list
 */
export const figureColumn =
  <Row,>(kind: string, list: string, shown: Show) =>
  (name: string, key: KeyOf<Row>, unit = '1'): Column<Row> => ({
    name,
    unit,
    about: { kind, pointer: `${list}/0/${key}` },
    value: (row) => member(row, key) as string | number | undefined,
    cell: (row, k) => {
      const value = member(row, key);
      return typeof value === 'number' ? shown(`${list}/${k}/${key}`, value, unit) : String(value ?? '–');
    },
  });

const member = (row: unknown, key: string): unknown =>
  key.split('/').reduce((at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step], row);

/** The columns that have a value in one of the rows; all if there are no rows. */
export const withValues = <Row,>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] =>
  columns.filter(({ value }) => rows.length === 0 || rows.some((row) => (value(row) ?? '') !== ''));

/** Rows that are shown at once; more are reached by a button, so that a page never has an element per row of data. */
const PAGE = 100;

/** A table that sorts by its columns, filters by a text, shows its rows in pieces, and saves all of them as CSV. */
export function Table<Row>(props: {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Attributes of a row. */
  readonly row?: (row: Row) => Readonly<Record<string, string>>;
  readonly onChoose?: (row: Row) => void;
  /** The heading above the table is its name. */
  readonly isTitled?: true;
}): JSX.Element {
  const { name, rows, columns, row, onChoose, isTitled } = props;
  const description = useDescription();
  const order = useSignal<{ readonly column: number; readonly down: boolean } | undefined>(undefined);
  const filter = useSignal('');
  const limit = useSignal(PAGE);
  const wanted = filter.value.trim().toLowerCase();
  const found =
    wanted === ''
      ? rows.map((of, index) => ({ of, index }))
      : rows
          .map((of, index) => ({ of, index }))
          .filter(({ of }) =>
            columns.some(({ value }) =>
              String(value(of) ?? '')
                .toLowerCase()
                .includes(wanted),
            ),
          );
  const { value: by } = order;
  if (by !== undefined) {
    const { value } = columns[by.column]!;
    found.sort((a, b) => compared(value(a.of), value(b.of)) * (by.down ? -1 : 1) || a.index - b.index);
  }
  const sort = (column: number): void => {
    order.value = { column, down: by?.column === column ? !by.down : true };
  };
  const listed = found.slice(0, limit.value);
  const isNumber = (column: Column<Row>): boolean => listed.some(({ of }) => typeof column.value(of) === 'number');
  const numeric = columns.map(isNumber);
  return (
    <div class="table">
      {isTitled ? null : <h3>{name}</h3>}
      <div class="tools">
        {rows.length > 10 ? (
          <label>
            Filter{' '}
            <input
              type="text"
              aria-label={`Filter ${name}`}
              value={filter.value}
              onInput={(event) => {
                filter.value = event.currentTarget.value;
                limit.value = PAGE;
              }}
            />
          </label>
        ) : null}
        <SaveCsv name={name} columns={columns} rows={() => found.map(({ of }) => of)} />
      </div>
      <Scroll name={name}>
        <table aria-label={name}>
          <thead>
            <tr>
              {columns.map((column, k) => (
                <th
                  key={column.name}
                  scope="col"
                  title={description(column.about)}
                  {...(column.isPicture ? {} : { 'aria-sort': sortOf(by, k) })}
                  class={numeric[k] ? 'number' : undefined}
                >
                  {column.isPicture ? (
                    column.name
                  ) : (
                    <button type="button" onClick={() => sort(k)}>
                      {column.name}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map(({ of, index }) => (
              <tr key={index} {...(row?.(of) ?? {})}>
                {columns.map((column, k) => {
                  const shown = column.cell?.(of, index) ?? column.value(of) ?? '–';
                  return (
                    <td key={column.name} class={numeric[k] ? 'number' : undefined}>
                      {k === 0 && onChoose !== undefined ? (
                        <button type="button" class="link" onClick={() => onChoose(of)}>
                          {shown}
                        </button>
                      ) : (
                        shown
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Explained what="Columns explained" terms={columns.map(({ name: of, about }) => [of, description(about)])} />
      {found.length > listed.length ? (
        <p>
          {listed.length.toLocaleString('en')} of {found.length.toLocaleString('en')} rows.{' '}
          <button
            type="button"
            onClick={() => {
              limit.value += PAGE;
            }}
          >
            Show more
          </button>
        </p>
      ) : null}
    </div>
  );
}

/** Saves the rows of a table; `rows` are made when it is pressed. */
export function SaveCsv<Row>(props: {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: () => readonly Row[];
}): JSX.Element {
  const { name, columns, rows } = props;
  return (
    <button type="button" onClick={() => save(`${name}.csv`, 'text/csv', csvOf(columns, rows()))}>
      Save CSV
    </button>
  );
}

type Cell = string | number | null | undefined;

function compared(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [a ?? '', b ?? ''].map(String) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

const sortOf = (
  by: { readonly column: number; readonly down: boolean } | undefined,
  column: number,
): 'ascending' | 'descending' | 'none' => (by?.column === column ? (by.down ? 'descending' : 'ascending') : 'none');

function csvOf<Row>(all: readonly Column<Row>[], rows: readonly Row[]): string {
  const columns = all.filter(({ isPicture }) => isPicture !== true);
  const unitText = (unit: string): string => (unit === '1' ? '' : unit);
  const heading = ({ name, unit = '' }: Column<Row>): string[] =>
    typeof unit !== 'string' ? [name, `${name}, unit`] : [unitText(unit) === '' ? name : `${name} (${unit})`];
  const cells = (row: Row): (string | number)[] =>
    columns.flatMap(({ value, unit }) => [
      value(row) ?? '',
      ...(typeof unit === 'function' ? [unitText(unit(row))] : []),
    ]);
  const lines = [columns.flatMap(heading), ...rows.map(cells)];
  return lines.map((line) => `${line.map(csvCell).join(',')}\n`).join('');
}
