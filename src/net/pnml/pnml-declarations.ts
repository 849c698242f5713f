import { quote } from '../../base/problem.ts';
import { type ColourSet, colourBounds, type ScalarSet } from '../colour.ts';
import type { Table } from '../net.ts';
import { type Context, GivenUp } from './pnml-context.ts';
import type { At, Element } from './pnml-document.ts';

/** Maximum columns of a sort, nested products flattened. */
const MAX_COLUMNS = 256;
/** Maximum length of a chain of sort references. */
const MAX_CHAIN = 256;

/** Sorts that are infinite or not part of symmetric nets. */
const REFUSED: ReadonlySet<string> = new Set(['integer', 'natural', 'positive', 'string', 'list']);
const SORTS: readonly string[] = [
  'dot',
  'bool',
  'cyclicenumeration',
  'finiteenumeration',
  'finiteintrange',
  'productsort',
  'usersort',
  'multisetsort',
];
const DECLARATIONS: readonly string[] = ['namedsort', 'partition', 'variabledecl', 'namedoperator'];

/** A value of an enumeration, the target of a `useroperator`. */
interface Constant {
  readonly sort: Sort & { kind: 'enum' };
  readonly value: number;
}

export interface Variable {
  readonly id: string;
  readonly name: string;
  readonly sort: Sort;
}

export interface Operator {
  readonly parameters: readonly Variable[];
  readonly body: Element;
}

export interface Partition {
  readonly of: Sort;
  readonly sort: Sort & { kind: 'enum' };
  /** The partition element of each value, by its position. */
  readonly table: Table & { kind: 'int' };
}

/** The declarations of a document by id, and the colour sets and tables generated from them. */
export class Declarations {
  readonly colours: ColourSet[] = [];
  readonly tables: Table[] = [];
  readonly #ctx: Context;
  readonly #elements = new Map<string, Element>();
  readonly #sorts = new Map<string, Sort>();
  readonly #constants = new Map<string, Constant>();
  readonly #variables = new Map<string, Variable>();
  readonly #operators = new Map<string, Operator>();
  readonly #partitions = new Map<string, Partition>();
  readonly #colourNames = new Set<string>();
  readonly #titles = new Map<string, number>();
  readonly #ranges = new Map<string, Sort>();
  readonly #shifts = new Map<string, string>();
  /** Sorts being resolved, to detect cycles. */
  readonly #open = new Set<string>();
  /** Sorts with a reported problem. */
  readonly #failed = new Set<string>();
  #bool: Sort | undefined;

