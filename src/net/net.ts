import type { PagedColumn } from '../base/columns.ts';
import { type ColourSet, columnsOf, type Field } from './colour.ts';
import type { Distribution } from './distribution.ts';
import type { Expression } from './expression.ts';

export type { ColourSet, Field, ScalarSet } from './colour.ts';
export type { Distribution } from './distribution.ts';

/** A table column: one array in memory, or paged. */
export type Column<A extends Int32Array | Float64Array> = A | PagedColumn<A>;

/** The integers of a table; bytes take a quarter of the memory. */
export type Integers = Column<Int32Array> | Uint8Array;

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
      readonly values: Integers;
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
  /** Name in results and messages. */
  readonly name: string;
  /** Limit on rate × coefficient, in units of work per second: of all tokens together or, for a fatpipe, of each token. */
  readonly capacity: number;
  /** True for a fatpipe, false for a shared link. */
  readonly fatpipe: boolean;
  /** For a fatpipe: true to limit the rates as SimGrid does. Default false. */
  readonly level?: boolean;
  /**
   * Shared links only: capacity while 1, 2, … tokens cross it; the last one also holds for more tokens. The capacity for a token
   * never grows with their number, and `capacity` is the largest. Default: always `capacity`.
   */
  readonly byTokens?: readonly number[];
  /** Quantities that change at given times (S5a): at most one profile of each. Of a fatpipe only with `level`. */
  readonly profiles?: readonly LinkProfile[];
}

/**
 * A quantity of a link that changes at given times (S5a).
 *
 * - `capacity`: factor on `capacity` and `byTokens`, above 0 and at most 1
 * - `latency`: seconds by which tokens that cross the link wait longer before they share it
 * - `state`: 0 if the link has failed, otherwise 1
 */
export interface LinkProfile {
  readonly of: 'capacity' | 'latency' | 'state';
  /** Seconds from 0 on, ascending. */
  readonly times: readonly number[];
  /** One value for each time: it holds from then on. */
  readonly values: readonly number[];
  /** The list is repeated after this many seconds, at least the last time. Absent: the last value remains. */
  readonly period?: number;
  /** The value before the first time. Default 1, of a latency 0. */
  readonly initial?: number;
}

/** How the weights and bounds of tokens follow the profiles of their links, as SimGrid's flows do (S5a). */
export interface Follow {
  /** Whether the rate of a token remains at most what its links allow when it arrives. */
  readonly capped: boolean;
  /** By a second of latency more, 1 / weight grows by this much. */
  readonly weightByLatency: number;
  /** By this much divided by its capacity, a link contributes to 1 / weight. */
  readonly weightByCapacity: number;
  /** By a second of latency more, 1 / bound grows by this much. */
  readonly boundByLatency: number;
}

