import { readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Code } from '../../base/codes.ts';
import { WholeFile } from '../../base/files/whole-file.ts';
import { fail, quote, shown } from '../../base/problem.ts';
import { jsonText } from '../../base/spelled-out.ts';
import { BATCH_ROWS, type Batch, BatchBuffer, type RunConsumer, type RunSink } from './batch.ts';
import { withRecordFile } from './record-file.ts';
import { endOf, headOf } from './run-head.ts';
import {
  ABSENT,
  type Column,
  formatPath,
  isDouble,
  parsePath,
  type RunEnd,
  type RunHead,
  TABLES,
  type TableName,
} from './run-schema.ts';

/** Longest line, in characters. */
const MAX_LINE = 1 << 24;

/**
 * Writes a run record as JSON lines: the head, then an object for each row with its table and the cells that are present,
 * then the end. Names, words and paths are strings. Throws InputError REC001 if the file cannot be written.
 */
export class RunLinesWriter implements RunConsumer {
  readonly #file: WholeFile;
  readonly #names: string[] = [];

  constructor(path: string) {
    this.#file = new WholeFile(path, 'REC001');
  }

  head(head: RunHead): void {
    this.#line({ format: 'foretoken-run', version: 1, ...head });
  }

  name(name: string): void {
    this.#names.push(name);
  }

  batch({ table, columns, count, paths }: Batch): void {
    const texts = paths.map(formatPath);
    for (let row = 0; row < count; row++) {
      const line: Record<string, unknown> = { table };
      for (const { name, type } of TABLES[table]) {
        const value = columns[name]![row]!;
        if (value === ABSENT || Number.isNaN(value)) continue;
        if (typeof type === 'object') line[name] = type[value];
        else line[name] = type === 'name' ? this.#names[value] : type === 'path' ? texts[value] : value;
      }
      this.#line(line);
    }
  }

  end(end: RunEnd): void {
    this.#line({ end });
    this.#file.close();
  }

  /** Aborts and removes the file. */
  abort(): void {
    this.#file.abort();
  }

  #line(value: unknown): void {
    this.#file.write(`${jsonText(value)}\n`);
  }
}

/**
 * Reads a run record of JSON lines and passes it on, checked. Rows of one table are passed on in batches; the order of
 * rows of different tables is kept only between batches.
 *
 * @throws InputError REC001 not readable, REC002 another format, REC003 truncated, REC004 to REC010 rows, each with its
 * line
 */
