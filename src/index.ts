/**
 * The public interface of foretoken: nets as a library, and the users' jobs. Nothing else is promised to stay.
 */

export { type SimulatedRun, type SimulateOptions, simulate } from './analysis/simulate.ts';
export { convert } from './app/convert.ts';
export type { PredictOptions, Progress } from './app/options.ts';
export { predict } from './app/predict.ts';
export type { MachineOptions } from './app/trace-net.ts';
export { formatProblem, InputError, type Place as ProblemPlace, type Problem } from './base/problem.ts';
export {
  type CompiledNet,
  type CompileOptions,
  compile,
  type Game,
  type MarkedToken,
  type Observer,
  type TransitionObserver,
} from './engine/compile.ts';
export {
  type Colour,
  type Enumeration,
  NetBuilder,
  type NumberTable,
  type PlaceOf,
  type PlaceOptions,
  type RoutesTable,
  type StepTable,
  type TermsOf,
  type TransitionBuilder,
} from './net/builder.ts';
export { netToDot } from './net/dot.ts';
export type { Expression } from './net/expression.ts';
export { netFromJson, netToJson } from './net/json.ts';
export type * from './net/net.ts';
export * from './net/terms.ts';
export { netToText } from './net/text.ts';
export { validate } from './net/validate.ts';
export type * from './report/prediction.ts';
