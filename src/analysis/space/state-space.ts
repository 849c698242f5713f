import type { Net } from '../../net/net.ts';
import type { StateGraph } from '../petri/components.ts';
import type { Petri, StepKind } from '../petri/petri.ts';
import type { Budget, Truncation } from './budget.ts';
import type { Omission } from './compact/omission.ts';

export type { StateGraph } from '../petri/components.ts';
export type { StepKind } from '../petri/petri.ts';

export type { Truncation } from './budget.ts';

/** A step of the net. */
export interface Step {
  readonly kind: StepKind;
  /** Index in `net.transitions`; for `serve`, in `net.places`. */
  readonly node: number;
  /** Values of all variables by name, free ones included; for `serve`, the token's columns. */
  readonly binding: Readonly<Record<string, number>>;
}

/** A step from a state. */
export interface Firing extends Step {
  /** Number of the target state; −1 if that state is not stored. */
  readonly target: number;
}

/** Edges of a complete state space in compressed rows, one per (state, transition, binding), with the step of each. */
export interface StepGraph {
  readonly states: number;
  readonly edges: number;
  /** The edges of state s are `start[s]` … `start[s + 1] − 1`. */
  readonly start: Float64Array | Uint32Array;
  readonly target: Int32Array;
  /** By edge: index in `steps`. */
  readonly step: Numbers;
  readonly steps: readonly Step[];
}

/** Small numbers in as few bytes as the largest one needs. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Makes room for an array of this number of bytes. */
export type Allocate = (bytes: number) => { readonly buffer: ArrayBuffer; readonly byteOffset: number };

/** Allocates a separate buffer for each array. */
export const separately: Allocate = (bytes) => new Uint8Array(bytes);

/** Array for `length` numbers below `below`. */
export function numbersBelow(below: number, length: number, allocate: Allocate = separately): Numbers {
  const Kind = below <= 2 ** 8 ? Uint8Array : below <= 2 ** 16 ? Uint16Array : Uint32Array;
  const { buffer, byteOffset } = allocate(length * Kind.BYTES_PER_ELEMENT);
  return new Kind(buffer, byteOffset, length);
}

/** Equal tokens of a marking. */
export interface MarkedTokens {
  readonly values: readonly number[];
  readonly count: number;
  /** `place`: visible to arcs or queued behind visible tokens; `service`: still in service. */
  readonly where: 'place' | 'service';
}

/** A marking: tokens by place in net order, each place in the order in which tokens leave; timed firings in progress. */
export interface MarkingView {
  readonly places: readonly { readonly place: number; readonly tokens: readonly MarkedTokens[] }[];
  readonly busy: readonly {
    readonly transition: number;
    readonly binding: Readonly<Record<string, number>>;
    readonly count: number;
  }[];
}

/** A key of the firings of a transition with a binding, whatever the order of its variables. */
export function firingKey(transition: number, binding: Step['binding']): string {
  const names = Object.keys(binding).sort();
  return `${transition} ${names.map((name) => binding[name]).join()}`;
}

/** The tokens of a place, those in service included, or the timed firings of a transition, divided into classes. */
export interface Classified {
  readonly kind: 'place' | 'busy';
  /** Index in `net.places`; for `busy`, in `net.transitions`. */
  readonly node: number;
  /** The column, or the variable, whose value decides the class. */
  readonly by: string;
  /** Undefined for values without a class. */
  readonly classOf: (value: number) => number | undefined;
}

/**
 * The reachable markings found, numbered from 0, the initial one. In breadth-first order, state numbers are sorted by distance
 * from it. Places and transitions are indices into `net`. Token counts of a place include all colours and tokens in service.
 */
