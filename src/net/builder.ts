import { fail } from '../base/problem.ts';
import type { Expression } from './expression.ts';
import type {
  ColourSet,
  Column,
  InputArc,
  MaxMinService,
  Net,
  OutputArc,
  Place,
  PlaceKind,
  ServiceLink,
  Table,
  Transition,
  TransitionKind,
} from './net.ts';
import { constant, type NumberTerm, type Term, type TruthTerm } from './terms.ts';
import { assertValid } from './validate.ts';

declare const COLOUR: unique symbol;

/** A colour set of the net under construction, typed by its values. */
export interface Colour<V> {
  readonly set: ColourSet;
  readonly [COLOUR]?: V;
}

/** An enumeration: `is('work')` is its constant. */
export interface Enumeration<V extends string> extends Colour<V> {
  is(value: V): Term<V>;
}

type Fields = Readonly<Record<string, Colour<unknown>>>;
type ValueOf<C> = C extends Colour<infer V> ? V : never;
type Literal<V> = V extends number | boolean ? V : never;
/** One term for every field of a place. */
export type TermsOf<F> = { readonly [K in keyof F]: Term<ValueOf<F[K]>> };
type Given<F> = { readonly [K in keyof F]: Term<ValueOf<F[K]>> | Literal<ValueOf<F[K]>> };

/** A place of the net under construction, typed by its fields. */
export interface PlaceOf<F extends Fields> {
  readonly name: string;
  readonly fields: F;
}

/** A table of numbers; `at(index)` looks one up. */
export interface NumberTable {
  readonly name: string;
  at(index: NumberTerm): Term<number>;
}

/** A piecewise constant function; `of(x)` is its value. */
export interface StepTable {
  readonly name: string;
  of(x: NumberTerm): Term<number>;
}

/** Lists of links; named by a max-min service. */
export interface RoutesTable {
  readonly name: string;
}

export interface PlaceOptions<F extends Fields> {
  readonly kind?: PlaceKind;
  /** Default `bag`; `fifo` alone is one queue. */
  readonly order?: 'bag' | 'fifo' | { readonly fifo: readonly (keyof F & string)[] };
  readonly initial?: readonly { readonly [K in keyof F]: number }[];
  /** Receives terms for the fields. */
  readonly service?: (token: TermsOf<F>) => {
    readonly links: readonly ServiceLink[];
    readonly amount: NumberTerm;
    readonly weight: NumberTerm;
    readonly bound: NumberTerm;
    readonly routes: RoutesTable;
    readonly route: NumberTerm;
  };
}

/** What a transition's block is given: every call adds to the transition. */
export interface TransitionBuilder {
  /** Takes `count` equal tokens; fields not given are bound to fresh variables, which are returned. */
  take<F extends Fields>(place: PlaceOf<F>, pattern?: Partial<Given<F>>, count?: number): TermsOf<F>;
  /** As `take`, but leaves the token where it is. */
  read<F extends Fields>(place: PlaceOf<F>, pattern?: Partial<Given<F>>): TermsOf<F>;
  /** Enabled only while no token matches. */
  inhibit<F extends Fields>(place: PlaceOf<F>, pattern?: Partial<Given<F>>): void;
  /** Puts a token at the end of the firing, or `count` equal ones: a condition counts as 0 or 1. */
  put<F extends Fields>(place: PlaceOf<F>, values: Given<F>, count?: NumberTerm | TruthTerm): void;
  /** Adds a condition; several must all hold. */
  guard(condition: TruthTerm): void;
  /** Seconds from start to end. */
  delay(seconds: NumberTerm): void;
  kind(kind: TransitionKind): void;
  process(process: NumberTerm): void;
}

/**
 * Builds a {@link Net}: colour sets, tables, places, transitions, then `build()`, which validates and throws an
 * InputError with every problem found. Types reject terms of the wrong colour, missing and unknown fields; since
 * variables come only from `take` and `read`, an unbound one can only be one of another transition, which validation
 * refuses (NET021).
 */
