import { readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { fail } from '../../base/problem.ts';
import { HIDDEN, spelledOut } from '../../base/spelled-out.ts';
import { withRecordFile } from './record-file.ts';

/** Bytes that are read at a time. */
const CHUNK = 1 << 18;
/** Maximum length of a CSV record, in characters. */
const MAX_RECORD = 1 << 20;

/**
 * Calls `use` with the cells and the first line number of every record of a CSV file (RFC 4180: cells in double quotes may
 * hold commas, quotes and line ends). A byte order mark is skipped; empty lines are ignored. Reads in pieces; CSV packages
 * parse either a complete string or asynchronously.
 *
 * Throws InputError REC001 (not readable, not a regular file), REC005 (a quote that does not end), REC010 (a record of more
 * than 2^20 characters).
 */
export function eachCsvRecord(path: string, use: (cells: readonly string[], line: number) => void): void {
  withRecordFile(path, (fd) => {
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(CHUNK);
    const parser = new CsvParser(path, use);
    for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer))
      parser.text(decoder.write(buffer.subarray(0, length)));
    parser.text(decoder.end());
    parser.end();
  });
}

class CsvParser {
  readonly #path: string;
  readonly #use: (cells: readonly string[], line: number) => void;
  /** Text of the incomplete record. */
  #rest = '';
  #line = 1;
  #first = true;

  constructor(path: string, use: (cells: readonly string[], line: number) => void) {
    this.#path = path;
    this.#use = use;
  }

  text(text: string): void {
    let all = this.#rest + text;
    if (this.#first && all.length > 0) {
      if (all.charCodeAt(0) === 0xfeff) all = all.slice(1);
      this.#first = false;
    }
    let from = 0;
    for (;;) {
      const to = recordEnd(all, from);
      if (to < 0) break;
      this.#record(all.slice(from, to));
      from = to + 1;
    }
    this.#rest = all.slice(from);
    if (this.#rest.length > MAX_RECORD)
      fail('REC010', `a record is longer than ${MAX_RECORD} characters`, { file: this.#path, line: this.#line });
  }

  end(): void {
    if (this.#rest === '') return;
    if (recordEnd(`${this.#rest}\n`, 0) < 0)
      fail('REC005', 'a cell begins with a double quote that has no closing one', {
        file: this.#path,
        line: this.#line,
      });
    this.#record(this.#rest);
  }

  #record(text: string): void {
    const line = this.#line;
    const record = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (!text.includes('"')) {
      this.#line++;
      if (record !== '') this.#use(record.split(','), line);
      return;
    }
    for (let at = 0; at >= 0; at = text.indexOf('\n', at + 1) < 0 ? -1 : text.indexOf('\n', at + 1)) this.#line++;
    this.#use(quotedCells(record), line);
  }
}

/** Index of the line end that closes the record which begins at `from`, or −1. */
function recordEnd(text: string, from: number): number {
  let to = text.indexOf('\n', from);
  const quote = text.indexOf('"', from);
  if (quote < 0 || to < 0 || quote > to) return to;
  let quotes = 0;
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 34) quotes++;
    else if (c === 10 && quotes % 2 === 0) {
      to = at;
      return to;
    }
  }
  return -1;
}

function quotedCells(record: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/gy;
  for (;;) {
    const found = cell.exec(record);
    if (found === null) return [...cells, record.slice(cell.lastIndex)];
    cells.push(found[1] === undefined ? found[2]! : found[1].replaceAll('""', '"'));
    if (cell.lastIndex === record.length && !found[0].endsWith(',')) return cells;
    if (cell.lastIndex === record.length) return [...cells, ''];
  }
}

/** A cell as CSV text; quoted if it contains a comma, a quote or a line end. Hidden characters are spelled out. */
export function csvCell(text: string): string {
  const seen = text.replace(HIDDEN, spelledOut);
  return /[",\r\n]/.test(seen) ? `"${seen.replaceAll('"', '""')}"` : seen;
}
