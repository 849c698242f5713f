import { type Import, openInput } from '../../inputs/load-model.ts';
import { leftRunning } from '../../inputs/model-guard.ts';
import type { PredictOptions } from '../options.ts';
import { checkedOptions } from '../predict.ts';
import { replicator, subjectOf } from '../predict-subject.ts';
import type { Replicate } from './replications.ts';

/** A model whose replications are run by worker threads. */
export interface ReplicationStudy {
  readonly kind: 'replications';
  readonly file: string;
  readonly options: PredictOptions;
}

/**
 * Returns a function that runs any replication of a model in this thread, which imports the module anew and compiles its net
 * once.
 */
export async function importedReplicator(
  { file, options }: ReplicationStudy,
  load?: Import,
): Promise<(replication: number) => Replicate> {
  const input = await openInput('predict', file, load);
  const replicate = replicator(subjectOf(input, checkedOptions(input, options)), true);
  return (replication) => {
    const one = replicate(replication);
    const left = leftRunning(file);
    if (one.document === undefined || left.length === 0) return one;
    return { ...one, document: { ...one.document, warnings: [...one.document.warnings, ...left] } };
  };
}
