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
