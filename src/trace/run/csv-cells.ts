import { ownOf } from '../../base/own.ts';
import type { Problems } from '../../base/problem.ts';
import { didYouMean, type Place, quote } from '../../base/problem.ts';

/**
 * Column names of a CSV header, in the order of the file.
 *
 * @param known the columns; true for required ones
 * @throws InputError REC004 for unknown, duplicate and missing columns
 */
export function checkedHeader(
  cells: readonly string[],
  known: Readonly<Record<string, boolean>>,
  problems: Problems,
  place: Place,
): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  names.forEach((name, k) => {
    if (ownOf(known, name) === undefined)
      problems.add('REC004', `unknown column ${quote(name)}.${didYouMean(name, Object.keys(known))}`, place);
    else if (names.indexOf(name) < k) problems.add('REC004', `column ${quote(name)} is given twice`, place);
  });
  for (const [name, required] of Object.entries(known))
    if (required && !names.includes(name)) problems.add('REC004', `column ${quote(name)} is missing`, place);
  problems.end();
  return names;
}

/** Index of a word in a list; an error message for other cells. */
export function word(cell: string, words: readonly string[]): number | string {
  const index = words.indexOf(cell);
  return index >= 0 ? index : `expected one of ${words.join(', ')}, got ${quote(cell)}`;
}

/** A finite decimal number from `min`; an error message for other cells. */
export function decimal(cell: string, min: number): number | string {
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(cell) ? Number(cell) : Number.NaN;
  if (Number.isFinite(value) && value >= min) return value;
  return `expected a ${min === 0 ? 'number from 0' : 'decimal number'}, got ${quote(cell)}`;
}

/** An integer from `min` to 2^31 − 1; an error message for other cells. */
export function integer(cell: string, min: number): number | string {
  const value = /^[+-]?\d{1,10}$/.test(cell) ? Number(cell) : Number.NaN;
  return value >= min && value < 2 ** 31 ? value : `expected an integer from ${min}, got ${quote(cell)}`;
}
