import { runner } from '../base/command-line.ts';
import type { PageOptions } from '../report/terminal.ts';

/** How to print on this standard output: as wide as the terminal, coloured unless NO_COLOR or no terminal. */
export function outputStyle(): PageOptions {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  const terminal = process.stdout.isTTY === true && TERM !== 'dumb';
  const colour = (NO_COLOR === undefined || NO_COLOR === '') && (wanted || terminal);
  return { width: width(), colour, unicode: unicode(), runner: runner() };
}

/** Columns of the terminal, or of `COLUMNS`, or 100; at least 40 and at most 200. */
function width(): number {
  const { COLUMNS = '' } = process.env;
  const asked = process.stdout.columns ?? Number.parseInt(COLUMNS, 10);
  return Math.min(200, Math.max(40, Number.isFinite(asked) && asked > 0 ? asked : 100));
}

/** Whether more than ASCII can be shown: by the locale, as C programs decide; always on Windows and macOS. */
function unicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM } = process.env;
  if (TERM === 'linux' || TERM === 'dumb') return false;
  const locale = LC_ALL || LC_CTYPE || LANG;
  return /utf-?8/i.test(locale ?? '') || process.platform === 'win32' || process.platform === 'darwin';
}
