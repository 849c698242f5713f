import * as fc from 'fast-check';
import type { Space } from './untimed-explorer.ts';

/*
 * Random symmetric nets as PNML, with their behaviour computed directly from the terms: every term is created together with
 * a function for its value. Independent of the reader under test.
 */

/** Values of variables, by id. */
type Binding = ReadonlyMap<string, readonly number[]>;
/** Number of tokens by colour; keys are the columns joined by commas. */
type Bag = ReadonlyMap<string, number>;

interface Sort {
  readonly id: string;
  readonly xml: string;
  /** Columns with their numbers of values. */
  readonly columns: readonly Column[];
}
interface Column {
  readonly kind: 'cyclic' | 'enum' | 'range' | 'bool' | 'part';
  readonly low: number;
  readonly size: number;
  /** Names of the values. */
  readonly names?: readonly string[];
}
interface Value {
  readonly xml: string;
  readonly variables: readonly Variable[];
  at(b: Binding): readonly number[];
}
interface Tokens {
  readonly xml: string;
  readonly variables: readonly Variable[];
  /** `undefined` if a difference would be negative. */
  at(b: Binding): Bag | undefined;
}
interface Truth {
  readonly xml: string;
  readonly variables: readonly Variable[];
  at(b: Binding): boolean;
}
interface Variable {
  readonly id: string;
  readonly sort: Sort;
}
interface Place {
  readonly id: string;
  readonly sort: Sort;
  readonly initial: Tokens | undefined;
}
interface Arc {
  readonly place: Place;
  readonly takes: boolean;
  readonly tokens: Tokens;
}
interface Transition {
  readonly id: string;
  readonly arcs: readonly Arc[];
  readonly guard: Truth | undefined;
}

export interface SymmetricNet {
  readonly xml: string;
  /** Maximum number of bindings of a transition, ignoring its guard. */
  readonly bindings: number;
  /** Reachable markings in the format of the plain explorer. */
  explore(depth: number, most: number): Space;
}

const CYCLIC: Column = { kind: 'cyclic', low: 0, size: 3, names: ['a', 'b', 'c'] };
const COLOUR: Column = { kind: 'enum', low: 0, size: 2, names: ['red', 'blue'] };
const RANGE: Column = { kind: 'range', low: 2, size: 3 };
const BOOL: Column = { kind: 'bool', low: 0, size: 2, names: ['false', 'true'] };
const PART: Column = { kind: 'part', low: 0, size: 2, names: ['few', 'many'] };
/** Partition element of each value of the cyclic enumeration. */
const PART_OF = [0, 1, 1];

const named = (id: string, columns: readonly Column[]): Sort => ({
  id,
  xml: `<usersort declaration="${id}"/>`,
  columns,
});
const DOT: Sort = { id: 'dot', xml: '<dot/>', columns: [] };
const C = named('sC', [CYCLIC]);
const SORTS: readonly Sort[] = [
  C,
  named('sE', [COLOUR]),
  named('sR', [RANGE]),
  named('sB', [BOOL]),
  named('sP', [PART]),
  named('sCC', [CYCLIC, CYCLIC]),
  named('sER', [COLOUR, RANGE]),
  named('sOne', [CYCLIC]),
  named('sNested', [COLOUR, CYCLIC, CYCLIC]),
];
const PARTS: Readonly<Record<string, readonly Sort[]>> = {
  sCC: [C, C],
  sER: [SORTS[1]!, SORTS[2]!],
  sNested: [SORTS[1]!, SORTS[5]!],
};
const DECLARATIONS = `
  <variabledecl id="unused" name="unused"><usersort declaration="sER"/></variabledecl>
  <namedsort id="sNested" name="Nested"><productsort><usersort declaration="sE"/><usersort declaration="sCC"/></productsort></namedsort>
  <namedsort id="sOne" name="One"><productsort><usersort declaration="sC"/></productsort></namedsort>
  <namedsort id="sCC" name="Pair"><productsort><usersort declaration="sC"/><usersort declaration="sC"/></productsort></namedsort>
  <namedsort id="sER" name="Both"><productsort><usersort declaration="sE"/><usersort declaration="sR"/></productsort></namedsort>
  <partition id="sP" name="Part"><usersort declaration="sC"/>
    <partitionelement id="p0" name="few"><useroperator declaration="c0"/></partitionelement>
    <partitionelement id="p1" name="many"><useroperator declaration="c1"/><useroperator declaration="c2"/></partitionelement>
  </partition>
  <namedsort id="sC" name="Cyclic"><cyclicenumeration><feconstant id="c0" name="a"/><feconstant id="c1" name="b"/><feconstant id="c2" name="c"/></cyclicenumeration></namedsort>
  <namedsort id="sE" name="Colour"><finiteenumeration><feconstant id="e0" name="red"/><feconstant id="e1" name="blue"/></finiteenumeration></namedsort>
  <namedsort id="sR" name="Range"><finiteintrange start="2" end="4"/></namedsort>
  <namedsort id="sB" name="bool"><bool/></namedsort>`;

