import { InputError, type Problem } from '../../base/problem.ts';
import { startThread } from '../../base/workers/start-thread.ts';
import { WorkerPool } from '../../base/workers/worker-pool.ts';
import { buildLimit, buildLimitMessage } from '../inputs/build-phase.ts';

/** Data from which a thread makes its worker: plain data that names its kind, and a file if the thread imports a module. */
export interface WorkSpec {
  readonly kind: string;
  /** The module that the thread imports. */
  readonly file?: string;
}

/**
 * A pool of at most `workers` threads for scenarios or replications. A thread prepares the work of `spec` once. The task
 * of a thread that dies fails with WHAT015, and that of a model that is not built within the limit with APP027.
 */
export function workPool<Task, Result>(spec: WorkSpec, workers: number): WorkerPool<Task, Result> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const module = new URL(`./scenario-worker.${ending}`, import.meta.url);
  const place: Pick<Problem, 'place'> = spec.file === undefined ? {} : { place: { file: spec.file } };
  const seconds = buildLimit();
  return new WorkerPool(
    {
      start: () => {
        const worker = startThread(module, { workerData: spec, stdout: true });
        // Standard output is reserved for results: output of the model is redirected to standard error.
        worker.stdout.on('data', (chunk: Uint8Array) => process.stderr.write(chunk));
        return worker;
      },
      died: (why) => new InputError([{ code: 'WHAT015', message: `it ended without an answer: ${why}` }]),
      limit: {
        seconds,
        exceeded: () => new InputError([{ code: 'APP027', message: buildLimitMessage(seconds), ...place }]),
      },
    },
    workers,
  );
}
