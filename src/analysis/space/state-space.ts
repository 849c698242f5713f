import type { Net } from '../../net/net.ts';

/**
 * What happens from one marking to the next. A firing without delay is one step; one that lasts starts, and ends
 * later (SEMANTICS 9, the split net); a place with a service serves a token.
 */
export type StepKind = 'fire' | 'start' | 'end' | 'serve';

/** A step in the words of the net: `node` is the index of a transition in `net.transitions`; of a place where it serves. */
export interface Step {
  readonly kind: StepKind;
  readonly node: number;
  /** Values of the variables by name, free ones included; of a service, the token's columns. */
  readonly binding: Readonly<Record<string, number>>;
}

/** A step from a state, and the number of the state it leads to; −1: that state was not stored. */
export interface Firing extends Step {
  readonly target: number;
}

/** Equal tokens of a marking. `where`: visible or hidden in the place, or in its service. */
export interface MarkedTokens {
  readonly values: readonly number[];
  readonly count: number;
  readonly where: 'place' | 'service';
}

/** A marking for people: places that hold tokens, in the order of the net, in the order in which tokens leave; firings that last. */
export interface MarkingView {
  readonly places: readonly { readonly place: number; readonly tokens: readonly MarkedTokens[] }[];
  readonly busy: readonly {
    readonly transition: number;
    readonly binding: Readonly<Record<string, number>>;
    readonly count: number;
  }[];
}

/** Why an exploration ended before all was seen. */
export type Truncation = 'states' | 'memory' | 'time' | 'interrupted';

/**
 * The successors of all states as compressed rows: those of state s are `target(start(s))` … `target(start(s + 1) − 1)`,
 * one entry for every (state, transition, binding), in the order of `firings`.
 */
export interface StateGraph {
  readonly states: number;
  readonly edges: number;
  /** states + 1 entries; doubles, since there may be more than 2³² edges. */
  readonly start: Float64Array | Uint32Array;
  target(edge: number): number;
}

/**
 * The reachable markings of a net that were found, numbered from 0, the initial one. In breadth first order states stand
 * by their distance from it. Places and transitions are indices into `net`; tokens of a place are those of all colours
 * together, in service included.
 */
export interface StateSpace {
  readonly net: Net;
  /** Markings found, of which the first `expanded` in the order of exploration have known successors. */
  readonly states: number;
  readonly expanded: number;
  /** Firings of the expanded states: one for every (marking, transition, binding). */
  readonly edges: number;
  readonly complete: boolean;
  readonly truncation: Truncation | undefined;
  readonly order: 'breadth' | 'depth';
  /** Of breadth first: number of the first state of each distance from the initial one. */
  readonly levels: readonly number[];
  /** Bytes that states and their table take. */
  readonly bytes: number;
  /** Seconds spent on exploring alone. */
  readonly seconds: number;
  /** The most tokens in a marking; the most of one colour in one place (of the net's places: not of firings that last). */
  readonly maxTokensPerMarking: number;
  readonly maxTokensInPlace: number;
  /** For the states from … to − 1: the sum of the tokens of these places. O(states × places). */
  tokens(places: readonly number[], from: number, to: number): Int32Array;
  /** For the states from … to − 1: 1 where some binding of one of these transitions can start (or fire). */
  enabled(transitions: readonly number[], from: number, to: number): Uint8Array;
  /** For the states from … to − 1: how many steps are possible; 0 is a dead marking. */
  outDegree(from: number, to: number): Int32Array;
  /** What can happen in a state, in a fixed order: that of the edges of `graph`. */
  firings(state: number): Firing[];
  marking(state: number): MarkingView;
  /**
   * All edges, where they fit into so many bytes; undefined where they do not. Of a truncated space, edges to states that
   * were not stored are left out.
   */
  graph(bytes?: number): StateGraph | undefined;
}

export interface ExploreOptions {
  /**
   * `packed`: markings packed to the bit and compiled steps, of nets that become place/transition nets (`flatten`). `general`: any
   * net, some twenty times slower. Default: packed where it can be.
   */
  readonly engine?: 'packed' | 'general';
  /** Default `breadth`. */
  readonly order?: 'breadth' | 'depth';
  /** Most states to store. */
  readonly maxStates?: number;
  /** Most bytes of memory of this process. Default: half of what the machine has free, at most 8 GB. */
  readonly memory?: number;
  /** Most seconds. */
  readonly seconds?: number;
  /** Default 1. */
  readonly workers?: number;
  /** Asked between slices: true ends the exploration, what was found stays. */
  readonly cancelled?: () => boolean;
  /** Told between slices. */
  readonly progress?: (space: StateSpace) => void;
}

/** An exploration under way. What it has found can be looked at between the slices. */
export interface Exploration {
  readonly space: StateSpace;
  /** Explores on until about so many more states have been expanded; false once nothing is left or a limit is reached. */
  advance(states: number): boolean;
}
