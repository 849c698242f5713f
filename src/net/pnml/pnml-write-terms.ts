import { type ColourSet, colourBounds, type ScalarSet } from '../colour.ts';
import { type Expression, expressionText } from '../expression.ts';
import type { Net, Table } from '../net.ts';
import { escaped, type Ids } from './pnml-ids.ts';
import type { Balance, Term } from './pnml-multiset.ts';

/** Thrown if a net cannot be expressed as a symmetric net. */
export class NotSymmetric extends Error {}

/** The colour sets of one transition's variables, by name. */
export type VariableSets = ReadonlyMap<string, ScalarSet>;

/** A table that corresponds to an operator of symmetric nets. */
type Operator =
  | { readonly kind: 'successor' | 'predecessor'; readonly of: ScalarSet }
  | { readonly kind: 'partition'; readonly of: ScalarSet; readonly set: ScalarSet };

const COMPARISONS = {
  eq: 'equality',
  ne: 'inequality',
  lt: 'lessthan',
  le: 'lessthanorequal',
  gt: 'greaterthan',
  ge: 'greaterthanorequal',
} as const;
const ORDERED: ReadonlySet<string> = new Set(['lt', 'le', 'gt', 'ge']);

/** Writes sorts and terms, and collects the declarations that they need. */
export class TermWriter {
  readonly #net: Net;
  readonly #ids: Ids;
  readonly #sets: ReadonlyMap<string, ColourSet>;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #sortIds = new Map<string, string>();
  readonly #constantIds = new Map<string, readonly string[]>();
  readonly #products = new Map<string, { readonly id: string; readonly xml: string }>();
  readonly #variables = new Map<string, { readonly id: string; readonly xml: string }>();
  /** Enumerations used with successor, predecessor or an ordering; and partitions with their base sets. */
  readonly #cyclic = new Set<string>();
  readonly #partitions = new Map<string, { readonly table: Table & { kind: 'int' }; readonly of: ScalarSet }>();

