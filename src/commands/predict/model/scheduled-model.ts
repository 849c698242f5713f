import { given } from '../../../base/given.ts';
import type { Problem } from '../../../base/problem.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import { statementsIn } from '../../../models/program/record/statement.ts';
import { modelSchedule } from '../../../models/program/schedule/model-schedule.ts';
import type { LogGops } from '../../../trace/goal/schedule.ts';
import { duringBuild } from '../../inputs/build-phase.ts';
import { machineFiles, type Placed, placeOn } from '../../inputs/target.ts';
import { logGopsIn } from '../../subjects/loggops-network.ts';
import { assertOwnCores } from '../../subjects/trace-schedule.ts';
import { notesOf } from '../document.ts';
import { netSubject } from '../net-subject.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { checkLogGopsOptions, onLogGops, programSchedule } from '../scheduled-program.ts';
import type { Subject } from '../subject.ts';
import { ASSUMED_MACHINE, type LoadedModel, loadedModel } from './stages.ts';

/** A model on its machine, as the net of a schedule. */
interface ScheduledModel {
  readonly loaded: LoadedModel;
  readonly placed: Placed;
  readonly parameters: LogGops;
  readonly read: ReturnType<typeof programSchedule>;
}

/**
 * The net of the schedule of a model: its messages take the times of LogGOPS. Of the machine, only the speeds of the hosts and a
 * loggops network count.
 *
 * @throws InputError GOAL006 for options that exclude LogGOPS, GOAL008 for a model whose order of messages depends on times or received
 * values, and all problems of the model and the machine
 */
export function modelScheduleNet(model: ProgramModel, options: PredictOptions): ScheduledModel {
  const parameters = logGopsIn({ ...options, machine: options.machine ?? ASSUMED_MACHINE });
  checkLogGopsOptions(options, model.file);
  const loaded = loadedModel(model, options);
  const { target, ranks, programs } = loaded;
  const file = model.file ?? model.name;
  return duringBuild(() => {
    const placed = placeOn(target, options, ranks);
    assertOwnCores(target, placed.placement, model.file);
    const { text, origins } = modelSchedule(programs, {
      collectives: target.collectives,
      hosts: placed.placement,
      speed: (rank) => target.platform.hosts[placed.placement[rank]!]!.speed,
      file,
    });
    const origin = (line: number) => origins.get(line)!.site.place;
    return { loaded, placed, parameters, read: programSchedule({ text, name: model.name, file, origin }, parameters) };
  });
}

/** A model under LogGOPS. @throws InputError as {@link modelScheduleNet} */
export function scheduledModel(model: ProgramModel, options: PredictOptions): Subject {
  const scheduled = modelScheduleNet(model, options);
  const { read, loaded, placed } = scheduled;
  const {
    isOpenEnded: _,
    explorable: __,
    ...subject
  } = netSubject(read, model.file ?? model.name, options, {
    operations: read.operations,
    hosts: { target: loaded.target, placement: placed.placement },
  });
  return {
    ...subject,
    name: model.name,
    called: `model "${model.name}"`,
    files: [model.file, ...Object.values(machineFiles(options))],
    runs: (writers) => {
      const run = subject.runs(writers);
      return (replication) => described(run(replication), options, scheduled);
    },
  };
}

/** The document of the run of the schedule, with the model and the machine that it comes from. */
function described(
  document: PredictionDocument,
  options: PredictOptions,
  { loaded, placed, parameters, read }: ScheduledModel,
): PredictionDocument {
  const { model, target, programs } = loaded;
  const { marking: _, ...rest } = document;
  const { overhead } = read;
  const { notes, ...own } = onLogGops(document, options, { target, placed, parameters, overhead, isModel: true });
  return {
    ...rest,
    ...own,
    inputs: {},
    options: {
      model: model.name,
      ...own.options,
      ...(options.machine === undefined ? { assumed: 'machine' } : {}),
      ...given(options, ['until', 'maxSteps']),
      ...Object.fromEntries(
        Object.entries(model.params).map(([k, v]) => [`model.${k}`, typeof v === 'boolean' ? String(v) : v]),
      ),
    },
    warnings: [...target.warnings, ...withoutMemory(programs), ...document.warnings],
    ...notesOf(notes),
  };
}

/** A warning about computations that move bytes. */
function withoutMemory(programs: readonly Recorded[]): readonly Problem[] {
  for (const { body } of programs)
    for (const s of statementsIn(body))
      if (s.kind === 'compute' && s.bytes !== undefined)
        return [
          {
            code: 'MODEL030',
            message: 'LogGOPS does not describe memory: the bytes of computations take no time',
            place: s.site.place,
          },
        ];
  return [];
}
