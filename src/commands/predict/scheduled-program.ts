import { given } from '../../base/given.ts';
import { fail, type Problem } from '../../base/problem.ts';
import { blockedInSchedule } from '../../models/schedule/blocked-in-schedule.ts';
import { scheduleNet } from '../../models/schedule/schedule-net.ts';
import { NANOSECOND } from '../../models/schedule/schedule-places.ts';
import { logGopsText } from '../../trace/goal/loggops.ts';
import { readGoal } from '../../trace/goal/read-goal.ts';
import { type LogGops, OPERATION, type Schedule, type ScheduledOperation } from '../../trace/goal/schedule.ts';
import { named } from '../inputs/check-options.ts';
import type { ReadNet } from '../inputs/input.ts';
import type { Placed, Target } from '../inputs/target.ts';
import { unusedKeys } from '../subjects/loggops-network.ts';
import type { PredictOptions } from './options.ts';
import type { PredictionDocument, RankFigures } from './prediction.ts';

/** Options that mean something else than LogGOPS. */
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
 * The net of the schedule of a program. Blocked operations have their lines in the program.
 *
 * @param origin of the operation in a line of the text
 */
export function programSchedule(
  { text, name, file, origin }: ScheduledProgram,
  parameters: LogGops,
): ReadNet & Required<Pick<ReadNet, 'blocked'>> & Pick<Schedule, 'operations'> & { readonly overhead: Float64Array } {
  const read = readGoal(text, file);
  const operations = read.operations.map((one) => ({ ...one, text: wordsOf(one) }));
  const schedule = { ...read, operations };
  const blocked = blockedInSchedule(schedule, file);
  return {
    net: scheduleNet(schedule, parameters, name),
    warnings: [],
    operations,
    overhead: overheads(schedule, parameters),
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

/** Seconds that the core of each rank spends on the messages that it sends and receives. */
function overheads({ ranks, operations }: Schedule, { o, O, G }: LogGops): Float64Array {
  const nanoseconds = new Float64Array(ranks);
  for (const { kind, rank, peer, size } of operations) {
    if (kind !== OPERATION.send) continue;
    nanoseconds[rank]! += Math.max(0, o + (size - 1) * O);
    nanoseconds[peer]! += Math.max(0, o + (size - 1) * Math.max(O, G));
  }
  return nanoseconds.map((time) => time * NANOSECOND);
}

/**
 * The ranks with the time that their cores spend on messages; the rest before their end is waiting. A rank that has ended has spent all
 * of it, unless some message is taken by no receive: then the ranks are left as they are.
 */
function withOverhead({ ranks, warnings }: PredictionDocument, overhead: Float64Array): readonly RankFigures[] {
  if (warnings.some(({ code }) => code === 'GOAL007')) return ranks;
  return ranks.map((one) => {
    const communicating = overhead[one.rank]!;
    if (one.endTime === null) return one;
    return { ...one, communicating, waiting: Math.max(0, one.endTime - one.computing - communicating) };
  });
}

/** A program on its machine, as the net of its schedule. */
export interface OnLogGops {
  readonly target: Target;
  readonly placed: Placed;
  readonly parameters: LogGops;
  readonly overhead: Float64Array;
  /** A model, whose computations also have noise and move bytes. */
  readonly isModel: boolean;
}

/**
 * The members of the document of a schedule that are about its machine and the times of its ranks.
 *
 * @param document of the run of the net
 */
export function onLogGops(
  document: PredictionDocument,
  { oversubscribe }: PredictOptions,
  { target, placed, parameters, overhead, isModel }: OnLogGops,
): Pick<PredictionDocument, 'options' | 'machine' | 'ranks'> & { readonly notes: readonly Problem[] } {
  const { platform, description, builtIn, collectives } = target;
  const unused = unusedKeys(target, isModel);
  return {
    options: {
      ranks: placed.placement.length,
      networkModel: 'loggops',
      loggops: logGopsText(parameters),
      collectives: collectives.text,
      placement: placed.name,
      ...(builtIn ? { builtIn: platform.name } : {}),
      ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    },
    ...(description === undefined ? {} : { machine: { ...description } }),
    ranks: withOverhead(document, overhead).map((one) => ({
      ...one,
      host: platform.hosts[placed.placement[one.rank]!]!.name,
    })),
    notes: [...(unused === undefined ? [] : [unused]), ...(platform.notes ?? []), ...placed.notes],
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
