/** Quantities of time, in the order of the table in docs/cli.md. */
export type TimeQuantity =
  | 'computing'
  | 'memory'
  | 'communicating'
  | 'waiting'
  | 'communicatingOrWaiting'
  | 'transferOrWait'
  | 'overhead'
  | 'waitingOrIdle'
  | 'idle';

/** A quantity of time as views and pages name it. */
export interface TimeWord {
  /** The word in sentences, tables and legends. */
  readonly label: string;
  /** Head of a narrow column. */
  readonly short: string;
  /** One line, in Markdown, for docs/cli.md. */
  readonly meaning: string;
}

/**
 * The words for the time of ranks, processes, workers and threads. One quantity has one word in all commands: views take their
 * labels from here, and docs/cli.md lists them. Members of result documents keep their own names, some of which come from
 * sources: `communication` of profiles is `communicatingOrWaiting`, `blocked` of calls is `transferOrWait`.
 *
 * "Blocked" is left to what can never continue: the ranks and strands of a deadlock.
 */
export const TIME_WORDS: Readonly<Record<TimeQuantity, TimeWord>> = {
  computing: {
    label: 'computing',
    short: 'comput',
    meaning: 'work on a core; a rank that waits for its own threads computes',
  },
  memory: { label: 'memory', short: 'memory', meaning: 'loading and storing, without computing at the same time' },
  communicating: {
    label: 'communicating',
    short: 'commun',
    meaning:
      'the transfer that a rank waits for is under way, or the rank is busy with the overhead of messages or accesses files',
  },
  waiting: {
    label: 'waiting',
    short: 'wait',
    meaning: 'before that: the partner, or the lock, is not ready; a strand sleeps within a task',
  },
  communicatingOrWaiting: {
    label: 'communicating or waiting',
    short: 'commun or wait',
    meaning:
      'the sum of these two; in `profile` (after its source "communication") also idle time before the end of a process. Nets of processes do not tell the two apart',
  },
  transferOrWait: {
    label: 'transfer or wait',
    short: 'transfer or wait',
    meaning: 'communicating or waiting, without overhead: calls and nodes in `profile`',
  },
  overhead: {
    label: 'overhead',
    short: 'overhead',
    meaning:
      'operations of the message system, of the scheduler, of locks and of other objects. `predict` and `whatif` count that of messages as communicating',
  },
  waitingOrIdle: {
    label: 'waiting or idle',
    short: 'wait or idle',
    meaning: 'the sum of waiting and idle time of workers: the inactive overhead of `diagnose`',
  },
  idle: { label: 'idle', short: 'idle', meaning: 'asleep, ended, or without work' },
};
