import { availableParallelism } from 'node:os';
import { InputError, type Problem } from '../../../base/problem.ts';
import { isThreadModel } from '../../../models/threads/program/threads.ts';
import { importModule } from '../../command-line/import-module.ts';
import { inputFiles } from '../../inputs/inputs.ts';
import { loadAnyModel } from '../../inputs/load-model.ts';
import { moduleFiles } from '../../inputs/local-modules.ts';
import { isModelFile } from '../../inputs/model-endings.ts';
import { hostfileOf, machineFileOf } from '../../inputs/target.ts';
import { workPool } from '../../workers/work-pool.ts';
import { withLimit } from '../limit/find-limit.ts';
import type { PredictOptions } from '../options.ts';
import { predict } from '../predict.ts';
import type { PredictionDocument } from '../prediction.ts';
import { type Replicate, ReplicationTally, replicationPlan } from './replications.ts';

/** Options for running replications in parallel. */
export interface Playing {
  /** Number of threads, default one per core. Results do not depend on it. */
  readonly workers?: number;
  /** Called with the number of completed replications. */
  readonly progress?: (done: number) => void;
  /** Cancels the work; the results so far are returned. */
  readonly signal?: AbortSignal;
}

/**
 * As `predict` with replications, for the model that a module exports, using several threads.
 *
 * @returns undefined if the work was cancelled before replication 0 was done
 */
export async function replicateModelFile(
  file: string,
  options: PredictOptions,
  { workers = availableParallelism(), progress, signal }: Playing = {},
): Promise<PredictionDocument | undefined> {
  const plan = replicationPlan(options);
  if (plan === undefined) throw new Error('replications without a plan');
  const isModule = isModelFile(file);
  const files = {
    ...inputFiles({
      [isModule ? 'model' : 'net']: file,
      machine: machineFileOf(options),
      hostfile: hostfileOf(options),
    }),
    ...(isModule ? moduleFiles(file) : {}),
  };
  const pool = workPool({ kind: 'replications', file, options }, workers);
  const tally = new ReplicationTally(plan);
  const done = new Map<number, Replicate | readonly Problem[]>();
  let [asked, delivered] = [0, 0];
  let enough = false;
  const work = async (): Promise<void> => {
    while (!enough && asked < plan.most && signal?.aborted !== true) {
      const k = asked++;
      done.set(k, await pool.ask(k).catch(problemsOf));
      for (let next = done.get(delivered); next !== undefined && !enough; next = done.get(++delivered)) {
        if ('length' in next) throw new InputError(next);
        enough = tally.add(next);
        done.delete(delivered);
        progress?.(tally.seconds.length);
      }
    }
  };
  const off = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  try {
    await Promise.race([Promise.all(Array.from({ length: workers }, work)), off]);
    const document = tally.document(enough);
    if (document === undefined) return undefined;
    return { ...(options.secondRuns === true ? await limited(document, file, options) : document), inputs: files };
  } finally {
    enough = true;
    await pool.end();
  }
}

/** The limit of replication 0, with the gains of second runs of it. */
async function limited(
  document: PredictionDocument,
  file: string,
  options: PredictOptions,
): Promise<PredictionDocument> {
  const model = await loadAnyModel(file, importModule);
  const { workers, ...others } = options;
  const own = isThreadModel(model) && workers !== undefined ? { ...others, workers } : others;
  return withLimit(document, model, own, (changed) => predict(model, changed));
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof InputError) return error.problems;
  throw error;
}
