import type { Import } from '../load-model.ts';
import type { WorkSpec } from './work.ts';

/** Executes a task in its thread; a pure function of the task. */
export type Worker = (task: never) => unknown;

/** @param load imports model modules */
export async function workerOf(spec: WorkSpec, load?: Import): Promise<Worker> {
  switch (spec.kind) {
    case 'trace':
      return (await import('./trace-predictor.ts')).tracePredictor(spec);
    case 'model':
      return (await import('./model-study.ts')).importedPredictor(spec, load);
    case 'replications':
      return (await import('../predict/replication-study.ts')).importedReplicator(spec, load);
  }
}
