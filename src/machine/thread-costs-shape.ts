import type { ThreadCosts } from '../base/thread-costs.ts';
import { amount, object, optional, type Shape } from './shape.ts';

const DESCRIPTIONS: Readonly<Record<keyof ThreadCosts, string>> = {
  spawn: 'Making a task and putting it into a queue.',
  local: "A look into the worker's own queue.",
  steal: "Taking a task from another worker's queue.",
  search: 'A search of another queue that finds it empty.',
  fetch: 'Taking a task or chunk from a queue or counter that all workers share.',
  lock: 'An uncontended operation on a lock or other synchronisation object.',
  atomic: 'An atomic operation on a shared word.',
  wakeUp: 'From the release of a blocked thread, or the announcement of work, until it runs.',
  contextSwitch: 'Change from one thread to another on a processor.',
  create: 'Creating a thread of the operating system.',
  cacheLine: 'Transfer of one cache line between the caches of two cores.',
  osCall:
    'Call of the operating system that waits on one of its objects, sets it, or pulls a released thread (scheduler a0).',
  osNotify: 'From the notification by the operating system until a waiting scheduler thread runs (a0).',
  match: 'Finding the user thread of a released thread of the operating system, and marking it ready (a0).',
  swap: 'A compare-and-swap on scheduler data that scheduler threads change at the same time (a1, a2).',
  register: 'Looking for a scheduler thread in the registrations of a primitive, and adding it (a1).',
  notify: 'Notifying one registered scheduler thread (a1).',
  scan: 'Testing one blocked thread in a scan of a blocked queue (a1).',
  pull: 'Taking a released thread from a completion list (a2).',
  enqueue: 'Appending a thread to a queue of a cooperative scheduler.',
  dequeue: 'Taking a thread from a queue of a cooperative scheduler.',
  userSwitch: 'Change from one thread to another in user mode, by a cooperative scheduler.',
  remote: 'Additional time of an operation on data of a cooperative scheduler in the memory of another NUMA node.',
};

/** Names of the costs. */
export const THREAD_COSTS = Object.keys(DESCRIPTIONS) as readonly (keyof ThreadCosts)[];

/** Shape of the costs of thread operations; each may be omitted. */
export const threadCosts: Shape<Partial<ThreadCosts>> = object(
  'threads',
  Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, text]) => [name, optional(amount('time', 'zero', text))]),
  ) as { readonly [K in keyof ThreadCosts]: { readonly shape: Shape<number>; readonly required: false } },
  { description: 'Costs of thread operations: seconds, or with a unit, "50ns"; defaults: docs/threads.md.' },
);
