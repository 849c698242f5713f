import { given } from '../../base/given.ts';
import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions } from '../command-line/job.ts';
import { predictFile } from './predict.ts';
import type { PredictionDocument } from './prediction.ts';

export type PredictJob = Job<JobOptions>;

/** Predicts a model, a trace or a net. */
export function run({ input, options }: PredictJob, following: Following): Promise<PredictionDocument> {
  const own = { ...options, ...given(following, ['progress', 'cancelled', 'digestOf', 'offloadedRanks']) };
  return predictFile(input, own, importModule);
}