const sub = (xml: string): string => `<subterm>${xml}</subterm>`;
const key = (columns: readonly number[]): string => columns.join(',');
const vars = (...parts: readonly { readonly variables: readonly Variable[] }[]): Variable[] =>
  parts.flatMap((p) => p.variables);

/** All values of a sort in lexicographic order. */
function valuesOf(sort: Sort): number[][] {
  return sort.columns.reduce<number[][]>(
    (rows, { low, size }) => rows.flatMap((row) => Array.from({ length: size }, (_, k) => [...row, low + k])),
    [[]],
  );
}

export const symmetricNet: fc.Arbitrary<SymmetricNet> = fc
  .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 150, maxLength: 400 }))
  .map((tape) => new Maker(tape).net());

class Maker {
  readonly #tape: readonly number[];
  #at = 0;
  readonly #variables: Variable[];

  constructor(tape: readonly number[]) {
    this.#tape = tape;
    this.#variables = [...SORTS, C, C].map((sort, k) => ({ id: `v${k}`, sort }));
  }

  net(): SymmetricNet {
    const places = Array.from({ length: 2 + this.#next(2) }, (_, k): Place => {
      const sort = this.#next(6) === 0 ? DOT : this.#pick([C, C, ...SORTS]);
      return { id: `P${k}`, sort, initial: this.#next(4) === 0 ? undefined : this.#marking(sort) };
    });
    const transitions = Array.from({ length: 1 + this.#next(2) }, (_, k): Transition => {
      const arcs = Array.from({ length: 2 + this.#next(2) }, (_, n): Arc => {
        const place = this.#pick(places);
        return { place, takes: n === 0 || this.#next(2) === 0, tokens: this.#tokens(place.sort, 2) };
      });
      return { id: `T${k}`, arcs, guard: this.#next(3) === 0 ? this.#truth(2) : undefined };
    });
    return {
      xml: this.#xml(places, transitions),
      bindings: Math.max(...transitions.map(bindingCount)),
      explore: (depth, most) => explore(places, transitions, depth, most),
    };
  }

  #next(n: number): number {
    return (this.#tape[this.#at++] ?? 0) % n;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#next(items.length)]!;
  }

  /** An initial marking: no variables, no negative counts. */
  #marking(sort: Sort): Tokens {
    const all = this.#all(sort);
    const value = this.#value(sort, false, 1);
    const some = this.#times(1 + this.#next(2), this.#one(value));
    switch (this.#next(4)) {
      case 0:
        return all;
      case 1:
        return some;
      case 2:
        return this.#sum('add', [all, some]);
      default:
        return this.#sum('subtract', [all, this.#one(value)]);
    }
  }

  #tokens(sort: Sort, depth: number): Tokens {
    const choice = depth === 0 ? 0 : this.#next(9);
    switch (choice) {
      case 1:
        return this.#all(sort);
      case 2:
        return this.#sum('subtract', [this.#all(sort), this.#tokens(sort, 0)]);
      case 3:
        return this.#sum('subtract', [this.#all(sort), this.#tokens(sort, 0), this.#tokens(sort, 0)]);
      case 4:
        return this.#sum('add', [this.#tokens(sort, depth - 1), this.#tokens(sort, depth - 1)]);
      case 5:
        return this.#times(this.#next(3), this.#tokens(sort, depth - 1));
      case 6:
        return this.#tupled(sort);
      case 7:
        return this.#sum('subtract', [this.#tokens(sort, depth - 1), this.#tokens(sort, 0)]);
      default:
        return this.#one(this.#value(sort, true, 2));
    }
  }

  /** A tuple with a multiset as one of its parts. */
  #tupled(sort: Sort): Tokens {
    const parts = PARTS[sort.id];
    if (parts === undefined) return this.#one(this.#value(sort, true, 1));
    const tokens = parts.map((p) => (this.#next(2) === 0 ? this.#all(p) : this.#one(this.#value(p, true, 1))));
    if (this.#next(3) === 0) tokens[0] = this.#sum('subtract', [this.#all(parts[0]!), tokens[0]!]);
    return {
      xml: `<tuple>${tokens.map((t) => sub(t.xml)).join('')}</tuple>`,
      variables: vars(...tokens),
      at: (b) => {
        const bags = tokens.map((t) => t.at(b));
        return bags.reduce<Bag | undefined>(
          (rows, bag) => {
            if (rows === undefined || bag === undefined) return undefined;
            const out = new Map<string, number>();
            for (const [x, n] of rows) for (const [y, m] of bag) out.set(x === '' ? y : `${x},${y}`, n * m);
            return out;
          },
          new Map([['', 1]]),
        );
      },
    };
  }

  #all(sort: Sort): Tokens {
    const bag = new Map(valuesOf(sort).map((v) => [key(v), 1]));
    return { xml: `<all>${sort.xml}</all>`, variables: [], at: () => bag };
  }

  #one(value: Value): Tokens {
    return { xml: value.xml, variables: value.variables, at: (b) => new Map([[key(value.at(b)), 1]]) };
  }

  #times(n: number, of: Tokens): Tokens {
    const name = this.#pick(['numberof', 'scalarproduct']);
    return {
      xml: `<${name}>${sub(`<numberconstant value="${n}"><natural/></numberconstant>`)}${sub(of.xml)}</${name}>`,
      variables: of.variables,
      at: (b) => {
        const bag = of.at(b);
        return bag === undefined
          ? undefined
          : new Map([...bag].map(([k, m]) => [k, n * m] as const).filter(([, m]) => m > 0));
      },
    };
  }

