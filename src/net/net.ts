import type { PagedColumn } from '../base/paged.ts';
import type { ColourSet, Field } from './colour.ts';
import type { Distribution } from './distribution.ts';
import type { Expression } from './expression.ts';

export type { ColourSet, Field, ScalarSet } from './colour.ts';
export type { Distribution } from './distribution.ts';

/** A table column: one array in memory, or paged. */
export type Column<A extends Int32Array | Float64Array> = A | PagedColumn<A>;

/**
 * Lookup data for expressions.
 *
 * - `int`, `real`: numbers by index 0 … length−1. `low` and `high` bound the entries of an `int` table; with `colour`
 *   the entries are values of that enumeration.
 * - `step`: a piecewise constant function: `values[k]` holds from `from[k]` on. `from` is ascending; from[0] is
 *   −Infinity or the smallest possible argument.
 * - `routes`: lists of (link, coefficient) pairs; list k is the entries `start[k]` … `start[k+1]−1`.
 */
export type Table =
  | {
      readonly kind: 'int';
      readonly name: string;
      readonly values: Column<Int32Array>;
      readonly low: number;
      readonly high: number;
      /** Name of the enumeration that the entries belong to. */
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

/** Role of a place in the modelled program (source: the method's incidence-matrix checks). */
export type PlaceKind = 'operation' | 'message' | 'synchronisation' | 'resource' | 'data';

/**
 * One link of a max-min service. A link is shared by all tokens on it; a fatpipe limits each token separately. Once one
 * token reaches the capacity of a fatpipe with `level`, all tokens on it are held at that level of rate / weight
 * (SimGrid's FATPIPE).
 */
export interface ServiceLink {
  readonly name: string;
  readonly capacity: number;
  readonly fatpipe: boolean;
  readonly level?: boolean;
}

/**
 * Weighted bounded max-min sharing (SEMANTICS 4). The expressions are over the place's fields: amount of work, weight,
 * maximum rate (Infinity: unbounded), and index of the list in the routes table that gives the links crossed.
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

/** Seconds: an expression over the binding (or a token's columns), or a distribution to draw from. */
export type Delay = Expression | Distribution;

/**
 * A service station (Bause 1993). Tokens queue, are served by one of `servers` equal servers, and become visible when
 * served. The service time is fixed or drawn on arrival.
 *
 * - `fcfs`: first come, first served
 * - `lcfs-pr`: last come, first served; the newest token is served at once, a preempted one resumes later
 * - `ps`: processor sharing, each of n tokens at rate min(1, servers / n)
 * - `is`: one server for each token
 * - `priority`: highest priority first, then first come. If `preemptive`, it is served at once and a preempted one
 *   resumes
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

/** Tokens of one colour: the values of the place's columns, in order. */
export interface Tokens {
  readonly values: readonly number[];
  readonly count: number;
}

export interface Place {
  readonly name: string;
  readonly kind?: PlaceKind;
  /** Fields of composite colour represent the columns of their parts: see {@link columnsOf}. */
  readonly fields: readonly Field[];
  /**
   * The order in which tokens leave. `bag`: any order; among equal tokens the oldest first. `fifo`: among tokens that
   * agree in the columns `key`, only the oldest is visible to take and read arcs; an empty key makes one queue.
   * `priority`: among these, the one with the highest `priority` (an expression over the columns), then the oldest.
   */
  readonly order: 'bag' | 'fifo' | 'priority';
  readonly key: readonly string[];
  readonly priority?: Expression;
  readonly service?: Service;
  /** Maximum number of tokens, including tokens in service and reserved ones. */
  readonly capacity?: number;
  readonly initial: readonly Tokens[];
  /** The process or node that the place belongs to. */
  readonly owner?: string;
  /** Names of the modules that the place comes from, sorted. */
  readonly modules?: readonly string[];
}

/**
 * An arc that inspects tokens. Each column of `pattern` is matched: the first occurrence of a variable binds it; any
 * other expression must equal the token's value; an omitted column matches every value. `take` consumes `count` equal
 * tokens, `read` requires them and leaves them, `inhibit` requires fewer than `count` matching tokens, `reset` removes
 * all matching tokens (count 1).
 */
export interface InputArc {
  readonly kind: 'take' | 'read' | 'inhibit' | 'reset';
  readonly place: string;
  readonly pattern: Readonly<Record<string, Expression>>;
  readonly count: number;
}

/** An arc that produces `count` tokens (an expression with an integer value ≥ 0); `values` gives every field. */
export interface OutputArc {
  readonly place: string;
  readonly values: Readonly<Record<string, Expression>>;
  readonly count: Expression;
}

/** Role of a transition in the modelled program: `compute` makes its process active while it lasts (SEMANTICS 17). */
export type TransitionKind = 'compute' | 'communicate' | 'control';

/** A synchronisation label. Transitions of different modules with the same label fire together. */
export interface Label {
  readonly name: string;
  /** Variables visible to the partners, by shared name. */
  readonly exports: Readonly<Record<string, string>>;
}

export interface Transition {
  readonly name: string;
  readonly kind?: TransitionKind;
  /** The process that executes the transition, as an expression over the binding. */
  readonly process?: Expression;
  readonly inputs: readonly InputArc[];
  readonly outputs: readonly OutputArc[];
  /** Variables not bound by an input arc; each ranges over its colour set, which must be finite. */
  readonly free?: readonly Field[];
  readonly guard?: Expression;
  /** Integer, default 0. Among enabled transitions the highest priority starts first. */
  readonly priority?: number;
  /**
   * Candidates of equal priority that have weights are chosen at random in proportion; a missing weight counts as 1.
   */
  readonly weight?: Expression;
  /** Without a delay, firing is immediate. */
  readonly delay?: Delay;
  /**
   * `holding` (default): tokens are taken at the start, outputs appear `delay` later. `race`: a clock runs while the
   * transition is enabled; tokens are taken and put when it expires (GSPN, enabling memory).
   */
  readonly timing?: 'holding' | 'race';
  /** For a race: `infinite` (default), one clock for each enabled firing; `single`, one clock in total. */
  readonly servers?: 'single' | 'infinite';
  readonly label?: Label;
  /** Names of the modules that the transition comes from, sorted. */
  readonly modules?: readonly string[];
}

/** A host-language function called by expressions: pure, numbers in, one number out. */
export interface NetFunction {
  readonly name: string;
  readonly apply: (...values: number[]) => number;
}

/**
 * The colour set that numbers the processes, and the place (with that single field) into which each process puts a
 * token when it ends.
 */
export interface Processes {
  readonly colour: string;
  readonly ended: string;
}

/** Token count of one place, summed over all colours. */
export interface MarkedPlace {
  readonly place: string;
  readonly count: number;
}

/** A timed coloured Petri net: plain data, immutable. */
export interface Net {
  readonly name: string;
  readonly colours: readonly ColourSet[];
  readonly tables: readonly Table[];
  readonly places: readonly Place[];
  readonly transitions: readonly Transition[];
  readonly processes?: Processes;
  /** Markings that a run may end in; unlisted places are empty. */
  readonly finalMarkings?: readonly (readonly MarkedPlace[])[];
  /** Functions that could not be tabulated. A net with functions can be simulated but not written to a file. */
  readonly functions?: readonly NetFunction[];
}
