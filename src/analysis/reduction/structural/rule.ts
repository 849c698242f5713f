import type { Draft } from './draft.ts';

/**
 * What a reduction keeps.
 *
 * - `deadlock`: whether a dead marking can be reached, and what the visible places hold there
 * - `reachability`: whether a marking can be reached where a condition of the visible places holds
 * - `paths`: every formula of paths over the visible places: the graphs of the markings are bisimilar
 */
export type PropertyClass = 'deadlock' | 'reachability' | 'paths';

/** What is to be kept: of a class, and which places are visible: these stay. */
export interface Aim {
  readonly keep: PropertyClass;
  readonly visible: ReadonlySet<number>;
}

/** A way to make a net smaller. */
export interface Rule {
  readonly name: string;
  /** What it keeps; with any other aim it is refused. */
  readonly keeps: readonly PropertyClass[];
  /** Applies it wherever it can be; returns how often. */
  apply(draft: Draft, aim: Aim): number;
}

export const ALL: readonly PropertyClass[] = ['deadlock', 'reachability', 'paths'];
