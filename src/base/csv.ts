import { spelledOut } from './spelled-out.ts';

/** Numbers and percentages: a leading sign does not make them formulas. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?$/;
/** Characters at which spreadsheets start a formula (OWASP, CSV injection), including full-width variants. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A cell of a CSV file (RFC 4180). Control characters and line breaks are escaped, and strings that a spreadsheet would read
 * as a formula get a leading `'`; numbers are unchanged.
 */
export function csvCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const formula = FORMULA.test(value) && !NUMBER.test(value);
  const text = `${formula ? "'" : ''}${spelledOut(value)}`;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