  constructor(ctx: Context, declarations: readonly Element[]) {
    this.#ctx = ctx;
    for (const d of declarations) ctx.attempt(() => this.#declare(d));
    for (const id of this.#elements.keys()) ctx.attempt(() => this.#resolve(id));
  }

  /** The sort of an element. `hint` names the colour set of an anonymous enumeration or range. */
  sort(e: Element, hint?: string): Sort {
    switch (e.name) {
      case 'dot':
        return DOT;
      case 'bool':
        this.#bool ??= { kind: 'bool', set: this.#add({ kind: 'bool', name: this.#colourName('bool') }) };
        return this.#bool;
      case 'usersort':
        return this.#named(this.#ctx.attribute(e, 'declaration'), e);
      case 'multisetsort':
        return this.sort(this.#only(e, e.children), hint);
      case 'productsort':
        return this.#product(e);
      case 'finiteintrange':
        return this.#range(e, hint);
      case 'finiteenumeration':
      case 'cyclicenumeration':
        return this.#enumeration(e, hint ?? 'enumeration');
    }
    if (REFUSED.has(e.name))
      this.#ctx.giveUp('PNML013', `the sort <${e.name}> is not supported: expected a finite sort of symmetric nets`, e);
    return this.#ctx.giveUp('PNML013', `unsupported sort <${e.name}>.${this.#ctx.near(e.name, SORTS)}`, e);
  }

  variable(id: string, at: At): Variable {
    return this.#variables.get(id) ?? this.#unknown('variable', id, [...this.#variables.keys()], at);
  }

  /** The constant or operator that a `useroperator` refers to. */
  operator(id: string, at: At): Constant | Operator {
    const found = this.#constants.get(id) ?? this.#operators.get(id);
    return found ?? this.#unknown('operator', id, [...this.#constants.keys(), ...this.#operators.keys()], at);
  }

  partition(id: string, at: At): Partition {
    return this.#partitions.get(id) ?? this.#unknown('partition', id, [...this.#partitions.keys()], at);
  }

  /** Name of the table that maps each enumeration value to its cyclic successor (`by` 1) or predecessor (−1). */
  shifted(set: EnumerationSet, by: 1 | -1, at: At): string {
    const name = `${by === 1 ? 'next' : 'previous'} ${set.name}`;
    if (this.#shifts.has(name)) return this.#shifts.get(name)!;
    const n = set.values.length;
    this.#ctx.grow(n, at);
    const values = Int32Array.from({ length: n }, (_, k) => (k + by + n) % n);
    this.tables.push({ kind: 'int', name, values, low: 0, high: n - 1, colour: set.name });
    this.#shifts.set(name, name);
    return name;
  }

  #declare(d: Element): void {
    if (!DECLARATIONS.includes(d.name))
      this.#ctx.giveUp('PNML005', `unsupported declaration <${d.name}>.${this.#ctx.near(d.name, DECLARATIONS)}`, d);
    const id = this.#ctx.attribute(d, 'id');
    if (this.#elements.has(id)) this.#ctx.giveUp('PNML008', `duplicate declaration with the id ${quote(id)}`, d);
    this.#elements.set(id, d);
    const title = d.attributes['name'] ?? id;
    if (d.name === 'namedsort' || d.name === 'partition') this.#titles.set(title, (this.#titles.get(title) ?? 0) + 1);
  }

  #resolve(id: string): void {
    const d = this.#elements.get(id)!;
    switch (d.name) {
      case 'namedsort':
      case 'partition':
        this.#named(id, d);
        break;
      case 'variabledecl':
        this.#variables.set(id, this.#variable(d));
        break;
      case 'namedoperator':
        this.#operators.set(id, this.#operator(d));
        break;
    }
  }

  #named(id: string, at: At): Sort {
    const known = this.#sorts.get(id);
    if (known !== undefined) return known;
    if (this.#failed.has(id) && !this.#open.has(id)) throw new GivenUp();
    const d = this.#elements.get(id);
    if (d === undefined || (d.name !== 'namedsort' && d.name !== 'partition')) {
      const sorts = [...this.#elements].filter(([, e]) => e.name === 'namedsort' || e.name === 'partition');
      return this.#unknown(
        'sort',
        id,
        sorts.map(([name]) => name),
        at,
      );
    }
    if (this.#open.has(id)) {
      const chain = [...this.#open, id];
      this.#ctx.giveUp('PNML012', `the sort contains itself: ${chain.slice(chain.indexOf(id)).join(' → ')}`, d);
    }
    if (this.#open.size >= MAX_CHAIN) this.#ctx.giveUp('PNML018', `sorts are nested deeper than ${MAX_CHAIN}`, d);
    this.#open.add(id);
    this.#failed.add(id);
    try {
      const title = d.attributes['name'] ?? id;
      const name = title === '' || this.#titles.get(title)! > 1 ? id : title;
      const sort = d.name === 'partition' ? this.#partition(d, id, name) : this.sort(this.#only(d, d.children), name);
      this.#sorts.set(id, sort);
      this.#failed.delete(id);
      return sort;
    } finally {
      this.#open.delete(id);
    }
  }

  #product(e: Element): Sort {
    const parts = e.children.map((c) => this.sort(c));
    if (parts.length === 0) this.#ctx.giveUp('PNML015', '<productsort> has no parts: expected at least one', e);
    if (parts.length === 1) return parts[0]!;
    const sets = parts.flatMap(setsOf);
    if (sets.length > MAX_COLUMNS)
      this.#ctx.giveUp(
        'PNML018',
        `the product has ${sets.length} nested parts: at most ${MAX_COLUMNS} are supported`,
        e,
      );
    return { kind: 'product', parts, sets };
  }

  #range(e: Element, hint: string | undefined): Sort {
    const [low, high] = ['start', 'end'].map((name) => {
      const text = this.#ctx.attribute(e, name).trim();
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
      if (!Number.isSafeInteger(value))
        this.#ctx.giveUp('PNML007', `<finiteintrange ${name}=${quote(text)}>: expected an integer below 2^53`, e);
      return value + 0;
    }) as [number, number];
    if (low > high) this.#ctx.giveUp('PNML007', `<finiteintrange> is empty: ${low} … ${high}`, e);
    const bounds = `${low}..${high}`;
    const known = hint === undefined ? this.#ranges.get(bounds) : undefined;
    if (known !== undefined) return known;
    const set = this.#add({ kind: 'range', name: this.#colourName(hint ?? bounds), low, high });
    const sort: Sort = { kind: 'range', set };
    if (hint === undefined) this.#ranges.set(bounds, sort);
    return sort;
  }

  #enumeration(e: Element, hint: string): Sort {
    const name = this.#colourName(hint);
    const constants = e.children.map((c): [string, string] => {
      if (c.name !== 'feconstant')
        this.#ctx.giveUp(
          'PNML005',
          `<${c.name}> is not allowed in <${e.name}>.${this.#ctx.near(c.name, ['feconstant'])}`,
          c,
        );
      const id = this.#ctx.attribute(c, 'id');
      return [id, c.attributes['name'] ?? id];
    });
    if (constants.length === 0) this.#ctx.giveUp('PNML015', `<${e.name}> has no values: expected at least one`, e);
    return this.#values(name, constants, e.name === 'cyclicenumeration', e.children);
  }

