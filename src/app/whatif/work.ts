import type { Import } from '../load-model.ts';
import type { ReplicationStudy } from '../predict/replicate-model-file.ts';
import type { Replicate } from '../predict/replications.ts';
import type { Scenario } from './grid.ts';
import type { ModelStudy } from './model-study.ts';
import type { Outcome } from './predictor.ts';
import type { TraceStudy } from './trace-predictor.ts';

/** What a thread makes its worker of: plain data. */
export type WorkSpec = TraceStudy | ModelStudy | ReplicationStudy;

/** What a thread is asked, and what it answers, by what it was made for. */
export interface Work {
  readonly trace: { readonly task: Scenario; readonly result: Outcome };
  readonly model: { readonly task: Scenario; readonly result: Outcome };
  readonly replications: { readonly task: number; readonly result: Replicate };
}

/** A pure function of its task, in the thread that asks for it. */
export type Worker = (task: never) => unknown;

/** @param load how models are imported */
export async function workerOf(spec: WorkSpec, load?: Import): Promise<Worker> {
  switch (spec.kind) {
    case 'trace':
      return (await import('./trace-predictor.ts')).tracePredictor(spec);
    case 'model':
      return (await import('./model-study.ts')).importedPredictor(spec, load);
    case 'replications':
      return (await import('../predict/replicate-model-file.ts')).importedReplicator(spec, load);
  }
}
