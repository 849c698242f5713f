import type { MarkingView, Step } from '../space/state-space.ts';
import type { Formula } from './property.ts';

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
