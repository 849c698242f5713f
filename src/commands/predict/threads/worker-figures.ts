import type { Counter } from '../../../trace/workers/worker-states.ts';

/**
 * Thread models: time of a worker of a pool or, with scheduler `os`, of a thread, in seconds. The parts from `computing` to
 * `idle` add up to the run time.
 */
export interface WorkerFigures {
  /** Number of the worker or thread, from 0. */
  readonly worker: number;
  /** Computing; threads that share cores may do so at reduced speed. */
  readonly computing: number;
  /** Loading and storing without computing. */
  readonly memory: number;
  /** Operations of the scheduler, of locks and of other objects. */
  readonly overhead: number;
  /** Blocked on an object or, with scheduler `os`, until threads have ended; wake-up included. */
  readonly waiting: number;
  /** Scheduler `os`, with more threads than cores: the part of waiting in which the thread waits for a processor. */
  readonly preempted?: number;
  /** Without work, until it has woken up; asleep; with scheduler `os` also before its creation and after its end. */
  readonly idle: number;
  /**
   * Workers of a pool: seconds in which it executes, looks into its own queue, searches other queues, and sleeps or is
   * blocked.
   */
  readonly states?: { readonly exec: number; readonly local: number; readonly global: number; readonly wait: number };
  /** Workers of a pool: numbers of transitions between these states. */
  readonly counters?: Readonly<Record<Counter, number>>;
}

/** Thread models: the scheduler, and how often it made each of its steps (firings of its transitions). */
export interface SchedulerFigures {
  /** Name of the scheduler. */
  readonly name: string;
  /** Number of firings by step. Open: names of transitions of the net that the model becomes. */
  readonly steps: Readonly<Record<string, number>>;
}

/** Thread models: use of the synchronisation objects of one name. */
export interface ObjectFigures {
  /** Name of the objects. */
  readonly name: string;
  /** `mutex`, `semaphore` …; `latch` for barriers and the ends of loops. */
  readonly kind: string;
  /** File of the statement that declares them; empty if unknown. */
  readonly file: string;
  /** Line of that statement, from 1; 0 if unknown. */
  readonly line: number;
  /** Number of objects: an array, or executions of a barrier. */
  readonly count: number;
  /** Number of acquisitions, tries, waits or atomic operations. */
  readonly acquisitions: number;
  /** Tries among these that have failed. Absent: none. */
  readonly failed?: number;
  /** Number of operations that had to wait. */
  readonly blocked: number;
  /** Time of all waits, in seconds. */
  readonly seconds: number;
  /** The part of these seconds in which strands spun on a core, of locks whose waiters do so. */
  readonly spinning?: number;
  /** The part in which those that spin waited for a core, with the switches. The rest they were parked. */
  readonly preempted?: number;
  /** Arrays: index of the object that was waited for longest, and for how many seconds. */
  readonly busiest?: {
    /** Index of the object. */
    readonly index: number;
    /** Time for which it was waited, in seconds. */
    readonly seconds: number;
  };
}

/** Thread models: a region that the main strand passes through; seconds, those of the workers summed over all. */
export interface RegionFigures {
  /** Name of the region. */
  readonly name: string;
  /** Number of executions. */
  readonly executions: number;
  /** Time in which the main strand is in the region, in seconds. */
  readonly seconds: number;
  /** Time of the workers computing, in seconds. */
  readonly computing: number;
  /** Time of the workers loading and storing without computing, in seconds. */
  readonly memory: number;
  /** Time of the workers in operations of the scheduler, of locks and of other objects, in seconds. */
  readonly overhead: number;
  /** Time of the workers blocked, in seconds. */
  readonly waiting: number;
  /** Time of the workers without work, in seconds. */
  readonly idle: number;
}