export class NetBuilder {
  readonly #name: string;
  readonly #colours: ColourSet[] = [];
  readonly #tables: Table[] = [];
  readonly #places: Place[] = [];
  readonly #transitions: Transition[] = [];
  #processes: Net['processes'];

  constructor(name: string) {
    this.#name = name;
  }

  /** The whole numbers low … high. */
  range(name: string, low: number, high: number): Colour<number> {
    return this.#colour({ kind: 'range', name, low, high });
  }

  /** All whole numbers (simulation only). */
  integer(name: string): Colour<number> {
    return this.#colour({ kind: 'integer', name });
  }

  bool(name: string): Colour<boolean> {
    return this.#colour({ kind: 'bool', name });
  }

  enumeration<const V extends string>(name: string, ...values: readonly V[]): Enumeration<V> {
    const colour = this.#colour<V>({ kind: 'enum', name, values });
    return {
      ...colour,
      is: (value) => {
        const position = values.indexOf(value);
        if (position < 0)
          fail('NET003', `enumeration ${name} has no value ${JSON.stringify(value)}: ${values.join(', ')}`);
        return { op: 'const', value: position, colour: name };
      },
    };
  }

  /** A table of whole numbers; `low` and `high` bound its entries and are found from an array that is in memory. */
  intTable(
    name: string,
    values: Column<Int32Array>,
    bounds?: { readonly low: number; readonly high: number },
  ): NumberTable {
    let { low, high } = bounds ?? { low: 0, high: 0 };
    if (bounds === undefined) {
      if (!(values instanceof Int32Array))
        fail('NET004', `table ${name}: a paged table must state the bounds of its entries`);
      low = high = values[0] ?? 0;
      for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    this.#tables.push({ kind: 'int', name, values, low, high });
    return { name, at: (index) => ({ op: 'at', table: name, index: constant(index) }) };
  }

  realTable(name: string, values: Column<Float64Array>): NumberTable {
    this.#tables.push({ kind: 'real', name, values });
    return { name, at: (index) => ({ op: 'at', table: name, index: constant(index) }) };
  }

  stepTable(name: string, from: Float64Array, values: Float64Array): StepTable {
    this.#tables.push({ kind: 'step', name, from, values });
    return { name, of: (x) => ({ op: 'step', table: name, index: constant(x) }) };
  }

  routesTable(name: string, start: Int32Array, link: Int32Array, coefficient: Float64Array): RoutesTable {
    this.#tables.push({ kind: 'routes', name, start, link, coefficient });
    return { name };
  }

  place<const F extends Fields>(name: string, fields: F, options: PlaceOptions<F> = {}): PlaceOf<F> {
    const names = Object.keys(fields);
    const order = options.order ?? 'bag';
    const tokens = Object.fromEntries(names.map((f) => [f, { op: 'var', name: f }])) as unknown as TermsOf<F>;
    const service = options.service?.(tokens);
    this.#places.push({
      name,
      ...(options.kind === undefined ? {} : { kind: options.kind }),
      fields: names.map((f) => ({ name: f, colour: fields[f]!.set.name })),
      order: order === 'bag' ? 'bag' : 'fifo',
      key: typeof order === 'object' ? order.fifo : [],
      ...(service === undefined ? {} : { service: maxMin(service) }),
      initial: (options.initial ?? []).map((t) => ({ values: names.map((f) => Number(t[f])), count: 1 })),
    });
    return { name, fields };
  }

  transition(name: string, build: (t: TransitionBuilder) => void): void {
    const block = new TransitionBlock(name);
    build(block);
    this.#transitions.push(block.close());
  }

  /** Says which colour set numbers the processes, and the place into which each puts a token at its end. */
  processes<F extends Fields>(colour: Colour<number>, ended: PlaceOf<F>): void {
    this.#processes = { colour: colour.set.name, ended: ended.name };
  }

  build(): Net {
    const net: Net = {
      name: this.#name,
      colours: this.#colours,
      tables: this.#tables,
      places: this.#places,
      transitions: this.#transitions,
      ...(this.#processes === undefined ? {} : { processes: this.#processes }),
    };
    assertValid(net);
    return net;
  }

  #colour<V>(set: ColourSet): Colour<V> {
    this.#colours.push(set);
    return { set };
  }
}

