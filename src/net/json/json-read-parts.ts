import type { Place as Position } from '../../base/problem.ts';
import type { Expression } from '../expression.ts';
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
