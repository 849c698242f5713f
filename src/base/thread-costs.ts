/**
 * Costs of thread operations in seconds. Defaults are magnitudes of processors with 2 to 3 GHz; docs/threads.md
 * lists the measurements that they are taken from.
 */
export interface ThreadCosts {
  /** Spawning a task: making it and putting it into a queue. */
  readonly spawn: number;
  /** A look into the worker's own queue. */
  readonly local: number;
  /** Taking a task from another worker's queue. */
  readonly steal: number;
  /** A search of another queue that finds it empty. */
  readonly search: number;
  /** Taking a task or chunk from a queue or counter that all workers share. */
  readonly fetch: number;
  /** An uncontended operation on a lock or other synchronisation object. */
  readonly lock: number;
  /** An atomic operation on a shared word. */
  readonly atomic: number;
  /** From the release of a blocked thread or the announcement of work until it runs again. */
  readonly wakeUp: number;
  /** Change from one thread to another on a processor. */
  readonly contextSwitch: number;
  /** Creating a thread of the operating system. */
  readonly create: number;
  /** Transfer of one cache line between the caches of two cores. */
  readonly cacheLine: number;
}

export const DEFAULT_COSTS: ThreadCosts = {
  spawn: 50e-9,
  local: 20e-9,
  steal: 500e-9,
  search: 100e-9,
  fetch: 60e-9,
  lock: 25e-9,
  atomic: 25e-9,
  wakeUp: 5e-6,
  contextSwitch: 2e-6,
  create: 15e-6,
  cacheLine: 65e-9,
};