export function readRunLines(path: string, sink: RunSink): void {
  withRecordFile(path, (fd) => {
    const reader = new RunLinesReader(path, sink);
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(1 << 18);
    let rest = '';
    const lines = (text: string): void => {
      const found = (rest + text).split('\n');
      rest = found.pop()!;
      if (rest.length > MAX_LINE) reader.fail('REC010', `a line is longer than ${MAX_LINE} characters`);
      for (const line of found) reader.line(line);
    };
    for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer))
      lines(decoder.write(buffer.subarray(0, length)));
    lines(decoder.end());
    if (rest !== '') reader.lastLine(rest);
    reader.finish();
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

class RunLinesReader {
  readonly #path: string;
  readonly #checker: RunSink;
  readonly #buffers = new Map<TableName, { readonly rows: BatchBuffer; readonly lines: number[] }>();
  readonly #names = new Map<string, number>();
  #line = 0;
  #part: 'head' | 'rows' | 'end' = 'head';

  constructor(path: string, sink: RunSink) {
    this.#path = path;
    this.#checker = sink;
  }

  line(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    const value = this.#parsed(text);
    if (this.#part === 'head') {
      const head = headOf(value);
      if (typeof head === 'string') this.fail('REC002', head);
      else this.#checker.head(head);
      this.#part = 'rows';
      return;
    }
    if (this.#part === 'end') this.fail('REC003', 'a line after the end of the record');
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.fail('REC005', `expected an object, got ${shown(value)}`);
    else if ('end' in value && !('table' in value)) this.#end(value.end);
    else this.#row(value as Readonly<Record<string, unknown>>);
  }

  /** A line without a line end, which may be incomplete: JSON objects are complete with their last brace. */
  lastLine(text: string): void {
    if (this.#checker.cut !== undefined && !isJson(text)) return;
    if (this.#part === 'rows' && !isJson(text)) {
      this.#line++;
      this.fail('REC003', 'is truncated: its last line is not complete');
    }
    this.line(text);
  }

  finish(): void {
    if (this.#part !== 'end' && this.#checker.cut !== undefined) {
      for (const { rows, lines } of this.#buffers.values()) this.#flush(rows, lines);
      this.#checker.cut();
      return;
    }
    if (this.#part === 'head') this.fail('REC002', 'is empty: expected the head of a run record in the first line');
    if (this.#part === 'rows') this.fail('REC003', 'is truncated: its last line, the end of the record, is missing');
  }

  fail(code: Code, message: string): never {
    return fail(code, message, { file: this.#path, line: this.#line });
  }

  #end(value: unknown): void {
    for (const { rows, lines } of this.#buffers.values()) this.#flush(rows, lines);
    const end = endOf(value);
    if (typeof end === 'string') this.fail('REC005', end);
    else {
      this.#checker.at(() => ({ file: this.#path, line: this.#line }));
      this.#checker.end(end);
    }
    this.#part = 'end';
  }

  #row(value: Readonly<Record<string, unknown>>): void {
    const table = value['table'] as TableName;
    const columns = Object.hasOwn(TABLES, table)
      ? TABLES[table]
      : this.fail('REC005', `table: expected one of ${Object.keys(TABLES).join(', ')}, got ${shown(table)}`);
    let buffer = this.#buffers.get(table);
    if (buffer === undefined) {
      buffer = { rows: new BatchBuffer(table), lines: [] };
      this.#buffers.set(table, buffer);
    }
    const { rows, lines } = buffer;
    const row = rows.row();
    lines.push(this.#line);
    let cells = 1;
    for (const column of columns) {
      const cell = value[column.name];
      if (cell === undefined) continue;
      cells++;
      rows.columns[column.name]![row] = this.#cell(column, cell, rows);
    }
    if (cells < Object.keys(value).length) {
      const unknown = Object.keys(value).find((key) => key !== 'table' && columns.every(({ name }) => name !== key));
      this.fail('REC004', `unknown cell ${quote(unknown ?? '')} of ${table}`);
    }
    if (rows.count === BATCH_ROWS) this.#flush(rows, lines);
  }

  #cell({ name, type }: Column, cell: unknown, rows: BatchBuffer): number {
    if (type === 'path') {
      const path = typeof cell === 'string' ? parsePath(cell) : `expected a string, got ${shown(cell)}`;
      return typeof path === 'string' ? this.fail('REC005', `${name}: ${path}`) : rows.path(cell as string, () => path);
    }
    if (type === 'name' || typeof type === 'object') {
      if (typeof cell !== 'string') return this.fail('REC005', `${name}: expected a string, got ${shown(cell)}`);
      if (type === 'name') return this.#name(cell);
      const index = type.indexOf(cell);
      return index >= 0
        ? index
        : this.fail('REC005', `${name}: expected one of ${type.join(', ')}, got ${quote(cell)}`);
    }
    const isNumber = typeof cell === 'number' && Number.isFinite(cell);
    if (isDouble(type) ? isNumber : isNumber && Number.isInteger(cell) && cell > ABSENT && cell < 2 ** 31)
      return cell as number;
    return this.fail(
      'REC005',
      `${name}: expected ${isDouble(type) ? 'a number' : 'a 32-bit integer'}, got ${shown(cell)}`,
    );
  }

  #name(name: string): number {
    let index = this.#names.get(name);
    if (index === undefined) {
      index = this.#names.size;
      this.#names.set(name, index);
      this.#checker.name(name);
    }
    return index;
  }

  #flush(rows: BatchBuffer, lines: number[]): void {
    this.#checker.at((row) => ({ file: this.#path, line: lines[row]! }));
    if (rows.count > 0) this.#checker.batch(rows);
    rows.clear();
    lines.length = 0;
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return this.fail(this.#part === 'head' ? 'REC002' : 'REC005', `is not JSON: ${quote(text.slice(0, 40))}`);
    }
  }
}
