import { workerData } from 'node:worker_threads';
import { answerTasks, post } from '../../base/workers/answer-tasks.ts';
import { watchBuilds } from '../inputs/build-phase.ts';
import type { Import } from '../inputs/load-model.ts';
import { guardModel } from '../inputs/model-guard.ts';
import type { WorkSpec } from './work-pool.ts';

/**
 * Main function of a worker thread for scenarios or replications. Its `workerData` is a {@link WorkSpec}.
 *
 * @param load imports models; the bundled command line passes its own function
 */
export function serve(load?: Import): void {
  const spec = workerData as WorkSpec;
  if (spec.kind !== 'trace' && spec.kind !== 'net') {
    guardModel(spec.file, (end) =>
      post({ ...(end.kind === 'problems' ? { problems: end.problems } : { crash: end.crash }), last: true }),
    );
    watchBuilds((limited) => post({ limited }));
  }
  answerTasks(() => workerOf(spec, load));
}

/** Executes a task in its thread; a pure function of the task. */
type Worker = (task: never) => unknown;

/** @param load imports model modules */
async function workerOf(spec: WorkSpec, load?: Import): Promise<Worker> {
  switch (spec.kind) {
    case 'trace':
      return (await import('../whatif/scenario-options.ts')).tracePredictor(spec);
    case 'net':
      return (await import('../whatif/net-predictor.ts')).readNetPredictor(spec);
    case 'model':
      return (await import('./model-study.ts')).importedPredictor(spec, load);
    case 'replications':
      return (await import('../predict/replications/replication-study.ts')).importedReplicator(spec, load);
  }
}
