import type { Place as Position } from '../../base/problem.ts';
import type { Expression } from '../expression.ts';
import type { Field } from '../net.ts';
import type { JsonCursor } from './json-cursor.ts';
import { ExpressionReader, type Later } from './json-read-expression.ts';
import { NumbersReader } from './json-read-numbers.ts';

/** Reads what occurs in many parts of a net, and keeps where everything stands for what validation finds. */
export class PartsReader {
  readonly cursor: JsonCursor;
  readonly expressions: ExpressionReader;
  readonly numbers: NumbersReader;
  readonly positions: Map<object, Position> = new Map();
  /** What is done when all colour sets are known. */
  readonly later: Later[] = [];

  /** @param maxEntries of all lists of numbers together */
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

  /** What each name of an object stands for. */
  byName<T>(read: () => T): Record<string, T> {
    const entries: [string, T][] = [];
    this.cursor.object((name) => entries.push([name, read()]));
    // Unlike an assignment, this makes a plain member of the name "__proto__" too.
    return Object.fromEntries(entries);
  }

  /** An expression with a line of its own. */
  expression(): Expression {
    return this.located(() => this.expressions.read());
  }

  /** Keeps where it stands. */
  located<T extends object | undefined>(read: () => T): T {
    const place = this.cursor.place();
    const part = read();
    if (part !== undefined) this.positions.set(part, place);
    return part;
  }
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** The members that are there: an object without those that are undefined. */
export function present<T extends object>(members: T): Required<T> & Optional<T> {
  return Object.fromEntries(Object.entries(members).filter((m) => m[1] !== undefined)) as Required<T> & Optional<T>;
}
