import { type Dependency, OPERATION, type Schedule, type ScheduledOperation } from '../../trace/goal/schedule.ts';

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
  /** Messages that no receive has taken, in words; the last entry may count those that are not named, and has no line. */
  unmatched(marking: TimedMarking): { readonly message: string; readonly line: number; readonly isCount: boolean }[];
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
        isCount: false,
      }));
      const more = all.length - named.length;
      return more > 0
        ? [...named, { message: `${more} more messages are taken by no receive`, line: 0, isCount: true }]
        : named;
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
      const cycles = cyclesIn(schedule, new Set(waiting.keys()));
      const labelOf = (op: number): string => operations[op]!.text.split(':')[0]!;
      for (const cycle of cycles) {
        const operation = operations[cycle[0]!.to]!;
        if (found.has(operation.rank)) continue;
        const words = cycle.map(({ from, started }) => ` ${started ? 'irequires' : 'requires'} ${labelOf(from)}`);
        const text = `${operation.text} (cycle: ${labelOf(cycle[0]!.to)}${words.join('')})`;
        note(operation, [operation.rank], waiting.get(cycle[0]!.to)!, text);
      }
      return Array.from({ length: ranks }, (_, rank) => found.get(rank)).filter(
        (one): one is BlockedOperation => one !== undefined && !ended.has(one.rank),
      );
    },
  };
}

/**
 * A cycle of dependencies for each rank that has one, from the operation that is first in the file. Each dependency leads from the
 * operation before it in the cycle to one that it requires. O(dependencies + operations log operations).
 */
function cyclesIn({ operations, dependencies }: Schedule, waiting: ReadonlySet<number>): Dependency[][] {
  const before = new Map<number, Dependency>();
  for (const one of dependencies)
    if (waiting.has(one.from) && waiting.has(one.to) && !before.has(one.to)) before.set(one.to, one);
  const lineOf = (op: number): number => operations[op]!.line;
  const cycles = new Map<number, Dependency[]>();
  const done = new Set<number>();
  for (const start of [...before.keys()].sort((a, b) => lineOf(a) - lineOf(b))) {
    const path = new Map<number, Dependency>();
    let at: number | undefined = start;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      const one = before.get(at);
      if (one !== undefined) path.set(at, one);
      at = one?.from;
    }
    for (const op of path.keys()) done.add(op);
    if (at === undefined || !path.has(at) || cycles.has(operations[at]!.rank)) continue;
    const all = [...path.values()];
    const cycle = all.slice(all.indexOf(path.get(at)!));
    const first = cycle.reduce((a, b) => (lineOf(a.to) <= lineOf(b.to) ? a : b));
    const k = cycle.indexOf(first);
    cycles.set(operations[at]!.rank, [...cycle.slice(k), ...cycle.slice(0, k)]);
  }
  return [...cycles.values()];
}
