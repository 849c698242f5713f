import type { Column } from '../../net/colour.ts';
import type { Net } from '../../net/net.ts';
import type { OmittedBindings } from '../../net/unfold/unfold-possible.ts';

/**
 * Kind of a step between markings. `fire`: a firing without delay. `start`, `end`: a timed firing (E3).
 * `serve`: a place with a service completes a token.
 */
export type StepKind = 'fire' | 'start' | 'end' | 'serve';

/**
 * The unfolded form of a net: a place/transition net whose tests and effects are numbers. This is the input of the packed
 * explorer. Timed firings and services have separate places (E3, E6).
 */
export interface Petri {
  /** The net that was unfolded. */
  readonly net: Net;
  /** Columns of each place of `net`. */
  readonly columns: readonly (readonly Column[])[];
  readonly places: readonly PetriPlace[];
  readonly transitions: readonly PetriTransition[];
  /** Parts that the unfolded form leaves out; absent if it is equivalent to the net. */
  readonly relaxed?: Relaxation;
}

/**
 * An unfolded form with more behaviour than its net: all markings that a run reaches without an error are markings of it, but not
 * the other way round.
 */
export interface Relaxation {
  /** Places that give their tokens in any order, although the net has one. */
  readonly unordered: readonly string[];
  /** Bindings left out because an expression has no value. */
  readonly omitted?: OmittedBindings;
}

/** Tokens of one colour in a net place (`place`) or in its service (`service`), or timed firings of one binding (`busy`). */
export interface PetriPlace {
  readonly kind: 'place' | 'service' | 'busy';
  /** Index in `net.places`; for `busy`, in `net.transitions`. */
  readonly node: number;
  /** Values of the columns; for `busy`, of the binding. */
  readonly values: readonly number[];
  /** Initial number of tokens or firings. */
  readonly initial: number;
}

/** Priority level of races, below all immediate starts (S10). Races have no priorities among each other. */
export const RACE_LEVEL: number = -(2 ** 33);

/** A place index with a number of tokens or a factor. */
export type Weighted = readonly [place: number, count: number];

/** A limit: the weighted sum of tokens must be at most `most`. */
export interface AtMost {
  readonly sum: readonly Weighted[];
  readonly most: number;
}

/** A step of the unfolded net: a firing, or the start or end of a timed one, in one binding; or the service of a token. */
export interface PetriTransition {
  /** Firing without delay, start or end of a timed firing, or service of a token. */
  readonly kind: StepKind;
  /** Index in `net.transitions`; for `serve`, in `net.places`. */
  readonly node: number;
  /** Values of the variables by name; for `serve`, of the token's columns. */
  readonly binding: Readonly<Record<string, number>>;
  /**
   * Priority: of all enabled starts only those with the highest level may happen. Undefined for the end of a firing or a
   * service, which priorities do not affect.
   */
  readonly level: number | undefined;
  /** Minimum tokens; each place occurs once. */
  readonly needs: readonly Weighted[];
  /** Inhibitors and capacities. */
  readonly limits: readonly AtMost[];
  /** Non-zero token changes by place; for a reset place, the tokens it holds afterwards. */
  readonly change: readonly Weighted[];
  /** Places that are emptied. */
  readonly resets: readonly number[];
  /** Relaxed forms: tokens that a step takes from places without their order and puts there, in the order of the arcs. */
  readonly queued?: { readonly takes: readonly Weighted[]; readonly puts: readonly Weighted[] };
}
