import { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { RunConsumer } from '../../trace/run/batch.ts';
import { isRunFile } from '../../trace/run/run-endings.ts';
import { RunWindow, type Window } from '../../trace/run/run-window.ts';
import type { Import } from '../inputs/load-model.ts';
import { isNetFile } from '../inputs/net-file.ts';
import { notesOf } from '../predict/document.ts';
import type { PredictOptions } from '../predict/options.ts';
import { predict, predictModelFile } from '../predict/predict.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { MAX_SPANS, type ProfileOptions, profileDocument, profileRun } from './profile.ts';
import type { ProfileDocument } from './profile-document.ts';
import { windowOf } from './read-record.ts';

/** How the run of a model or a trace is simulated. */
export type SimulationOptions = Omit<
  PredictOptions,
  'run' | 'record' | 'trace' | 'replications' | 'precision' | 'confidence' | 'until' | 'offloadedRanks'
>;

/**
 * Profiles a run: time by call, node states, wait states, and productive and lost time over nested intervals.
 *
 * @param input path of a run record (.ftrun, .jsonl, or the states of a run as .csv), paths of the records of one run, path
 * of a trace, or a model
 * @param options machine, ranks and the like for a model or a trace, as in {@link predict}; the part of the run to list,
 * and measured times to compare with
 * @throws InputError REC001 to REC010 for a record, PROF001 to PROF006 for options that do not fit it, and the errors of
 * `predict`
 */
export function profile(
  input: Parameters<typeof predict>[0] | readonly string[],
  options: SimulationOptions & ProfileOptions = {},
): ProfileDocument {
  const { messages, align, from, to, at, level, processes, interval, oneProcessor, sequential, ...simulation } =
    options;
  const own = given({ from, to, at, level, processes, interval, oneProcessor, sequential }, PROFILE_OPTIONS);
  if (isFiles(input)) {
    const [other] = input.filter((file) => !isRunFile(file));
    if (input.length === 0 || other !== undefined)
      fail('PROF006', 'expected the record files of one run', other === undefined ? {} : { file: other });
  } else if (typeof input !== 'string' || !isRunFile(input)) {
    if (messages !== undefined) fail('PROF006', 'the run is simulated: option messages does not apply');
    if (align === true) fail('PROF006', 'the run is simulated: option align does not apply');
    return profileProgram(input, simulation, own);
  }
  const [unused] = Object.keys(simulation);
  if (unused !== undefined)
    fail('PROF006', `the run is recorded: option ${unused} does not apply`, { file: [input].flat()[0]! });
  return profileRun(input, { ...own, ...given({ messages, align }, ['messages', 'align']) });
}

const isFiles = (input: Parameters<typeof profile>[0]): input is readonly string[] => Array.isArray(input);

const PROFILE_OPTIONS = ['from', 'to', 'at', 'level', 'processes', 'interval', 'oneProcessor', 'sequential'] as const;

/**
 * Profiles the simulated run of a trace or a given model. The run is analysed during the simulation; no record is written.
 *
 * @param input a trace, or what {@link predict} takes as a model
 * @throws InputError PROF006 for a net; the errors of `predict` and `profileRun`
 */
export function profileProgram(
  input: Parameters<typeof predict>[0],
  simulation: SimulationOptions = {},
  options: Omit<ProfileOptions, 'messages'> = {},
): ProfileDocument {
  if (typeof input === 'string' && isNetFile(input))
    fail('PROF006', 'is a net: expected a model, a trace, or a run record', { file: input });
  // The simulation is deterministic: a first run tells how long the run takes.
  const window = windowOf(options, () => extentOf(predict(input, simulation)));
  const meter = meterOf(options, window);
  return simulated(meter, predict(input, { ...simulation, record: recordOf(meter, window) }), options);
}

/** Like {@link profileProgram}, for the model exported by a module. */
export async function profileModelFile(
  path: string,
  simulation: SimulationOptions,
  options: Omit<ProfileOptions, 'messages'>,
  load?: Import,
): Promise<ProfileDocument> {
  const whole =
    options.from === undefined && options.to === undefined
      ? undefined
      : extentOf(await predictModelFile(path, simulation, load));
  const window = whole === undefined ? undefined : windowOf(options, () => whole);
  const meter = meterOf(options, window);
  const record = recordOf(meter, window);
  return simulated(meter, await predictModelFile(path, { ...simulation, record }, load), options);
}

const meterOf = ({ at }: Pick<ProfileOptions, 'at'>, window: Window | undefined): ProfileMeter =>
  new ProfileMeter({
    maxSpans: MAX_SPANS,
    ...(at === undefined ? {} : { at }),
    ...(window === undefined ? {} : { window }),
  });

const extentOf = ({ figures }: PredictionDocument): Window => ({ from: 0, to: figures.runTime.value });

/** The consumer of the run: the meter, or the part of the run that goes there. A run that ends with the window has its end. */
const recordOf = (meter: ProfileMeter, window: Window | undefined): RunConsumer =>
  window === undefined ? meter : new RunWindow(meter, window);

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
