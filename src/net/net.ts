import type { PagedColumn } from '../base/paged.ts';
import type { Expression } from './expression.ts';

/**
 * A colour set: the values one field of a token can take. Engines see numbers: a truth value is 0 or 1, a value of an
 * enumeration is its position. `integer` is unbounded (|value| ≤ 2^53) and for simulation only.
 */
export type ColourSet =
  | { readonly kind: 'bool'; readonly name: string }
  | { readonly kind: 'range'; readonly name: string; readonly low: number; readonly high: number }
  | { readonly kind: 'integer'; readonly name: string }
  | { readonly kind: 'enum'; readonly name: string; readonly values: readonly string[] };

/** A column of a table: in memory as a whole, or page by page. */
export type Column<A extends Int32Array | Float64Array> = A | PagedColumn<A>;

/**
 * A table is data that expressions look things up in.
 *
 * - `int`, `real`: numbers by index 0 … length−1. `low` and `high` bound the entries of an `int` table.
 * - `step`: a piecewise constant function: `values[k]` holds from `from[k]` on; `from` ascends, from[0] = −Infinity or
 *   the least argument that may occur.
 * - `routes`: lists of (link, coefficient): list k is the entries `start[k]` … `start[k+1]−1`.
 */
export type Table =
  | {
      readonly kind: 'int';
      readonly name: string;
      readonly values: Column<Int32Array>;
      readonly low: number;
      readonly high: number;
    }
  | { readonly kind: 'real'; readonly name: string; readonly values: Column<Float64Array> }
  | { readonly kind: 'step'; readonly name: string; readonly from: Float64Array; readonly values: Float64Array }
  | {
      readonly kind: 'routes';
      readonly name: string;
      readonly start: Int32Array;
      readonly link: Int32Array;
      readonly coefficient: Float64Array;
    };

/** A field of a place's colour set: a place holds records of named scalars; no fields at all is `unit`. */
export interface Field {
  readonly name: string;
  /** Name of a colour set of the net. */
  readonly colour: string;
}

/** What a place stands for (source: the method's incidence-matrix checks). */
export type PlaceKind = 'operation' | 'message' | 'synchronisation' | 'resource' | 'data';

/**
 * One link of a max-min service. A fatpipe caps every token alone; another link is shared by the tokens on it. A fatpipe
 * with `level` holds, once one token reaches its capacity, all of them at that level of rate / weight (SimGrid's FATPIPE).
 */
export interface ServiceLink {
  readonly name: string;
  readonly capacity: number;
  readonly fatpipe: boolean;
  readonly level?: boolean;
}

/**
 * Weighted bounded max-min sharing (SEMANTICS 4). The expressions are over the place's fields: the amount to be served,
 * the weight, the largest rate (Infinity for none), and which list of the routes table says the links that are crossed.
 */
export interface MaxMinService {
  readonly kind: 'max-min';
  readonly links: readonly ServiceLink[];
  readonly amount: Expression;
  readonly weight: Expression;
  readonly bound: Expression;
  readonly routes: string;
  readonly route: Expression;
}

/** Tokens of one colour: the values of the place's fields in order. */
export interface Tokens {
  readonly values: readonly number[];
  readonly count: number;
}

export interface Place {
  readonly name: string;
  readonly kind?: PlaceKind;
  readonly fields: readonly Field[];
  /**
   * The order in which tokens leave. `bag`: any (of equal tokens the oldest). `fifo`: of all tokens that agree in the
   * fields `key`, only the oldest can be seen by arcs other than inhibitors; an empty key makes one queue.
   */
  readonly order: 'bag' | 'fifo';
  readonly key: readonly string[];
  readonly service?: MaxMinService;
  readonly initial: readonly Tokens[];
}

/**
 * An arc that looks at tokens. Each field of `pattern` is matched: a variable met for the first time is bound, any other
 * expression must equal the token's value; a field left out matches everything.
 * `take` consumes `count` equal tokens, `read` only tests, `inhibit` demands that no token matches.
 */
export interface InputArc {
  readonly kind: 'take' | 'read' | 'inhibit';
  readonly place: string;
  readonly pattern: Readonly<Record<string, Expression>>;
  readonly count: number;
}

/** An arc that brings `count` tokens (an expression with a whole value ≥ 0) with the values given for every field. */
export interface OutputArc {
  readonly place: string;
  readonly values: Readonly<Record<string, Expression>>;
  readonly count: Expression;
}

/** What a transition stands for: `compute` makes its process active while it lasts (SEMANTICS 17). */
export type TransitionKind = 'compute' | 'communicate' | 'control';

export interface Transition {
  readonly name: string;
  readonly kind?: TransitionKind;
  /** The process that performs it, as an expression of the binding. */
  readonly process?: Expression;
  readonly inputs: readonly InputArc[];
  readonly outputs: readonly OutputArc[];
  readonly guard?: Expression;
  /** Seconds between start and end (holding timing, SEMANTICS 9); without it the firing is immediate. */
  readonly delay?: Expression;
}

/** Which colour set numbers the processes, and the place (of that one field) into which each puts a token at its end. */
export interface Processes {
  readonly colour: string;
  readonly ended: string;
}

/** A timed coloured Petri net: plain data, immutable. */
export interface Net {
  readonly name: string;
  readonly colours: readonly ColourSet[];
  readonly tables: readonly Table[];
  readonly places: readonly Place[];
  readonly transitions: readonly Transition[];
  readonly processes?: Processes;
}

/** The least and the largest value of a colour set, as numbers. */
export function colourBounds(colour: ColourSet): { low: number; high: number } {
  switch (colour.kind) {
    case 'bool':
      return { low: 0, high: 1 };
    case 'range':
      return { low: colour.low, high: colour.high };
    case 'integer':
      return { low: -Number.MAX_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER };
    case 'enum':
      return { low: 0, high: colour.values.length - 1 };
  }
}
