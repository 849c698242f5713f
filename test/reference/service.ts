import type { Place } from '../../src/net/net.ts';

/** A token in service, or waiting for it. */
export interface Customer {
  readonly values: readonly number[];
  /** Number of its service start or resumption among all starts; `undefined` while it waits. */
  started: number | undefined;
}

/** Interface of a service to the token game (S4, S5). */
export interface Service {
  readonly place: Place;
  /** All tokens that are not yet visible. */
  readonly customers: readonly Customer[];
  /** A token arrives. */
  enter(values: readonly number[], clock: Clockwork): void;
  /** Among the tokens that are due, the one whose service was started first. */
  due(clock: Clockwork): Customer | undefined;
  /** Removes a token that is due. */
  leave(customer: Customer, clock: Clockwork): void;
  /** Time of the next completion; Infinity if no token is in service. */
  next(now: number): number;
  /** Advances the time. */
  pass(from: number, to: number): void;
}

/** The time, and numbers for service starts. */
export interface Clockwork {
  readonly now: number;
  /** Services that end by this time are due now (S12). */
  readonly limit: number;
  nextStart(): number;
}