  constructor(net: Net, ids: Ids) {
    this.#net = net;
    this.#ids = ids;
    this.#sets = new Map(net.colours.map((c) => [c.name, c]));
    this.#tables = new Map(net.tables.map((t) => [t.name, t]));
    for (const c of net.colours) {
      this.#sortIds.set(c.name, ids.like(c.name, 'sort'));
      if (c.kind !== 'enum') continue;
      this.#constantIds.set(
        c.name,
        c.values.map((v) => ids.like(`${c.name}_${v}`, 'value')),
      );
    }
  }

  /** The sort of a place: the product of its columns. */
  sort(sets: readonly ScalarSet[]): string {
    if (sets.length === 0) return '<dot/>';
    if (sets.length === 1) return this.#sortOf(sets[0]!);
    const key = sets.map((s) => s.name).join('\n');
    let known = this.#products.get(key);
    if (known === undefined) {
      const name = sets.map((s) => s.name).join(' × ');
      const id = this.#ids.like(sets.map((s) => s.name).join('_x_'), 'product');
      const xml = `<namedsort id="${id}" name="${escaped(name)}"><productsort>${sets.map((s) => this.#sortOf(s)).join('')}</productsort></namedsort>`;
      known = { id, xml };
      this.#products.set(key, known);
    }
    return `<usersort declaration="${known.id}"/>`;
  }

  /** A multiset term, including subtraction. */
  tokens({ plus, minus }: Balance, sets: readonly ScalarSet[], variables: VariableSets): string {
    const all = this.#sum(plus, sets, variables);
    if (minus.length === 0) return all;
    return `<subtract>${sub(all)}${sub(this.#sum(minus, sets, variables))}</subtract>`;
  }

  condition(e: Expression, variables: VariableSets): string {
    return this.#term(e, BOOLEAN, variables);
  }

  /** All declarations; colour sets keep the net's order. */
  declarations(): string[] {
    const out: string[] = [];
    for (const c of this.#net.colours) {
      const id = this.#sortIds.get(c.name)!;
      const head = `id="${id}" name="${escaped(c.name)}"`;
      switch (c.kind) {
        case 'bool':
          out.push(`<namedsort ${head}><bool/></namedsort>`);
          break;
        case 'range':
          out.push(`<namedsort ${head}><finiteintrange start="${c.low}" end="${c.high}"/></namedsort>`);
          break;
        case 'enum':
          out.push(this.#enumeration(c, head));
          break;
      }
    }
    for (const { xml } of this.#products.values()) out.push(xml);
    for (const { xml } of this.#variables.values()) out.push(xml);
    return out;
  }

  #enumeration(c: Extract<ScalarSet, { kind: 'enum' }>, head: string): string {
    const partition = this.#partitions.get(c.name);
    const ids = this.#constantIds.get(c.name)!;
    if (partition === undefined) {
      const kind = this.#cyclic.has(c.name) ? 'cyclicenumeration' : 'finiteenumeration';
      const values = c.values.map((v, k) => `<feconstant id="${ids[k]}" name="${escaped(v)}"/>`);
      return `<namedsort ${head}><${kind}>${values.join('')}</${kind}></namedsort>`;
    }
    const { table, of } = partition;
    const { low } = colourBounds(of);
    const elements = c.values.map((v, k) => {
      const members = [...(table.values as Int32Array | Uint8Array)].flatMap((element, at) =>
        element === k ? [this.#constant(low + at, of)] : [],
      );
      return `<partitionelement id="${ids[k]}" name="${escaped(v)}">${members.join('')}</partitionelement>`;
    });
    return `<partition ${head}>${this.#sortOf(of)}${elements.join('')}</partition>`;
  }

  #sortOf(set: ScalarSet): string {
    if (set.kind === 'integer') throw new NotSymmetric(`colour set ${set.name} is infinite`);
    return `<usersort declaration="${this.#sortIds.get(set.name)!}"/>`;
  }

  #sum(terms: readonly Term[], sets: readonly ScalarSet[], variables: VariableSets): string {
    if (terms.length === 0) return `<empty>${this.sort(sets)}</empty>`;
    const listed = listing(terms, sets);
    if (listed !== undefined) {
      const columns = terms[0]!.columns.map((e, c) =>
        listed.includes(c) ? `<all>${this.#sortOf(sets[c]!)}</all>` : this.#term(e, sets[c]!, variables),
      );
      return numberOf(terms[0]!.count, tuple(columns));
    }
    const parts = terms.map(({ columns, count }) =>
      numberOf(count, tuple(columns.map((e, c) => this.#term(e, sets[c]!, variables)))),
    );
    return parts.length === 1 ? parts[0]! : `<add>${parts.map(sub).join('')}</add>`;
  }

  /** A term of one column, with values in `set`. */
  #term(e: Expression, set: ScalarSet, variables: VariableSets): string {
    switch (e.op) {
      case 'const':
        return this.#constant(e.value, set);
      case 'var':
        return this.#variable(e.name, set, variables);
      case 'and':
      case 'or':
        this.#want(set, 'bool', e);
        return `<${e.op}>${sub(this.condition(e.a, variables))}${sub(this.condition(e.b, variables))}</${e.op}>`;
      case 'not':
        this.#want(set, 'bool', e);
        return `<not>${sub(this.condition(e.a, variables))}</not>`;
      case 'at':
        return this.#looked(e.table, e.index, set, variables, e);
      case 'if':
        return this.#stepped(e, set, variables);
      case 'eq':
      case 'ne':
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge': {
        this.#want(set, 'bool', e);
        const of = this.#setOf(e.a, variables) ?? this.#setOf(e.b, variables);
        if (of === undefined) throw unsaid(e);
        if (ORDERED.has(e.op) && of.kind === 'enum') this.#cyclic.add(of.name);
        const operands = [e.a, e.b].map((x) => sub(this.#term(x, of, variables)));
        return `<${COMPARISONS[e.op]}>${operands.join('')}</${COMPARISONS[e.op]}>`;
      }
      default:
        throw unsaid(e);
    }
  }

  #want(set: ScalarSet, kind: ScalarSet['kind'], e: Expression): void {
    if (set.kind !== kind) throw unsaid(e);
  }

  #constant(value: number, set: ScalarSet): string {
    switch (set.kind) {
      case 'bool':
        if (value !== 0 && value !== 1) break;
        return `<booleanconstant value="${value === 1}"/>`;
      case 'enum': {
        const id = this.#constantIds.get(set.name)![value];
        if (id === undefined) break;
        return `<useroperator declaration="${id}"/>`;
      }
      case 'range':
        if (!Number.isInteger(value) || value < set.low || value > set.high) break;
        return `<finiteintrangeconstant value="${value}"><finiteintrange start="${set.low}" end="${set.high}"/></finiteintrangeconstant>`;
    }
    throw new NotSymmetric(`${value} is used as, or compared with, a value of ${set.name}`);
  }

  #variable(name: string, set: ScalarSet, variables: VariableSets): string {
    const own = variables.get(name);
    if (own === undefined) throw new NotSymmetric(`variable ${name} is not bound`);
    if (!sameSet(own, set)) throw new NotSymmetric(`variable ${name} of ${own.name} is used as a value of ${set.name}`);
    const key = `${own.name}\n${name}`;
    let known = this.#variables.get(key);
    if (known === undefined) {
      const id = this.#ids.like(name, 'variable');
      known = { id, xml: `<variabledecl id="${id}" name="${escaped(name)}">${this.#sortOf(own)}</variabledecl>` };
      this.#variables.set(key, known);
    }
    return `<variable refvariable="${known.id}"/>`;
  }

  /** The colour set of an expression's value; undefined for a plain constant. */
  #setOf(e: Expression, variables: VariableSets): ScalarSet | undefined {
    switch (e.op) {
      case 'const': {
        const set = e.colour === undefined ? undefined : this.#sets.get(e.colour);
        return set?.kind === 'enum' ? set : undefined;
      }
      case 'var':
        return variables.get(e.name);
      case 'at': {
        const table = this.#tables.get(e.table);
        const set = table?.kind === 'int' && table.colour !== undefined ? this.#sets.get(table.colour) : undefined;
        return set?.kind === 'enum' ? set : undefined;
      }
      case 'if':
        return this.#setOf(e.test.op === 'eq' ? e.test.a : e.test, variables);
      default:
        return ['and', 'or', 'not', ...Object.keys(COMPARISONS)].includes(e.op) ? BOOLEAN : undefined;
    }
  }

  #looked(name: string, index: Expression, set: ScalarSet, variables: VariableSets, e: Expression): string {
    // A partition of a range is indexed relative to its lower bound.
    const key = index.op === 'sub' && index.b.op === 'const' ? index.a : index;
    const of = this.#setOf(key, variables);
    const operator = of === undefined ? undefined : this.#operator(name, of);
    if (operator === undefined || of === undefined) throw unsaid(e);
    const part = sub(this.#term(key, of, variables));
    if (operator.kind !== 'partition') {
      if (key !== index || !sameSet(of, set)) throw unsaid(e);
      this.#cyclic.add(of.name);
      return `<${operator.kind}>${part}</${operator.kind}>`;
    }
    const { low } = colourBounds(of);
    const away = key === index ? 0 : index.op === 'sub' && index.b.op === 'const' ? index.b.value : Number.NaN;
    if (away !== low || operator.set.name !== set.name) throw unsaid(e);
    return `<partitionelementof refpartition="${this.#sortIds.get(set.name)!}">${part}</partitionelementof>`;
  }

  /** The operator that a table represents on a set; undefined if symmetric nets have none. */
  #operator(name: string, of: ScalarSet): Operator | undefined {
    const table = this.#tables.get(name);
    if (table?.kind !== 'int' || table.colour === undefined || 'pages' in table.values) return undefined;
    const { low, high } = colourBounds(of);
    const { values } = table;
    const size = high - low + 1;
    if (values.length !== size) return undefined;
    if (table.colour === of.name) {
      if (values.every((v, k) => v === (k + 1) % size)) return { kind: 'successor', of };
      if (values.every((v, k) => v === (k + size - 1) % size)) return { kind: 'predecessor', of };
      return undefined;
    }
    const set = this.#sets.get(table.colour);
    if (
      set?.kind !== 'enum' ||
      (of.kind !== 'enum' && of.kind !== 'range') ||
      new Set(values).size !== set.values.length
    )
      return undefined;
    const known = this.#partitions.get(set.name);
    if (known !== undefined && known.table !== table) return undefined;
    this.#partitions.set(set.name, { table, of });
    return { kind: 'partition', of, set };
  }

  /** Successor or predecessor in a cyclic range. */
  #stepped(e: Extract<Expression, { op: 'if' }>, set: ScalarSet, variables: VariableSets): string {
    const { test, a: start, b: on } = e;
    if (set.kind !== 'range' || test.op !== 'eq' || test.b.op !== 'const' || start.op !== 'const') throw unsaid(e);
    if ((on.op !== 'add' && on.op !== 'sub') || on.b.op !== 'const' || on.b.value !== 1) throw unsaid(e);
    const [last, first] = on.op === 'add' ? [set.high, set.low] : [set.low, set.high];
    if (test.b.value !== last || start.value !== first || JSON.stringify(on.a) !== JSON.stringify(test.a))
      throw unsaid(e);
    const name = on.op === 'add' ? 'successor' : 'predecessor';
    return `<${name}>${sub(this.#term(test.a, set, variables))}</${name}>`;
  }
}

