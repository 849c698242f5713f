import type { ParallelismMeter } from '../analysis/parallelism.ts';
import type { PredictionDocument } from '../report/prediction.ts';
import { PROFILE_SLICES, type PredictOptions } from './options.ts';
import { PRODUCT } from './version.ts';

/** The seed of what is drawn, unless another is given. */
export const DEFAULT_SEED = '1';

/** What every prediction's document begins with. */
export function documentHead(
  options: PredictOptions,
): Pick<PredictionDocument, 'format' | 'version' | 'kind' | 'product' | 'seed'> {
  return { format: 'foretoken', version: 1, kind: 'prediction', product: PRODUCT, seed: options.seed ?? DEFAULT_SEED };
}

/** Run time, degree of parallelism and load balance from the computing time of each process; all times in seconds. */
export function mainFigures(
  time: number,
  parallelism: ParallelismMeter,
  computing: Float64Array,
): Pick<PredictionDocument['figures'], 'runTime' | 'parallelism' | 'loadBalance'> {
  const most = computing.reduce((a, b) => Math.max(a, b), 0);
  const total = computing.reduce((a, b) => a + b, 0);
  return {
    runTime: { value: time, unit: 's' },
    parallelism: {
      max: { value: parallelism.max, unit: '1' },
      mean: { value: time > 0 ? parallelism.integral / time : 0, unit: '1' },
    },
    loadBalance: { value: most > 0 ? total / computing.length / most : 1, unit: '1' },
  };
}

/** Parallelism over time in the slices of a document. */
export function profileOf(time: number, parallelism: ParallelismMeter): PredictionDocument['profile'] {
  return {
    width: { value: time / PROFILE_SLICES, unit: 's' },
    values: parallelism.profile(time, PROFILE_SLICES),
  };
}
