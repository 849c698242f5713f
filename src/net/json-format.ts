/**
 * The JSON form of a net, version 1. Every member that has a default may be left out; any member not named here is
 * refused. Numbers are doubles in shortest round-trip form; JSON knows no infinity, so wherever a number may be
 * infinite the texts `"Infinity"` and `"-Infinity"` stand for it. Times are in seconds.
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

export type ColourDocument =
  | { readonly name: string; readonly kind: 'bool' | 'integer' }
  | { readonly name: string; readonly kind: 'range'; readonly low: number; readonly high: number }
  | { readonly name: string; readonly kind: 'enum'; readonly values: readonly string[] };

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
  readonly kind?: string;
  /** In the order in which tokens give their values. */
  readonly fields: readonly { readonly name: string; readonly colour: string }[];
  /** Default `bag`. */
  readonly order?: 'bag' | 'fifo';
  /** Names of fields; default none. */
  readonly key?: readonly string[];
  readonly service?: {
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
  };
  /** Default none. */
  readonly initial?: readonly TokensDocument[];
}

/** One token, as the values of its fields, or several equal ones. A value is a number, a truth value, or a text. */
export type TokensDocument =
  | readonly (number | boolean | string)[]
  | { readonly count: number; readonly values: readonly (number | boolean | string)[] };

export interface TransitionDocument {
  readonly name: string;
  readonly kind?: string;
  readonly process?: ExpressionDocument;
  readonly inputs: readonly {
    readonly kind: 'take' | 'read' | 'inhibit';
    readonly place: string;
    /** By field; default none. */
    readonly pattern?: Readonly<Record<string, ExpressionDocument>>;
    /** Default 1. */
    readonly count?: number;
  }[];
  readonly guard?: ExpressionDocument;
  readonly delay?: ExpressionDocument;
  readonly outputs: readonly {
    readonly place: string;
    /** By field; default none. */
    readonly values?: Readonly<Record<string, ExpressionDocument>>;
    /** Default 1. */
    readonly count?: ExpressionDocument;
  }[];
}

/**
 * A number; the name of a variable; or `[operator, …operands]`, nested at most {@link MAX_DEPTH} deep. Operators are
 * those of expressions: `["add", a, b]`, `["not", a]`, `["if", test, a, b]`, and besides
 * `["at", table, index]`, `["step", table, x]`, `["value", enumeration, text]`, `["const", "Infinity"]`.
 */
export type ExpressionDocument = number | string | readonly (ExpressionDocument | string)[];

export const FORMAT = 'foretoken-net';
export const VERSION = 1;
/** Deepest nesting of an expression (and of what stands where nothing should). */
export const MAX_DEPTH = 200;