  #sum(op: 'add' | 'subtract', parts: readonly Tokens[]): Tokens {
    return {
      xml: `<${op}>${parts.map((p) => sub(p.xml)).join('')}</${op}>`,
      variables: vars(...parts),
      at: (b) => {
        const total = new Map<string, number>();
        for (const [n, part] of parts.entries()) {
          const bag = part.at(b);
          if (bag === undefined) return undefined;
          const sign = op === 'subtract' && n > 0 ? -1 : 1;
          for (const [k, m] of bag) total.set(k, (total.get(k) ?? 0) + sign * m);
        }
        if ([...total.values()].some((m) => m < 0)) return undefined;
        return new Map([...total].filter(([, m]) => m > 0));
      },
    };
  }

  #value(sort: Sort, open: boolean, depth: number): Value {
    if (sort === DOT) return { xml: '<dotconstant/>', variables: [], at: () => [] };
    const same = this.#variables.filter(
      (v) =>
        key(v.sort.columns.map((c) => c.kind.length)) === key(sort.columns.map((c) => c.kind.length)) &&
        v.sort.columns.every((c, k) => c === sort.columns[k]),
    );
    const choice = this.#next(6);
    if (open && choice < 3 && same.length > 0) {
      const v = this.#pick(same);
      return { xml: `<variable refvariable="${v.id}"/>`, variables: [v], at: (b) => b.get(v.id)! };
    }
    const parts = PARTS[sort.id];
    if (parts !== undefined) {
      const values = parts.map((p) => this.#value(p, open, depth));
      return {
        xml: `<tuple>${values.map((v) => sub(v.xml)).join('')}</tuple>`,
        variables: vars(...values),
        at: (b) => values.flatMap((v) => v.at(b)),
      };
    }
    const column = sort.columns[0]!;
    if (open && depth > 0 && column.kind === 'cyclic' && choice < 5) {
      const [name, by] = this.#pick([
        ['successor', 1],
        ['predecessor', 2],
      ] as const);
      const of = this.#value(C, open, depth - 1);
      return {
        xml: `<${name}>${sub(of.xml)}</${name}>`,
        variables: of.variables,
        at: (b) => [(of.at(b)[0]! + by) % 3],
      };
    }
    if (open && depth > 0 && column.kind === 'part' && choice < 5) {
      const of = this.#value(C, open, depth - 1);
      const xml = `<partitionelementof refpartition="sP">${sub(of.xml)}</partitionelementof>`;
      return { xml, variables: of.variables, at: (b) => [PART_OF[of.at(b)[0]!]!] };
    }
    const value = column.low + this.#next(column.size);
    return { xml: constant(column, value), variables: [], at: () => [value] };
  }

  #truth(depth: number): Truth {
    const choice = depth === 0 ? this.#next(2) : this.#next(6);
    if (choice < 3) return this.#comparison();
    if (choice === 3) {
      const of = this.#truth(depth - 1);
      return { xml: `<not>${sub(of.xml)}</not>`, variables: of.variables, at: (b) => !of.at(b) };
    }
    const parts = [this.#truth(depth - 1), this.#truth(depth - 1)];
    const [name, test] = this.#pick([
      ['and', (x: boolean, y: boolean) => x && y],
      ['or', (x: boolean, y: boolean) => x || y],
      ['imply', (x: boolean, y: boolean) => !x || y],
    ] as const);
    return {
      xml: `<${name}>${parts.map((p) => sub(p.xml)).join('')}</${name}>`,
      variables: vars(...parts),
      at: (b) => test(parts[0]!.at(b), parts[1]!.at(b)),
    };
  }

  #comparison(): Truth {
    const sort = this.#pick(SORTS);
    const [x, y] = [this.#value(sort, true, 1), this.#value(sort, true, 1)];
    const equality = [
      ['equality', (a: readonly number[], b: readonly number[]) => key(a) === key(b)],
      ['inequality', (a: readonly number[], b: readonly number[]) => key(a) !== key(b)],
    ] as const;
    const order = [
      ['lessthan', (a: readonly number[], b: readonly number[]) => a[0]! < b[0]!],
      ['lessthanorequal', (a: readonly number[], b: readonly number[]) => a[0]! <= b[0]!],
      ['greaterthan', (a: readonly number[], b: readonly number[]) => a[0]! > b[0]!],
      ['greaterthanorequal', (a: readonly number[], b: readonly number[]) => a[0]! >= b[0]!],
    ] as const;
    const [name, test] = this.#pick(sort.columns.length === 1 ? [...equality, ...order] : equality);
    const told =
      sort.id === 'sP' && name === 'lessthan' ? 'ltp' : sort.id === 'sP' && name === 'greaterthan' ? 'gtp' : name;
    return {
      xml: `<${told}>${sub(x.xml)}${sub(y.xml)}</${told}>`,
      variables: vars(x, y),
      at: (b) => test(x.at(b), y.at(b)),
    };
  }

  #xml(places: readonly Place[], transitions: readonly Transition[]): string {
    const label = (name: string, term: { readonly xml: string } | undefined): string =>
      term === undefined ? '' : `<${name}><text>x</text><structure>${term.xml}</structure></${name}>`;
    const arcs = transitions.flatMap((t) =>
      t.arcs.map((a, k) => {
        const ends = a.takes ? `source="${a.place.id}" target="${t.id}"` : `source="${t.id}" target="${a.place.id}"`;
        return `<arc id="${t.id}a${k}" ${ends}>${label('hlinscription', a.tokens)}</arc>`;
      }),
    );
    const variables = this.#variables.map(
      (v) => `<variabledecl id="${v.id}" name="${v.id}">${v.sort.xml}</variabledecl>`,
    );
    return `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="random" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<page id="page">
${places.map((p) => `<place id="${p.id}">${label('type', p.sort)}${label('hlinitialMarking', p.initial)}</place>`).join('\n')}
${transitions.map((t) => `<transition id="${t.id}">${label('condition', t.guard)}</transition>`).join('\n')}
${arcs.join('\n')}
</page>
<declaration><structure><declarations>${variables.join('')}${DECLARATIONS}</declarations></structure></declaration>
</net></pnml>`;
  }
}

