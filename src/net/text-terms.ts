import { type Expression, expressionText } from './expression.ts';
import type { ColourSet, Net, Place } from './net.ts';

/** How a net's names, values and expressions are written for people: infix, values by their texts. */
export class TextTerms {
  readonly #colours: ReadonlyMap<string, ColourSet>;

  constructor(net: Net) {
    this.#colours = new Map(net.colours.map((c) => [c.name, c]));
  }

  expression(e: Expression): string {
    return expressionText(this.#shown(e));
  }

  /** What an arc gives for the fields of its place, in their order; `_` for those it leaves out. */
  values(place: Place, given: Readonly<Record<string, Expression>>): string[] {
    return place.fields.map((f) => {
      if (!Object.hasOwn(given, f.name)) return '_';
      const e = given[f.name]!;
      return e.op === 'const' && e.colour === undefined ? this.value(f.colour, e.value) : this.expression(e);
    });
  }

  /** A token's value in a colour set. */
  value(colour: string, value: number): string {
    const c = this.#colours.get(colour);
    if (c?.kind === 'bool') return value === 0 ? 'false' : 'true';
    const text = c?.kind === 'enum' ? c.values[value] : undefined;
    return text === undefined ? String(value) : shownName(text);
  }

  /** The same expression with names that cannot be mistaken for anything else, as {@link expressionText} prints them. */
  #shown(e: Expression): Expression {
    switch (e.op) {
      case 'const':
        if (e.colour === undefined) return e;
        return { op: 'var', name: `${shownName(e.colour)}.${this.value(e.colour, e.value)}` };
      case 'var':
        return { op: 'var', name: shownName(e.name) };
      case 'at':
      case 'step':
        return { op: e.op, table: shownName(e.table), index: this.#shown(e.index) };
      case 'if':
        return { op: 'if', test: this.#shown(e.test), a: this.#shown(e.a), b: this.#shown(e.b) };
      case 'neg':
      case 'not':
      case 'floor':
        return { op: e.op, a: this.#shown(e.a) };
      default:
        return { op: e.op, a: this.#shown(e.a), b: this.#shown(e.b) };
    }
  }
}

/** A name as it is where it is a plain word, else in quotes with everything unprintable escaped. */
export function shownName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : quoted(name);
}

/** A name with a line or a bracket of its own, where words may be apart. */
export function shownTitle(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.-]*( [\p{L}\p{N}_.-]+)*$/u.test(name) ? name : quoted(name);
}

function quoted(name: string): string {
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** Orders texts by code unit: the same everywhere. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A copy ordered by name. */
export function sortedByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => byText(a.name, b.name));
}
