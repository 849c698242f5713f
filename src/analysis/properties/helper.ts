import type { Truncation } from '../space/state-space.ts';
import type { Question } from './formula-of.ts';
import type { Proof } from './proof.ts';
import type { Known, Unit } from './units.ts';

/** An open question, as helpers see it. */
export interface Open {
  readonly question: Question;
  /** The units of the formula that are still unknown. */
  readonly units: readonly Unit[];
  /** True once the question is answered. */
  readonly settled: boolean;
  /** Records the value of a unit. */
  know(unit: Unit, known: Known): void;
  /** Records the answer to the whole question. */
  answer(proof: Proof): void;
  /** Records why the question stays open, and after how many markings. */
  because(reason: string, states?: number): void;
}

/** The progress of the exploration. */
export interface Extent {
  readonly states: number;
  /** Why the exploration was truncated; undefined if it was not. */
  readonly ended: Truncation | undefined;
}

/** Answers questions by other means than exploration; called once many states have been found. */
export interface Helper {
  /** Works on the open questions, with effort proportional to the number of explored states. */
  work(open: readonly Open[], extent: Extent): void;
  /** Why exploration beyond this number of states is useless; undefined if it is not. */
  stops?(states: number): string | undefined;
}
