import type { Truncation } from '../space/state-space.ts';
import type { Question } from './formula-of.ts';
import type { Proof } from './proof.ts';
import type { Known, Unit } from './units.ts';

/** A question that is open. */
export interface Open {
  readonly question: Question;
  /** Its parts that are not known. */
  readonly units: readonly Unit[];
  /** Whether it has an answer by now. */
  readonly settled: boolean;
  /** What a part of it is. */
  know(unit: Unit, known: Known): void;
  /** The answer as a whole. */
  answer(proof: Proof): void;
  /** Why it stays open, if it does; after so many markings. */
  because(reason: string, states?: number): void;
}

/** How far the exploration is. */
export interface Extent {
  readonly states: number;
  /** Why it has ended, if it has, before all was seen. */
  readonly ended: Truncation | undefined;
}

/** Answers questions by other means than the markings that are explored: asked where these turn out to be many. */
export interface Helper {
  /** Works on what is open, as much as so many explored markings are worth. */
  work(open: readonly Open[], extent: Extent): void;
  /** Why exploring on is of no use after so many states, if it is. */
  stops?(states: number): string | undefined;
}
