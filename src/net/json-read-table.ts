import type { Place as Position } from '../base/problem.ts';
import type { JsonCursor } from './json-cursor.ts';
import type { Table } from './net.ts';

/** A list of numbers before it is known whether they must be whole. */
interface Numbers {
  readonly values: Float64Array;
  /** The first entry that is no whole number of 32 bits. */
  readonly odd: { readonly value: number; readonly place: Position } | undefined;
}

const TABLE_KINDS = {
  int: ['low', 'high', 'values'],
  real: ['values'],
  step: ['from', 'values'],
  routes: ['start', 'link', 'coefficient'],
} as const;

const KINDS = Object.keys(TABLE_KINDS) as (keyof typeof TABLE_KINDS)[];

/** Reads tables: numbers go straight into typed arrays. */
export class TableReader {
  readonly #c: JsonCursor;
  #entriesLeft: number;

  /** @param maxEntries of all tables together */
  constructor(cursor: JsonCursor, maxEntries: number) {
    this.#c = cursor;
    this.#entriesLeft = maxEntries;
  }

  read(): Table | undefined {
    const c = this.#c;
    const at = c.place();
    const numbers = (): Numbers => this.#numbers();
    const m = c.members(
      {
        name: () => c.string(),
        kind: () => c.oneOf(KINDS),
        low: () => c.whole(),
        high: () => c.whole(),
        values: numbers,
        from: numbers,
        start: numbers,
        link: numbers,
        coefficient: numbers,
      },
      ['name', 'kind'],
    );
    if (m?.kind === undefined || !c.fits(m.kind, TABLE_KINDS[m.kind], m, at)) return undefined;
    const { kind, name = '' } = m;
    switch (kind) {
      case 'int':
        return { kind, name, values: this.#whole(m.values!), low: m.low ?? 0, high: m.high ?? 0 };
      case 'real':
        return { kind, name, values: m.values!.values };
      case 'step':
        return { kind, name, from: m.from!.values, values: m.values!.values };
      case 'routes': {
        const [start, link] = [this.#whole(m.start!), this.#whole(m.link!)];
        return { kind, name, start, link, coefficient: m.coefficient!.values };
      }
    }
  }

  #whole({ values, odd }: Numbers): Int32Array {
    if (odd !== undefined) this.#c.say('NET108', `a whole number of 32 bits is expected, not ${odd.value}`, odd.place);
    return Int32Array.from(values);
  }

  #numbers(): Numbers {
    const c = this.#c;
    let values = new Float64Array(16);
    let length = 0;
    let odd: Numbers['odd'];
    const add = (count: number): void => {
      const value = c.number();
      if (value === undefined) return;
      if (odd === undefined && (value | 0) !== value) odd = { value, place: c.placeOfNumber() };
      this.#entriesLeft -= count;
      if (this.#entriesLeft < 0) c.fatal('NET100', 'the tables of this net have more entries than are read');
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
        if (k === 0) count = c.whole() ?? 0;
        else if (k === 1 && count > 0) add(count);
        else c.skip();
      });
      if (n !== 2 || count < 1)
        c.say('NET104', 'a number is expected, or a list of two: how often (from 1 on), and which number', place);
    }, 'a list of numbers');
    return { values: values.slice(0, length), odd };
  }
}
