import type { MarkingView, Step } from '../space/state-space.ts';
import type { Formula } from './property.ts';

/** A way from the initial marking that was found beside the exploration. */
export interface FoundPath {
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
