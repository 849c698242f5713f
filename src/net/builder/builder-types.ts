import type { ColourSet } from '../colour.ts';
import type { Distribution } from '../distribution.ts';
import type { PlaceKind, ServiceLink, StationService, TransitionKind } from '../net.ts';
import type { NumberTerm, Term, TruthTerm, Value } from '../term.ts';

declare const COLOUR: unique symbol;

/** A colour set of the net under construction, typed by its values; `parts` are those of a product or a record. */
export interface Colour<V> {
  readonly set: ColourSet;
  readonly parts: Fields;
  readonly [COLOUR]?: V;
}

/** An enumeration: `is('work')` is its constant, for where the text alone would not say which enumeration is meant. */
export interface Enumeration<V extends string> extends Colour<V> {
  is(value: V): Term<V>;
}

export type Fields = Readonly<Record<string, Colour<unknown>>>;
export type ValueOf<C> = C extends Colour<infer V> ? V : never;

/**
 * What stands for a value of a colour set: a term; for a record an object, for a product a tuple of what stands for the
 * parts; null for a unit.
 */
export type TermOf<V> = [V] extends [Value]
  ? Term<V>
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]: TermOf<V[K]> };
/** As {@link TermOf}, plain values included. */
export type GivenOf<V> = [V] extends [Value]
  ? Term<V> | V
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]: GivenOf<V[K]> };
/** As {@link GivenOf}; what is left out matches everything. */
export type PatternOf<V> = [V] extends [Value]
  ? Term<V> | V
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]?: PatternOf<V[K]> | undefined };
/** A plain value; a truth value or a value of an enumeration may also be given as its number. */
export type PlainOf<V> = [V] extends [Value]
  ? V | number
  : [V] extends [null]
    ? null
    : { readonly [K in keyof V]: PlainOf<V[K]> };

/** What stands for a token: something for every field of its place. */
export type TermsOf<F> = { readonly [K in keyof F]: TermOf<ValueOf<F[K]>> };
export type Given<F> = { readonly [K in keyof F]: GivenOf<ValueOf<F[K]>> };
export type Pattern<F> = { readonly [K in keyof F]?: PatternOf<ValueOf<F[K]>> | undefined };
export type PlainToken<F> = { readonly [K in keyof F]: PlainOf<ValueOf<F[K]>> };

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

/** Terms by name, as transitions export them; nested ones by their paths. */
export interface Exports {
  readonly [name: string]: Exported;
}
export type Exported = Term<unknown> | null | readonly Exported[] | { readonly [name: string]: Exported };
/** The values that a function is given for terms. */
export type ValuesOf<T> =
  T extends Term<infer V> ? V : T extends null ? null : { readonly [K in keyof T]: ValuesOf<T[K]> };
/** A literal widened to its kind; of texts they remain, as values of an enumeration. */
export type Widened<R> = [R] extends [number] ? number : [R] extends [boolean] ? boolean : R;

/**
 * A function of the host language as an expression: `fn({ i, r }, (s) => s.i % 3 === s.r)`. It gets the values of the
 * terms that are named, and nothing else: it must be pure. Called at any time, any number of times and in any order, over
 * the values that the terms can have; what it answers becomes a table or a small decision tree of what it reads. Where that
 * is too large, or a term has no finite colour set, the net calls the function itself (`Net.functions`).
 *
 * @throws InputError NET05x where it is not pure or its answer is no value; O(answers that differ in what is read)
 */
export type Fn = <T extends { readonly [K in keyof T]: object | null }, R extends Value>(
  reads: T,
  f: (s: ValuesOf<T>) => R,
) => Term<Widened<R>>;

/** What a block may return: not a promise, since what comes later would be lost. */
// biome-ignore lint/suspicious/noConfusingVoidType: what a block without return returns
export type Synchronous = void | Value | null | { readonly then?: never; readonly [key: string]: unknown };

/** Weighted bounded max-min sharing of links: see `MaxMinService`. */
export interface MaxMinTerms {
  readonly links: readonly ServiceLink[];
  readonly amount: NumberTerm;
  readonly weight: NumberTerm;
  readonly bound: NumberTerm;
  readonly routes: RoutesTable;
  readonly route: NumberTerm;
}

export type ServiceTerms = StationService | MaxMinTerms;

export interface PlaceOptions<F extends Fields> {
  readonly kind?: PlaceKind;
  /** The process or node it belongs to. */
  readonly owner?: string;
  /** Most tokens that it may hold. */
  readonly capacity?: number;
  /** Default `bag`; `fifo` alone is one queue. A priority is given for a token's terms; the highest leaves first. */
  readonly order?:
    | 'bag'
    | 'fifo'
    | { readonly fifo: readonly (keyof F & string)[] }
    | {
        readonly priority: (token: TermsOf<F>, fn: Fn) => NumberTerm;
        readonly key?: readonly (keyof F & string)[];
      };
  /** Tokens, or tokens with their number; of a place without fields the number alone. */
  readonly initial?:
    | readonly (PlainToken<F> | readonly [token: PlainToken<F>, count: number])[]
    | (keyof F extends never ? number : never);
  /** A station, or what makes one from a token's terms. */
  readonly service?: ServiceTerms | ((token: TermsOf<F>, fn: Fn) => ServiceTerms);
}

/** What a transition's block is given: every call adds to the transition. */
export interface TransitionBuilder {
  /** Takes `count` equal tokens; what the pattern leaves out is bound to fresh variables, which are returned. */
  take<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>, count?: number): TermsOf<F>;
  /** As `take`, but leaves the tokens where they are. */
  read<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>, count?: number): TermsOf<F>;
  /** Enabled only while fewer than `count` (default 1) tokens match. */
  inhibit<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>, count?: number): void;
  /** Removes all tokens that match, at the start. */
  reset<F extends Fields>(place: PlaceOf<F>, pattern?: Pattern<F>): void;
  /** Puts a token at the end of the firing, or `count` equal ones: a condition counts as 0 or 1. */
  put<F extends Fields>(place: PlaceOf<F>, values: Given<F>, count?: NumberTerm | TruthTerm): void;
  /** A variable that no arc binds: it ranges over its colour set, which must be finite. */
  free<V>(name: string, colour: Colour<V>): TermOf<V>;
  /** Adds a condition; several must all hold. */
  guard(condition: TruthTerm): void;
  /** A pure function of the terms it names. */
  readonly fn: Fn;
  /** Starts of the highest priority come first; a whole number, default 0. */
  priority(priority: number): void;
  /** Where candidates of one priority have weights, a draw in proportion decides. */
  weight(weight: NumberTerm): void;
  /** Seconds from start to end. */
  delay(seconds: NumberTerm | Distribution): void;
  /** A clock runs while the transition is enabled; all happens when it ends. One clock for each time it could fire, or one. */
  race(race: { readonly delay: NumberTerm | Distribution; readonly servers?: 'single' | 'infinite' }): void;
  /** Fires together with transitions of other modules that bear the label; they know the variables exported to them. */
  label(name: string, exports?: Exports): void;
  kind(kind: TransitionKind): void;
  process(process: NumberTerm): void;
}
