import { andMore } from '../../base/listing.ts';
import { alikeSeconds, formatCount, withoutRounding } from '../../report/units.ts';
import type { ProfileDocument } from './profile-document.ts';

/** Maximum number of rows per section; the view states how many are omitted. */
export const MAX_LINES = 16;

/** The cells of a column of times: in one unit, and without rounding noise. */
export function timeColumn({ figures }: ProfileDocument, times: readonly number[]): string[] {
  const exact = times.map((time) => withoutRounding(time, figures.executionTime.value));
  return exact.map(alikeSeconds(exact));
}

export const rest = (count: number, what: string): string[] =>
  count > 0 ? [`${andMore(count, what, formatCount)}, --json lists all`] : [];
