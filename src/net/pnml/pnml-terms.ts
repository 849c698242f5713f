import { quote } from '../../base/problem.ts';
import { colourBounds, type ScalarSet } from '../colour.ts';
import type { Binary, Expression } from '../expression.ts';
import type { Context } from './pnml-context.ts';
import {
  type Declarations,
  DOT,
  NUMBER,
  type Sort,
  sameSort,
  setsOf,
  sortText,
  type Variable,
} from './pnml-declarations.ts';
import type { At, Element } from './pnml-document.ts';
import {
  allOf,
  difference,
  equal,
  joined,
  type Multiset,
  NO_TOKENS,
  product,
  sizeOf,
  sum,
  TRUE,
  times,
  tokens,
} from './pnml-multiset.ts';

/** The meaning of a term: one value, as its columns; a multiset of tokens; or a number. */
export type Meaning =
  | { readonly kind: 'value'; readonly sort: Sort; readonly columns: readonly Expression[] }
  | { readonly kind: 'tokens'; readonly sort: Sort; readonly tokens: Multiset }
  | { readonly kind: 'number'; readonly sort: Sort; readonly value: number };
type Value = Extract<Meaning, { kind: 'value' }>;

export type VariableColumns = (variable: Variable) => readonly Expression[];

/** Maximum colours in one term. */
const MAX_COLOURS = 2 ** 20;
/** Maximum call depth of declared operators. */
const MAX_CALLS = 64;

const COMPARISONS: Readonly<Record<string, Binary>> = {
  lessthan: 'lt',
  lessthanorequal: 'le',
  greaterthan: 'gt',
  greaterthanorequal: 'ge',
  ltp: 'lt',
  gtp: 'gt',
};
const SUPPORTED: readonly string[] = [
  ...Object.keys(COMPARISONS),
  'variable',
  'useroperator',
  'dotconstant',
  'booleanconstant',
  'finiteintrangeconstant',
  'numberconstant',
  'tuple',
  'all',
  'empty',
  'numberof',
  'scalarproduct',
  'add',
  'subtract',
  'successor',
  'predecessor',
  'equality',
  'inequality',
  'and',
  'or',
  'not',
  'imply',
  'partitionelementof',
];

/** Translates the terms of labels to expressions. */
export class Terms {
  readonly #ctx: Context;
  readonly #declarations: Declarations;
  readonly #variables: VariableColumns;
  /** Arguments of the operators being expanded, by parameter id; and the ids of these operators. */
  readonly #arguments: Map<string, Meaning>[] = [];
  readonly #calls: string[] = [];

  constructor(ctx: Context, declarations: Declarations, variables: VariableColumns) {
    this.#ctx = ctx;
    this.#declarations = declarations;
    this.#variables = variables;
  }

  /** The multiset of tokens of a term, which must have the given sort. */
  tokens(e: Element, sort: Sort): Multiset {
    const m = this.#meaning(e);
    if (m.kind === 'number') return this.#ctx.giveUp('PNML016', 'a number stands where tokens are expected', e);
    this.#alike(m.sort, sort, e);
    return multiset(m);
  }

  condition(e: Element): Expression {
    const m = this.#meaning(e);
    if (m.kind === 'value' && m.sort.kind === 'bool') return m.columns[0]!;
    return this.#ctx.giveUp('PNML016', `expected a condition, but <${e.name}> is ${sortText(m.sort)}`, e);
  }

  #meaning(e: Element): Meaning {
    const ctx = this.#ctx;
    if (this.#calls.length > 0) ctx.grow(1, e);
    if (Object.hasOwn(COMPARISONS, e.name)) return this.#compared(e, COMPARISONS[e.name]!);
    switch (e.name) {
      case 'variable':
        return this.#variable(e);
      case 'useroperator':
        return this.#user(e);
      case 'dotconstant':
        return { kind: 'value', sort: DOT, columns: [] };
      case 'booleanconstant': {
        const text = ctx.attribute(e, 'value').trim();
        if (text !== 'true' && text !== 'false') ctx.giveUp('PNML007', `expected true or false, got ${quote(text)}`, e);
        return this.#boolean({ op: 'const', value: Number(text === 'true') });
      }
      case 'finiteintrangeconstant':
        return this.#rangeConstant(e);
      case 'numberconstant':
        return this.#number(e);
      case 'tuple':
        return this.#tuple(e);
      case 'all':
      case 'empty':
        return this.#integer(e);
      case 'numberof':
      case 'scalarproduct':
        return this.#times(e);
      case 'add':
      case 'subtract':
        return this.#sum(e);
      case 'successor':
        return this.#shifted(e, 1);
      case 'predecessor':
        return this.#shifted(e, -1);
      case 'equality':
      case 'inequality':
        return this.#equality(e);
      case 'and':
      case 'or': {
        const parts = this.#parts(e, 1).map((p) => this.condition(p));
        return this.#boolean(joined(e.name, parts, TRUE));
      }
      case 'not':
        return this.#boolean({ op: 'not', a: this.condition(this.#parts(e, 1, 1)[0]!) });
      case 'imply': {
        const [a, b] = this.#parts(e, 2, 2).map((p) => this.condition(p)) as [Expression, Expression];
        return this.#boolean({ op: 'or', a: { op: 'not', a }, b });
      }
      case 'partitionelementof':
        return this.#elementOf(e);
      default:
        return ctx.giveUp('PNML014', `the operator <${e.name}> is not supported.${ctx.near(e.name, SUPPORTED)}`, e);
    }
  }

