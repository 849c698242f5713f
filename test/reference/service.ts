import type { Place } from '../../src/net/net.ts';

/** A token in service, or waiting for it. */
export interface Customer {
  readonly values: readonly number[];
  /** When its service was started or resumed, among all starts; undefined while it waits. */
  started: number | undefined;
}

/** What the token game asks of a place with a service (S4, S5). */
export interface Service {
  readonly place: Place;
  /** All tokens that cannot be seen yet. */
  readonly customers: readonly Customer[];
  /** A token comes. */
  enter(values: readonly number[], clock: Clockwork): void;
  /** Of the tokens that are served by now, the one whose service was started first. */
  due(clock: Clockwork): Customer | undefined;
  /** A token that is due goes. */
  leave(customer: Customer, clock: Clockwork): void;
  /** When the next token will be served; Infinity where none is in service. */
  next(now: number): number;
  /** Time goes on. */
  pass(from: number, to: number): void;
}

/** The time, and the number of each start. */
export interface Clockwork {
  readonly now: number;
  /** What ends by then is due at this instant (S12). */
  readonly limit: number;
  nextStart(): number;
}
