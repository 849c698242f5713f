import type { ColourSet } from '../colour.ts';
import type { Distribution } from '../distribution.ts';
import type { Follow, PlaceKind, ServiceLink, StationService, TransitionKind } from '../net.ts';
import type { BooleanTerm, NumberTerm, Term, Value } from '../term.ts';

declare const COLOUR: unique symbol;

/** A colour set of the net under construction, typed by its values. */
export interface Colour<V> {
  /** The colour set as net data. */
  readonly set: ColourSet;
  /** The parts of a product (`1`, `2`, …) or record; empty for other colour sets. */
  readonly parts: Fields;
  readonly [COLOUR]?: V;
}

/** An enumeration of the net under construction. */
export interface Enumeration<V extends string> extends Colour<V> {
  /**
   * The constant for a value, for uses where a string alone does not identify the enumeration.
   *
   * @throws InputError NET003 for an unknown value
   */
  is(value: V): Term<V>;
}

/** Colour sets by field name. */
export type Fields = Readonly<Record<string, Colour<unknown>>>;
/** Fields of places that a program generates: their values are numbers, and their names are known at run time only. */
export type NumberFields = Readonly<Record<string, Colour<number>>>;
/** The type of a colour set's values. */
export type ValueOf<C> = C extends Colour<infer V> ? V : never;

/**
 * Terms for a value of a colour set: one term for a scalar, an object for a record, a tuple for a product, null for a
 * unit.
 */
export type TermOf<V> = [V] extends [Value]
  ? Term<V>
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]: TermOf<V[K]> };
/** As {@link TermOf}, but plain values are allowed too. */
export type GivenOf<V> = [V] extends [Value]
  ? Term<V> | V
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]: GivenOf<V[K]> };
/** As {@link GivenOf}; omitted parts match every value. */
export type PatternOf<V> = [V] extends [Value]
  ? Term<V> | V
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]?: PatternOf<V[K]> | undefined };
/** A plain value; a boolean or an enumeration value may also be given as its number. */
export type PlainOf<V> = [V] extends [Value]
  ? V | number
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]: PlainOf<V[K]> };

/** Terms for a token, one for each field of its place. */
export type TermsOf<F> = { readonly [K in keyof F]: TermOf<ValueOf<F[K]>> };
/** Terms or plain values for a token to be put, one for each field of its place. */
export type Given<F> = { readonly [K in keyof F]: GivenOf<ValueOf<F[K]>> };
/** Terms or plain values that a token must match; omitted fields match every value. */
export type Pattern<F> = { readonly [K in keyof F]?: PatternOf<ValueOf<F[K]>> | undefined };
/** Plain values of an initial token, one for each field of its place. */
export type PlainToken<F> = { readonly [K in keyof F]: PlainOf<ValueOf<F[K]>> };

/** A place of the net under construction, typed by its fields. */
export interface PlaceOf<F extends Fields> {
  /** Name of the place. */
  readonly name: string;
  /** Colour sets of its fields. */
  readonly fields: F;
}

/** A table of numbers of the net under construction. */
export interface NumberTable {
  /** Name of the table. */
  readonly name: string;
  /** The entry at an index from 0; evaluating an index outside the table ends a run with RUN003. */
  at(index: NumberTerm): Term<number>;
}

/** A piecewise constant function of the net under construction. */
export interface StepTable {
  /** Name of the table. */
  readonly name: string;
  /** The value at `x`: the entry with the largest threshold ≤ x, or else the first entry. */
  of(x: NumberTerm): Term<number>;
}

/** Lists of links, used by a max-min service. */
export interface RoutesTable {
  /** Name of the table. */
  readonly name: string;
}

/** Terms by name, as exported by transitions; nested ones are named by their paths. */
export interface Exports {
  /** A variable, or variables nested in records and products. */
  readonly [name: string]: Exported;
}
/** A variable, or variables nested in records and products; null for a unit. */
export type Exported = Term<unknown> | null | readonly Exported[] | { readonly [name: string]: Exported };
/** The values passed to a function for its terms. */
export type ValuesOf<T> =
  T extends Term<infer V> ? V : T extends null ? null : { readonly [K in keyof T]: ValuesOf<T[K]> };
/** A literal type widened to its primitive; strings keep their literal types, as enumeration values. */
export type Widened<R> = [R] extends [number] ? number : [R] extends [boolean] ? boolean : R;

/**
 * A host-language function as an expression: `fn({ i, r }, (s) => s.i % 3 === s.r)`. It receives the values of the
 * named terms and must be pure: it may be called at any time, any number of times and in any order. Its results become
 * a table or a small decision tree over the values it reads. If that is too large, or a term has no finite colour set,
 * the net calls the function itself (`Net.functions`).
 *
 * @throws InputError NET05x if it is not pure or returns an invalid value. O(distinct combinations of the values read)
 */
export type Fn = <T extends { readonly [K in keyof T]: object | null }, R extends Value>(
  reads: T,
  f: (s: ValuesOf<T>) => R,
) => Term<Widened<R>>;

/** Return type of a block. Promises are excluded, because calls made later would be lost. */
// biome-ignore lint/suspicious/noConfusingVoidType: a block without a return statement returns void
export type Synchronous = void | Value | null | { readonly then?: never; readonly [key: string]: unknown };

