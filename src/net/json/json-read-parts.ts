import type { Place as Position } from '../../base/problem.ts';
import type { Expression } from '../expression.ts';
import type { Field } from '../net.ts';
import type { JsonCursor } from './json-cursor.ts';
import { ExpressionReader, type Later } from './json-read-expression.ts';
import { NumbersReader } from './json-read-numbers.ts';

/** Readers shared by many parts of a net. Records source positions, which validation uses for its problems. */
export class PartsReader {
  readonly cursor: JsonCursor;
  readonly expressions: ExpressionReader;
  readonly numbers: NumbersReader;
  readonly positions: Map<object, Position> = new Map();
  /** Work to do when all colour sets are known. */
  readonly later: Later[] = [];

  /** @param maxEntries limit on the entries of all lists of numbers together */
  constructor(cursor: JsonCursor, maxEntries: number) {
    this.cursor = cursor;
    this.expressions = new ExpressionReader(cursor, this.later);
    this.numbers = new NumbersReader(cursor, maxEntries);
  }

  items<T extends object>(read: () => T | undefined): T[] {
    const items: T[] = [];
    this.cursor.list(() => {
      const item = this.located(read);
      if (item !== undefined) items.push(item);
    });
    return items;
  }

  strings(): string[] {
    const out: string[] = [];
    this.cursor.list(() => {
      const s = this.cursor.string();
      if (s !== undefined) out.push(s);
    });
    return out;
  }

  fields(): Field[] {
    const c = this.cursor;
    return this.items(() => {
      const m = c.members({ name: () => c.string(), colour: () => c.string() }, ['name', 'colour']);
      return m && { name: m.name ?? '', colour: m.colour ?? '' };
    });
  }

  /** An object with arbitrary names; `read` reads each value. */
  byName<T>(read: () => T): Record<string, T> {
    const entries: [string, T][] = [];
    this.cursor.object((name) => entries.push([name, read()]));
    // Unlike assignment, this creates an ordinary member for the name "__proto__".
    return Object.fromEntries(entries);
  }

  /** Reads an expression and records its position. */
  expression(): Expression {
    return this.located(() => this.expressions.read());
  }

  /** Reads a part and records its position. */
  located<T extends object | undefined>(read: () => T): T {
    const place = this.cursor.place();
    const part = read();
    if (part !== undefined) this.positions.set(part, place);
    return part;
  }
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** The object without undefined members. */
export function present<T extends object>(members: T): Required<T> & Optional<T> {
  return Object.fromEntries(Object.entries(members).filter((m) => m[1] !== undefined)) as Required<T> & Optional<T>;
}
