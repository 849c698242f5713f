import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { csvCell } from '../base/csv.ts';
import { Scroll } from './figure.tsx';
import { save } from './save.ts';

/** A column of a table. `value` sorts rows and goes to CSV; `cell` is what is shown, by default the value. */
export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | null | undefined;
  readonly cell?: (row: Row, index: number) => ComponentChildren;
  readonly title?: string;
  /** Unit of the numbers: CSV has it in the heading. Absent, `` and `1`: none. */
  readonly unit?: string;
}

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
}): JSX.Element {
  const { name, rows, columns, row, onChoose } = props;
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
  return (
    <div class="table">
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
        <button
          type="button"
          onClick={() =>
            save(
              `${name}.csv`,
              'text/csv',
              csvOf(
                columns,
                found.map(({ of }) => of),
              ),
            )
          }
        >
          Save CSV
        </button>
      </div>
      <Scroll name={name}>
        <table aria-label={name}>
          <thead>
            <tr>
              {columns.map((column, k) => (
                <th
                  key={column.name}
                  scope="col"
                  title={column.title}
                  aria-sort={sortOf(by, k)}
                  class={listed.some(({ of }) => typeof column.value(of) === 'number') ? 'number' : undefined}
                >
                  <button type="button" onClick={() => sort(k)}>
                    {column.name}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map(({ of, index }) => (
              <tr key={index} {...(row?.(of) ?? {})}>
                {columns.map((column, k) => {
                  const shown = column.cell?.(of, index) ?? column.value(of) ?? '–';
                  const isNumber = typeof column.value(of) === 'number';
                  return (
                    <td key={column.name} class={isNumber ? 'number' : undefined}>
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

function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const heading = ({ name, unit = '' }: Column<Row>): string =>
    unit === '' || unit === '1' ? name : `${name} (${unit})`;
  const lines = [columns.map(heading), ...rows.map((row) => columns.map(({ value }) => value(row) ?? ''))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}
