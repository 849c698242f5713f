import { InputError, type Problem } from '../../base/problem.ts';
import { startThread } from '../../base/workers/start-thread.ts';
import { WorkerPool } from '../../base/workers/worker-pool.ts';
import { buildLimit, buildLimitMessage } from '../inputs/build-phase.ts';
import type { ReplicationStudy } from '../predict/replications/replication-study.ts';
import type { Replicate } from '../predict/replications/replications.ts';
import type { Scenario } from '../whatif/axes/grid.ts';
import type { NetStudy } from '../whatif/net-predictor.ts';
import type { Outcome } from '../whatif/predictor.ts';
import type { TraceStudy } from '../whatif/scenario-options.ts';
import type { ModelStudy } from './model-study.ts';

/** Data from which a thread makes its worker; plain data. */
export type WorkSpec = TraceStudy | NetStudy | ModelStudy | ReplicationStudy;

/** Types of tasks and results, by kind of work. */
interface Work {
  readonly trace: { readonly task: Scenario; readonly result: Outcome };
  readonly net: { readonly task: Scenario; readonly result: Outcome };
  readonly model: { readonly task: Scenario; readonly result: Outcome };
  readonly replications: { readonly task: number; readonly result: Replicate };
}

/**
 * A pool of at most `workers` threads for scenarios or replications. A thread prepares the work of `spec` once. The task
 * of a thread that dies fails with WHAT015, and that of a model that is not built within the limit with APP027.
 */
export function workPool<Spec extends WorkSpec>(
  spec: Spec,
  workers: number,
): WorkerPool<Work[Spec['kind']]['task'], Work[Spec['kind']]['result']> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const module = new URL(`./scenario-worker.${ending}`, import.meta.url);
  const place: Pick<Problem, 'place'> =
    spec.kind === 'trace' || spec.kind === 'net' ? {} : { place: { file: spec.file } };
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
