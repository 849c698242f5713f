import type { GivenProperty } from '../commands/verify/net/verify-questions.ts';
import type { FinishOptions } from './finish.ts';
import type { MatcherOptions } from './matcher-options.ts';

/**
 * Matchers on a net or a program model; a model is checked as its net on the machine and ranks given by the options. Each
 * matcher can be negated with `.not`. If a limit is reached before the answer is known, both forms fail with UNKNOWN.
 */
export interface NetMatchers<R = unknown> {
  /** No place ever holds more than one token of the same colour. */
  toBeSafe(options?: MatcherOptions): R;
  /** No place ever holds more than `k` tokens of the same colour. */
  toBeBounded(k: number, options?: MatcherOptions): R;
  /** Every reachable marking enables a step or is final. For a thread model: no strand waits forever. */
  toBeDeadlockFree(options?: MatcherOptions): R;
  /** From every reachable marking, every transition can become enabled again. */
  toBeLive(options?: MatcherOptions): R;
  /**
   * The final marking can always be reached, no transition is dead, and no tokens are left over. For a net `final` is required:
   * `{ final: { done: 1 } }`. For a thread model: all properties of `foretoken verify`.
   */
  toBeSound(options?: MatcherOptions): R;
  /** A weighted sum of tokens is invariant: `{ free: 1, full: 1 }`. Proved by y · C = 0, otherwise checked in all markings. */
  toConserve(weights: Readonly<Record<string, number>>, options?: MatcherOptions): R;
  /**
   * Runs end within this time. Without random elements a single run decides it exactly. Otherwise the quantile of the run time
   * (default 0.95) must not exceed `seconds` at the given confidence (default 0.95); it is estimated by replications (default
   * 200).
   */
  toFinishWithin(seconds: number, options?: FinishOptions): R;
  /** Some reachable marking satisfies the formula: `'tokens(done) = 2'`. */
  toReach(formula: GivenProperty, options?: MatcherOptions): R;
  /** No reachable marking satisfies the formula. */
  toNeverReach(formula: GivenProperty, options?: MatcherOptions): R;
}

/** The property holds: `'AG(enabled(ask) -> AF enabled(answer))'`, `'reversible'`. */
export type SatisfyProperty<R = unknown> = (property: GivenProperty, options?: MatcherOptions) => R;
