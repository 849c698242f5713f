import type { PredictionDocument } from '../../report/prediction.ts';
import type { Outcome } from './predictor.ts';

/** Reduces a prediction to the figures of a study. Times of ranks are averaged over the ranks. */
export function outcomeOf(document: PredictionDocument): Outcome {
  const { figures, ranks, complete, deadlock, warnings, notes, replications } = document;
  const mean = (part: 'computing' | 'memory' | 'communicating' | 'waiting' | 'idle'): Outcome['figures'] => {
    if (ranks.length === 0 || ranks.some((rank) => (rank[part] ?? null) === null)) return {};
    return { [part]: { value: ranks.reduce((sum, rank) => sum + rank[part]!, 0) / ranks.length, unit: 's' } };
  };
  return {
    runTime: replications?.mean ?? figures.runTime.value,
    complete,
    blocked: deadlock.length,
    figures: {
      ranks: { value: ranks.length, unit: '1' },
      parallelism: figures.parallelism.mean,
      loadBalance: figures.loadBalance,
      ...mean('computing'),
      ...mean('memory'),
      ...mean('communicating'),
      ...mean('waiting'),
      ...mean('idle'),
    },
    ...(replications === undefined ? {} : { replications: replications.seconds }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(notes === undefined ? {} : { notes }),
  };
}
