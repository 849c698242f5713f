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
  /** An operation on a reader-writer lock that need not wait. */
  readonly rwLock: number;
  /** An atomic operation on a shared word. */
  readonly atomic: number;
  /** From the release of a blocked thread or the announcement of work until it runs again. */
  readonly wakeUp: number;
  /** Call of the operating system that wakes a parked thread, in the thread that makes it: unlocking with waiters, waking a team. */
  readonly wake: number;
  /** Longest time that a waiter of a lock of kind `spin-then-park` spins before it parks. */
  readonly spinFor: number;
  /** Arriving at a barrier, and finding it complete or not. */
  readonly barrier: number;
  /** From the release of a spin lock until a spinning thread has it. */
  readonly spin: number;
  /** Additional time of the hand-over of a spin lock for each thread that goes on spinning. */
  readonly spinner: number;
  /** Change from one thread to another on a processor. */
  readonly contextSwitch: number;
  /**
   * Time after which a thread of the operating system gives its processor back if others wait. 0: threads beyond the number of
   * processors share them evenly, without switches.
   */
  readonly timeSlice: number;
  /** Filling the cache again, by a thread that others have displaced from its processor. */
  readonly cacheRefill: number;
  /** Creating a thread of the operating system, in the thread that creates it. */
  readonly create: number;
  /** Transfer of one cache line between the caches of two cores. */
  readonly cacheLine: number;
  /** Call of the operating system that waits on one of its objects, sets it, or pulls a released thread (scheduler `a0`). */
  readonly osCall: number;
  /** From the notification by the operating system until an idle scheduler thread runs (`a0`, `a1`). */
  readonly osNotify: number;
  /** Finding the user thread of a released thread of the operating system, and marking it ready (`a0`). */
  readonly match: number;
  /** A compare-and-swap on scheduler data that scheduler threads change at the same time (`a1`, `a2`). */
  readonly swap: number;
  /** Looking for a scheduler thread in the registrations of a primitive, and adding it (`a1`). */
  readonly register: number;
  /** Notifying one registered scheduler thread (`a1`). */
  readonly notify: number;
  /** Testing one blocked thread in a scan of a blocked queue (`a1`). */
  readonly scan: number;
  /** Taking a released thread from a completion list (`a2`). */
  readonly pull: number;
  /** Appending a thread to a queue of a cooperative scheduler. */
  readonly enqueue: number;
  /** Taking a thread from a queue of a cooperative scheduler. */
  readonly dequeue: number;
  /** Change from one thread to another in user mode, by a cooperative scheduler. */
  readonly userSwitch: number;
  /** Additional time of an operation on data of a cooperative scheduler in the memory of another NUMA node. */
  readonly remote: number;
  /** Allocating an entry of a queue of a cooperative scheduler whose memory is not buffered, and freeing it (`a1`, `a2`). */
  readonly allocate: number;
}

export const DEFAULT_COSTS: ThreadCosts = {
  spawn: 50e-9,
  local: 20e-9,
  steal: 500e-9,
  search: 100e-9,
  fetch: 60e-9,
  lock: 7e-9,
  rwLock: 12e-9,
  atomic: 12e-9,
  spin: 28e-9,
  spinner: 32e-9,
  spinFor: 2e-6,
  barrier: 7e-9,
  wake: 5e-6,
  wakeUp: 5e-6,
  contextSwitch: 2e-6,
  timeSlice: 3e-3,
  cacheRefill: 10e-6,
  create: 15e-6,
  cacheLine: 65e-9,
  osCall: 500e-9,
  osNotify: 5e-6,
  match: 200e-9,
  swap: 65e-9,
  register: 250e-9,
  notify: 130e-9,
  scan: 6e-9,
  pull: 20e-9,
  enqueue: 20e-9,
  dequeue: 20e-9,
  userSwitch: 50e-9,
  remote: 40e-9,
  allocate: 300e-9,
};
