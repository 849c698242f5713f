import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import { blockedInSchedule } from '../../models/schedule/blocked-in-schedule.ts';
import { scheduleNet } from '../../models/schedule/schedule-net.ts';
import { readGoal } from '../../trace/goal/read-goal.ts';
import { type LogGops, OPERATION, type ScheduledOperation } from '../../trace/goal/schedule.ts';
import { named } from '../inputs/check-options.ts';
import type { ReadNet } from '../inputs/input.ts';
import type { PredictOptions } from './options.ts';

/** Options that mean something else than LogGOPS, or need the states of ranks, which a schedule does not tell. */
const EXCLUDED = {
  networkModel: 'LogGOPS is the network model',
  cfg: 'settings of SimGrid do not apply to LogGOPS; give --collectives for the algorithms',
  otherPrograms: 'LogGOPS takes one trace',
  start: 'LogGOPS takes one trace',
  jobHostfiles: 'LogGOPS takes one trace',
  suggestPlacement: 'under LogGOPS all pairs of ranks are at the same distance',
  ties: 'LogGOPS has a fixed order',
  replications: 'LogGOPS has a fixed order',
  precision: 'LogGOPS has a fixed order',
  exact: 'LogGOPS has a fixed order',
  trace: 'LogGOPS gives the ends of the ranks, not their states; omit --loggops, or give a machine with links',
  run: 'LogGOPS gives the ends of the ranks, not their states; omit --loggops, or give a machine with links',
  record: 'LogGOPS gives the ends of the ranks, not their states; omit --loggops, or give a machine with links',
} as const satisfies { readonly [name in keyof PredictOptions]?: string };

/** @throws InputError GOAL006 options that exclude LogGOPS */
export function checkLogGopsOptions(options: PredictOptions, file: string | undefined): void {
  for (const [name, reason] of Object.entries(EXCLUDED))
    if (options[name as keyof typeof EXCLUDED] !== undefined)
      fail(
        'GOAL006',
        `option ${named('predict', name)} does not go with loggops: ${reason}`,
        file === undefined ? undefined : { file },
      );
}

/** Where an operation comes from: its file and line, as far as known. */
interface Origin {
  readonly file?: string;
  readonly line?: number;
}

/**
 * The net of the schedule of a program; what is blocked is at its line of the program.
 *
 * @param origin of the operation in a line of the text
 */
export function programSchedule(
  { text, name, file, origin }: ScheduledProgram,
  parameters: LogGops,
): ReadNet & Required<Pick<ReadNet, 'blocked'>> {
  const read = readGoal(text, file);
  const operations = read.operations.map((one) => ({ ...one, text: wordsOf(one) }));
  const schedule = { ...read, operations };
  const blocked = blockedInSchedule(schedule, file);
  return {
    net: scheduleNet(schedule, parameters, name),
    warnings: [],
    blocked: {
      ...blocked,
      of: (marking) =>
        blocked.of(marking).map((one) => ({ ...one, line: 0, ...given(origin(one.line), ['file', 'line']) })),
      unmatched: (marking) =>
        blocked.unmatched(marking).map(({ message, line, isCount }) => {
          if (isCount) return { message, line: 0, isCount };
          const place = origin(line);
          return place.file === file && place.line !== undefined
            ? { message, line: place.line, isCount }
            : { message: `${message} (${place.file}:${place.line})`, line: 0, isCount };
        }),
    },
  };
}

/** A program as a schedule. */
export interface ScheduledProgram {
  readonly text: string;
  /** Name of its net. */
  readonly name: string;
  /** For messages. */
  readonly file: string;
  readonly origin: (line: number) => Origin;
}

function wordsOf({ kind, size, peer }: ScheduledOperation): string {
  if (kind === OPERATION.calc) return `compute ${size} ns`;
  const other = peer < 0 ? 'any rank' : `rank ${peer}`;
  const bytes = size === 0 ? '' : ` of ${size} B`;
  return kind === OPERATION.send ? `send of ${size} B to ${other}` : `recv${bytes} from ${other}`;
}
