import type { Distribution } from '../distribution.ts';
import type {
  Follow,
  InputArc,
  LinkProfile,
  Place,
  PlaceKind,
  StationService,
  Transition,
  TransitionKind,
} from '../net.ts';

/**
 * The JSON form of a net, version 1. Members with a default may be omitted; unknown members are rejected. Numbers are
 * doubles in shortest round-trip form. JSON has no infinity, so wherever a number may be infinite the strings
 * `"Infinity"` and `"-Infinity"` are used. Times are in seconds, rates per second. Host-language functions cannot be
 * written. The same format as a JSON Schema: `schema/net.schema.json`.
 *
 * The reader is hand-written instead of using a schema library: every problem carries line and column, and numbers are
 * decoded directly into typed arrays, so a table of a million numbers needs no intermediate objects.
 */
export interface NetDocument {
  /** Identifies the format. */
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** Name of the net. */
  readonly name: string;
  /** The colour sets. */
  readonly colours: readonly ColourDocument[];
  readonly tables: readonly TableDocument[];
  readonly places: readonly PlaceDocument[];
  readonly transitions: readonly TransitionDocument[];
  /** The colour set that numbers the processes, and the place into which each process puts a token when it ends. */
  readonly processes?: { readonly colour: string; readonly ended: string };
  /** Markings that a run may end in: token count by place, summed over colours; unlisted places are empty. */
  readonly finalMarkings?: readonly Readonly<Record<string, number>>[];
  /** True for a net without delays that has a transition without input; a simulation assumes equal delays. */
  readonly untimed?: boolean;
}

/** A field: its name and the name of its colour set. */
export interface FieldDocument {
  readonly name: string;
  readonly colour: string;
}

/** A colour set. */
export type ColourDocument =
  | { readonly name: string; readonly kind: 'unit' | 'bool' | 'integer' }
  | { readonly name: string; readonly kind: 'range'; readonly low: number; readonly high: number }
  | { readonly name: string; readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly name: string; readonly kind: 'product'; readonly parts: readonly string[] }
  | { readonly name: string; readonly kind: 'record'; readonly fields: readonly FieldDocument[] };

/** Run-length list: an entry `[n, v]` means n times v. */
export type NumbersDocument = readonly (NumberDocument | readonly [count: number, value: NumberDocument])[];
/** A number that may be infinite. */
export type NumberDocument = number | 'Infinity' | '-Infinity';

/** A table. Entries of `int` tables, `start` and `link` are 32-bit integers. */
export type TableDocument =
  | {
      readonly name: string;
      readonly kind: 'int';
      readonly low: number;
      readonly high: number;
      /** Name of the enumeration that the entries belong to. */
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
  /** Tokens list their values in this order. */
  readonly fields: readonly FieldDocument[];
  /** Default `bag`. */
  readonly order?: Place['order'];
  /** Column names; default none. */
  readonly key?: readonly string[];
  /** Required for order `priority`, otherwise not allowed. */
  readonly priority?: ExpressionDocument;
  readonly service?: ServiceDocument;
  /** Default unlimited. */
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
        readonly byTokens?: readonly NumberDocument[];
        readonly profiles?: readonly {
          readonly of: LinkProfile['of'];
          readonly times: readonly NumberDocument[];
          readonly values: readonly NumberDocument[];
          readonly period?: NumberDocument;
          readonly initial?: NumberDocument;
        }[];
      }[];
      readonly amount: ExpressionDocument;
      readonly weight: ExpressionDocument;
      readonly bound: ExpressionDocument;
      readonly routes: string;
      readonly route: ExpressionDocument;
      readonly latency?: ExpressionDocument;
      readonly latencyFactor?: ExpressionDocument;
      readonly follow?: Follow;
      readonly solver?: 'lazy';
    }
  | Documented<StationService>;

/** One token as the list of its column values, or several equal tokens. A value is a number, boolean or string. */
export type TokensDocument =
  | readonly (number | boolean | string)[]
  | { readonly count: number; readonly values: readonly (number | boolean | string)[] };

/** A transition with its arcs. */
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
  readonly memory?: NonNullable<Transition['memory']>;
  readonly speed?: ExpressionDocument;
  /** Numbers of tokens, for speed and weight. */
  readonly counts?: readonly {
    readonly name: string;
    readonly place: string;
    /** By column; default none. */
    readonly pattern?: Readonly<Record<string, ExpressionDocument>>;
  }[];
  readonly outputs: readonly {
    readonly place: string;
    /** By column; default none. */
    readonly values?: Readonly<Record<string, ExpressionDocument>>;
    /** Default 1. */
    readonly count?: ExpressionDocument;
  }[];
  /** `exports`: variables by the names shared with partners; default none. */
  readonly label?: { readonly name: string; readonly exports?: Readonly<Record<string, string>> };
  readonly modules?: readonly string[];
}

/**
 * A number, the name of a variable, or `[operator, …operands]`, nested at most {@link MAX_DEPTH} levels. Operators are
 * those of expressions, e.g. `["add", a, b]`, `["not", a]`, `["if", test, a, b]`, plus `["at", table, index]`,
 * `["step", table, x]`, `["value", enumeration, text]` and `["const", "Infinity"]`.
 */
export type ExpressionDocument = number | string | readonly (ExpressionDocument | string)[];

/**
 * An expression, or an object with `dist` and the parameters of that distribution, e.g. `{ "dist": "erlang", "shape":
 * 2, "rate": 3 }`.
 */
export type DelayDocument = ExpressionDocument | DistributionDocument;
/** A distribution with its parameters. */
export type DistributionDocument =
  | Documented<Exclude<Distribution, { dist: 'empirical' }>>
  | { readonly dist: 'empirical'; readonly samples: NumbersDocument };

/** The same shape with expressions and delays in JSON form. */
type Documented<T> = T extends { readonly op: string }
  ? ExpressionDocument
  : T extends { readonly dist: string } | { readonly kind: string }
    ? { readonly [K in keyof T]: K extends 'time' ? DelayDocument : Documented<T[K]> }
    : T extends object
      ? { readonly [K in keyof T]: Documented<T[K]> }
      : T;

export const FORMAT = 'foretoken-net';
export const VERSION = 1;
/** Maximum nesting depth of an expression, and of skipped values. */
export const MAX_DEPTH = 200;
