import { fail } from '../../base/problem.ts';
import type { Column, Integers, Table } from '../net.ts';
import { pagesOf } from '../table-page.ts';
import { number, wrapped } from './json-layout.ts';

/** Minimum length of a run written as `[count, value]`. */
const LONG_RUN = 8;

/**
 * The lines of a table; long lists of numbers are wrapped.
 *
 * @param members the members that are no columns, as text
 * @param columns names of the columns
 */
export function tableLines(t: Table, members: readonly string[], columns: readonly string[]): string[] {
  const lines = [`{ ${members.join(', ')}`];
  for (const name of columns) {
    const column = t[name as keyof Table] as unknown as Column<Int32Array> | Column<Float64Array>;
    const [first, ...rest] = wrapped(`"${name}": `, entries(t, column), 6);
    lines[lines.length - 1] += `, ${first}`;
    for (const line of rest) lines.push(line);
  }
  lines[lines.length - 1] += ' }';
  return lines;
}

/** The entries of a column as strings, runs combined. */
function entries(t: Table, column: Integers | Column<Float64Array>): string[] {
  const runs = new Runs();
  const pieces = t.kind === 'int' || t.kind === 'real' ? pagesOf(t) : [column as Int32Array | Float64Array];
  for (const page of pieces) {
    for (const v of page) {
      if (Number.isNaN(v)) fail('NET007', 'an entry is not a number', { part: `table ${t.name}` });
      runs.add(v);
    }
  }
  return runs.end();
}

/** Numbers as strings, runs combined. */
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
