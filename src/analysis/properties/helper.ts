import type { MarkingView, Step, Truncation } from '../space/state-space.ts';
import type { Proof } from './decision.ts';
import type { Question } from './formula-of.ts';
import type { Formula } from './property.ts';
import type { Known, Unit } from './units.ts';

/** What an answer rests on that was found beside the exploration. */
export type Ground =
  | {
      readonly kind: 'reduced space';
      readonly method: 'stubborn' | 'structural' | 'symmetry' | 'all';
      /** Markings that were found there, and firings that were followed. */
      readonly states: number;
      readonly edges: number;
    }
  | {
      readonly kind: 'coverability';
      /** In one line. */
      readonly because: string;
    };

/** A way from the initial marking that was found beside the exploration. */
export interface FoundWay {
  readonly steps: readonly Step[];
  /** From which step on it repeats for ever. */
  readonly loop?: number;
  /** What it shows, where that is not the formula. */
  readonly shows?: string;
  /** True where none is shorter. */
  readonly shortest: boolean;
  /** Where it ends. */
  readonly marking: Pick<MarkingView, 'places'>;
  /** Whether a formula without path operators holds where it ends. */
  holds(formula: Formula): boolean;
  /** Whether something can start in the marking before a step. O(transitions). */
  canStart(step: number): boolean;
}

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