/** Weighted bounded max-min sharing of links (S5). The expressions are over the place's fields. */
export interface MaxMinService {
  /** Shared links with max-min fair rates. */
  readonly kind: 'max-min';
  /** The links; routes refer to them by position. */
  readonly links: readonly ServiceLink[];
  /** Amount of work, ≥ 0, in units of work. */
  readonly amount: Expression;
  /** Weight of the token, > 0: rates grow in proportion to the weights until a limit is reached. */
  readonly weight: Expression;
  /** Maximum rate, > 0, in units of work per second; Infinity if unbounded. */
  readonly bound: Expression;
  /** Name of the routes table. */
  readonly routes: string;
  /** Index of the list in the routes table with the links that the token crosses. */
  readonly route: Expression;
  /** Seconds that the token waits before it shares its links. Needs a link with a profile, or the lazy solver. Default 0. */
  readonly latency?: Expression;
  /** Factor on the latencies of the profiles of its links, which add to `latency`. Default 1. */
  readonly latencyFactor?: Expression;
  /** Default: weights and bounds do not follow profiles. */
  readonly follow?: Follow;
  /** `lazy`: a change solves only some links again, as SimGrid does by default (S5b). Default: all that are connected with it. */
  readonly solver?: 'lazy';
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

/** The service of a place: max-min sharing of links, or a station. */
export type Service = MaxMinService | StationService;

/** Equal tokens of an initial marking. */
export interface Tokens {
  /** Values of the place's columns, in order. */
  readonly values: readonly number[];
  /** Number of tokens, an integer ≥ 0. */
  readonly count: number;
}

/** A place, with its initial marking (S2). */
export interface Place {
  /** Unique among the places of a net. */
  readonly name: string;
  /** Role in the modelled program. */
  readonly kind?: PlaceKind;
  /** Fields of composite colour represent the columns of their parts: see {@link columnsOf}. */
  readonly fields: readonly Field[];
  /**
   * The order in which tokens leave. `bag`: any order; among equal tokens the oldest first. `fifo`: among tokens that
   * agree in the columns `key`, only the oldest is visible to take and read arcs; an empty key makes one queue.
   * `priority`: among these, the one with the highest `priority` (an expression over the columns), then the oldest.
   */
  readonly order: 'bag' | 'fifo' | 'priority';
  /** Columns that divide the tokens of a `fifo` or `priority` place into separate queues. */
  readonly key: readonly string[];
  /** For order `priority`: an expression over the columns; the highest value leaves first. */
  readonly priority?: Expression;
  /** Tokens that arrive are served first, and become visible when served (S4). */
  readonly service?: Service;
  /** Maximum number of tokens, including tokens in service and reserved ones. */
  readonly capacity?: number;
  /** The initial marking. */
  readonly initial: readonly Tokens[];
  /** The process or node that the place belongs to. */
  readonly owner?: string;
  /** Names of the modules that the place comes from, sorted. */
  readonly modules?: readonly string[];
}

/** An arc that inspects tokens (S6, S8). */
export interface InputArc {
  /**
   * `take` consumes `count` equal tokens, `read` requires them and leaves them, `inhibit` requires fewer than `count`
   * matching tokens, `reset` removes all matching tokens.
   */
  readonly kind: 'take' | 'read' | 'inhibit' | 'reset';
  /** Name of the place. */
  readonly place: string;
  /**
   * Terms by column. The first occurrence of a variable binds it; any other expression must equal the token's value; an
   * omitted column matches every value.
   */
  readonly pattern: Readonly<Record<string, Expression>>;
  /** Integer ≥ 1; 1 for `reset`. */
  readonly count: number;
}

/** An arc that produces equal tokens. */
export interface OutputArc {
  /** Name of the place. */
  readonly place: string;
  /** Values by column; every column is given. */
  readonly values: Readonly<Record<string, Expression>>;
  /** Number of tokens: an integer from 0 to 10⁶. */
  readonly count: Expression;
}

/**
 * A variable whose value is the number of tokens that match a pattern (S9b). Tokens in service do not count. Only the speed and the
 * weight of its transition may use it.
 */
export interface TokenCount {
  /** Name of the variable. */
  readonly name: string;
  /** Name of the place. */
  readonly place: string;
  /** Terms by column; an omitted column matches every value. */
  readonly pattern: Readonly<Record<string, Expression>>;
}

/** Role of a transition in the modelled program: `compute` makes its process active from start to end of a firing. */
export type TransitionKind = 'compute' | 'communicate' | 'control';

/** A synchronisation label. Transitions of different modules with the same label fire together. */
export interface Label {
  /** The name by which partners are found. */
  readonly name: string;
  /** Variables visible to the partners, by shared name. */
  readonly exports: Readonly<Record<string, string>>;
}

/** A transition with its arcs. */
export interface Transition {
  /** Unique among the transitions of a net. */
  readonly name: string;
  /** Role in the modelled program. */
  readonly kind?: TransitionKind;
  /** The process that executes the transition, as an expression over the binding. */
  readonly process?: Expression;
  /** Arcs that take, read, inhibit or reset. Their order determines where a variable is bound. */
  readonly inputs: readonly InputArc[];
  /** Arcs that produce tokens. */
  readonly outputs: readonly OutputArc[];
  /** Variables not bound by an input arc; each ranges over its colour set, which must be finite. */
  readonly free?: readonly Field[];
  /** A condition on the binding that enables the transition; default true. */
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
   * transition is enabled; tokens are taken and put when it expires (GSPN).
   */
  readonly timing?: 'holding' | 'race';
  /** For a race, the maximum number of clocks: `infinite` (default), one for each enabled firing; `single`, one in total. */
  readonly servers?: 'single' | 'infinite' | number;
  /** For a race: what becomes of the clock of a firing that is disabled (S9c). Default `enabling`: it is lost. */
  readonly memory?: 'enabling' | 'age' | 'resampling';
  /**
   * For a race: the work that a clock does per second, of which the delay is the amount; default 1. Depends on the binding and on
   * counts, and changes with them; at 0 the firing is not enabled (S9b).
   */
  readonly speed?: Expression;
  /** Numbers of tokens, for `speed` and `weight`. */
  readonly counts?: readonly TokenCount[];
  /** Synchronises the transition with those of other modules. */
  readonly label?: Label;
  /** Names of the modules that the transition comes from, sorted. */
  readonly modules?: readonly string[];
}

/** A host-language function called by expressions: pure, numbers in, one number out. */
export interface NetFunction {
  /** The name by which expressions call the function. */
  readonly name: string;
  /** Called with one number for each argument, in order. */
  readonly apply: (...values: number[]) => number;
}

/** The processes of the modelled program. */
export interface Processes {
  /** Name of the colour set that numbers the processes. */
  readonly colour: string;
  /** Name of the place into which each process puts a token when it ends; its only field has that colour set. */
  readonly ended: string;
}

/** Token count of one place, summed over all colours. */
export interface MarkedPlace {
  /** Name of the place. */
  readonly place: string;
  /** Number of tokens. */
  readonly count: number;
}

/** A timed coloured Petri net: plain data, immutable. */
export interface Net {
  /** Name in results and messages. */
  readonly name: string;
  /** The colour sets, with distinct names. */
  readonly colours: readonly ColourSet[];
  /** The tables, with distinct names. */
  readonly tables: readonly Table[];
  /** The places, with distinct names. */
  readonly places: readonly Place[];
  /** The transitions, with distinct names. */
  readonly transitions: readonly Transition[];
  /** The processes of the modelled program, for results by process. */
  readonly processes?: Processes;
  /** Markings that a run may end in; unlisted places are empty. Default: all processes have ended, if `processes` is given. */
  readonly finalMarkings?: readonly (readonly MarkedPlace[])[];
  /**
   * True if the delays are assumed, because an untimed net has a transition without input: drawings and files omit them.
   * Every transition is then a race with the same delay.
   */
  readonly untimed?: boolean;
  /** Functions that could not be tabulated. A net with functions can be simulated but not written to a file. */
  readonly functions?: readonly NetFunction[];
}