function maxMin(s: {
  links: readonly ServiceLink[];
  amount: NumberTerm;
  weight: NumberTerm;
  bound: NumberTerm;
  routes: RoutesTable;
  route: NumberTerm;
}): MaxMinService {
  return {
    kind: 'max-min',
    links: s.links,
    amount: constant(s.amount),
    weight: constant(s.weight),
    bound: constant(s.bound),
    routes: s.routes.name,
    route: constant(s.route),
  };
}

class TransitionBlock implements TransitionBuilder {
  readonly #name: string;
  readonly #inputs: InputArc[] = [];
  readonly #outputs: OutputArc[] = [];
  readonly #used = new Set<string>();
  #guard: Expression | undefined;
  #delay: Expression | undefined;
  #kind: TransitionKind | undefined;
  #process: Expression | undefined;
  #closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  take<F extends Fields>(place: PlaceOf<F>, pattern: Partial<Given<F>> = {}, count = 1): TermsOf<F> {
    return this.#input('take', place, pattern, count);
  }

  read<F extends Fields>(place: PlaceOf<F>, pattern: Partial<Given<F>> = {}): TermsOf<F> {
    return this.#input('read', place, pattern, 1);
  }

  inhibit<F extends Fields>(place: PlaceOf<F>, pattern: Partial<Given<F>> = {}): void {
    this.#open();
    this.#inputs.push({ kind: 'inhibit', place: place.name, pattern: constants(pattern), count: 1 });
  }

  put<F extends Fields>(place: PlaceOf<F>, values: Given<F>, count: NumberTerm | TruthTerm = 1): void {
    this.#open();
    this.#outputs.push({ place: place.name, values: constants(values), count: constant(count) });
  }

  guard(condition: TruthTerm): void {
    this.#open();
    const c = constant(condition);
    this.#guard = this.#guard === undefined ? c : { op: 'and', a: this.#guard, b: c };
  }

  delay(seconds: NumberTerm): void {
    this.#open();
    this.#delay = constant(seconds);
  }

  kind(kind: TransitionKind): void {
    this.#open();
    this.#kind = kind;
  }

  process(process: NumberTerm): void {
    this.#open();
    this.#process = constant(process);
  }

  close(): Transition {
    this.#closed = true;
    return {
      name: this.#name,
      ...(this.#kind === undefined ? {} : { kind: this.#kind }),
      ...(this.#process === undefined ? {} : { process: this.#process }),
      inputs: this.#inputs,
      outputs: this.#outputs,
      ...(this.#guard === undefined ? {} : { guard: this.#guard }),
      ...(this.#delay === undefined ? {} : { delay: this.#delay }),
    };
  }

  #input<F extends Fields>(
    kind: 'take' | 'read',
    place: PlaceOf<F>,
    pattern: Partial<Given<F>>,
    count: number,
  ): TermsOf<F> {
    this.#open();
    const full: Record<string, Expression> = constants(pattern);
    for (const field of Object.keys(place.fields)) full[field] ??= { op: 'var', name: this.#fresh(field) };
    this.#inputs.push({ kind, place: place.name, pattern: full, count });
    return full as unknown as TermsOf<F>;
  }

  #fresh(field: string): string {
    let name = field;
    for (let k = 2; this.#used.has(name); k++) name = `${field}${k}`;
    this.#used.add(name);
    return name;
  }

  #open(): void {
    if (this.#closed) fail('NET005', `transition ${this.#name}: used after its block has ended`);
  }
}

function constants(given: object): Record<string, Expression> {
  const out: Record<string, Expression> = {};
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined) out[field] = constant(value as Expression | number | boolean);
  }
  return out;
}