  /** An enumeration of these (id, name) pairs. Values are the names if they are distinct, otherwise the ids. */
  #values(
    name: string,
    constants: readonly (readonly [id: string, name: string])[],
    cyclic: boolean,
    at: readonly At[],
  ): Sort & { kind: 'enum' } {
    const distinct = new Set(constants.map(([, n]) => n)).size === constants.length;
    const values = constants.map(([id, n]) => (distinct ? n : id));
    const set = this.#add({ kind: 'enum', name, values });
    const sort = { kind: 'enum', set, cyclic } as const;
    constants.forEach(([id], value) => {
      if (this.#constants.has(id))
        this.#ctx.giveUp('PNML008', `duplicate constant with the id ${quote(id)}`, at[value]!);
      this.#constants.set(id, { sort, value });
    });
    return sort;
  }

  #partition(d: Element, id: string, name: string): Sort {
    const ctx = this.#ctx;
    const of = this.sort(
      this.#only(
        d,
        d.children.filter((c) => c.name !== 'partitionelement'),
      ),
    );
    if (of.kind !== 'enum' && of.kind !== 'range')
      return ctx.giveUp(
        'PNML013',
        `a partition of ${sortText(of)} is not supported: expected a partition of an enumeration or range`,
        d,
      );
    const elements = d.children.filter((c) => c.name === 'partitionelement');
    if (elements.length === 0) ctx.giveUp('PNML015', '<partition> has no <partitionelement>', d);
    const { low, high } = colourBounds(of.set);
    ctx.grow(high - low + 1, d);
    const values = new Int32Array(high - low + 1).fill(-1);
    const constants = elements.map((e, k): [string, string] => {
      for (const term of e.children.flatMap((c) => (c.name === 'subterm' ? c.children : [c]))) {
        const value = this.#member(term, of);
        if (values[value - low] !== -1)
          ctx.giveUp('PNML008', `a value of ${of.set.name} is in two elements of the partition`, term);
        values[value - low] = k;
      }
      const id = ctx.attribute(e, 'id');
      return [id, e.attributes['name'] ?? id];
    });
    const missing = values.indexOf(-1);
    if (missing >= 0) {
      const shown = of.kind === 'enum' ? of.set.values[missing] : String(low + missing);
      ctx.giveUp('PNML015', `the partition omits ${shown} of ${of.set.name}: expected each value in one element`, d);
    }
    const sort = this.#values(this.#colourName(name), constants, false, elements);
    const table = {
      kind: 'int',
      name: `${sort.set.name} of ${of.set.name}`,
      values,
      low: 0,
      high: elements.length - 1,
      colour: sort.set.name,
    } as const;
    this.tables.push(table);
    this.#partitions.set(id, { of, sort, table });
    return sort;
  }

  /** The value of a constant in a partition element. */
  #member(term: Element, of: Sort): number {
    const ctx = this.#ctx;
    if (term.name === 'useroperator') {
      const constant = this.operator(ctx.attribute(term, 'declaration'), term);
      if ('value' in constant && of.kind === 'enum' && constant.sort.set === of.set) return constant.value;
    } else if (term.name === 'finiteintrangeconstant' && of.kind === 'range') {
      const value = Number(ctx.attribute(term, 'value'));
      if (Number.isSafeInteger(value) && value >= of.set.low && value <= of.set.high) return value;
    }
    return ctx.giveUp('PNML016', `<${term.name}> is not a constant of ${sortText(of)}`, term);
  }

  #variable(d: Element): Variable {
    const id = this.#ctx.attribute(d, 'id');
    return { id, name: d.attributes['name'] || id, sort: this.sort(this.#only(d, d.children)) };
  }

  #operator(d: Element): Operator {
    const parameters = d.children
      .filter((c) => c.name === 'parameter')
      .flatMap((c) => c.children)
      .map((c) => this.#variable(c));
    const bodies = d.children.filter((c) => c.name === 'def').flatMap((c) => c.children);
    for (const p of parameters) {
      if (this.#variables.has(p.id)) this.#ctx.giveUp('PNML008', `duplicate variable with the id ${quote(p.id)}`, d);
      this.#variables.set(p.id, p);
    }
    return { parameters, body: this.#only(d, bodies) };
  }

  #only(e: Element, children: readonly Element[]): Element {
    if (children.length === 1) return children[0]!;
    return this.#ctx.giveUp('PNML015', `<${e.name}> has ${children.length} parts: expected one`, e);
  }

  #add<S extends ScalarSet>(set: S): S {
    this.colours.push(set);
    return set;
  }

  #colourName(hint: string): string {
    let name = hint === '' ? 'colour' : hint;
    while (this.#colourNames.has(name)) name += "'";
    this.#colourNames.add(name);
    return name;
  }

  #unknown(what: string, id: string, known: readonly string[], at: At): never {
    return this.#ctx.giveUp('PNML010', `unknown ${what} ${quote(id)}.${this.#ctx.near(id, known)}`, at);
  }
}

