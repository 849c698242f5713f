/**
 * States of a worker of a thread pool: it executes a task, looks for one in its own queue (LOCAL), looks for one elsewhere
 * (GLOBAL), or is idle (WAIT). Source: Pegushin and Kurylev, CN 102918501.
 */
export const WORKER_STATES = ['EXEC', 'LOCAL', 'GLOBAL', 'WAIT'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

/**
 * How a worker's time is spent, in the words of predictions: it computes; executes operations of the scheduler or of objects,
 * or looks for a task; is blocked within a task; has no task.
 */
export const ACTIVITIES = ['computing', 'overhead', 'waiting', 'idle'] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Activity in a state, by its index, where the recording distinguishes no more. */
export const ACTIVITY_OF: readonly number[] = [0, 1, 1, 3];

/** Origins of tasks: the worker's own queue or thread, elsewhere, or before the beginning of the stay or period. */
export const ORIGINS = ['own', 'other', 'carried'] as const;
export const OWN = 0;
export const OTHER = 1;
export const CARRIED = 2;

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

/** Origin of the task that begins with a transition, by its counter; −1: none begins. */
const ORIGIN_OF: readonly number[] = COUNTERS.map((c) =>
  c === 'globalExec' ? OTHER : c === 'localExec' || c === 'execExec' ? OWN : -1,
);

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
 * Receives the states of workers, each worker in the order of time. Times are in seconds; states, counters, activities and
 * origins are indices of {@link WORKER_STATES}, {@link COUNTERS}, {@link ACTIVITIES} and {@link ORIGINS}.
 */
export interface WorkerConsumer {
  /**
   * A worker was in a state of a region from start to end.
   *
   * @param activity how the time was spent; default: {@link ACTIVITY_OF} the state
   */
  span(worker: number, region: string, state: number, start: number, end: number, activity?: number): void;
  /** A worker made a transition within a region. */
  transition(worker: number, region: string, counter: number, time: number): void;
  /** A worker begins a task of a region; `count` tasks if it begins several in this instant. */
  task?(worker: number, region: string, origin: number, time: number, count?: number): void;
  /** A worker was in a state of the user's own, which refines the state of its span. */
  own?(worker: number, region: string, name: string, start: number, end: number): void;
  /** A worker begins a stay in an execution of a region. */
  stay?(worker: number, region: string, time: number): void;
}

/** A recorded worker begins a stay in a state; in EXEC, the task has begun before. */
export function begins(consumer: WorkerConsumer, worker: number, region: string, state: number, time: number): void {
  consumer.stay?.(worker, region, time);
  if (state === 0) consumer.task?.(worker, region, CARRIED, time);
}

/** A recorded worker makes a transition, with which a task may begin. */
export function transition(
  consumer: WorkerConsumer,
  worker: number,
  region: string,
  counter: number,
  time: number,
): void {
  consumer.transition(worker, region, counter, time);
  const origin = ORIGIN_OF[counter]!;
  if (origin >= 0) consumer.task?.(worker, region, origin, time);
}
