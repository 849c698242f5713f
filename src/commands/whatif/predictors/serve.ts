import { workerData } from 'node:worker_threads';
import { answerTasks, post } from '../../../base/workers/answer-tasks.ts';
import { watchBuilds } from '../../inputs/build-phase.ts';
import type { Import } from '../../inputs/load-model.ts';
import { guardModel } from '../../inputs/model-guard.ts';
import type { ReplicationStudy } from '../../predict/replications/replication-study.ts';
import type { TraceStudy } from '../scenario-options.ts';
import type { ModelStudy } from './model-study.ts';
import type { NetStudy } from './net-predictor.ts';

/** Work of a thread, by kind. */
type Work = TraceStudy | NetStudy | ModelStudy | ReplicationStudy;

/**
 * Main function of a worker thread for scenarios or replications. Its `workerData` is a {@link Work}.
 *
 * @param load imports models; the bundled command line passes its own function
 */
export function serve(load?: Import): void {
  const spec = workerData as Work;
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
async function workerOf(spec: Work, load?: Import): Promise<Worker> {
  switch (spec.kind) {
    case 'trace':
      return (await import('../scenario-options.ts')).tracePredictor(spec);
    case 'net':
      return (await import('./net-predictor.ts')).readNetPredictor(spec);
    case 'model':
      return (await import('./model-study.ts')).importedPredictor(spec, load);
    case 'replications':
      return (await import('../../predict/replications/replication-study.ts')).importedReplicator(spec, load);
  }
}