function constant({ kind }: Column, value: number): string {
  switch (kind) {
    case 'bool':
      return `<booleanconstant value="${value === 1}"/>`;
    case 'range':
      return `<finiteintrangeconstant value="${value}"><finiteintrange start="2" end="4"/></finiteintrangeconstant>`;
    default:
      return `<useroperator declaration="${kind === 'cyclic' ? 'c' : kind === 'enum' ? 'e' : 'p'}${value}"/>`;
  }
}

/** Tokens of each place, by colour. */
type Marking = ReadonlyMap<Place, Bag>;

function explore(places: readonly Place[], transitions: readonly Transition[], depth: number, most: number): Space {
  const text = (m: Marking): string => {
    const tokens = [...m].flatMap(([{ id, sort }, bag]) =>
      [...bag].map(([k, n]) => {
        if (sort.columns.length === 0) return `${id}:${n}`;
        const values = k.split(',').map((v, c) => sort.columns[c]!.names?.[Number(v)] ?? v);
        return `${id}[${values.join(',')}]:${n}`;
      }),
    );
    return tokens.sort().join(' ');
  };
  const space = new Map<string, string[]>();
  const initial: Marking = new Map(places.map((p) => [p, p.initial?.at(new Map()) ?? new Map()]));
  let level = new Map([[text(initial), initial]]);
  for (let d = 0; d <= depth && level.size > 0; d++) {
    const last = d === depth || space.size + level.size > most;
    const next = new Map<string, Marking>();
    for (const [name, marking] of level) {
      const firings: string[] = [];
      for (const t of last ? [] : transitions)
        for (const b of bindingsOf(t)) {
          const after = fired(t, b, marking);
          if (after === undefined) continue;
          firings.push(`${t.id} → ${text(after)}`);
          next.set(text(after), after);
        }
      space.set(name, firings.sort());
    }
    if (last) break;
    level = new Map([...next].filter(([name]) => !space.has(name)));
  }
  return space;
}

