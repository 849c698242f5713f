import type { Column } from '../../net/colour.ts';
import type { Net } from '../../net/net.ts';
import type { StepKind } from './state-space.ts';

/**
 * A net without colours, in which every test and effect of a transition is a number: what a state space of a net looks
 * like to an explorer that packs markings. Firings that last, and services, have places of their own (the split net,
 * SEMANTICS 9).
 */
export interface Petri {
  /** The net it was made of, and what its places hold. */
  readonly net: Net;
  readonly columns: readonly (readonly Column[])[];
  readonly places: readonly PetriPlace[];
  readonly transitions: readonly PetriTransition[];
}

/** Tokens of one colour in a place of the net, or in its service; or the firings of one binding that last. */
export interface PetriPlace {
  readonly kind: 'place' | 'service' | 'busy';
  /** Index in `net.places`; of `busy` in `net.transitions`. */
  readonly node: number;
  /** Values of the columns; of `busy` those of the binding. */
  readonly values: readonly number[];
  readonly initial: number;
}

/** Place and number of tokens. */
export type Weighted = readonly [place: number, count: number];

/** Holds where the weighted sum of tokens is at most `most`. */
export interface AtMost {
  readonly sum: readonly Weighted[];
  readonly most: number;
}

export interface PetriTransition {
  readonly kind: StepKind;
  /** Index in `net.transitions`; of `serve` in `net.places`. */
  readonly node: number;
  readonly binding: Readonly<Record<string, number>>;
  /**
   * Which steps go first: of all starts that are enabled only those of the highest level may happen. Undefined: the end of a
   * firing or a service, which nothing keeps.
   */
  readonly level: number | undefined;
  /** Tokens that must be there: a place occurs once. */
  readonly needs: readonly Weighted[];
  /** Inhibitors and capacities. */
  readonly limits: readonly AtMost[];
  /** What changes where no reset is: place and difference, none of them 0. */
  readonly change: readonly Weighted[];
  /** Places that are emptied; `change` then says what they hold afterwards. */
  readonly resets: readonly number[];
}
