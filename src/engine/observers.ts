import type { LoggedFirings } from '../base/logged-firings.ts';
import type { Expression } from '../net/expression.ts';

/** Called for every firing of a transition with the time in seconds and the values of its variables, in the order of `variables`. */
export type Observer = (time: number, ...binding: number[]) => void;

/** Observers of one transition. */
export interface TransitionObserver {
  /** Called at the start of a firing; for an immediate transition or a race, at its firing. */
  readonly start?: Observer;
  /** Called at the end of a holding firing; never for immediate transitions and races. */
  readonly end?: Observer;
}

/**
 * Called for every change of the number of tokens in a place, including those in service, with the time in seconds and the change:
 * +1 or −1; for a coloured place (`CompileOptions.coloured`) also with the values of the token. The initial marking is not reported.
 */
export type CountObserver = (time: number, change: number, ...values: number[]) => void;

/** The numbers that identify a transition's events in a log: 32-bit integers. */
export interface LogNumbers {
  /** Number of a start; for an immediate transition or a race, of its firing. Omitted: starts are not logged. */
  readonly start?: number;
  /** Number of an end. Omitted: ends are not logged. */
  readonly end?: number;
  /** Names of the variables to be logged, or the number of the first ones; default all. */
  readonly variables?: number | readonly string[];
}

/** Log of firings in blocks, for observers that must be fast. The first logged variable of a transition must fit 32 bits. */
export interface FiringLog {
  /** The transitions to be logged, by name. */
  readonly transitions: Readonly<Record<string, LogNumbers>>;
  /** Called with firings in their order, at the latest when `run` returns; the first `length` numbers of the log are valid. */
  read(log: LoggedFirings, length: number): void;
}

/** The observers of a run. */
export interface Observed {
  readonly observers: Readonly<Record<string, TransitionObserver>>;
  readonly counts: Readonly<Record<string, CountObserver>>;
  readonly conflicts: ((one: string, other: string) => void) | undefined;
  readonly log?: FiringLog | undefined;
}

/**
 * Figures that the compiled code integrates over time: the tokens of every place, whether every transition is in progress or its
 * clock runs, and values of terms. Much faster than observers.
 */
export interface Measures {
  /** Token counts, tokens in service included; with `colour` of tokens with these values only. */
  readonly counts: readonly { readonly place: string; readonly colour?: readonly number[] }[];
  /** Terms whose variables `0`, `1`, … are the counts. */
  readonly values: readonly Expression[];
}

/** Integrals over time since the last reading, in token-seconds and seconds. */
export interface Integrals {
  /** Length of the interval in seconds. */
  readonly seconds: number;
  /** By place, in the order of the net: ∫ tokens dt. */
  readonly tokens: Float64Array;
  /** By transition, in the order of the net: time in which the clock of a race runs, or a holding firing is in progress. */
  readonly enabled: Float64Array;
  /** By value of {@link Measures}: ∫ value dt. */
  readonly values: Float64Array;
}
