import { kindsOf, TABLE_MEMBERS, TABLE_OPTIONS } from '../kinds.ts';
import type { Table } from '../net.ts';
import type { Numbers } from './json-read-numbers.ts';
import type { PartsReader } from './json-read-parts.ts';

const KINDS = kindsOf(TABLE_MEMBERS);

/** Reads tables; numbers go directly into typed arrays. */
export class TableReader {
  readonly #parts: PartsReader;

  constructor(parts: PartsReader) {
    this.#parts = parts;
  }

  read(): Table | undefined {
    const { cursor: c } = this.#parts;
    const at = c.place();
    const numbers = (): Numbers => this.#parts.numbers.read();
    const m = c.members(
      {
        name: () => c.string(),
        kind: () => c.oneOf(KINDS),
        low: () => c.integer(),
        high: () => c.integer(),
        values: numbers,
        from: numbers,
        start: numbers,
        link: numbers,
        coefficient: numbers,
        colour: () => c.string(),
      },
      ['name', 'kind'],
    );
    if (m?.kind === undefined || !c.fits(m.kind, TABLE_MEMBERS[m.kind], m, at, TABLE_OPTIONS[m.kind])) return undefined;
    const { kind, name = '' } = m;
    switch (kind) {
      case 'int':
        return {
          kind,
          name,
          values: this.#integers(m.values!),
          low: m.low ?? 0,
          high: m.high ?? 0,
          ...(m.colour === undefined ? {} : { colour: m.colour }),
        };
      case 'real':
        return { kind, name, values: m.values!.values };
      case 'step':
        return { kind, name, from: m.from!.values, values: m.values!.values };
      case 'routes': {
        const [start, link] = [this.#integers(m.start!), this.#integers(m.link!)];
        return { kind, name, start, link, coefficient: m.coefficient!.values };
      }
    }
  }

  #integers({ values, odd }: Numbers): Int32Array {
    if (odd !== undefined)
      this.#parts.cursor.report('NET108', `expected a 32-bit integer, got ${odd.value}`, odd.place);
    return Int32Array.from(values);
  }
}
