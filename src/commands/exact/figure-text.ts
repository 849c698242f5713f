import { andMore } from '../../base/listing.ts';
import type { Style } from '../../report/style.ts';
import { type Column, table } from '../../report/table.ts';
import { formatCount } from '../../report/units.ts';
import type { FigureError, NetSettings } from '../inputs/document-parts.ts';
import type { Absorption, Interval } from './exact-parts.ts';

/** A share as a percentage. */
export const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

/** Head of a column of half-widths. */
export const plusMinus = (style: Style): string => (style.unicode ? '±' : '+/-');

/** A line with the number of entries that a list does not show. */
export const rest = (left: number, what: string): string[] =>
  left > 0 ? [`${andMore(left, what, formatCount)}, --json lists all`] : [];

/** Digits of proved figures, and of all others. */
const DIGITS = 9;
const FEW_DIGITS = 6;

/** A figure with 9 digits if its interval is proved, else with 6. */
export function figure(value: number, { certainty }: FigureError): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(certainty === 1 ? DIGITS : FEW_DIGITS);
}

/** Rounding of the difference of two doubles and of a decimal to a double, relative to the result: 2^-53 each. */
const ROUNDING = 4 * Number.EPSILON;

/**
 * The largest distance of an end from a printed figure, with one digit, rounded up: the figure as printed ± the result contains the
 * interval. For a rounded figure, it is at least the rounding error.
 */
export function halfWidth(printed: string, { lower, upper, certainty }: FigureError): string {
  if (certainty === 0) return 'none';
  if (lower === null || upper === null) return 'unknown';
  const value = Number(printed);
  const distance = Math.max(value - lower, upper - value);
  if (!(distance > 0)) return '0';
  const half = distance * (1 + ROUNDING) + parsingError(value);
  const exponent = Math.floor(Math.log10(half));
  for (let digit = Math.max(1, Math.floor(half / 10 ** exponent)); digit < 10; digit++)
    if (Number(`${digit}e${exponent}`) >= half) return `${digit}e${exponent}`;
  return `1e${exponent + 1}`;
}

/** Largest difference between a printed figure and the double that is read from it; 0 if the double is the decimal. */
function parsingError(value: number): number {
  const digits = Math.abs(value).toPrecision(40).replace(/e.*$/, '').replace('.', '').replace(/^0+/, '');
  return /[1-9]/.test(digits.slice(DIGITS)) ? Math.abs(value) * Number.EPSILON : 0;
}

/** Head of the column next to a figure. */
const errorHead = ({ erlang }: { readonly erlang?: object }, style: Style): string =>
  erlang === undefined ? plusMinus(style) : 'change';

/** The half-width of the interval of a figure, or its change. */
function errorText(value: number, interval: Interval): string {
  const { change } = interval;
  if (change === undefined) return halfWidth(figure(value, interval), interval);
  return change === 0 ? '0' : `${change > 0 ? '+' : ''}${change.toExponential(0)}`;
}

/** Two columns: figures, and the half-widths of their intervals, or their changes with the option `erlang`. Null: a figure that is not known. */
export function figureColumns(
  head: string,
  all: readonly (readonly [value: number | null, interval: Interval])[],
  document: { readonly erlang?: object },
  style: Style,
): Column[] {
  return [
    { head, cells: all.map(([value, own]) => (value === null ? 'unknown' : figure(value, own))), right: true },
    {
      head: errorHead(document, style),
      cells: all.map(([value, own]) => (value === null ? 'none' : errorText(value, own))),
      right: true,
    },
  ];
}

/**
 * A table of mean, variance and quantiles of a time, in seconds.
 *
 * @param verb of the runs at a quantile, as in `have ended`
 */
export function timeTable(
  found: Pick<Absorption, 'mean' | 'variance' | 'varianceInterval' | 'quantiles'> & Interval,
  { head, verb }: { readonly head: string; readonly verb: string },
  document: { readonly erlang?: object },
  style: Style,
): string[] {
  const rows: readonly (readonly [name: string, value: number, interval: Interval])[] = [
    ['mean', found.mean, found],
    ['variance, s^2', found.variance, found.varianceInterval],
    ...found.quantiles.map((q) => [`${q.probability * 100} % ${verb}`, q.time, q] as const),
  ];
  const columns = figureColumns(
    's',
    rows.map(([, value, interval]) => [value, interval]),
    document,
    style,
  );
  return table([{ head, cells: rows.map(([name]) => name) }, ...columns], style);
}

/** The processes that the settings of a result count: `process`, `rank`, `worker` or `thread`. */
export function processWord({ model, workers, scheduler }: NetSettings): string {
  if (model === undefined) return 'process';
  if (workers === undefined) return 'rank';
  return scheduler === 'os' ? 'thread' : 'worker';
}
