import { pageSize } from '../../base/paged.ts';
import { fail } from '../../base/problem.ts';
import type { Column, Table } from '../net.ts';
import { type NumbersByIndex, pageOf } from '../table-page.ts';
import { number, text, wrapped } from './json-layout.ts';

/** Equal entries in a row from this many on are written as `[count, value]`. */
const LONG_RUN = 8;

/** The lines of a table; long lists of numbers are wrapped. */
export function tableLines(t: Table): string[] {
  const head = `{ "name": ${text(t.name)}, "kind": ${text(t.kind)}`;
  const columns: (readonly [string, Column<Int32Array> | Column<Float64Array>])[] =
    t.kind === 'routes'
      ? [
          ['start', t.start],
          ['link', t.link],
          ['coefficient', t.coefficient],
        ]
      : t.kind === 'step'
        ? [
            ['from', t.from],
            ['values', t.values],
          ]
        : [['values', t.values]];
  const of = t.kind !== 'int' || t.colour === undefined ? '' : `, "colour": ${text(t.colour)}`;
  const lines = [t.kind === 'int' ? `${head}, "low": ${number(t.low)}, "high": ${number(t.high)}${of}` : head];
  for (const [name, column] of columns) {
    const [first, ...rest] = wrapped(`"${name}": `, entries(t, column), 6);
    lines[lines.length - 1] += `, ${first}`;
    for (const line of rest) lines.push(line);
  }
  lines[lines.length - 1] += ' }';
  return lines;
}

/** The entries as text, equal ones in a row together. */
function entries(t: Table, column: Column<Int32Array> | Column<Float64Array>): string[] {
  const runs = new Runs();
  for (const page of pagesOf(t, column)) {
    for (const v of page) {
      if (Number.isNaN(v)) fail('NET007', 'an entry is not a number', { part: `table ${t.name}` });
      runs.add(v);
    }
  }
  return runs.end();
}

/** Numbers as texts, equal ones in a row together. */
export function runsOf(values: Iterable<number>): string[] {
  const runs = new Runs();
  for (const v of values) runs.add(v);
  return runs.end();
}

class Runs {
  readonly #out: string[] = [];
  #value = 0;
  #run = 0;

  add(v: number): void {
    if (Object.is(v, this.#value)) {
      this.#run++;
      return;
    }
    this.end();
    this.#value = v;
    this.#run = 1;
  }

  end(): string[] {
    const one = number(this.#value);
    if (this.#run >= LONG_RUN) this.#out.push(`[${this.#run}, ${one}]`);
    else for (let k = 0; k < this.#run; k++) this.#out.push(one);
    this.#run = 0;
    return this.#out;
  }
}

/** A column in pieces, in order. A page may hold less than its entries: those are never looked up, and stand as 0. */
function* pagesOf(t: Table, column: Column<Int32Array> | Column<Float64Array>): Generator<Int32Array | Float64Array> {
  if (!('pages' in column)) {
    yield column;
    return;
  }
  const most = pageSize(column);
  for (let page = 0; page * most < column.length; page++) {
    const size = Math.min(most, column.length - page * most);
    const held = pageOf(t as NumbersByIndex, page);
    yield held.subarray(0, size);
    if (held.length < size) yield new Float64Array(size - held.length);
  }
}
