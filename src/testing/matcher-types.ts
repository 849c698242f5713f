import type { GivenProperty } from '../app/verify/verify-questions.ts';
import type { FinishOptions } from './finish.ts';
import type { MatcherOptions } from './matcher-options.ts';

/**
 * Matchers on a net, or on a model of a program (then of its net on the machine and the ranks that the options name). Each
 * has its opposite by `.not`. Where a limit is reached before the answer is known, both fail and say UNKNOWN.
 */
export interface NetMatchers<R = unknown> {
  /** No place ever holds more than one token of one colour. */
  toBeSafe(options?: MatcherOptions): R;
  /** No place ever holds more than `k` tokens of one colour. */
  toBeBounded(k: number, options?: MatcherOptions): R;
  /** In every marking something can happen, or it is final. */
  toBeDeadlockFree(options?: MatcherOptions): R;
  /** From every marking, every transition can become possible again. */
  toBeLive(options?: MatcherOptions): R;
  /**
   * The final marking stays possible, no transition is dead, and nothing is left over. Of a net `final` has to be given:
   * `{ final: { done: 1 } }`.
   */
  toBeSound(options?: MatcherOptions): R;
  /** A weighted sum of tokens is the same in every marking: `{ free: 1, full: 1 }`. By y · C = 0, or else by the markings. */
  toConserve(weights: Readonly<Record<string, number>>, options?: MatcherOptions): R;
  /**
   * Runs end by that time: exactly, by one run, where nothing is drawn; otherwise the quantile of the run time (default 0.95)
   * is at most so many seconds, at a confidence (default 0.95), by replications (default 200).
   */
  toFinishWithin(seconds: number, options?: FinishOptions): R;
  /** Some marking that can be reached is as the formula says: `'tokens(done) = 2'`. */
  toReach(formula: GivenProperty, options?: MatcherOptions): R;
  /** No marking that can be reached is as the formula says. */
  toNeverReach(formula: GivenProperty, options?: MatcherOptions): R;
}

/** A property of the language holds: `'AG(enabled(ask) -> AF enabled(answer))'`, `'reversible'`. */
export type SatisfyProperty<R = unknown> = (property: GivenProperty, options?: MatcherOptions) => R;
