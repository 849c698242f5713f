import { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { RunConsumer } from '../../trace/run/batch.ts';
import { isRunFile } from '../../trace/run/run-endings.ts';
import { RunWindow, type Window } from '../../trace/run/run-window.ts';
import { type AnyModel, fileOf, isNet } from '../inputs/any-model.ts';
import { checkOptions, inputKind } from '../inputs/check-options.ts';
import { assertExists, contentOf } from '../inputs/input-kinds.ts';
import { type Import, loadInput } from '../inputs/load-model.ts';
import { isNetFile } from '../inputs/net-file.ts';
import type { PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { notesOf } from '../predict/document.ts';
import { predictAny, predictedFile } from '../predict/predict.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { MAX_SPANS, profileDocument, profileRun } from './profile.ts';
import type { ProfileDocument } from './profile-document.ts';
import { PROFILE_ROWS, type ProfileOptions, type ProfileOptionsOf, type SimulationOptions } from './profile-options.ts';
import { windowOf } from './read-record.ts';

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
export function profile<I extends string | RankedModel | PooledModel | readonly string[]>(
  input: I,
  options?: ProfileOptionsOf<I>,
): ProfileDocument;
export function profile(
  input: string | AnyModel | readonly string[],
  options: SimulationOptions & ProfileOptions = {},
): ProfileDocument {
  const files = isFiles(input) ? input : undefined;
  const wrong = files?.find((file) => typeof file !== 'string' || !isRunFile(file));
  if (files !== undefined && (files.length === 0 || wrong !== undefined))
    fail('PROF006', 'expected the record files of one run', wrong === undefined ? {} : { file: String(wrong) });
  const first = files === undefined ? (input as string | AnyModel) : files[0]!;
  const kind = inputKind('profile', first, ['model', 'thread model', 'trace', 'run record']);
  checkOptions('profile', PROFILE_ROWS, kind, options, fileOf(first));
  const { messages, align, from, to, at, level, processes, interval, oneProcessor, sequential, ...simulation } =
    options;
  const own = given({ from, to, at, level, processes, interval, oneProcessor, sequential }, PROFILE_OPTIONS);
  if (kind !== 'run record') return profileProgram(first, simulation, own);
  return profileRun(files ?? (first as string), { ...own, ...given({ messages, align }, ['messages', 'align']) });
}

const isFiles = (input: unknown): input is readonly string[] => Array.isArray(input);

const PROFILE_OPTIONS = ['from', 'to', 'at', 'level', 'processes', 'interval', 'oneProcessor', 'sequential'] as const;

/**
 * Profiles the simulated run of a trace or a given model. The run is analysed during the simulation; no record is written.
 *
 * @param input a trace, or what {@link predict} takes as a model
 * @throws InputError PROF006 for a net; the errors of `predict` and `profileRun`
 */
export function profileProgram(
  input: string | AnyModel,
  simulation: SimulationOptions = {},
  options: Omit<ProfileOptions, 'messages'> = {},
): ProfileDocument {
  if (typeof input === 'string' && isNetFile(input)) {
    assertExists(input);
    refuse(input, contentOf(input) ?? 'a file of another kind');
  }
  const kind = inputKind('profile', input, ['model', 'thread model', 'trace']);
  checkOptions('profile', PROFILE_ROWS, kind, { ...simulation, ...options }, fileOf(input));
  // The simulation is deterministic: a first run tells how long the run takes.
  const window = windowOf(options, () => extentOf(predictAny(input, simulation)));
  const meter = meterOf(options, window);
  return simulated(meter, predictAny(input, { ...simulation, record: recordOf(meter, window) }), options);
}

/** Like {@link profileProgram}, for the model exported by a module. */
export async function profileModelFile(
  path: string,
  simulation: SimulationOptions,
  options: Omit<ProfileOptions, 'messages'>,
  load?: Import,
): Promise<ProfileDocument> {
  const input = await loadInput(path, load);
  if (isNet(input)) refuse(path, 'a net');
  checkOptions('profile', PROFILE_ROWS, inputKind('profile', input), { ...simulation, ...options }, path);
  const window = windowOf(options, () => extentOf(predictedFile(path, input, simulation)));
  const meter = meterOf(options, window);
  return simulated(meter, predictedFile(path, input, { ...simulation, record: recordOf(meter, window) }), options);
}

const refuse = (file: string, content: string): never =>
  fail('PROF006', `is ${content}: expected a model, a trace, or a run record`, { file });

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
