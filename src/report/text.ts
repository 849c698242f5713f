import { eastAsianWidth } from 'get-east-asian-width';
import type { Problem } from '../base/problem.ts';
import { spelledOut } from '../base/spelled-out.ts';
import type { Style } from './style.ts';

/** Combining marks, which take no column. */
const MARK = /\p{M}/u;

/** Width of a string in terminal columns. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const c of text) width += columns(c);
  return width;
}

/**
 * A string for one terminal line: control and format characters are spelled out, as in `\u{202e}`; without `unicode`, other
 * characters outside ASCII become `?`.
 */
export function printable(text: string, unicode: boolean): string {
  const seen = spelledOut(text);
  return unicode ? seen : seen.replace(/[^ -~]/gu, '?');
}

/** Cuts a string to a number of columns; a cut string ends with `mark`. */
export function clipped(text: string, width: number, mark: string): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(mark);
  if (room < 0) return '';
  let used = 0;
  let out = '';
  for (const c of text) {
    used += columns(c);
    if (used > room) break;
    out += c;
  }
  return out + mark;
}

/** Pads with spaces on the right. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Pads with spaces on the left. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/**
 * Breaks a string at `separator` into lines of at most `width` columns. A piece longer than a line is broken between
 * characters.
 */
export function wrapped(text: string, width: number, separator = ' '): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(separator)) {
    const longer = line === '' ? piece : line + separator + piece;
    if (displayWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    if (displayWidth(piece) <= width) {
      line = piece;
      continue;
    }
    const inner = separator === ' ' ? broken(piece, width) : wrapped(piece, width);
    line = inner.pop() ?? '';
    lines.push(...inner);
  }
  lines.push(line);
  return lines;
}

/** A number before its unit; lines are not broken between them. */
const UNIT = /(\d) (?=%|[nuµm]?s\b|min\b|h\b|d\b)/g;

/** Breaks prose into lines of at most `width` columns, but not between a number and its unit. */
export function prose(text: string, width: number): string[] {
  return wrapped(text.replace(UNIT, '$1\u00a0'), width).map((line) => line.replaceAll('\u00a0', ' '));
}

function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const c of text) {
    if (used + columns(c) > width && line !== '') {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += c;
    used += columns(c);
  }
  lines.push(line);
  return lines;
}

function columns(c: string): number {
  if (c >= ' ' && c <= '~') return 1;
  return MARK.test(c) ? 0 : eastAsianWidth(c.codePointAt(0)!);
}

/** The notes of a document, one paragraph each: `Note   Time-independent traces … (TI043)`. */
export function noteLines({ notes = [] }: { readonly notes?: readonly Problem[] }, style: Style): string[] {
  return notes
    .filter(({ code }) => !FIRST.has(code))
    .flatMap(({ code, message }) => {
      const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)} (${code})`;
      return prose(printable(sentence, style.unicode), style.width - 7).map(
        (line, k) => (k === 0 ? style.bold(padEnd('Note', 7)) : ' '.repeat(7)) + line,
      );
    });
}

/** The reasons why a result is not known, one paragraph each, with the place of each. */
export function becauseLines({ because = [] }: { readonly because?: readonly Problem[] }, style: Style): string[] {
  if (because.length === 0) return [];
  return [
    style.bold('Not known, because'),
    ...because.flatMap(({ code, message }) =>
      prose(printable(`${message} (${code})`, style.unicode), style.width - 4).map(
        (line, k) => (k === 0 ? '  ' : '    ') + line,
      ),
    ),
  ];
}

/** Codes of notes that belong to the first lines of a result: settings of the input that are not applied. */
const FIRST: ReadonlySet<string> = new Set(['PLAT051']);

/** The notes for the first lines of a result; {@link noteLines} has the others. */
export function firstNoteLines({ notes = [] }: { readonly notes?: readonly Problem[] }, style: Style): string[] {
  return notes
    .filter(({ code }) => FIRST.has(code))
    .flatMap(({ code, message }) => prose(printable(`${message} (${code})`, style.unicode), style.width))
    .map(style.alarm);
}
