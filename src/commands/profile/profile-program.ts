import { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import { isRunFile } from '../../trace/run/run-endings.ts';
import type { Import } from '../inputs/load-model.ts';
import { isNetFile } from '../inputs/net-file.ts';
import { notesOf } from '../predict/document.ts';
import { predictModelFile } from '../predict/model/predict-model.ts';
import type { PredictOptions } from '../predict/options.ts';
import { predict } from '../predict/predict.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { MAX_SPANS, type ProfileOptions, profileDocument, profileRun } from './profile.ts';
import type { ProfileDocument } from './profile-document.ts';

/** How the run of a model or a trace is simulated. */
export type SimulationOptions = Omit<
  PredictOptions,
  'run' | 'record' | 'trace' | 'replications' | 'precision' | 'confidence' | 'until' | 'offloadedRanks'
>;

/**
 * Profiles a run: time by call, node states, wait states, and productive and lost time over nested intervals.
 *
 * @param input path of a run record (.ftrun, .jsonl, or the states of a run as .csv), path of a trace, or a model
 * @param options machine, ranks and the like for a model or a trace, as in {@link predict}; the part of the run to list,
 * and measured times to compare with
 * @throws InputError REC001 to REC010 for a record, PROF001 to PROF006 for options that do not fit it, and the errors of
 * `predict`
 */
export function profile(
  input: Parameters<typeof predict>[0],
  options: SimulationOptions & ProfileOptions = {},
): ProfileDocument {
  const { messages, at, level, processes, interval, oneProcessor, sequential, ...simulation } = options;
  const own = given({ at, level, processes, interval, oneProcessor, sequential }, PROFILE_OPTIONS);
  if (typeof input !== 'string' || !isRunFile(input)) {
    if (messages !== undefined) fail('PROF006', 'the run is simulated: option messages does not apply');
    return profileProgram(input, simulation, own);
  }
  const [unused] = Object.keys(simulation);
  if (unused !== undefined) fail('PROF006', `the run is recorded: option ${unused} does not apply`, { file: input });
  return profileRun(input, { ...own, ...(messages === undefined ? {} : { messages }) });
}

const PROFILE_OPTIONS = ['at', 'level', 'processes', 'interval', 'oneProcessor', 'sequential'] as const;

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
  const meter = meterOf(options);
  return simulated(meter, predict(input, { ...simulation, record: meter }), options);
}

/** Like {@link profileProgram}, for the model exported by a module. */
export async function profileModelFile(
  path: string,
  simulation: SimulationOptions,
  options: Omit<ProfileOptions, 'messages'>,
  load?: Import,
): Promise<ProfileDocument> {
  const meter = meterOf(options);
  return simulated(meter, await predictModelFile(path, { ...simulation, record: meter }, load), options);
}

const meterOf = ({ at }: Pick<ProfileOptions, 'at'>): ProfileMeter =>
  new ProfileMeter({ maxSpans: MAX_SPANS, ...(at === undefined ? {} : { at }) });

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
