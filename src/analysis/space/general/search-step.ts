import type { Evaluate } from '../../../net/unfold/unfold-evaluate.ts';
import type { Section } from './sections.ts';
import type { TokenIndex } from './token-index.ts';

/** A number that is known during a search: computed from slots, or a column of the token that an arc has found. */
export type Source = { readonly evaluate: Evaluate } | ColumnOf;

export interface ColumnOf {
  readonly arc: number;
  readonly column: number;
}

/** What must hold once its slots are bound: a part of the guard, or that an expression equals a column of a token. */
export interface Check {
  readonly evaluate: Evaluate;
  readonly column?: ColumnOf;
}

/** One step of a search: an arc finds a token, or a free variable takes a value. */
export type SearchStep = ArcStep | FreeStep;

export interface ArcStep {
  readonly arc: number;
  readonly section: Section;
  /** What every column must be: then there is one token at most. */
  readonly exact: readonly Source[] | undefined;
  /** What some of the columns must be, or what is computed from them. */
  readonly index: { readonly key: readonly Source[]; readonly tokens: TokenIndex } | undefined;
  readonly slots: readonly { readonly column: number; readonly slot: number; readonly bound: boolean }[];
  readonly checks: readonly Check[];
}

export interface FreeStep {
  readonly slot: number;
  readonly low: number;
  readonly high: number;
  /** What a part of the guard says it must be. */
  readonly value: Evaluate | undefined;
  readonly checks: readonly Check[];
}
