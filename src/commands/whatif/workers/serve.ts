import { parentPort, workerData } from 'node:worker_threads';
import { crashOf, problemsOf } from '../../../base/thrown.ts';
import { watchBuilds } from '../../inputs/build-phase.ts';
import type { Import } from '../../inputs/load-model.ts';
import { guardModel } from '../../inputs/model-guard.ts';
import type { ThreadAnswer, ThreadMessage } from './thread-pool.ts';
import type { WorkSpec } from './work.ts';

/**
 * Main function of a worker thread of a {@link ThreadPool}: executes tasks one after the other. Its `workerData` is a
 * {@link WorkSpec}.
 *
 * @param load imports models; the bundled command line passes its own function
 */
export function serve(load?: Import): void {
  const spec = workerData as WorkSpec;
  const post = (message: ThreadMessage): void => parentPort!.postMessage(message);
  if (spec.kind !== 'trace') {
    guardModel(spec.file, (end) =>
      post({ ...(end.kind === 'problems' ? { problems: end.problems } : { crash: end.crash }), last: true }),
    );
    watchBuilds((building) => post({ building }));
  }
  let worker: Promise<Worker> | undefined;
  parentPort!.on('message', (message: { readonly task?: unknown }) => {
    worker ??= prepared(spec, load);
    worker
      .then(
        async (work): Promise<ThreadAnswer> => ({
          result: 'task' in message ? await work(message.task as never) : undefined,
        }),
      )
      .catch(failed)
      .then(post);
  });
}

/** Prepares the worker with its port unreferenced: the thread then exits if the import of a model never settles. */
function prepared(spec: WorkSpec, load?: Import): Promise<Worker> {
  parentPort!.unref();
  return workerOf(spec, load).finally(() => parentPort!.ref());
}

function failed(error: unknown): ThreadAnswer {
  const problems = problemsOf(error);
  return problems === undefined ? { crash: crashOf(error) } : { problems };
}

/** Executes a task in its thread; a pure function of the task. */
type Worker = (task: never) => unknown;

/** @param load imports model modules */
async function workerOf(spec: WorkSpec, load?: Import): Promise<Worker> {
  switch (spec.kind) {
    case 'trace':
      return (await import('../scenario-options.ts')).tracePredictor(spec);
    case 'model':
      return (await import('./model-study.ts')).importedPredictor(spec, load);
    case 'replications':
      return (await import('../../predict/replications/replication-study.ts')).importedReplicator(spec, load);
  }
}
