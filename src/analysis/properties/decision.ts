import type { Budget } from '../space/budget.ts';
import type { Question } from './formula-of.ts';
import type { Helper } from './helper.ts';
import type { Proof } from './proof.ts';
import type { Formula } from './property.ts';
import type { Known, Unit } from './units.ts';

/** What is known of a question, and of the parts it is made of. */
export interface Decision {
  readonly question: Question;
  /** True, false, the number of an upper bound, Infinity where there is none; undefined: not known. */
  readonly value: boolean | number | undefined;
  readonly units: ReadonlyMap<Formula, Unit>;
  readonly known: ReadonlyMap<Formula, Known>;
  /** Of a largest sum that is not known: the largest that was found. */
  readonly atLeast?: number;
  /** Of bounds: the largest number of tokens of each place, in the order of the net. */
  readonly bounds?: readonly number[];
  /** States that were found when it was decided. */
  readonly states: number;
  /** Why it is not known, where it is not only for the limit of the exploration. */
  readonly reason?: string;
  /** Why it is known, where that is not for the states. */
  readonly proof?: Proof;
}

export interface DecideOptions {
  /** Which markings a run may end in. */
  readonly final?: Formula;
  /** Bytes that edges may take. */
  readonly bytes: number;
  readonly cancelled?: () => boolean;
  /** What all of the work may take: it ends where time is over, and nothing large is made where memory is short. */
  readonly budget?: Budget;
  /** Answers a question without states, if it can: asked where these turn out to be many. */
  readonly prove?: (question: Question) => Proof | undefined;
  /** Others that answer questions: asked from the same point on, the earlier ones first. */
  readonly helpers?: readonly Helper[];
  /** Answers instead of the exploration, of which then only the initial marking is looked at. */
  readonly instead?: Helper;
  /** StatementInfo what is done when exploring is over. */
  readonly stage?: (stage: 'exploring' | 'edges' | 'formulas') => void;
}
