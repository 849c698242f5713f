import { OPERATION, type Schedule, type ScheduledOperation } from '../../trace/goal/schedule.ts';

/** A marking whose tokens have times. */
interface TimedMarking {
  tokens(place: string): readonly { readonly values: readonly number[]; readonly time: number }[];
}

/** A rank that cannot go on, and the operation that it waits in. */
export interface BlockedOperation {
  readonly rank: number;
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  /** The ranks that it waits for; null: any. */
  readonly waitsFor: readonly number[] | null;
  /** Seconds. */
  readonly since: number;
}

/** The blocked ranks of a marking. The tokens of the `timed` places need their times. */
export interface BlockedOf {
  readonly timed: readonly string[];
  of(marking: TimedMarking): BlockedOperation[];
  /** Messages that no receive has taken, in words. */
  unmatched(marking: TimedMarking): { readonly message: string; readonly line: number }[];
}

/** Messages that are named; the others are counted. */
const MAX_NAMED = 10;

/**
 * The ranks of a schedule that have not ended: those with a receive without a message, or with a large send without a receive, in the
 * order of the file; otherwise those with operations that require each other in a cycle.
 */
export function blockedInSchedule(schedule: Schedule, file: string): BlockedOf {
  const { operations, ranks } = schedule;
  return {
    timed: ['posted', 'held', 'required'],
    unmatched: (marking) => {
      const all = marking.tokens('came').map(({ values }) => operations[values[3]!]!);
      const named = all.slice(0, MAX_NAMED).map(({ rank, peer, text, line }) => ({
        message: `no receive of rank ${peer} takes the message of rank ${rank}: ${text}`,
        line,
      }));
      const more = all.length - named.length;
      return more > 0 ? [...named, { message: `${more} more messages are taken by no receive`, line: 0 }] : named;
    },
    of: (marking) => {
      const ended = new Set(marking.tokens('ended').map(({ values }) => values[0]!));
      const found = new Map<number, BlockedOperation>();
      const note = (
        operation: ScheduledOperation,
        waitsFor: readonly number[] | null,
        since: number,
        text = operation.text,
      ): void => {
        const known = found.get(operation.rank);
        if (known !== undefined && known.line <= operation.line) return;
        const { rank, line } = operation;
        found.set(rank, { rank, operation: text, file, line, waitsFor, since });
      };
      for (const { values, time } of marking.tokens('posted')) {
        const operation = operations[values[3]!]!;
        note(operation, operation.peer < 0 ? null : [operation.peer], time);
      }
      for (const { values, time } of marking.tokens('held'))
        if (values[0] === OPERATION.send) {
          const operation = operations[values[1]!]!;
          note(operation, [operation.peer], time);
        }
      const waiting = new Map(marking.tokens('required').map(({ values, time }) => [values[0]!, time]));
      const before = cyclesIn(schedule, new Set(waiting.keys()));
      for (const [op, cycle] of before) {
        const operation = operations[op]!;
        if (found.has(operation.rank)) continue;
        const words = cycle.map((k) => operations[k]!.text.split(':')[0]!);
        note(
          operation,
          [operation.rank],
          waiting.get(op)!,
          `${operation.text} (cycle: ${[...words, words[0]].join(' requires ')})`,
        );
      }
      return Array.from({ length: ranks }, (_, rank) => found.get(rank)).filter(
        (one): one is BlockedOperation => one !== undefined && !ended.has(one.rank),
      );
    },
  };
}

/** For operations in cycles of dependencies: the cycle, from the operation on. One cycle for each rank that has any. O(dependencies). */
function cyclesIn({ operations, dependencies }: Schedule, waiting: ReadonlySet<number>): Map<number, number[]> {
  const before = new Map<number, number>();
  for (const { from, to } of dependencies)
    if (waiting.has(from) && waiting.has(to) && !before.has(to)) before.set(to, from);
  const cycles = new Map<number, number[]>();
  const ranks = new Set<number>();
  const done = new Set<number>();
  for (const start of [...before.keys()].sort((a, b) => operations[a]!.line - operations[b]!.line)) {
    const path = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.set(at, path.size);
      at = before.get(at);
    }
    for (const op of path.keys()) done.add(op);
    if (at === undefined || !path.has(at)) continue;
    const cycle = [...path.keys()].slice(path.get(at)!);
    const { rank } = operations[at]!;
    if (ranks.has(rank)) continue;
    ranks.add(rank);
    const first = cycle.reduce((a, b) => (operations[a]!.line <= operations[b]!.line ? a : b));
    const from = cycle.indexOf(first);
    cycles.set(first, [...cycle.slice(from), ...cycle.slice(0, from)]);
  }
  return cycles;
}
