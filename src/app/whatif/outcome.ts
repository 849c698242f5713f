import type { PredictionDocument } from '../../report/prediction.ts';
import type { Outcome } from './predictor.ts';

type Part = 'computing' | 'memory' | 'overhead' | 'communicating' | 'waiting' | 'idle';

/** Reduces a prediction to the figures of a study. Times of ranks, or workers, are averaged over them. */
export function outcomeOf(document: PredictionDocument): Outcome {
  const { figures, complete, deadlock, warnings, notes, replications } = document;
  const all: readonly Partial<Record<Part, number | null>>[] = document.workers ?? document.ranks;
  const mean = (part: Part): Outcome['figures'] => {
    if (all.length === 0 || all.some((one) => (one[part] ?? null) === null)) return {};
    return { [part]: { value: all.reduce((sum, one) => sum + one[part]!, 0) / all.length, unit: 's' } };
  };
  return {
    runTime: replications?.mean ?? figures.runTime.value,
    complete,
    blocked: deadlock.length,
    figures: {
      [document.workers === undefined ? 'ranks' : 'workers']: { value: all.length, unit: '1' },
      parallelism: figures.parallelism.mean,
      loadBalance: figures.loadBalance,
      ...mean('computing'),
      ...mean('memory'),
      ...mean('overhead'),
      ...mean('communicating'),
      ...mean('waiting'),
      ...mean('idle'),
    },
    ...(replications === undefined ? {} : { replications: replications.seconds }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(notes === undefined ? {} : { notes }),
  };
}
