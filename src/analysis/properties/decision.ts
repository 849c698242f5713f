import type { Budget } from '../space/budget.ts';
import type { Question } from './formula-of.ts';
import type { Helper } from './helper.ts';
import type { Proof } from './proof.ts';
import type { Formula } from './property.ts';
import type { Known, Unit } from './units.ts';

/** The result for a question and for the units it consists of. */
export interface Decision {
  readonly question: Question;
  /** Boolean for formulas, number for upper bounds (Infinity if unbounded); undefined if unknown. */
  readonly value: boolean | number | undefined;
  readonly units: ReadonlyMap<Formula, Unit>;
  readonly known: ReadonlyMap<Formula, Known>;
  /** Lower bound of an unknown maximum: the largest value found. */
  readonly atLeast?: number;
  /** For `bounds`: the maximum number of tokens of each place, in the order of the net. */
  readonly bounds?: readonly number[];
  /** Number of states found when the question was decided. */
  readonly states: number;
  /** Why the value is unknown, unless the limit of the exploration is the only reason. */
  readonly reason?: string;
  /** The proof of a value that was not derived from states. */
  readonly proof?: Proof;
}

/** Options of a `Decider`. */
export interface DecideOptions {
  /** Formula of the markings in which a run may end. */
  readonly final?: Formula;
  /** Memory limit of the edges, in bytes. */
  readonly bytes: number;
  readonly cancelled?: () => boolean;
  /** Limits of the whole work: it ends when time is over, and large allocations respect the memory left. */
  readonly budget?: Budget;
  /** Tries to answer a question without states; called once many states have been found. */
  readonly prove?: (question: Question) => Proof | undefined;
  /** Other procedures that answer questions, in order; called from the same point on. */
  readonly helpers?: readonly Helper[];
  /** Replaces the exploration, which then provides the initial marking only. */
  readonly instead?: Helper;
  /** Called with the stage of the work that begins. */
  readonly stage?: (stage: 'exploring' | 'edges' | 'formulas') => void;
}
