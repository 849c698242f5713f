import type { Tape } from './tape.ts';

/** What a random net may contain beyond plain places and transitions: switched on or off for a net as a whole. */
export interface Traits {
  readonly composite: boolean;
  readonly priorityQueues: boolean;
  readonly stations: boolean;
  readonly sharing: boolean;
  readonly capacity: boolean;
  readonly reset: boolean;
  readonly inhibit: boolean;
  /** Arcs that ask for several tokens. */
  readonly counts: boolean;
  readonly free: boolean;
  readonly guards: boolean;
  readonly priority: boolean;
  readonly weight: boolean;
  readonly race: boolean;
  readonly distributions: boolean;
  readonly calls: boolean;
  /** Transitions that a process performs, which draws for it. */
  readonly processes: boolean;
  /** How it may fail, if at all: one way only, so that unknown question which failure comes first. */
  readonly failure: Failure | undefined;
}

/** The same traits without failures. */
export function withoutFailure(traits: Traits): Traits {
  return { ...traits, failure: undefined };
}

/**
 * The code of the failure; `guard` is RUN003 in guards, which else do not fail (S7). Patterns and the priorities of queues
 * never do.
 */
export type Failure =
  | 'RUN002'
  | 'RUN003'
  | 'RUN004'
  | 'RUN005'
  | 'RUN006'
  | 'RUN007'
  | 'RUN008'
  | 'RUN009'
  | 'RUN015'
  | 'guard';

const FAILURES: readonly Failure[] = [
  'RUN002',
  'RUN003',
  'RUN004',
  'RUN005',
  'RUN006',
  'RUN007',
  'RUN008',
  'RUN009',
  'RUN015',
  'guard',
  'guard',
];

export function drawTraits(tape: Tape): Traits {
  const failure = tape.chance(12) ? tape.pick(FAILURES) : undefined;
  return {
    failure,
    composite: tape.chance(20),
    priorityQueues: tape.chance(30),
    stations: tape.chance(30),
    sharing: tape.chance(20) || failure === 'RUN006' || failure === 'RUN007',
    capacity: tape.chance(25),
    reset: tape.chance(25),
    inhibit: tape.chance(35),
    counts: tape.chance(40),
    free: tape.chance(25),
    guards: tape.chance(40) || failure === 'guard',
    priority: tape.chance(25),
    weight: tape.chance(25) || failure === 'RUN008',
    race: tape.chance(40),
    distributions: tape.chance(35) || failure === 'RUN015',
    calls: tape.chance(15) || failure === 'RUN009',
    processes: tape.chance(50) || failure === 'RUN015',
  };
}
