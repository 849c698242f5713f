import type { MarkingView, Step } from '../space/state-space.ts';
import type { Formula } from './property.ts';

/** The basis of an answer that does not come from the exploration. */
export type Ground =
  | {
      /** Searches of a reduced net that preserves the answer. */
      readonly kind: 'reduced space';
      readonly method: 'stubborn' | 'structural' | 'symmetry' | 'all';
      /** Markings found and firings followed in the reduced net. */
      readonly states: number;
      readonly edges: number;
    }
  | {
      /** Coverability: Karp-Miller trees, or backward search from the markings to be covered. */
      readonly kind: 'coverability';
      /** Reason in one line. */
      readonly because: string;
    };

/** An answer derived without the state space. */
export interface Proof {
  readonly value: boolean | number;
  /** For `bounds`: maximum tokens of each place, as in a decision; null if only the overall maximum is known. */
  readonly bounds?: readonly number[] | null;
  /** The method that proves it; `because` gives the reason in one line. */
  readonly by: string;
  readonly because: string;
  /** Set unless structural analysis proves it. */
  readonly ground?: Ground;
  /** A path that shows it. */
  readonly path?: FoundPath;
}

/** A path from the initial marking that was found by other means than the exploration. */
export interface FoundPath {
  readonly steps: readonly Step[];
  /** Number of the step (from 0) at which a cycle begins that repeats forever. */
  readonly loop?: number;
  /** The statement it proves, if different from the formula. */
  readonly shows?: string;
  /** True if no shorter path exists. */
  readonly shortest: boolean;
  /** The marking at its end. */
  readonly marking: Pick<MarkingView, 'places'>;
  /** True if a formula without path operators holds at its end. */
  holds(formula: Formula): boolean;
  /** True if some step can start in the marking before step k (from 0). O(transitions). */
  canStart(step: number): boolean;
}
