import { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import type { Import } from '../../app/load-model.ts';
import { isNetFile } from '../../app/net-file.ts';
import type { PredictOptions } from '../../app/options.ts';
import { predict } from '../../app/predict/predict.ts';
import { predictModelFile } from '../../app/predict/predict-model-file.ts';
import { fail } from '../../base/problem.ts';
import type { PredictionDocument } from '../../report/prediction.ts';
import { MAX_SPANS, type ProfileOptions, profileDocument } from './profile.ts';
import type { ProfileDocument } from './profile-document.ts';

/** How the run of a model or a trace is simulated. */
export type SimulationOptions = Omit<
  PredictOptions,
  'run' | 'record' | 'trace' | 'replications' | 'precision' | 'confidence' | 'until' | 'offloadedRanks'
>;

/**
 * Profiles the simulated run of a trace, or of a model that is given. The run is analysed while it goes on: nothing is
 * written.
 *
 * @param input a trace, or what {@link predict} takes as a model
 * @throws InputError PROF006 for a net, and what `predict` and `profileRun` refuse
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

/** As {@link profileProgram}, of the model that a module exports. */
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
    options: { ...prediction.options, ...profile.options },
    warnings: [...prediction.warnings, ...profile.warnings],
  };
}
