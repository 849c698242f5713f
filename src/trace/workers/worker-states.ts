/**
 * States of a worker of a thread pool: it executes a task, looks for one in its own queue (LOCAL), looks for one elsewhere
 * (GLOBAL), or is idle (WAIT). Source: Pegushin and Kurylev, CN 102918501.
 */
export const WORKER_STATES = ['EXEC', 'LOCAL', 'GLOBAL', 'WAIT'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

/** Names of the calls by which workers look for tasks, in the run records of thread models. */
export const OWN_QUEUE = 'own queue';
export const OTHER_QUEUES = 'other queues';

/** Counters of the transitions of a worker, in the order of {@link TRANSITIONS}. */
export const COUNTERS = [
  'execExec',
  'execLocal',
  'localExec',
  'localGlobal',
  'globalGlobal',
  'globalExec',
  'globalWait',
  'waitGlobal',
] as const;
export type Counter = (typeof COUNTERS)[number];

/** Index of the counter of a transition, by 4 × (state before) + (state after); −1 for a transition that is impossible. */
const COUNTER_OF: readonly number[] = WORKER_STATES.flatMap((before) =>
  WORKER_STATES.map((after) =>
    COUNTERS.indexOf(`${before.toLowerCase()}${after.charAt(0)}${after.slice(1).toLowerCase()}` as Counter),
  ),
);

/** Index in {@link COUNTERS} of a transition between two states, given by their indices; −1 if it is impossible. */
export function counterOf(before: number, after: number): number {
  return COUNTER_OF[4 * before + after]!;
}

/** States that a worker can enter from a state, given by its index. */
export function successorsOf(state: number): readonly WorkerState[] {
  return WORKER_STATES.filter((_, after) => counterOf(state, after) >= 0);
}

/**
 * Receives the states of workers, each worker in the order of time. Times are in seconds; states and counters are indices
 * of {@link WORKER_STATES} and {@link COUNTERS}.
 */
export interface WorkerConsumer {
  /** A worker was in a state of a region from start to end. */
  span(worker: number, region: string, state: number, start: number, end: number): void;
  /** A worker made a transition within a region. */
  transition(worker: number, region: string, counter: number, time: number): void;
}
