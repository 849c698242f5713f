/** API for models of parallel programs: `import { spmd, … } from 'foretoken/models'`. */

export type { Noise } from './base/random/noise.ts';
export { type ClusterOptions, cluster } from './machine/cluster.ts';
export { noise } from './models/noise.ts';
export {
  type ComposeNetsOptions,
  type ComposeOptions,
  type ComposeThreadsOptions,
  compose,
  type EndsOf,
  type LabelsOf,
  type Module,
  type ModuleOptions,
  type NetModule,
  type ThreadModule,
} from './models/program/compose/compose.ts';
export { type MpmdPart, mpmd } from './models/program/compose/mpmd.ts';
export { type SequencePart, sequence } from './models/program/compose/sequence.ts';
export { type ModelOptions, spmd } from './models/program/model.ts';
export type { ProgramModel } from './models/program/model-object.ts';
export {
  ANY,
  type Any,
  type Arg,
  type CollectiveOptions,
  type ComputeOptions,
  type IntervalOptions,
  type IntoOptions,
  type LabelledRecv,
  type LabelledSend,
  type Parameters,
  type Peer,
  type PersistentRequest,
  type ProgramBuilder,
  type RecvOptions,
  type SendOptions,
  type SendrecvOptions,
  type State,
} from './models/program/record/builder-types.ts';
export type { Communicator } from './models/program/record/communicator.ts';
export { type Grid2d, type Grid3d, grid2d, grid3d } from './models/program/record/grid.ts';
export {
  type Interface,
  type Label,
  type LabelKind,
  phase,
  receives,
  resource,
  sends,
} from './models/program/record/labels.ts';
export type { Request, SendMode } from './models/program/record/statement.ts';
export {
  counter,
  flag,
  oneOf,
  range,
  rankVar,
  type Variable,
  type Variables,
} from './models/program/record/variables.ts';
export type {
  Dependences,
  ParallelForOptions,
  PipelineOptions,
  StageOptions,
  TaskloopOptions,
  ThreadArg,
  ThreadBuilder,
  ThreadState,
  ThreadWork,
} from './models/threads/program/builder-types.ts';
export type { ThreadInterface } from './models/threads/program/module-scope.ts';
export type { Future, ObjectKind, Objects, Schedule, Spawning } from './models/threads/program/statements.ts';
export { type ThreadModel, type ThreadModelOptions, threads } from './models/threads/program/threads.ts';
