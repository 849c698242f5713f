import { setTimeout } from 'node:timers/promises';
import { InputError, type Problem } from '../../../base/problem.ts';
import { usualThreads } from '../../../base/workers/start-thread.ts';
import { filesOfInput } from '../../inputs/local-modules.ts';
import { machineFiles } from '../../inputs/target.ts';
import { workPool } from '../../workers/work-pool.ts';
import type { LimitFigures } from '../improvement-figures.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { ReplicationStudy } from './replication-study.ts';
import { type Replicate, ReplicationTally, replicationPlan } from './replications.ts';

const NO_SECOND_RUNS: LimitFigures = {
  kind: 'unknown',
  because: 'replications make no runs with doubled resources: a prediction without them names the limit',
};

/** Milliseconds for which one thread works alone: starting another one, which imports the model again, takes longer than many runs. */
const ALONE = 150;

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
  { workers = usualThreads(), progress, signal }: Playing = {},
): Promise<PredictionDocument | undefined> {
  const plan = replicationPlan(options);
  if (plan === undefined) throw new Error('replications without a plan');
  const study: ReplicationStudy = { kind: 'replications', file, options };
  const pool = workPool<number, Replicate>(study, workers);
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
  const all = async (): Promise<void> => {
    await pool.ready();
    const first = work();
    await Promise.race([first, setTimeout(ALONE, undefined, { ref: false })]);
    await Promise.all([first, ...Array.from({ length: workers - 1 }, work)]);
  };
  const off = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  try {
    await Promise.race([all(), off]);
    const document = tally.document(enough);
    if (document === undefined) return undefined;
    const inputs = filesOfInput(file, machineFiles(options), document.inputs);
    // Second runs would execute the model in this process, which writes the result and must not wait for its timers.
    return { ...document, ...(options.secondRuns === true ? { limit: NO_SECOND_RUNS } : {}), inputs };
  } finally {
    enough = true;
    await pool.end();
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof InputError) return error.problems;
  throw error;
}