export interface StateSpace {
  readonly net: Net;
  /** Number of markings found. */
  readonly states: number;
  /** Number of markings whose successors are known: the first ones in order of exploration. */
  readonly expanded: number;
  /** Number of firings of the expanded states, one per (marking, transition, binding). */
  readonly edges: number;
  /** True if all reachable markings were found and expanded. */
  readonly complete: boolean;
  /** Hash compaction only: a bound of the probability that a state was omitted so far. */
  readonly omission?: Omission;
  /** The limit that ended the exploration; undefined if none did. */
  readonly truncation: Truncation | undefined;
  readonly order: 'breadth' | 'depth';
  /** Breadth-first only: by distance from the initial state, the number of the first state at that distance. */
  readonly levels: readonly number[];
  /** Memory of states and hash table in bytes. */
  readonly bytes: number;
  /** Time spent exploring, in seconds. */
  readonly seconds: number;
  /** Maximum number of tokens in a marking, without timed firings in progress. */
  readonly maxTokensPerMarking: number;
  /** Maximum number of tokens of one colour in one place. */
  readonly maxTokensInPlace: number;
  /** For the states from … to − 1: the sum of the tokens of these places, which may exceed 2³¹. O(states × places). */
  tokens(places: readonly number[], from: number, to: number): Float64Array;
  /**
   * A reader of the numbers of tokens and firings in each of `count` classes: for the states from … to − 1, a new row per class.
   * O(states × colours of the nodes).
   */
  classes(nodes: readonly Classified[], count: number): (from: number, to: number) => readonly Float64Array[];
  /** For the states from … to − 1: 1 if some binding of one of these transitions can start or fire. */
  enabled(transitions: readonly number[], from: number, to: number): Uint8Array;
  /**
   * Those of `transitions` of which no binding can start or fire in any of the states from … to − 1 that satisfy `within`.
   * O(transitions left × states).
   */
  neverEnabled(transitions: readonly number[], from: number, to: number, within?: (state: number) => boolean): number[];
  /** For the states from … to − 1: the number of enabled steps; 0 means a dead marking. */
  outDegree(from: number, to: number): Int32Array;
  /** Enabled steps of a state in a fixed order, which is the edge order of `graph`. */
  firings(state: number): Firing[];
  marking(state: number): MarkingView;
  /**
   * All edges; undefined if they exceed `bytes`, or `stop` ended the work. Edges of a truncated space to states that are not
   * stored are omitted.
   */
  graph(bytes?: number, stop?: () => boolean): StateGraph | undefined;
  /**
   * All edges of a complete space with their steps, in the order of `firings`; undefined if `stop` ended the work.
   *
   * @param allocate room for its arrays; the general explorer ignores it
   */
  stepGraph(stop?: () => boolean, allocate?: Allocate): StepGraph | undefined;
}

/** Options of an exploration. */
export interface ExploreOptions {
  /**
   * `packed`: bit-packed markings and compiled steps, for nets that can be unfolded (`flatten`). `general`: any net, about
   * twenty times slower. Default: packed if possible.
   */
  readonly engine?: 'packed' | 'general';
  /** Search order. Default `breadth`. */
  readonly order?: 'breadth' | 'depth';
  /** Maximum number of states stored. */
  readonly maxStates?: number;
  /** Memory limit of this process in bytes. Default: half of the machine's free memory, at most 8 GB. */
  readonly memory?: number;
  /** Time limit in seconds. */
  readonly seconds?: number;
  /** Number of threads, for breadth-first search. Default 1. */
  readonly workers?: number;
  /** Polled between slices; returning true ends the exploration and keeps the states found. */
  readonly cancelled?: () => boolean;
  /** Remaining time and memory of the whole command; also ends the exploration. */
  readonly budget?: Budget;
  /**
   * Hash compaction: keeps a hash of 62 bits for each state instead of its marking. States may be omitted, with a probability that is
   * stated; the space is never complete and has no graph. Breadth first, one thread, for nets that can be unfolded. Default false.
   */
  readonly hashCompact?: boolean;
  /** Hash compaction: the choice of the hash functions. Another seed gives an independent run. Default 1. */
  readonly seed?: number | string;
  /** Called between slices. */
  readonly progress?: (space: StateSpace) => void;
}

/**
 * For each of these states, the transitions of the unfolded net on a path from the initial state; undefined if `stop` or a limit ended
 * the work.
 */
export type Sequences = (states: readonly number[], stop: () => boolean) => readonly (readonly number[])[] | undefined;

/** An exploration in progress. Its space can be read between calls of `advance`. */
export interface Exploration {
  readonly space: StateSpace;
  /** Hash compaction only: paths to states. The space cannot be explored any further afterwards. */
  readonly sequences?: Sequences;
  /** Hash compaction only: the unfolded net that `sequences` refer to. */
  readonly petri?: Petri;
  /** Expands about `states` more states; false once all are expanded or a limit is reached. */
  advance(states: number): boolean;
}