/** An enumeration, or a partition with its elements as values. */
type EnumerationSet = Extract<ScalarSet, { kind: 'enum' }>;

/**
 * A sort of a coloured net. `dot` has one value and no columns. A product of one part is that part. `number` is the
 * sort of multiplicities, not of tokens.
 */
export type Sort =
  | { readonly kind: 'dot' }
  | { readonly kind: 'number' }
  | { readonly kind: 'bool'; readonly set: ScalarSet }
  | { readonly kind: 'enum'; readonly set: EnumerationSet; readonly cyclic: boolean }
  | { readonly kind: 'range'; readonly set: Extract<ScalarSet, { kind: 'range' }> }
  | { readonly kind: 'product'; readonly parts: readonly Sort[]; readonly sets: readonly ScalarSet[] };

export const DOT: Sort = { kind: 'dot' };
export const NUMBER: Sort = { kind: 'number' };

const NONE: readonly ScalarSet[] = [];

/** The colour sets of its columns. */
export function setsOf(sort: Sort): readonly ScalarSet[] {
  switch (sort.kind) {
    case 'dot':
    case 'number':
      return NONE;
    case 'product':
      return sort.sets;
    default:
      return [sort.set];
  }
}

/** True if the sorts have the same values. Enumerations are equal only if their declaration is the same. */
export function sameSort(a: Sort, b: Sort): boolean {
  if (a === b) return true;
  if (a.kind === 'enum') return b.kind === 'enum' && a.set === b.set;
  if (a.kind === 'range') return b.kind === 'range' && a.set.low === b.set.low && a.set.high === b.set.high;
  if (a.kind !== 'product') return a.kind === b.kind;
  return b.kind === 'product' && a.parts.length === b.parts.length && a.parts.every((p, k) => sameSort(p, b.parts[k]!));
}

/** The name of a sort in messages. */
export function sortText(sort: Sort): string {
  if (sort.kind === 'product') return `(${sort.parts.map(sortText).join(', ')})`;
  return sort.kind === 'dot' || sort.kind === 'number' ? sort.kind : sort.set.name;
}
