import type { ReplicationStudy } from '../../predict/replications/replication-study.ts';
import type { Replicate } from '../../predict/replications/replications.ts';
import type { Scenario } from '../axes/grid.ts';
import type { Outcome } from '../predictor.ts';
import type { TraceStudy } from '../scenario-options.ts';
import type { ModelStudy } from './model-study.ts';

/** Data from which a thread makes its worker; plain data. */
export type WorkSpec = TraceStudy | ModelStudy | ReplicationStudy;

/** Types of tasks and results, by kind of work. */
export interface Work {
  readonly trace: { readonly task: Scenario; readonly result: Outcome };
  readonly model: { readonly task: Scenario; readonly result: Outcome };
  readonly replications: { readonly task: number; readonly result: Replicate };
}
