import { assertIs } from '../../base/options.ts';
import { fail } from '../../base/problem.ts';
import type { ColourSet } from '../colour.ts';
import { callersOf } from '../expressions.ts';
import { refuseInFunction } from '../functions/ambient.ts';
import type { Column, Integers, Net, Place, Table, Transition } from '../net.ts';
import {
  coloured,
  constant,
  type EnumSet,
  member,
  type NumberTerm,
  ofNet,
  shown,
  type Term,
  withoutOperators,
} from '../term.ts';
import { assertValid } from '../validation/validate.ts';
import type {
  Colour,
  Enumeration,
  Fields,
  NumberTable,
  PlaceOf,
  PlaceOptions,
  RoutesTable,
  StepTable,
  Synchronous,
  TransitionBuilder,
  ValueOf,
} from './builder-types.ts';
import { assertSize } from './composite.ts';
import { Functions, TABLE_LIMIT } from './functions.ts';
import { buildPlace } from './place-builder.ts';
import { TransitionBlock } from './transition-builder.ts';

export type {
  Colour,
  Enumeration,
  Exports,
  Fn,
  Given,
  MaxMinTerms,
  NumberTable,
  Pattern,
  PlaceOf,
  PlaceOptions,
  PlainToken,
  RoutesTable,
  StepTable,
  TermOf,
  TermsOf,
  TransitionBuilder,
} from './builder-types.ts';

import { assertIs as assertArgument, assertMembers } from '../members.ts';

/** Options of a {@link NetBuilder}. */
export interface BuilderOptions {
  /** Maximum entries of a table generated from a function; larger functions are called by the net. Default 2^20. */
  readonly tableLimit?: number;
}

/**
 * Builds a {@link Net}: colour sets, tables, places, transitions, then `build()`, which validates and throws an
 * InputError with every problem found. The types reject terms of the wrong colour and missing or unknown fields. Errors
 * that plain JavaScript allows are rejected here (NET003 … NET005, NET040 … NET059, NET078) or by validation.
 */
export class NetBuilder {
  readonly #name: string;
  readonly #colours = new Set<ColourSet>();
  readonly #tables: Table[] = [];
  readonly #places: Place[] = [];
  readonly #transitions: Transition[] = [];
  readonly #functions: Functions;
  /** Places of this net, by identity: those of another net may have the same names. */
  readonly #known = new Set<PlaceOf<Fields>>();
  #processes: Net['processes'];

  constructor(name: string, options: BuilderOptions = {}) {
    assertIs('NetBuilder', 'name', name, 'a string', 'APP061');
    assertMembers(`net ${name}`, 'options', options, ['tableLimit']);
    this.#name = name;
    this.#functions = new Functions(this.#tables, options.tableLimit ?? TABLE_LIMIT);
  }

  /** The single value null, for products and records without content. A place without fields does not need it. */
  unit(name: string): Colour<null> {
    return this.#colour({ kind: 'unit', name });
  }

  /** The integers low … high. */
  range(name: string, low: number, high: number): Colour<number> {
    return this.#colour({ kind: 'range', name, low, high });
  }

  /** All integers (simulation only). */
  integer(name: string): Colour<number> {
    return this.#colour({ kind: 'integer', name });
  }

  /** The booleans. */
  bool(name: string): Colour<boolean> {
    return this.#colour({ kind: 'bool', name });
  }

  /** Named values, ordered as given. */
  enumeration<const V extends string>(name: string, ...values: readonly V[]): Enumeration<V> {
    const set: EnumSet = { kind: 'enum', name, values };
    const is = (value: V): Term<V> => {
      assertArgument(`colour set ${name}`, 'value', value, 'a string');
      return ofNet(member(set, value), this);
    };
    return { ...this.#colour<V>(set), is };
  }

  /** Tuples of values; columns are named by position: `pair.1`, `pair.2`. */
  product<const C extends readonly Colour<unknown>[]>(
    name: string,
    ...parts: C
  ): Colour<{ readonly [K in keyof C]: ValueOf<C[K]> }> {
    this.#assertName('colour set', name);
    this.#assertOwn(`colour set ${name}`, parts);
    return this.#colour(
      { kind: 'product', name, parts: parts.map((c) => c.set.name) },
      Object.fromEntries(parts.map((c, k) => [String(k + 1), c])),
    );
  }

  /** Objects of values; columns are named by path: `position.x`, `position.y`. */
  record<const P extends Fields>(name: string, parts: P): Colour<{ readonly [K in keyof P]: ValueOf<P[K]> }> {
    this.#assertName('colour set', name);
    assertArgument(`colour set ${name}`, 'parts', parts, 'an object', '{ x: X, y: Y }');
    this.#assertOwn(`colour set ${name}`, Object.values(parts));
    const fields = Object.entries(parts).map(([field, c]) => ({ name: field, colour: c.set.name }));
    return this.#colour({ kind: 'record', name, fields }, parts);
  }

