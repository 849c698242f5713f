import type { LoggedFirings } from '../base/logged-firings.ts';
import { didYouMean, fail, shown } from '../base/problem.ts';

/** Is told of every firing of a transition: time in seconds, then the variables in the order of `variables`. */
export type Observer = (time: number, ...binding: number[]) => void;

/**
 * Observers of one transition: of its start (or its firing, if it is immediate or a race) and of its end (only where a
 * firing lasts).
 */
export interface TransitionObserver {
  readonly start?: Observer;
  readonly end?: Observer;
}

/** Is told of every change of the number of tokens in a place, those in service included: +1 or −1. */
export type CountObserver = (time: number, change: number) => void;

/** By which numbers a log tells of a transition's starts (or firings) and ends. */
export interface LogNumbers {
  readonly start?: number;
  readonly end?: number;
  /** Which of the transition's variables are told, by their names, or how many of the first ones; default all. */
  readonly variables?: number | readonly string[];
}

/**
 * The variables that a log tells, of the names of all.
 *
 * @throws InputError SIM001
 */
export function loggedVariables({ variables }: LogNumbers, names: readonly string[]): readonly string[] {
  if (typeof variables !== 'object') return names.slice(0, variables);
  for (const v of variables)
    if (!names.includes(v))
      fail('SIM001', `unknown variable ${shown(v)}.${didYouMean(String(v), names)}`, { part: 'compile' });
  return variables;
}

/**
 * Firings in blocks, for observers that must be fast: `read` gets them in order, at the latest when a run returns; `length`
 * numbers count. The first variable that a transition tells must be of a colour of 32 bits.
 */
export interface FiringLog {
  readonly transitions: Readonly<Record<string, LogNumbers>>;
  read(log: LoggedFirings, length: number): void;
}

/** What observes a game. */
export interface Observed {
  readonly observers: Readonly<Record<string, TransitionObserver>>;
  readonly counts: Readonly<Record<string, CountObserver>>;
  readonly log?: FiringLog | undefined;
}
