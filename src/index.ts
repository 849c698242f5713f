/**
 * The public interface of foretoken: nets as a library, and the operations of the command line. Everything else is internal
 * and may change without notice.
 */

export {
  type CycleComponent,
  type CycleStep,
  type CycleTimes,
  cycleTime,
  type ExactFigure,
} from './analysis/bounds/cycle-time.ts';
export type { BoundSource } from './analysis/bounds/reward-bounds.ts';
export { type RunTimeBounds, type RunTimeSource, runTimeBounds } from './analysis/bounds/run-time-bounds.ts';
export {
  type Bounds,
  type BoundsLimits,
  type ThroughputBounds,
  throughputBounds,
} from './analysis/bounds/throughput-bounds.ts';
export { type PlaceBounds, type PlaceBoundsOptions, placeBounds } from './analysis/coverability/place-bounds.ts';
export { type Estimate, type Estimates, estimates, type ReplicatedRun } from './analysis/estimates.ts';
export type { LoggedEvent } from './analysis/event-log.ts';
export { type MarkovFiles, type MarkovFilesOptions, netToMarkovFiles } from './analysis/model-checkers/explicit.ts';
export { netToJani } from './analysis/model-checkers/jani.ts';
export { netToPrism } from './analysis/model-checkers/prism.ts';
export type { AllFigures, Figures, FiguresOf, MonitorSpec, MonitorSpecs } from './analysis/monitor.ts';
export * as property from './analysis/properties/build.ts';
export type {
  Formula,
  NamedProperty,
  PathOperator,
  Property,
  Relation,
  Sum,
  Term as TokenTerm,
} from './analysis/properties/property.ts';
export { type Change, type Replayed, replay } from './analysis/properties/replay.ts';
export type { NamedStep } from './analysis/properties/steps.ts';
export { type ReplicateOptions, type Replication, replicate } from './analysis/replicate.ts';
export type { RewardFunction, TokensIn } from './analysis/reward.ts';
export { type SafeNet, type SafeOptions, safeNet } from './analysis/safe/safe-net.ts';
export {
  type Ended,
  type PreparedNet,
  prepare,
  type RunningNet,
  type SimulatedRun,
  type SimulateOptions,
  simulate,
} from './analysis/simulate.ts';
export type { Bin } from './analysis/statistics/histogram.ts';
export { type Summary, summary } from './analysis/statistics/summary.ts';
export type { ShapeFault, ShapeFinding } from './analysis/structure/shapes/check-shapes.ts';
export type { Code as ProblemCode } from './base/codes.ts';
export { formatProblem, InputError, type Place as ProblemPlace, type Problem } from './base/problem.ts';
export type { Noise } from './base/random/noise.ts';
export type { ThreadCosts } from './base/thread-costs.ts';
export type { Rate, Size, Speed, Time } from './base/units.ts';
export { compare, type Given as GivenPrediction } from './commands/compare/compare.ts';
export {
  compareProfiles,
  type GivenProfile,
} from './commands/compare/compare-profiles.ts';
export type * from './commands/compare/comparison.ts';
export type * from './commands/compare/profile-comparison.ts';
export { convert } from './commands/convert/convert.ts';
export type { ConvertOptions, ConvertOptionsOf } from './commands/convert/convert-options.ts';
export { diagnose } from './commands/diagnose/diagnose.ts';
export type {
  DiagnosedRegion,
  DiagnosedWorker,
  DiagnosisDocument,
  DiagnosisFinding,
} from './commands/diagnose/diagnosis-document.ts';
export type { DiagnoseModelOptions, DiagnoseOptions } from './commands/diagnose/diagnosis-options.ts';
export type * from './commands/exact/exact-parts.ts';
export { type RunTimesOptions, runTimes } from './commands/exact/space-run-time.ts';
export { explore } from './commands/explore/explore.ts';
export type { ExploreProgress, SpaceOptions, SpaceOptionsOf } from './commands/explore/explore-document.ts';
export type * from './commands/explore/space.ts';
export {
  type GraphOptions,
  graphOf,
  type MachineGraphNode,
  type StateGraphNode,
} from './commands/graph/graph-of.ts';
export type { GraphPath, GraphView } from './commands/graph/graph-view.ts';
export type * from './commands/inputs/document-parts.ts';
export type { MachineOptions } from './commands/inputs/target.ts';
export type { ThreadOptions } from './commands/inputs/thread-options.ts';
export { type MachineModuleOptions, type MachineService, machineModule } from './commands/mapping/machine-module.ts';
export { type MapOptions, type Mapped, map } from './commands/mapping/map.ts';
export type * from './commands/predict/improvement-figures.ts';
export type { PredictOptions, PredictOptionsOf, Progress } from './commands/predict/options.ts';
export { predict } from './commands/predict/predict.ts';
export type * from './commands/predict/prediction.ts';
export type * from './commands/predict/replications/replication-figures.ts';
export type { ReplicationOptions } from './commands/predict/replications/replications.ts';
export type * from './commands/predict/threads/worker-figures.ts';
export type { CheckedRun } from './commands/profile/check-run.ts';
export type * from './commands/profile/profile-document.ts';
export type { ProfileOptions, ProfileOptionsOf, SimulationOptions } from './commands/profile/profile-options.ts';
export { profile } from './commands/profile/profile-program.ts';
export { readResult } from './commands/rerun/result-file.ts';
export type { ResultDocument } from './commands/schema/result-documents.ts';
export { steady } from './commands/steady/steady.ts';
export {
  type AbsorptionAnswer,
  absorption,
  type FragmentsAnswer,
  fragments,
  transient,
} from './commands/steady/steady-answers.ts';
export type { SteadyOptions, SteadyOptionsOf } from './commands/steady/steady-options.ts';
export type * from './commands/steady/steady-result.ts';
export { structure } from './commands/structure/structure.ts';
export type { StructureOptions, StructureOptionsOf } from './commands/structure/structure-options.ts';
export type * from './commands/structure/structure-result.ts';
export type * from './commands/verify/net/verification.ts';
export { verify } from './commands/verify/net/verify.ts';
export type { AskedProperty, GivenProperty } from './commands/verify/net/verify-questions.ts';
export {
  type ShapeVerification,
  type VerifiedShape,
  type VerifyShapesOptions,
  verifyShapes,
} from './commands/verify/net/verify-shapes.ts';
export type * from './commands/verify/program/program-verification.ts';
export type { SendProtocol } from './commands/verify/program/subject.ts';
export { verifyProgram } from './commands/verify/program/verify-program.ts';
export type {
  ThreadInstance,
  ThreadProperty,
  ThreadStep,
  ThreadVerificationDocument,
  ThreadViolation,
} from './commands/verify/threads/thread-verification.ts';
export { verifyThreads } from './commands/verify/threads/verify-threads.ts';
export type {
  Reduce,
  SendsOption,
  VerifyOptions,
  VerifyOptionsOf,
  VerifyProgramOptions,
  VerifyThreadsOptions,
} from './commands/verify/verify-options.ts';
export { type View, view } from './commands/view/view.ts';
export type { ViewOptions, ViewOptionsOf } from './commands/view/view-options.ts';
export { type Axis, parseAxes } from './commands/whatif/axes/axes.ts';
export type { Segment } from './commands/whatif/axes/axis-range.ts';
export type { Ideal, Scenario, StudyPlan } from './commands/whatif/axes/grid.ts';
export type { Outcome, Predictor } from './commands/whatif/predictors/predictor.ts';
export type { RunOptions } from './commands/whatif/run-scenarios.ts';
export { fitAmdahl, fitScalability, type Measured, scalingPoints } from './commands/whatif/scaling-laws.ts';
export { runStudy, type StudyResult } from './commands/whatif/study.ts';
export {
  type ModelAxes,
  type ModelWhatIfOptions,
  type StudyInput,
  type ThreadAxes,
  type ThreadWhatIfOptions,
  type WhatIfOptions,
  type WhatIfOptionsOf,
  whatif,
} from './commands/whatif/whatif.ts';
export type { StudyOptions } from './commands/whatif/whatif-options.ts';
export type * from './commands/whatif/whatif-result.ts';
export {
  type CompiledNet,
  type CompileOptions,
  compile,
  type Game,
  type MarkedToken,
  type NetRun,
  type SavedGame,
  type SavedNetRun,
  type StartOptions,
} from './engine/compile.ts';
export type { CountObserver, Observer, TransitionObserver } from './engine/observers.ts';
export {
  type ClusterOptions,
  cluster,
  type GroupOptions,
  type NodeOptions,
  type OverheadOptions,
  type ThreadCostOptions,
} from './machine/cluster.ts';
export { readMachineFile } from './machine/description/machine-file.ts';
export { changeMachine, type MachineParameter, machineParameters } from './machine/description/machine-parameters.ts';
export { writeMachineFile } from './machine/description/write-machine.ts';
export { IDEAL_BANDWIDTH, idealNetwork } from './machine/ideal-network.ts';
export type { Machine, MemoryAccess, NodeGroup, Overhead } from './machine/machine.ts';
export type { NodeOf, PlacementList } from './machine/placement.ts';
export type { Transport } from './machine/platform.ts';
export type { Network, NetworkOptions } from './machine/topology/topologies.ts';
export type { TransportOptions } from './machine/topology/topology.ts';
export {
  type BuilderOptions,
  type Colour,
  type Enumeration,
  type Exports,
  type Fn,
  type Given,
  type MaxMinTerms,
  NetBuilder,
  type NumberTable,
  type Pattern,
  type PlaceOf,
  type PlaceOptions,
  type PlainToken,
  type RoutesTable,
  type StepTable,
  type TermOf,
  type TermsOf,
  type TransitionBuilder,
} from './net/builder/builder.ts';
export type { Fields, ServiceTerms, ValueOf } from './net/builder/builder-types.ts';
export * from './net/builder/distributions.ts';
export {
  fcfs,
  infiniteServer,
  lcfsPr,
  priority,
  processorSharing,
  type Seconds,
  type StationOptions,
} from './net/builder/stations.ts';
export { netToDot } from './net/drawing/dot.ts';
export {
  type NetGraphEdge,
  type NetGraphLabel,
  type NetGraphNode,
  netGraph,
  placeNode,
  transitionNode,
} from './net/drawing/graph.ts';
export { netToSvg, type SvgOptions } from './net/drawing/svg.ts';
export type { Expression } from './net/expression.ts';
export { type Incidence, type IncidenceEntry, type InscribedTokens, incidence } from './net/incidence/incidence.ts';
export { incidenceToCsv } from './net/incidence/incidence-csv.ts';
export { type ResolvedIncidence, resolvedIncidence, type SparseRows } from './net/incidence/incidence-resolved.ts';
export { type NetDocument, type NetJsonLimits, netFromJson, netToJson } from './net/json/json.ts';
export { close, hide } from './net/merge/close.ts';
export { type CombineRules, type MergeOptions, merge } from './net/merge/merge.ts';
export { type QualifyOptions, qualify, type Renames, rename } from './net/merge/rename.ts';
export type * from './net/net.ts';
export type { PnmlInput } from './net/pnml/pnml-decode.ts';
export { type PnmlNet, readPnml } from './net/pnml/pnml-read.ts';
export { type WrittenPnml, writePnml } from './net/pnml/pnml-write.ts';
export type { PnmlLimits } from './net/pnml/pnml-xml.ts';
export { type PnproNet, readPnpro } from './net/pnpro/pnpro-read.ts';
export type { NodeShapes, PlaceShape, TransitionShape, TurnGroup, Turns } from './net/shapes/node-shapes.ts';
export * from './net/terms.ts';
export { netToText } from './net/text/text.ts';
export { type UnfoldOptions, unfold } from './net/unfold/unfold.ts';
export { validate } from './net/validation/validate.ts';