/** Options of a race. */
export interface RaceTerms {
  /** Seconds, or a distribution of them. */
  readonly delay: NumberTerm | Distribution;
  /** Maximum number of clocks at a time: `infinite` (default), one for each enabled firing; `single`, one in total. */
  readonly servers?: 'single' | 'infinite' | number;
  /**
   * Treatment of the clock of a firing that is disabled. `enabling` (default): it is lost. `age`: it keeps the work left.
   * `resampling`: every step of the net restarts all clocks of the transition.
   */
  readonly memory?: 'enabling' | 'age' | 'resampling';
  /**
   * Work of a clock per second, of which the delay is the amount; default 1. May depend on counts: an exponential delay of rate 1 has
   * the speed as its rate. At 0 the firing is not enabled.
   */
  readonly speed?: NumberTerm;
}

/** Weighted bounded max-min sharing of links: `MaxMinService` in terms of the builder. */
export interface MaxMinTerms {
  /** The links; routes refer to them by position. */
  readonly links: readonly ServiceLink[];
  /** Amount of work, ≥ 0, in units of work. */
  readonly amount: NumberTerm;
  /** Weight of the token, > 0. */
  readonly weight: NumberTerm;
  /** Maximum rate, > 0, in units of work per second; Infinity if unbounded. */
  readonly bound: NumberTerm;
  /** The routes table. */
  readonly routes: RoutesTable;
  /** Index of the list in the routes table with the links that the token crosses. */
  readonly route: NumberTerm;
  /** Seconds that the token waits before it shares its links. Needs a link with a profile, or the lazy solver. Default 0. */
  readonly latency?: NumberTerm;
  /** Factor on the latencies of the profiles of its links, which add to `latency`. Default 1. */
  readonly latencyFactor?: NumberTerm;
  /** How weights and bounds follow the profiles of links. Default: they do not. */
  readonly follow?: Follow;
  /** `lazy`: a change solves only some links again, as SimGrid does by default (S5b). Default: all that are connected with it. */
  readonly solver?: 'lazy';
}

/** The service of a place: a station, or max-min sharing of links. */
export type ServiceTerms = StationService | MaxMinTerms;

/** Options of a place. */
export interface PlaceOptions<F extends Fields> {
  /** Role in the modelled program. */
  readonly kind?: PlaceKind;
  /** The process or node that the place belongs to. */
  readonly owner?: string;
  /** Maximum number of tokens, including tokens in service and reserved ones; default unlimited. */
  readonly capacity?: number;
  /**
   * Default `bag`; `fifo` alone is one queue. A priority is computed from a token's terms; the highest leaves first.
   */
  readonly order?:
    | 'bag'
    | 'fifo'
    | { readonly fifo: readonly (keyof F & string)[] }
    | {
        readonly priority: (token: TermsOf<F>, fn: Fn) => NumberTerm;
        readonly key?: readonly (keyof F & string)[];
      };
  /** Tokens, or pairs of token and count; for a place without fields only the count. */
  readonly initial?:
    | readonly (PlainToken<F> | readonly [token: PlainToken<F>, count: number])[]
    | (keyof F extends never ? number : never);
  /** A station, or a function from a token's terms to a station. */
  readonly service?: ServiceTerms | ((token: TermsOf<F>, fn: Fn) => ServiceTerms);
}

/** The argument of a transition's block; every call adds to the transition. */
export interface TransitionBuilder {
  /** Takes `count` equal tokens. Columns omitted from the pattern are bound to fresh variables, which are returned. */
  take<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>, count?: number): TermsOf<F>;
  /** As `take`, but leaves the tokens where they are. */
  read<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>, count?: number): TermsOf<F>;
  /** Enabled only while fewer than `count` (default 1) tokens match. */
  inhibit<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>, count?: number): void;
  /** Removes all matching tokens at the start of the firing. */
  reset<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>): void;
  /** Puts `count` equal tokens (default 1) at the end of the firing; a condition counts as 0 or 1. */
  put<F extends Fields>(place: PlaceOf<F>, values: Given<F>, count?: NumberTerm | BooleanTerm): void;
  /** A variable not bound by an arc; it ranges over its colour set, which must be finite. */
  free<V>(name: string, colour: Colour<V>): TermOf<V>;
  /** The number of tokens that match a pattern, for `weight` and for the speed of a race; those in service do not count. */
  count<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>): Term<number>;
  /** Adds a condition; all conditions must hold. */
  guard(condition: BooleanTerm): void;
  /** A pure function of the named terms. */
  readonly fn: Fn;
  /** Integer, default 0. Among enabled transitions the highest priority starts first. */
  priority(priority: number): void;
  /** Candidates of equal priority that have weights are chosen at random in proportion. */
  weight(weight: NumberTerm): void;
  /** Seconds from start to end of the firing. */
  delay(seconds: NumberTerm | Distribution): void;
  /**
   * A clock runs while the transition is enabled; tokens are taken and put when it expires.
   */
  race(race: RaceTerms): void;
  /**
   * Fires together with transitions of other modules that have the same label; exported variables are visible to them.
   */
  label(name: string, exports?: Exports): void;
  /** Sets the role in the modelled program. */
  kind(kind: TransitionKind): void;
  /** Sets the process that executes the transition, a term over the binding. */
  process(process: NumberTerm): void;
}
