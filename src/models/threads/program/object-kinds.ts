/** Kinds of synchronisation objects that a thread model declares. */
export const OBJECT_KINDS = [
  'mutex',
  'rwlock',
  'semaphore',
  'event',
  'autoEvent',
  'condition',
  'barrier',
  'atomic',
  'counter',
] as const;
/** A kind of synchronisation object. */
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/**
 * The next owner of a lock that is released while others wait for it. `barging`: the lock is free, one waiter (all waiters of a
 * reader-writer lock) is woken and tries again, and whoever comes first takes it. `handed-over`: the first waiter has it.
 * `spin`: as handed over, but waiters keep their cores. `spin-then-park`: as barging, but waiters spin for a time before they park.
 * `readers-first`, `writers-first`: reader-writer locks that are handed over, to those first.
 */
export const MUTEX_KINDS = ['barging', 'handed-over', 'spin', 'spin-then-park'] as const;
export const RWLOCK_KINDS = ['barging', 'handed-over', 'readers-first', 'writers-first'] as const;
/** Priority of the holder of a mutex: its own (`none`), or at least that of each waiter (`inherit`). */
export const PRIORITY_PROTOCOLS = ['none', 'inherit'] as const;
export type PriorityProtocol = (typeof PRIORITY_PROTOCOLS)[number];
export type MutexKind = (typeof MUTEX_KINDS)[number];
export type RwlockKind = (typeof RWLOCK_KINDS)[number];
export type LockKind = MutexKind | RwlockKind;
