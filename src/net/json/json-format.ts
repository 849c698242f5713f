import type { Distribution } from '../distribution.ts';
import type { InputArc, Place, PlaceKind, StationService, Transition, TransitionKind } from '../net.ts';

/**
 * The JSON form of a net, version 1. Every member that has a default may be left out; any member not named here is
 * refused. Numbers are doubles in shortest round-trip form; JSON knows no infinity, so wherever a number may be
 * infinite the texts `"Infinity"` and `"-Infinity"` stand for it. Times are in seconds, rates per second. Functions of
 * the host language cannot be written. The same is said as a JSON Schema in `schema/net.schema.json`.
 *
 * The reader decodes the text by hand and straight into typed arrays, without a schema library: so that every problem
 * carries line and column, and a table of a million numbers costs no more than its characters.
 */
export interface NetDocument {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly name: string;
  readonly colours: readonly ColourDocument[];
  readonly tables: readonly TableDocument[];
  readonly places: readonly PlaceDocument[];
  readonly transitions: readonly TransitionDocument[];
  /** Which colour set numbers the processes, and the place into which each puts a token at its end. */
  readonly processes?: { readonly colour: string; readonly ended: string };
}

export interface FieldDocument {
  readonly name: string;
  readonly colour: string;
}

export type ColourDocument =
  | { readonly name: string; readonly kind: 'unit' | 'bool' | 'integer' }
  | { readonly name: string; readonly kind: 'range'; readonly low: number; readonly high: number }
  | { readonly name: string; readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly name: string; readonly kind: 'product'; readonly parts: readonly string[] }
  | { readonly name: string; readonly kind: 'record'; readonly fields: readonly FieldDocument[] };

/** An entry `[n, v]` of a list of numbers stands for n entries v. */
export type NumbersDocument = readonly (NumberDocument | readonly [count: number, value: NumberDocument])[];
export type NumberDocument = number | 'Infinity' | '-Infinity';

/** Entries of `int` tables, of `start` and of `link` are whole numbers of 32 bits. */
export type TableDocument =
  | {
      readonly name: string;
      readonly kind: 'int';
      readonly low: number;
      readonly high: number;
      /** The enumeration whose values the entries are. */
      readonly colour?: string;
      readonly values: NumbersDocument;
    }
  | { readonly name: string; readonly kind: 'real'; readonly values: NumbersDocument }
  | { readonly name: string; readonly kind: 'step'; readonly from: NumbersDocument; readonly values: NumbersDocument }
  | {
      readonly name: string;
      readonly kind: 'routes';
      readonly start: NumbersDocument;
      readonly link: NumbersDocument;
      readonly coefficient: NumbersDocument;
    };

export interface PlaceDocument {
  readonly name: string;
  readonly kind?: PlaceKind;
  /** In the order in which tokens give their values. */
  readonly fields: readonly FieldDocument[];
  /** Default `bag`. */
  readonly order?: Place['order'];
  /** Names of columns; default none. */
  readonly key?: readonly string[];
  /** Where the order is `priority`, and only there. */
  readonly priority?: ExpressionDocument;
  readonly service?: ServiceDocument;
  /** Default without limit. */
  readonly capacity?: number;
  /** Default none. */
  readonly initial?: readonly TokensDocument[];
  readonly owner?: string;
  readonly modules?: readonly string[];
}

export type ServiceDocument =
  | {
      readonly kind: 'max-min';
      /** `fatpipe` and `level` are false by default. */
      readonly links: readonly {
        readonly name: string;
        readonly capacity: NumberDocument;
        readonly fatpipe?: boolean;
        readonly level?: boolean;
      }[];
      readonly amount: ExpressionDocument;
      readonly weight: ExpressionDocument;
      readonly bound: ExpressionDocument;
      readonly routes: string;
      readonly route: ExpressionDocument;
    }
  | Documented<StationService>;

/** One token, as the values of its columns, or several equal ones. A value is a number, a truth value, or a text. */
export type TokensDocument =
  | readonly (number | boolean | string)[]
  | { readonly count: number; readonly values: readonly (number | boolean | string)[] };

export interface TransitionDocument {
  readonly name: string;
  readonly kind?: TransitionKind;
  readonly process?: ExpressionDocument;
  readonly inputs: readonly {
    readonly kind: InputArc['kind'];
    readonly place: string;
    /** By column; default none. */
    readonly pattern?: Readonly<Record<string, ExpressionDocument>>;
    /** Default 1. */
    readonly count?: number;
  }[];
  /** Default none. */
  readonly free?: readonly FieldDocument[];
  readonly guard?: ExpressionDocument;
  readonly priority?: number;
  readonly weight?: ExpressionDocument;
  readonly delay?: DelayDocument;
  readonly timing?: NonNullable<Transition['timing']>;
  readonly servers?: NonNullable<Transition['servers']>;
  readonly outputs: readonly {
    readonly place: string;
    /** By column; default none. */
    readonly values?: Readonly<Record<string, ExpressionDocument>>;
    /** Default 1. */
    readonly count?: ExpressionDocument;
  }[];
  /** `exports`: variables by the names shared with the partners; default none. */
  readonly label?: { readonly name: string; readonly exports?: Readonly<Record<string, string>> };
  readonly modules?: readonly string[];
}

/**
 * A number; the name of a variable; or `[operator, …operands]`, nested at most {@link MAX_DEPTH} deep. Operators are
 * those of expressions: `["add", a, b]`, `["not", a]`, `["if", test, a, b]`, and besides
 * `["at", table, index]`, `["step", table, x]`, `["value", enumeration, text]`, `["const", "Infinity"]`.
 */
export type ExpressionDocument = number | string | readonly (ExpressionDocument | string)[];

/**
 * An expression, or an object with the member `dist` and the parameters of that distribution: as
 * `{ "dist": "erlang", "shape": 2, "rate": 3 }`.
 */
export type DelayDocument = ExpressionDocument | DistributionDocument;
export type DistributionDocument =
  | Documented<Exclude<Distribution, { dist: 'empirical' }>>
  | { readonly dist: 'empirical'; readonly samples: NumbersDocument };

/** The same shape with expressions and delays in their written form. */
type Documented<T> = T extends { readonly op: string }
  ? ExpressionDocument
  : T extends { readonly dist: string } | { readonly kind: string }
    ? { readonly [K in keyof T]: K extends 'time' ? DelayDocument : Documented<T[K]> }
    : T extends object
      ? { readonly [K in keyof T]: Documented<T[K]> }
      : T;

export const FORMAT = 'foretoken-net';
export const VERSION = 1;
/** Deepest nesting of an expression (and of what stands where nothing should). */
export const MAX_DEPTH = 200;
