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
 * What happens when a lock is released that others wait for. `barging`: the lock is free, one waiter (all waiters of a
 * reader-writer lock) is woken and tries again, and whoever comes first takes it. `handed-over`: the first waiter has it.
 * `spin`: as handed over, but waiters keep their cores.
 */
export const LOCK_KINDS = ['barging', 'handed-over', 'spin'] as const;
/** Kinds of locks: what happens at a release that others wait for. */
export type LockKind = (typeof LOCK_KINDS)[number];
