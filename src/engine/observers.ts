import type { LoggedFirings } from '../base/logged-firings.ts';

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
