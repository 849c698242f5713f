import { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import { given } from '../../base/given.ts';
import type { RunConsumer } from '../../trace/run/batch.ts';
import { RunWindow, type Window } from '../../trace/run/run-window.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { type ByKind, byKind, givenInput, type InputOf, refuseProfile } from '../inputs/input.ts';
import { assertReadAgain } from '../inputs/input-kinds.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import type { InputKind, KindsOf, PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { machineFiles } from '../inputs/target.ts';
import { notesOf } from '../predict/document.ts';
import { assertJobs, assertSingle, predictInput } from '../predict/predict.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { hasJobs } from '../subjects/jobs/jobs.ts';
import { MAX_SPANS } from './assemble.ts';
import { profileDocument, profileRun } from './profile.ts';
import type { ProfileDocument } from './profile-document.ts';
import { PROFILE_ROWS, type ProfileOptions, type ProfileOptionsOf, type SimulationOptions } from './profile-options.ts';
import { windowOf } from './read-record.ts';

/**
 * Profiles a run: time by call, node states, wait states, and productive and lost time over nested intervals.
 *
 * @param input path of a run record (.ftrun, .jsonl, or the states of a run as .csv), paths of the records of one run, path
 * of a trace or a schedule, or a model
 * @param options machine, ranks and the like for a model or a trace, as in {@link predict}; the part of the run to list,
 * and measured times to compare with
 * @throws InputError REC001 to REC010 for a record, PROF001 to PROF006 for options that do not fit it, and the errors of
 * `predict`
 */
export function profile<I extends string | RankedModel | PooledModel | readonly string[]>(
  input: I,
  options?: ProfileOptionsOf<I>,
): ProfileDocument;
export function profile(input: unknown, options: SimulationOptions & ProfileOptions = {}): ProfileDocument {
  const found = givenInput('profile', input);
  checkProfile(found, options);
  return byKind(PROFILED, found, options);
}

/** As {@link profile}, for the file of a trace, or a module that exports a model: its run is simulated. */
export async function profileFile(
  path: string,
  options: SimulationOptions & ProfileOptions,
  load?: Import,
): Promise<ProfileDocument> {
  const input = await openInput('profile', path, load);
  checkProfile(input, options);
  return byKind(PROFILED, input, options);
}

/** @throws InputError APP004, APP061, APP065 for options that do not go with the input */
function checkProfile(input: InputOf<KindsOf<'profile'>>, options: SimulationOptions & ProfileOptions): void {
  const takesSeveral = (PROFILE_ROWS.otherPrograms as readonly InputKind[]).includes(input.kind);
  if (!takesSeveral) assertSingle(input, options);
  checkOptions('profile', PROFILE_ROWS, input, options);
  if (takesSeveral && hasJobs(options)) assertJobs('profile', options);
}

/**
 * The profile of a simulated run.
 *
 * @param also takes the record of the run, too, or of the part of it that is profiled
 */
export const profileSimulation = (
  input: InputOf<KindsOf<'predict'>>,
  options: SimulationOptions & ProfileOptions,
  also?: RunConsumer,
): ProfileDocument => {
  const own = given(options as ProfileOptions, SIMULATED_OPTIONS);
  if (own.from !== undefined || own.to !== undefined)
    assertReadAgain('a part of a simulated run', [
      input.path,
      ...(options.otherPrograms ?? []),
      ...Object.values(machineFiles(options)),
    ]);
  // The simulation is deterministic: a first run tells how long the run takes.
  const window = windowOf(own, () => extentOf(predictInput(input, options)));
  const meter = meterOf(own, window);
  return simulated(
    meter,
    predictInput(input, {
      ...options,
      record: recordOf(also === undefined ? meter : both(meter, also), window, own.loopIntervals === true),
    }),
    own,
  );
};

const PROFILE_OPTIONS = ['from', 'to', 'at', 'level', 'processes', 'interval', 'oneProcessor', 'sequential'] as const;
const SIMULATED_OPTIONS = [...PROFILE_OPTIONS, 'loopIntervals'] as const;

const PROFILED: ByKind<KindsOf<'profile'>, [SimulationOptions & ProfileOptions], ProfileDocument> = {
  model: (input, options) => profileSimulation(input, options),
  'thread model': (input, options) => profileSimulation(input, options),
  trace: (input, options) => profileSimulation(input, options),
  net: (input, options) => {
    const { schedule } = input.readValid(options.loggops);
    return schedule === undefined ? refuseProfile(input.label) : profileSimulation(input, options);
  },
  'run record': ({ files }, options) =>
    profileRun(files, given(options as ProfileOptions, [...PROFILE_OPTIONS, 'messages', 'align'])),
};

const meterOf = ({ at }: Pick<ProfileOptions, 'at'>, window: Window | undefined): ProfileMeter =>
  new ProfileMeter({
    maxSpans: MAX_SPANS,
    ...(at === undefined ? {} : { at }),
    ...(window === undefined ? {} : { window }),
  });

const extentOf = ({ figures }: PredictionDocument): Window => ({ from: 0, to: figures.runTime.value });

/** The consumer of the run: the meter, or the part of the run that goes there. A run that ends with the window has its end. */
function recordOf(meter: RunConsumer, window: Window | undefined, loopIntervals: boolean): RunConsumer {
  const consumer = window === undefined ? meter : new RunWindow(meter, window);
  return loopIntervals ? { ...both(consumer), loopIntervals } : consumer;
}

/** Passes a run on to all consumers. */
const both = (...consumers: readonly RunConsumer[]): RunConsumer => {
  const each = (pass: (consumer: RunConsumer) => void): void => {
    for (const consumer of consumers) pass(consumer);
  };
  return {
    head: (head) => each((to) => to.head(head)),
    name: (name) => each((to) => to.name(name)),
    batch: (batch) => each((to) => to.batch(batch)),
    goesOn: (process, path) => each((to) => to.goesOn?.(process, path)),
    leftOut: (rows) => each((to) => to.leftOut?.(rows)),
    end: (end) => each((to) => to.end(end)),
  };
};

function simulated(
  meter: ProfileMeter,
  prediction: PredictionDocument,
  options: Omit<ProfileOptions, 'messages'>,
): ProfileDocument {
  const profile = profileDocument(meter, prediction.inputs as ProfileDocument['inputs'], options);
  return {
    ...profile,
    ...(prediction.deadlock.length === 0 ? {} : { deadlock: prediction.deadlock }),
    ...(prediction.because === undefined ? {} : { complete: false, because: prediction.because }),
    ...notesOf(prediction.notes ?? []),
    options: { ...prediction.options, ...profile.options },
    warnings: [...prediction.warnings, ...profile.warnings],
  };
}
