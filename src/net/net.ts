import type { PagedColumn } from '../base/paged.ts';
import type { ColourSet, Field } from './colour.ts';
import type { Distribution } from './distribution.ts';
import type { Expression } from './expression.ts';

export type { ColourSet, Field, ScalarSet } from './colour.ts';
export type { Distribution } from './distribution.ts';

/** A column of a table: in memory as a whole, or page by page. */
export type Column<A extends Int32Array | Float64Array> = A | PagedColumn<A>;

/**
 * A table is data that expressions look things up in.
 *
 * - `int`, `real`: numbers by index 0 … length−1. `low` and `high` bound the entries of an `int` table; with `colour` they
 *   are values of that enumeration.
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
      /** Name of the enumeration whose values the entries are. */
      readonly colour?: string;
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

/** Seconds: an expression of the binding (or of a token's columns), or drawn from a distribution. */
export type Delay = Expression | Distribution;

/**
 * A service station (Bause 1993): tokens queue, are served for their time by one of `servers` equal servers, and can then be
 * seen. The time is set, or drawn, when a token comes.
 *
 * - `fcfs`: first come, first served
 * - `lcfs-pr`: the latest to come is served at once; whom it displaces resumes later
 * - `ps`: processor sharing, each of n tokens at the rate min(1, servers / n)
 * - `is`: as many servers as tokens
 * - `priority`: the highest first (then who came first); `preemptive`: at once, whom it displaces resumes later
 */
export type StationService =
  | { readonly kind: 'fcfs' | 'lcfs-pr' | 'ps'; readonly servers: number; readonly time: Delay }
  | { readonly kind: 'is'; readonly time: Delay }
  | {
      readonly kind: 'priority';
      readonly servers: number;
      readonly time: Delay;
      readonly priority: Expression;
      readonly preemptive: boolean;
    };

export type Service = MaxMinService | StationService;

/** Tokens of one colour: the values of the place's columns in order. */
export interface Tokens {
  readonly values: readonly number[];
  readonly count: number;
}

export interface Place {
  readonly name: string;
  readonly kind?: PlaceKind;
  /** Fields of composite colour stand for the columns of their parts: see {@link columnsOf}. */
  readonly fields: readonly Field[];
  /**
   * The order in which tokens leave. `bag`: any (of equal tokens the oldest). `fifo`: of all tokens that agree in the
   * columns `key`, only the oldest can be seen by arcs that take or read; an empty key makes one queue. `priority`: of
   * these the one with the highest `priority`, an expression of the columns; the oldest of equals.
   */
  readonly order: 'bag' | 'fifo' | 'priority';
  readonly key: readonly string[];
  readonly priority?: Expression;
  readonly service?: Service;
  /** Most tokens that the place may hold, in service and reserved ones included. */
  readonly capacity?: number;
  readonly initial: readonly Tokens[];
  /** The process or node it belongs to. */
  readonly owner?: string;
  /** Names of the modules it comes from, sorted. */
  readonly modules?: readonly string[];
}

/**
 * An arc that looks at tokens. Each column of `pattern` is matched: a variable met for the first time is bound, any other
 * expression must equal the token's value; a column left out matches everything.
 * `take` consumes `count` equal tokens, `read` demands them and leaves them, `inhibit` demands that fewer than `count` tokens
 * match, `reset` removes all that match (count 1).
 */
export interface InputArc {
  readonly kind: 'take' | 'read' | 'inhibit' | 'reset';
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

/** What a transition offers to those of other modules that bear the same label. */
export interface Label {
  readonly name: string;
  /** Variables known to the partners, by the name that they share. */
  readonly exports: Readonly<Record<string, string>>;
}

export interface Transition {
  readonly name: string;
  readonly kind?: TransitionKind;
  /** The process that performs it, as an expression of the binding. */
  readonly process?: Expression;
  readonly inputs: readonly InputArc[];
  readonly outputs: readonly OutputArc[];
  /** Variables that no input binds: each ranges over its colour set, which must be finite. */
  readonly free?: readonly Field[];
  readonly guard?: Expression;
  /** Starts of the highest priority come first; a whole number, default 0. */
  readonly priority?: number;
  /** Where candidates of one priority have weights, a draw in proportion decides; a missing one counts 1. */
  readonly weight?: Expression;
  /** Without it the firing is immediate. */
  readonly delay?: Delay;
  /**
   * `holding` (default): tokens are taken at the start, outputs come `delay` later. `race`: a clock runs while the
   * transition is enabled, and all happens when it ends (GSPN, enabling memory).
   */
  readonly timing?: 'holding' | 'race';
  /** Of a race: one clock for every time that it could fire (`infinite`, default), or one at a time (`single`). */
  readonly servers?: 'single' | 'infinite';
  readonly label?: Label;
  /** Names of the modules it comes from, sorted. */
  readonly modules?: readonly string[];
}

/** A function of the host language that expressions call: pure, numbers in, a number out. */
export interface NetFunction {
  readonly name: string;
  readonly apply: (...values: number[]) => number;
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
  /** Functions that could not be tabulated: such a net can be simulated, but not written to a file. */
  readonly functions?: readonly NetFunction[];
}
