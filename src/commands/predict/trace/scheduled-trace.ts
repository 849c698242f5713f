import { given } from '../../../base/given.ts';
import { fail, quote } from '../../../base/problem.ts';
import { blockedInSchedule } from '../../../models/schedule/blocked-in-schedule.ts';
import { scheduleNet } from '../../../models/schedule/schedule-net.ts';
import { logGopsText } from '../../../trace/goal/loggops.ts';
import { readGoal } from '../../../trace/goal/read-goal.ts';
import { LOGGOPS, type LogGops, OPERATION, type ScheduledOperation } from '../../../trace/goal/schedule.ts';
import { named } from '../../inputs/check-options.ts';
import type { ReadNet } from '../../inputs/input.ts';
import { inputFiles, listedFiles } from '../../inputs/inputs.ts';
import { givenLogGops } from '../../inputs/net-file.ts';
import { hostfileOf, machineFileOf } from '../../inputs/target.ts';
import { type TraceNet, traceNet } from '../../subjects/read-trace.ts';
import { traceSchedule } from '../../subjects/trace-schedule.ts';
import { notesOf } from '../document.ts';
import { netSubject } from '../net-subject.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { Subject } from '../subject.ts';
import { assertReplayable } from './blocked.ts';

/** Options of traces that mean something else than LogGOPS, or need the states of ranks, which a schedule does not tell. */
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
  trace: 'LogGOPS gives the ends of the ranks, not their states; omit --loggops',
  run: 'LogGOPS gives the ends of the ranks, not their states; omit --loggops',
  record: 'LogGOPS gives the ends of the ranks, not their states; omit --loggops',
} as const satisfies { readonly [name in keyof PredictOptions]?: string };

/**
 * A TI trace whose messages take the times of LogGOPS: the net of its schedule, as `convert` writes it. Of the machine, only the
 * speeds of the hosts count.
 *
 * @throws InputError GOAL006 for parameters and for options that exclude them, GOAL008 for a trace that is no schedule, and all
 * problems of the trace and the machine
 */
export function scheduledTrace(input: string, options: PredictOptions): Subject {
  const parameters = givenLogGops(options.loggops);
  for (const [name, reason] of Object.entries(EXCLUDED))
    if (options[name as keyof typeof EXCLUDED] !== undefined)
      fail('GOAL006', `option ${named('predict', name)} does not go with loggops: ${reason}`, { file: input });
  const built = traceNet(input, options);
  try {
    assertReplayable(built);
    const values = { ...LOGGOPS, ...parameters };
    const { isOpenEnded: _, explorable: __, ...subject } = netSubject(scheduled(built, input, values), input, options);
    const files = [input, machineFileOf(options), hostfileOf(options), ...built.trace.files];
    return {
      ...subject,
      called: `trace ${quote(input)}`,
      files,
      runs: (writers) => {
        const run = subject.runs(writers);
        return (replication) => describedTrace(run(replication), input, options, built, values);
      },
      close: () => built.trace.close(),
    };
  } catch (e) {
    built.trace.close();
    throw e;
  }
}

/** The net of the schedule of a trace; what is blocked is at its line of the trace. */
function scheduled(built: TraceNet, input: string, parameters: LogGops): ReadNet {
  const { text, positions } = traceSchedule(built, input);
  const read = readGoal(text, input);
  const operations = read.operations.map((one) => ({ ...one, text: wordsOf(one) }));
  const schedule = { ...read, operations };
  const blocked = blockedInSchedule(schedule, input);
  const placeAt = (line: number): { readonly file: string; readonly line: number } =>
    built.trace.locate(positions.get(line)!);
  return {
    net: scheduleNet(schedule, parameters, 'trace'),
    warnings: [],
    blocked: {
      ...blocked,
      of: (marking) => blocked.of(marking).map((one) => ({ ...one, ...given(placeAt(one.line), ['file', 'line']) })),
      unmatched: (marking) =>
        blocked.unmatched(marking).map(({ message, line, isCount }) => {
          if (isCount) return { message, line: 0, isCount };
          const place = placeAt(line);
          return place.file === input
            ? { message, line: place.line, isCount }
            : { message: `${message} (${place.file}:${place.line})`, line: 0, isCount };
        }),
    },
  };
}

function wordsOf({ kind, size, peer }: ScheduledOperation): string {
  if (kind === OPERATION.calc) return `compute ${size} ns`;
  const other = peer < 0 ? 'any rank' : `rank ${peer}`;
  return kind === OPERATION.send ? `send of ${size} B to ${other}` : `recv of ${size} B from ${other}`;
}

/** The document of the run of a schedule, with the trace and the machine that it comes from. */
function describedTrace(
  document: PredictionDocument,
  input: string,
  options: PredictOptions,
  { trace, target, placed }: TraceNet,
  parameters: LogGops,
): PredictionDocument {
  const { platform, description, builtIn } = target;
  const machine = { trace: input, machine: machineFileOf(options), hostfile: placed.hostfile };
  const { marking: _, ...rest } = document;
  return {
    ...rest,
    inputs: { ...inputFiles(machine, options.digestOf), ...listedFiles(input, trace) },
    options: {
      ranks: trace.ranks,
      networkModel: 'loggops',
      loggops: logGopsText(parameters),
      collectives: target.collectives.text,
      placement: placed.name,
      ...(builtIn ? { builtIn: platform.name } : {}),
      ...(options.oversubscribe === true ? { oversubscribe: 'yes' } : {}),
      ...given(options, ['scale', 'derivedTypeBytes']),
    },
    ...(description === undefined ? {} : { machine: { ...description } }),
    figures: { ...document.figures, actions: { value: trace.actions, unit: '1' } },
    ranks: document.ranks.map((one) => ({ ...one, host: platform.hosts[placed.placement[one.rank]!]!.name })),
    warnings: [...target.warnings, ...trace.warnings, ...document.warnings],
    ...notesOf([...(platform.notes ?? []), ...placed.notes, ...trace.notes]),
  };
}
