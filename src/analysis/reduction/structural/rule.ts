import type { Draft } from './draft.ts';

/**
 * Class of properties that a reduction preserves.
 *
 * - `deadlock`: whether a dead marking is reachable, and the tokens of visible places in it
 * - `reachability`: whether a marking is reachable in which a condition on visible places holds
 * - `paths`: every path formula over the visible places: the marking graphs are bisimilar
 */
export type PropertyClass = 'deadlock' | 'reachability' | 'paths';

/** Properties to preserve: their class, and the visible places, which are never removed. */
export interface Aim {
  readonly keep: PropertyClass;
  readonly visible: ReadonlySet<number>;
}

/** A structural reduction rule. */
export interface Rule {
  readonly name: string;
  /** Property classes that the rule preserves; it is rejected for any other. */
  readonly keeps: readonly PropertyClass[];
  /** Applies the rule wherever possible; returns the number of applications. */
  apply(draft: Draft, aim: Aim): number;
}

export const ALL: readonly PropertyClass[] = ['deadlock', 'reachability', 'paths'];
