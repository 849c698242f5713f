import type { Evaluate } from '../../../net/unfold/unfold-evaluate.ts';
import type { Section } from './sections.ts';
import type { TokenIndex } from './token-index.ts';

/** A value known during a search: computed from slots, or a column of the token chosen for an arc. */
export type Source = { readonly evaluate: Evaluate } | ColumnOf;

/** A column of the token chosen for an arc. */
export interface ColumnOf {
  readonly arc: number;
  readonly column: number;
}

/** A condition on bound slots: a conjunct of the guard, or equality of an expression with a column of a token. */
export interface Check {
  readonly evaluate: Evaluate;
  readonly column?: ColumnOf;
}

/** One step of a search: chooses a token for an arc, or a value for a free variable. */
export type SearchStep = ArcStep | FreeStep;

/** Chooses a token for an arc. */
export interface ArcStep {
  readonly arc: number;
  readonly section: Section;
  /** Required values of all columns, if known: at most one colour matches. */
  readonly exact: readonly Source[] | undefined;
  /** Required values of some columns, or of expressions over them. */
  readonly index: { readonly key: readonly Source[]; readonly tokens: TokenIndex } | undefined;
  readonly slots: readonly { readonly column: number; readonly slot: number; readonly bound: boolean }[];
  readonly checks: readonly Check[];
}

/** Chooses a value for a free variable. */
export interface FreeStep {
  readonly slot: number;
  readonly low: number;
  readonly high: number;
  /** The value determined by the guard, if any. */
  readonly value: Evaluate | undefined;
  readonly checks: readonly Check[];
}
