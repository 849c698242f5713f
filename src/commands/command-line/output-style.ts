import { runner } from '../../base/shell-words.ts';
import type { ViewOptions } from '../../report/style.ts';
import { resultFile } from './result-output.ts';

/** Style for standard output: terminal width; colours if it is a terminal (or FORCE_COLOR is set) and NO_COLOR is not set. */
export function outputStyle(): ViewOptions {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  const terminal = resultFile() === undefined && process.stdout.isTTY === true && TERM !== 'dumb';
  const colour = (NO_COLOR === undefined || NO_COLOR === '') && (wanted || terminal);
  return { width: width(), colour, unicode: unicode(), runner: runner() };
}

/** Width of the terminal in columns, else `COLUMNS`, else 100; clamped to 40–200. */
function width(): number {
  const { COLUMNS = '' } = process.env;
  const asked = process.stdout.columns ?? Number.parseInt(COLUMNS, 10);
  return Math.min(200, Math.max(40, Number.isFinite(asked) && asked > 0 ? asked : 100));
}

/** True if the output supports Unicode: decided by the locale, as in C programs; always on Windows and macOS. */
function unicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM } = process.env;
  if (TERM === 'linux' || TERM === 'dumb') return false;
  const locale = LC_ALL || LC_CTYPE || LANG;
  return /utf-?8/i.test(locale ?? '') || process.platform === 'win32' || process.platform === 'darwin';
}