const BOOLEAN: ScalarSet = { kind: 'bool', name: 'bool' };

function sameSet(a: ScalarSet, b: ScalarSet): boolean {
  if (a.kind === 'range') return b.kind === 'range' && a.low === b.low && a.high === b.high;
  return a.kind === 'bool' ? b.kind === 'bool' : a.name === b.name;
}

function unsaid(e: Expression): NotSymmetric {
  const text = expressionText(e);
  return new NotSymmetric(`"${text.length > 80 ? `${text.slice(0, 80)}…` : text}" is not a term of symmetric nets`);
}

function sub(term: string): string {
  return `<subterm>${term}</subterm>`;
}

function tuple(columns: readonly string[]): string {
  if (columns.length === 0) return '<dotconstant/>';
  return columns.length === 1 ? columns[0]! : `<tuple>${columns.map(sub).join('')}</tuple>`;
}

function numberOf(count: number, term: string): string {
  return `<numberof><subterm><numberconstant value="${count}"><positive/></numberconstant></subterm>${sub(term)}</numberof>`;
}

/** The columns whose values the terms enumerate in order, first column most significant; undefined if they do not. */
function listing(terms: readonly Term[], sets: readonly ScalarSet[]): number[] | undefined {
  if (terms.length < 2) return undefined;
  const [first] = terms;
  const varying = sets.flatMap((_, c) => {
    const text = JSON.stringify(first!.columns[c]);
    return terms.every((t) => JSON.stringify(t.columns[c]) === text) ? [] : [c];
  });
  const bounds = varying.map((c) => colourBounds(sets[c]!));
  const size = bounds.reduce((n, { low, high }) => n * (high - low + 1), 1);
  if (size !== terms.length) return undefined;
  const inOrder = terms.every((t, k) => {
    if (t.count !== first!.count) return false;
    let rest = k;
    for (let v = varying.length - 1; v >= 0; v--) {
      const { low, high } = bounds[v]!;
      const e = t.columns[varying[v]!]!;
      if (e.op !== 'const' || e.value !== low + (rest % (high - low + 1))) return false;
      rest = Math.floor(rest / (high - low + 1));
    }
    return true;
  });
  return inOrder ? varying : undefined;
}
