import type { ScalarSet } from '../colour.ts';
import { type Distribution, isDistribution } from '../distribution.ts';
import { formOf } from '../distributions/laws.ts';
import { type Expression, expressionText } from '../expression.ts';
import { scalarNet } from '../expressions.ts';
import type { ColourSet, Delay, Field, InputArc, Net, OutputArc, Place } from '../net.ts';

/** Formats names, values and expressions for display: infix, enumeration values by name. */
export class TextTerms {
  readonly #colours: ReadonlyMap<string, ColourSet>;

  constructor(net: Net) {
    this.#colours = new Map(net.colours.map((c) => [c.name, c]));
  }

  expression(e: Expression): string {
    return expressionText(this.#shown(e));
  }

  /** A delay: `cost[w] s`, or `~ exponential(rate 2)` for a distribution. */
  delay(d: Delay): string {
    return isDistribution(d) ? `~ ${this.#distribution(d)}` : `${this.expression(d)} s`;
  }

  /** The values of an arc for the fields of its place, in field order; `_` for omitted ones. */
  values(place: Place, given: Readonly<Record<string, Expression>>): string[] {
    return this.#fields(place.fields, (column, colour) => {
      if (!Object.hasOwn(given, column)) return undefined;
      const e = given[column]!;
      return e.op === 'const' && e.colour === undefined ? this.value(colour, e.value) : this.expression(e);
    });
  }

  /** A token, given by its column values in order. */
  token(place: Place, values: readonly number[]): string {
    let k = 0;
    return `(${this.#fields(place.fields, (_, colour) => this.value(colour, values[k++]!)).join(', ')})`;
  }

  value(c: ScalarSet, value: number): string {
    if (c.kind === 'bool') return value === 0 ? 'false' : 'true';
    const text = c.kind === 'enum' ? c.values[value] : undefined;
    return text === undefined ? String(value) : shownName(text);
  }

  #fields(fields: readonly Field[], column: (name: string, colour: ScalarSet) => string | undefined): string[] {
    return fields.map((f) => this.#part(f.name, f.colour, column) ?? '_');
  }

  /** A field or a part of it, by its path: products in parentheses, records in braces; undefined if omitted. */
  #part(
    path: string,
    colour: string,
    column: (name: string, colour: ScalarSet) => string | undefined,
  ): string | undefined {
    const c = this.#colours.get(colour)!;
    switch (c.kind) {
      case 'unit':
        return '()';
      case 'product': {
        const parts = c.parts.map((p, k) => this.#part(`${path}.${k + 1}`, p, column));
        return this.#isLeftOut(c.parts, parts) ? undefined : `(${parts.map((p) => p ?? '_').join(', ')})`;
      }
      case 'record': {
        const parts = c.fields.map((f) => this.#part(`${path}.${f.name}`, f.colour, column));
        const colours = c.fields.map((f) => f.colour);
        const named = c.fields.map((f, k) => `${shownName(f.name)}: ${parts[k] ?? '_'}`);
        return this.#isLeftOut(colours, parts) ? undefined : `{${named.join(', ')}}`;
      }
      default:
        return column(path, c);
    }
  }

  /** True if no part is given; parts of colour `unit` do not count. */
  #isLeftOut(colours: readonly string[], parts: readonly (string | undefined)[]): boolean {
    return (
      parts.includes(undefined) &&
      parts.every((p, k) => p === undefined || this.#colours.get(colours[k]!)?.kind === 'unit')
    );
  }

  #distribution(d: Distribution): string {
    const given: Readonly<Record<string, unknown>> = d;
    const shown = (value: unknown): string =>
      typeof value === 'number' ? String(value) : this.expression(value as Expression);
    const members = Object.entries(formOf(d)).map(([name, form]) => {
      const value = given[name];
      if (form.kind === 'parameter') return `${name} ${shown(value)}`;
      if (form.kind === 'samples') {
        const all = value as readonly number[];
        return columnText(all.length, [Float64Array.from(all)]);
      }
      const parts = value as readonly Readonly<Record<string, unknown>>[];
      // The value of a part that has its name stands alone: `3 weight 0.5`.
      const inside = (part: Readonly<Record<string, unknown>>): string =>
        Object.keys(form.members)
          .map((own) => (own === form.one ? shown(part[own]) : `${own} ${shown(part[own])}`))
          .join(' ');
      return shortened(parts.map(inside)).join(', ');
    });
    return `${d.dist}(${members.join(', ')})`;
  }

  /** The same expression with names that cannot be mistaken for anything else, as {@link expressionText} prints them. */
  #shown(e: Expression): Expression {
    switch (e.op) {
      case 'const':
        if (e.colour === undefined) return e;
        return { op: 'var', name: `${shownName(e.colour)}.${this.#enumerated(e.colour, e.value)}` };
      case 'var':
        return { op: 'var', name: shownName(e.name) };
      case 'at':
      case 'step':
        return { op: e.op, table: shownName(e.table), index: this.#shown(e.index) };
      case 'call':
        return { op: 'call', function: shownName(e.function), args: e.args.map((a) => this.#shown(a)) };
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

  #enumerated(colour: string, value: number): string {
    const c = this.#colours.get(colour);
    return c?.kind === 'enum' ? this.value(c, value) : String(value);
  }
}

/** The name itself if it is a plain word; otherwise quoted, with unprintable characters escaped. */
export function shownName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : quoted(name);
}

/** As {@link shownName}, but spaces, dots and hyphens between words need no quotes: for headings. */
export function shownTitle(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.-]*( [\p{L}\p{N}_.-]+)*$/u.test(name) ? name : quoted(name);
}

function quoted(name: string): string {
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** The order and key of a place. The key is a set, so it is sorted. */
export function orderText(p: Place): string {
  return p.key.length === 0 ? p.order : `${p.order} by ${[...p.key].sort(byText).map(shownName).join(', ')}`;
}

/** `2 servers` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Compares strings by code unit, independent of locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A copy sorted by name. */
export function sortedByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => byText(a.name, b.name));
}