  /** The operands of an operator. */
  #parts(e: Element, min: number, max = Number.POSITIVE_INFINITY): Element[] {
    const parts = e.children.map((c) => {
      if (c.name !== 'subterm') this.#ctx.giveUp('PNML005', `expected <subterm> in <${e.name}>, got <${c.name}>`, c);
      if (c.children.length !== 1)
        this.#ctx.giveUp('PNML015', `<subterm> has ${c.children.length} parts: expected one`, c);
      return c.children[0]!;
    });
    if (parts.length < min || parts.length > max) {
      const wanted = min === max ? String(min) : `at least ${min}`;
      this.#ctx.giveUp('PNML015', `<${e.name}> has ${parts.length} operands: expected ${wanted}`, e);
    }
    return parts;
  }

  #value(e: Element): Value {
    const m = this.#meaning(e);
    if (m.kind === 'value') return m;
    return this.#ctx.giveUp(
      'PNML016',
      `<${e.name}> is ${m.kind === 'tokens' ? 'a multiset' : 'a number'}: expected one value`,
      e,
    );
  }

  /** A term with a value of one column. */
  #scalar(e: Element): { readonly sort: Sort; readonly column: Expression; readonly set: ScalarSet } {
    const { sort, columns } = this.#value(e);
    const set = setsOf(sort)[0];
    if (columns.length !== 1 || set === undefined)
      return this.#ctx.giveUp(
        'PNML016',
        `<${e.name}> is ${sortText(sort)}: expected a value of an enumeration or range`,
        e,
      );
    return { sort, column: columns[0]!, set };
  }

  #alike(got: Sort, want: Sort, at: At): void {
    if (!sameSort(got, want))
      this.#ctx.giveUp('PNML016', `expected a term of sort ${sortText(want)}, got ${sortText(got)}`, at);
  }

  #boolean(e: Expression): Value {
    return { kind: 'value', sort: BOOL, columns: [e] };
  }

  #variable(e: Element): Meaning {
    const id = this.#ctx.attribute(e, 'refvariable');
    const given = this.#arguments.at(-1)?.get(id);
    if (given !== undefined) return given;
    const variable = this.#declarations.variable(id, e);
    return { kind: 'value', sort: variable.sort, columns: this.#variables(variable) };
  }

  #user(e: Element): Meaning {
    const id = this.#ctx.attribute(e, 'declaration');
    const found = this.#declarations.operator(id, e);
    if ('value' in found) {
      this.#parts(e, 0, 0);
      const { sort, value } = found;
      return { kind: 'value', sort, columns: [{ op: 'const', value, colour: sort.set.name }] };
    }
    if (this.#calls.includes(id))
      this.#ctx.giveUp('PNML012', `the operator refers to itself: ${[...this.#calls, id].join(' → ')}`, e);
    if (this.#calls.length >= MAX_CALLS)
      this.#ctx.giveUp('PNML018', `operators are nested deeper than ${MAX_CALLS}`, e);
    const n = found.parameters.length;
    const parts = this.#parts(e, n, n).map((p, k) => {
      const m = this.#meaning(p);
      this.#alike(m.sort, found.parameters[k]!.sort, p);
      return m;
    });
    this.#calls.push(id);
    this.#arguments.push(new Map(found.parameters.map((p, k) => [p.id, parts[k]!])));
    try {
      return this.#meaning(found.body);
    } finally {
      this.#calls.pop();
      this.#arguments.pop();
    }
  }

  #rangeConstant(e: Element): Meaning {
    const ctx = this.#ctx;
    const text = ctx.attribute(e, 'value').trim();
    const value = /^[+-]?\d+$/.test(text) ? Number(text) + 0 : Number.NaN;
    const range = e.children.find((c) => c.name === 'finiteintrange' || c.name === 'usersort');
    if (range === undefined) return ctx.giveUp('PNML015', '<finiteintrangeconstant> has no <finiteintrange>', e);
    const sort = this.#declarations.sort(range);
    if (sort.kind !== 'range') return ctx.giveUp('PNML016', `${sortText(sort)} is not a range of integers`, range);
    const { low, high } = sort.set;
    if (!(value >= low && value <= high))
      ctx.giveUp('PNML007', `${quote(text)} is not in the range ${low} … ${high}`, e);
    return { kind: 'value', sort, columns: [{ op: 'const', value }] };
  }

  #number(e: Element): Meaning {
    const value = integer(this.#ctx.attribute(e, 'value').trim(), 0);
    if (typeof value !== 'number') return this.#ctx.giveUp('PNML007', `<numberconstant>: ${value.wrong}`, e);
    return { kind: 'number', sort: NUMBER, value };
  }

  #tuple(e: Element): Meaning {
    const parts = this.#parts(e, 1).map((p) => {
      const m = this.#meaning(p);
      return m.kind === 'number' ? this.#ctx.giveUp('PNML016', 'a tuple must not contain a plain number', p) : m;
    });
    if (parts.length === 1) return parts[0]!;
    const sorts = parts.map((p) => p.sort);
    const sort: Sort = { kind: 'product', parts: sorts, sets: sorts.flatMap(setsOf) };
    if (parts.every((p) => p.kind === 'value'))
      return { kind: 'value', sort, columns: parts.flatMap((p) => p.columns) };
    const factors = parts.map(multiset);
    const size = factors.reduce((n, f) => n * (f.plus.length + f.minus.length), 1);
    this.#grow(size, e);
    return { kind: 'tokens', sort, tokens: product(factors) };
  }

  /** `all` or `empty` of a sort. */
  #integer(e: Element): Meaning {
    const given = e.children.filter((c) => c.name !== 'subterm');
    if (given.length !== 1) this.#ctx.giveUp('PNML015', `<${e.name}> has ${given.length} sorts: expected one`, e);
    const sort = this.#declarations.sort(given[0]!);
    if (e.name === 'empty') return { kind: 'tokens', sort, tokens: NO_TOKENS };
    const sets = setsOf(sort);
    this.#grow(
      sets.reduce((n, set) => n * sizeOf(set), 1),
      e,
    );
    return { kind: 'tokens', sort, tokens: product(sets.map((set) => allOf(set))) };
  }

  #grow(colours: number, at: At): void {
    if (colours > MAX_COLOURS)
      this.#ctx.giveUp(
        'PNML018',
        `represents ${colours} colours: at most ${MAX_COLOURS} are supported in one term`,
        at,
      );
    this.#ctx.grow(colours, at);
  }

  #times(e: Element): Meaning {
    const [n, of] = this.#parts(e, 2, 2).map((p) => this.#meaning(p)) as [Meaning, Meaning];
    if (n.kind !== 'number' || of.kind === 'number')
      return this.#ctx.giveUp('PNML016', `the operands of <${e.name}> must be a number and tokens, in this order`, e);
    const made = times(n.value, multiset(of));
    if (![...made.plus, ...made.minus].every((t) => Number.isSafeInteger(t.count)))
      this.#ctx.giveUp('PNML007', `more than ${Number.MAX_SAFE_INTEGER} tokens of one colour`, e);
    return { kind: 'tokens', sort: of.sort, tokens: made };
  }

  #sum(e: Element): Meaning {
    const parts = this.#parts(e, e.name === 'add' ? 1 : 2).map((p) => [p, this.#meaning(p)] as const);
    const sort = parts[0]![1].sort;
    const [first, ...rest] = parts.map(([p, m]) => {
      if (m.kind === 'number') return this.#ctx.giveUp('PNML014', `<${e.name}> of numbers is not supported`, p);
      this.#alike(m.sort, sort, p);
      return multiset(m);
    });
    const made = e.name === 'add' ? sum([first!, ...rest]) : difference(first!, sum(rest), setsOf(sort));
    this.#grow(made.plus.length + made.minus.length, e);
    return { kind: 'tokens', sort, tokens: made };
  }

  /** The cyclic successor or predecessor. */
  #shifted(e: Element, by: 1 | -1): Meaning {
    const part = this.#parts(e, 1, 1)[0]!;
    const { sort, column, set } = this.#scalar(part);
    if (sort.kind !== 'enum' && sort.kind !== 'range')
      return this.#ctx.giveUp(
        'PNML016',
        `<${e.name}> of ${sortText(sort)}: expected a value of a cyclic enumeration`,
        part,
      );
    if (sort.kind === 'range' || !sort.cyclic)
      this.#ctx.warn(`<${e.name}> of ${sortText(sort)}, which is not a cyclic enumeration: it is treated as cyclic`);
    const { low, high } = colourBounds(set);
    const colour = sort.kind === 'enum' ? { colour: sort.set.name } : {};
    if (column.op === 'const') {
      const size = high - low + 1;
      const value = low + ((column.value - low + by + size) % size);
      return { kind: 'value', sort, columns: [{ op: 'const', value, ...colour }] };
    }
    if (sort.kind === 'enum') {
      const table = this.#declarations.shifted(sort.set, by, e);
      return { kind: 'value', sort, columns: [{ op: 'at', table, index: column }] };
    }
    const [end, start] = by === 1 ? [high, low] : [low, high];
    const test: Expression = { op: 'eq', a: column, b: { op: 'const', value: end } };
    const on: Expression = { op: by === 1 ? 'add' : 'sub', a: column, b: { op: 'const', value: 1 } };
    return { kind: 'value', sort, columns: [{ op: 'if', test, a: { op: 'const', value: start }, b: on }] };
  }

  #equality(e: Element): Meaning {
    const [pa, pb] = this.#parts(e, 2, 2) as [Element, Element];
    const [a, b] = [this.#value(pa), this.#value(pb)];
    if (!(a.sort.kind === 'range' && b.sort.kind === 'range')) this.#alike(b.sort, a.sort, pb);
    const same = a.columns.map((c, k) => equal(c, b.columns[k]!));
    if (e.name === 'equality') return this.#boolean(joined('and', same, TRUE));
    const differ = a.columns.map((c, k): Expression => ({ op: 'ne', a: c, b: b.columns[k]! }));
    return this.#boolean(joined('or', differ, { op: 'const', value: 0 }));
  }

  /** Enumeration values are ordered by declaration. */
  #compared(e: Element, op: Binary): Meaning {
    const [pa, pb] = this.#parts(e, 2, 2) as [Element, Element];
    const [a, b] = [this.#scalar(pa), this.#scalar(pb)];
    if (!(a.sort.kind === 'range' && b.sort.kind === 'range')) this.#alike(b.sort, a.sort, pb);
    return this.#boolean({ op, a: a.column, b: b.column } as Expression);
  }

  #elementOf(e: Element): Meaning {
    const { of, sort, table } = this.#declarations.partition(this.#ctx.attribute(e, 'refpartition'), e);
    const part = this.#parts(e, 1, 1)[0]!;
    const { sort: got, column, set } = this.#scalar(part);
    this.#alike(got, of, part);
    const { low } = colourBounds(set);
    const index: Expression = low === 0 ? column : { op: 'sub', a: column, b: { op: 'const', value: low } };
    if (column.op === 'const') {
      const value = (table.values as Int32Array | Uint8Array)[column.value - low]!;
      return { kind: 'value', sort, columns: [{ op: 'const', value, colour: sort.set.name }] };
    }
    return { kind: 'value', sort, columns: [{ op: 'at', table: table.name, index }] };
  }
}

/** The sort of conditions; its colour set matters only for columns. */
const BOOL: Sort = { kind: 'bool', set: { kind: 'bool', name: 'bool' } };

function multiset(m: Exclude<Meaning, { kind: 'number' }>): Multiset {
  return m.kind === 'tokens' ? m.tokens : tokens([{ columns: m.columns, count: 1 }]);
}

/** Maximum tokens in a marking or on a take arc. */
const MAX_TOKENS: number = Number.MAX_SAFE_INTEGER;

/** A safe integer ≥ `min`, or the error in the text. */
export function integer(text: string, min: number): number | { readonly wrong: string } {
  const expected = `expected an integer >= ${min}`;
  if (!/^[+-]?\d+$/.test(text)) return { wrong: `${expected}, got ${text === '' ? 'nothing' : quote(text)}` };
  const value = Number(text);
  if (value < min) return { wrong: `${expected}, got ${text}` };
  if (value > MAX_TOKENS) return { wrong: `${quote(text)} is larger than the supported maximum, ${MAX_TOKENS}` };
  return value + 0;
}
