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

/** Work that can import modules: code of users needs a guard. */
const IMPORTS: Readonly<Record<Work['kind'], boolean>> = { trace: false, net: false, model: true, replications: true };

/**
 * Main function of a worker thread for scenarios or replications. Its `workerData` is a {@link Work}.
 *
 * @param load imports models; the bundled command line passes its own function
 */
export function serve(load?: Import): void {
  const spec = workerData as Work;
  if ('file' in spec && IMPORTS[spec.kind]) {
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
function workerOf(spec: Work, load?: Import): Promise<Worker> {
  return WORKERS[spec.kind](spec as never, load);
}

const WORKERS: { readonly [kind in Work['kind']]: (spec: never, load?: Import) => Promise<Worker> } = {
  trace: async (spec: TraceStudy) => (await import('../scenario-options.ts')).tracePredictor(spec),
  net: async (spec: NetStudy) => (await import('./net-predictor.ts')).readNetPredictor(spec),
  model: async (spec: ModelStudy, load) => (await import('./model-study.ts')).importedPredictor(spec, load),
  replications: async (spec: ReplicationStudy, load) =>
    (await import('../../predict/replications/replication-study.ts')).importedReplicator(spec, load),
};
