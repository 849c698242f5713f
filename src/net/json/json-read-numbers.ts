import type { Place as Position } from '../../base/problem.ts';
import type { JsonCursor } from './json-cursor.ts';

/** A list of numbers, read before it is known whether they must be integers. */
export interface Numbers {
  readonly values: Float64Array;
  /** The first entry that is not a 32-bit integer. */
  readonly odd: { readonly value: number; readonly place: Position } | undefined;
}

/** Reads lists of numbers directly into typed arrays; `[n, v]` means n times v. */
export class NumbersReader {
  readonly #c: JsonCursor;
  #entriesLeft: number;

  /** @param maxEntries limit on the entries of all lists together */
  constructor(cursor: JsonCursor, maxEntries: number) {
    this.#c = cursor;
    this.#entriesLeft = maxEntries;
  }

  read(): Numbers {
    const c = this.#c;
    let values = new Float64Array(16);
    let length = 0;
    let odd: Numbers['odd'];
    const add = (count: number): void => {
      const value = c.number();
      if (value === undefined) return;
      if (odd === undefined && (value | 0) !== value) odd = { value, place: c.placeOfNumber() };
      this.#entriesLeft -= count;
      if (this.#entriesLeft < 0) c.fatal('NET100', 'the tables of this net have more entries than the limit');
      if (length + count > values.length) {
        const larger = new Float64Array(Math.max(2 * values.length, length + count));
        larger.set(values.subarray(0, length));
        values = larger;
      }
      if (count === 1) values[length] = value;
      else values.fill(value, length, length + count);
      length += count;
    };
    c.list(() => {
      if (c.kind() !== 'a list') {
        add(1);
        return;
      }
      const place = c.place();
      let count = 0;
      let n = 0;
      c.list((k) => {
        n = k + 1;
        if (k === 0) count = c.integer() ?? 0;
        else if (k === 1 && count > 0) add(count);
        else c.skip();
      });
      if (n !== 2 || count < 1) c.report('NET104', 'expected a number, or a list [count >= 1, number]', place);
    }, 'a list of numbers');
    return { values: values.slice(0, length), odd };
  }
}