  /**
   * A table of integers. `low` and `high` bound its entries; for an array in memory they default to its minimum and
   * maximum.
   */
  intTable(name: string, values: Integers, bounds?: { readonly low: number; readonly high: number }): NumberTable {
    this.#assertName('table', name);
    assertColumn(`table ${name}`, values, 'Int32Array');
    if (bounds !== undefined) assertMembers(`table ${name}`, 'bounds', bounds, ['low', 'high']);
    let { low, high } = bounds ?? { low: 0, high: 0 };
    if (bounds === undefined) {
      if ('pages' in values) fail('NET004', `table ${name}: expected bounds for the entries of a paged table`);
      low = high = values[0] ?? 0;
      for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    this.#table({ kind: 'int', name, values, low, high });
    return { name, at: (index) => coloured(this.#lookUp('at', name, index), { kind: 'range', name, low, high }) };
  }

  /** A table of doubles. */
  realTable(name: string, values: Column<Float64Array>): NumberTable {
    this.#assertName('table', name);
    assertColumn(`table ${name}`, values, 'Float64Array');
    this.#table({ kind: 'real', name, values });
    return { name, at: (index) => this.#lookUp('at', name, index) };
  }

  /**
   * A piecewise constant function: `values[k]` holds from `from[k]` on. `from` is ascending; from[0] is −Infinity or the
   * smallest possible argument.
   */
  stepTable(name: string, from: Float64Array, values: Float64Array): StepTable {
    this.#table({ kind: 'step', name, from, values });
    return { name, of: (x) => this.#lookUp('step', name, x) };
  }

  /** Lists of links with coefficients: list k is the entries `start[k]` … `start[k+1]−1` of `link` and `coefficient`. */
  routesTable(name: string, start: Int32Array, link: Int32Array, coefficient: Float64Array): RoutesTable {
    this.#table({ kind: 'routes', name, start, link, coefficient });
    return ofNet({ name }, this);
  }

  /**
   * Adds a place whose tokens have the given fields; none by default.
   *
   * @throws InputError NET040, NET045, NET046, NET058 and others for wrong options; NET048 inside a function of the net
   */
  place<const F extends Fields = Record<never, never>>(
    name: string,
    fields: F = {} as F,
    options: PlaceOptions<F> = {},
  ): PlaceOf<F> {
    this.#assertName('place', name);
    assertArgument(`place ${name}`, 'fields', fields, 'an object', '{ x: X }');
    refuseInFunction('NET048', `adds place ${name}`);
    this.#assertOwn(`place ${name}`, Object.values(fields));
    this.#places.push(buildPlace(name, fields, options, this, this.#functions));
    const place = { name, fields };
    this.#known.add(place);
    return place;
  }

  /**
   * Adds a transition; `build` is called once, at once, and adds its arcs and properties.
   *
   * @throws InputError NET042 if `build` returns a promise; NET043, NET046, NET047 and others for wrong calls; NET048 inside a
   * function of the net
   */
  transition<R extends Synchronous>(name: string, build: (t: TransitionBuilder) => R): void {
    this.#assertName('transition', name);
    assertArgument(`transition ${name}`, 'block', build, 'a function', 't => { t.take(place); }');
    refuseInFunction('NET048', `adds transition ${name}`);
    const part = `transition ${name}`;
    const block = new TransitionBlock(name, this, this.#functions, {
      place: (place) => this.#assertKnown(part, place),
      colour: (colour) => this.#assertOwn(part, [colour]),
    });
    this.#transitions.push(block.build(build));
  }

  /**
   * Sets the colour set that numbers the processes, and the place into which each process puts a token when it ends.
   */
  processes<F extends Fields>(colour: Colour<number>, ended: PlaceOf<F>): void {
    this.#assertOwn('processes', [colour]);
    this.#assertKnown('processes', ended);
    this.#processes = { colour: colour.set.name, ended: ended.name };
  }

  /**
   * Validates and returns the net.
   *
   * @throws InputError with all problems of the net
   */
  build(): Net {
    const net: Net = {
      name: this.#name,
      colours: [...this.#colours],
      tables: [...this.#tables],
      places: [...this.#places],
      transitions: [...this.#transitions],
      ...(this.#processes === undefined ? {} : { processes: this.#processes }),
    };
    // Only functions that are called are included: an unused one must not prevent writing the net to a file.
    const callers = callersOf({ ...net, functions: this.#functions.called });
    const functions = this.#functions.called.filter((f) => callers.has(f.name));
    const whole = functions.length === 0 ? net : { ...net, functions };
    assertValid(whole);
    return whole;
  }

  #colour<V>(set: ColourSet, parts: Fields = {}): Colour<V> {
    this.#assertName('colour set', set.name);
    refuseInFunction('NET048', `adds colour set ${set.name}`);
    assertSize(set, parts);
    this.#colours.add(set);
    return { set, parts };
  }

  #table(table: Table): void {
    this.#assertName('table', table.name);
    refuseInFunction('NET048', `adds table ${table.name}`);
    this.#tables.push(table);
  }

  #lookUp(op: 'at' | 'step', table: string, index: NumberTerm): Term<number> {
    return ofNet(withoutOperators({ op, table, index: constant(index) }), this);
  }

  /** @throws InputError NET040 for a name that cannot be part of a message */
  #assertName(what: string, name: unknown): void {
    assertArgument(`net ${this.#name}`, `name of a ${what}`, name, 'a string');
  }

  #assertKnown(part: string, place: PlaceOf<Fields>): void {
    if (this.#known.has(place)) return;
    if (typeof place?.name !== 'string') fail('NET040', `expected a place, got ${shown(place)}`, { part });
    fail('NET046', `place "${place.name}" belongs to another net`, { part });
  }

  /** Colour sets are compared by identity: those of another net may have the same names. */
  #assertOwn(part: string, colours: readonly Colour<unknown>[]): void {
    for (const colour of colours) {
      if (typeof colour?.set !== 'object' || colour.set === null)
        fail('NET040', `expected a colour set, got ${shown(colour)}`, { part });
      if (!this.#colours.has(colour.set))
        fail('NET046', `colour set ${colour.set.name} belongs to another net`, { part });
    }
  }
}

/** @throws InputError NET040 for a column that is neither in memory nor paged */
function assertColumn(part: string, values: unknown, type: string): void {
  if (typeof values !== 'object' || values === null)
    fail('NET040', `values: expected ${type === 'Int32Array' ? 'an' : 'a'} ${type}, got ${shown(values)}`, { part });
}
