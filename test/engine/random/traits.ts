import type { Tape } from './tape.ts';

/** Optional features of a random net, switched on or off for the whole net. */
export interface Traits {
  readonly composite: boolean;
  readonly priorityQueues: boolean;
  readonly stations: boolean;
  readonly sharing: boolean;
  readonly capacity: boolean;
  readonly reset: boolean;
  readonly inhibit: boolean;
  /** Arcs with weights above 1. */
  readonly counts: boolean;
  readonly free: boolean;
  readonly guards: boolean;
  readonly priority: boolean;
  readonly weight: boolean;
  readonly race: boolean;
  /** Races with age memory or resampling. */
  readonly memory: boolean;
  /** Speeds of races, and speeds and weights that count tokens. */
  readonly speed: boolean;
  readonly distributions: boolean;
  readonly calls: boolean;
  /** Transitions with a process, which has its own random stream. */
  readonly processes: boolean;
  /** Possible kind of failure; only one, so that the first failure is unambiguous. */
  readonly failure: Failure | undefined;
}

/** The same traits without failures. */
export function withoutFailure(traits: Traits): Traits {
  return { ...traits, failure: undefined };
}

/**
 * Code of the failure; `guard` means RUN003 in guards, which do not fail otherwise (S7). Patterns and queue priorities never
 * fail.
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
  | 'RUN017'
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
  'RUN017',
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
    race: tape.chance(40) || failure === 'RUN017',
    distributions: tape.chance(35) || failure === 'RUN015',
    calls: tape.chance(15) || failure === 'RUN009',
    memory: tape.chance(40),
    speed: tape.chance(40) || failure === 'RUN017',
    processes: tape.chance(50) || failure === 'RUN015',
  };
}