function variablesOf(t: Transition): Map<string, Variable> {
  const parts = [...t.arcs.map((a) => a.tokens), ...(t.guard === undefined ? [] : [t.guard])];
  return new Map(vars(...parts).map((v) => [v.id, v]));
}

function bindingCount(t: Transition): number {
  return [...variablesOf(t).values()].reduce((n, v) => n * valuesOf(v.sort).length, 1);
}

/** All combinations of values of the variables in arcs and guard. */
function bindingsOf(t: Transition): Binding[] {
  return [...variablesOf(t).values()].reduce<Map<string, number[]>[]>(
    (all, v) => all.flatMap((b) => valuesOf(v.sort).map((value) => new Map([...b, [v.id, value]]))),
    [new Map()],
  );
}

function fired(t: Transition, b: Binding, marking: Marking): Marking | undefined {
  if (t.guard?.at(b) === false) return undefined;
  const after = new Map([...marking].map(([p, bag]) => [p, new Map(bag)]));
  for (const takes of [true, false])
    for (const arc of t.arcs) {
      const bag = arc.tokens.at(b);
      if (bag === undefined) return undefined;
      if (arc.takes !== takes) continue;
      const held = after.get(arc.place)!;
      for (const [k, n] of bag) {
        const left = (held.get(k) ?? 0) + (takes ? -n : n);
        if (left < 0) return undefined;
        if (left === 0) held.delete(k);
        else held.set(k, left);
      }
    }
  return after;
}