/** Arc inscriptions for display: `(x, y)`, `2 × (red)`. */
export class Inscriptions {
  readonly #terms: TextTerms;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #coloured: ReadonlySet<string>;

  constructor(net: Net, terms: TextTerms = new TextTerms(net)) {
    this.#terms = terms;
    this.#places = new Map(net.places.map((p) => [p.name, p]));
    this.#coloured = new Set(scalarNet(net).places.flatMap((p) => (p.fields.length === 0 ? [] : [p.name])));
  }

  /** The values of a token, `_` for an omitted field; '' for a place without columns. */
  tokens(place: string, given: Readonly<Record<string, Expression>>): string {
    if (!this.#coloured.has(place)) return '';
    return `(${this.#terms.values(this.#places.get(place)!, given).join(', ')})`;
  }

  input(arc: InputArc): string {
    return times(arc.count === 1 ? '' : String(arc.count), this.tokens(arc.place, arc.pattern));
  }

  output(arc: OutputArc): string {
    const { count } = arc;
    const one = count.op === 'const' && count.value === 1;
    const number = one ? '' : count.op === 'const' ? String(count.value) : `(${this.#terms.expression(count)})`;
    return times(number, this.tokens(arc.place, arc.values));
  }
}

function times(number: string, tokens: string): string {
  return number === '' || tokens === '' ? `${number}${tokens}` : `${number} × ${tokens}`;
}

/** Maximum number of lines written in full. */
const MAX_VALUES = 16;

/** The lines; of a long list only the first, with the total and a digest of all. */
export function shortened(lines: readonly string[]): string[] {
  if (lines.length <= MAX_VALUES) return [...lines];
  const digest = new Digest();
  for (const line of lines) digest.add(line);
  return [...lines.slice(0, MAX_VALUES / 2), `… ${lines.length} in all #${digest}`];
}

/** Summary of a column given in pieces: length, first entries, and a digest of all. */
export function columnText(length: number, pieces: Iterable<Int32Array | Uint8Array | Float64Array>, max = 8): string {
  const first: number[] = [];
  const digest = new Digest();
  for (const piece of pieces)
    for (const v of piece) {
      if (first.length < max) first.push(v);
      if (length > max) digest.add(v);
    }
  return length <= max ? `[${first.join(', ')}]` : `[${first.join(', ')}, …] ${length} entries #${digest}`;
}

/** 32-bit FNV-1a hash (Fowler, Noll, Vo) over the bytes of doubles or strings. Detects changes; not cryptographic. */
class Digest {
  #hash = 0x811c9dc5;
  readonly #view = new DataView(new ArrayBuffer(8));

  add(value: number | string): void {
    if (typeof value === 'string') {
      for (let k = 0; k < value.length; k++) {
        this.#byte(value.charCodeAt(k) & 255);
        this.#byte(value.charCodeAt(k) >> 8);
      }
      this.#byte(255);
      return;
    }
    this.#view.setFloat64(0, value);
    for (let k = 0; k < 8; k++) this.#byte(this.#view.getUint8(k));
  }

  toString(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  #byte(byte: number): void {
    this.#hash = Math.imul(this.#hash ^ byte, 0x01000193);
  }
}
