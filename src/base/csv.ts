import { spelledOut } from './spelled-out.ts';

/** Numbers and percentages, which begin with a sign without being formulas. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?$/;
/** First characters of cells that spreadsheets take for formulas (OWASP, CSV injection), also full-width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A cell of a CSV file (RFC 4180). Control characters are spelt out, line breaks as well, and a string that a
 * spreadsheet would take for a formula gets a `'` before it; numbers stay as they are.
 */
export function csvCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const formula = FORMULA.test(value) && !NUMBER.test(value);
  const text = `${formula ? "'" : ''}${spelledOut(value)}`;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
