import { fail, type Problem, quote } from '../../../base/problem.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import { type Block, blocksOf, type Statement } from '../../../models/program/record/statement.ts';
import type { Net } from '../../../net/net.ts';
import { netHash } from '../../../net/net-hash.ts';
import { CONFIDENCE } from '../../inputs/document-parts.ts';
import { type ByKind, byKind, type InputOf, type ModelInput } from '../../inputs/input.ts';
import { modelSubject } from '../../predict/model/model-subject.ts';
import { modelScheduleNet } from '../../predict/model/scheduled-model.ts';
import { mapModel } from '../../predict/model/stages.ts';
import type { PredictOptions } from '../../predict/options.ts';
import { predictSubject, subjectOf } from '../../predict/predict-subject.ts';
import type { RankFigures } from '../../predict/prediction.ts';
import type { Subject } from '../../predict/subject.ts';
import { threadModelNet } from '../../predict/threads/thread-model-net.ts';
import { chosenLogGops } from '../../subjects/loggops-network.ts';
import type { Scenario } from '../axes/grid.ts';
import { type MachineReader, machineReader, scenarioOptions } from '../scenario-options.ts';
import type { SharedOptions } from '../whatif-options.ts';
import { outcomeOf, type Predictor } from './predictor.ts';
import { replicatedOutcome, runsOf } from './replicated-outcome.ts';

/** Options shared by all scenarios of a model. */
export interface ModelOptions {
  readonly options: SharedOptions;
  readonly replications: number | undefined;
  /** Confidence level of the intervals. Default 0.95. */
  readonly confidence?: number | undefined;
}

/** Returns a predictor for scenarios of ranks or workers, machine, and model parameters. */
export function modelPredictor(
  input: ModelInput,
  { options, replications: shared, confidence = CONFIDENCE }: ModelOptions,
): Predictor {
  const read = machineReader();
  const runs = shared === undefined ? {} : { replications: shared };
  return (scenario) => {
    const own = { ...scenarioOptions(scenario, options, input.kind, read), ...runs };
    const subject = byKind(SUBJECTS, input, own, scenario.ideal);
    // One warning that ties decide figures is enough; it needs more runs.
    const looksForTies = scenario.index === 0;
    const replications = runsOf(subject, scenario.replications, shared);
    if (replications > 1) return replicatedOutcome(subject, replications, confidence, looksForTies);
    const outcome = outcomeOf(predictSubject(subject, looksForTies));
    if (!subject.draws) return outcome;
    return { ...outcome, warnings: [...(outcome.warnings ?? []), drawnOnce(input.model)] };
  };
}

const SUBJECTS: ByKind<ModelInput['kind'], [PredictOptions, Scenario['ideal']], Subject> = {
  model: (input, options, ideal) => (ideal === 'balance' ? balancedSubject(input, options) : subjectOf(input, options)),
  'thread model': (input, options, ideal) =>
    ideal === undefined
      ? subjectOf(input, options)
      : fail('WHAT012', `model ${quote(input.model.name)} has threads: it cannot be idealised`),
};

/** The model with computations that take all ranks the same time. */
function balancedSubject(input: InputOf<'model'>, options: PredictOptions): Subject {
  if (chosenLogGops(options) !== undefined)
    fail('WHAT012', `model ${quote(input.model.name)} under LogGOPS: its computing cannot be balanced`);
  const { replications: _, ...once } = options;
  const factors = balancing(predictSubject(subjectOf(input, once)).ranks);
  return modelSubject(
    mapModel(input.model, options, (programs) => balanced(programs, factors)),
    options,
  );
}

/** Warning WHAT018: a single run of a stochastic model does not show the effect of a change. */
const drawnOnce = (model: ModelInput['model']): Problem => ({
  code: 'WHAT018',
  message: `model ${quote(model.name)} draws random numbers: the figures of one run are one sample; --replications 30 gives means with intervals`,
});

/** Identifies a model: SHA-256 of its net in a scenario. */
export function modelHash(
  input: ModelInput,
  scenario: Scenario,
  options: SharedOptions,
  read: MachineReader = machineReader(),
): string {
  return netHash(byKind(NETS, input, scenarioOptions(scenario, options, input.kind, read)));
}

const NETS: ByKind<ModelInput['kind'], [PredictOptions], Net> = {
  model: ({ model }, options) =>
    chosenLogGops(options) === undefined
      ? mapModel(model, options).program.net
      : modelScheduleNet(model, options).read.net,
  'thread model': ({ model }, options) => threadModelNet(model, options).net.net,
};

/**
 * Factors by which the computation of each rank is multiplied so that all ranks take the same time for it: the mean time
 * for computing and memory over the ranks that compute, divided by the rank's time, both from a first run. The sum over
 * all ranks is preserved; ranks that compute nothing get factor 1.
 */
export function balancing(ranks: readonly RankFigures[]): Float64Array {
  const busy = Float64Array.from(ranks, ({ computing, memory = 0 }) => computing + memory);
  const working = busy.filter((seconds) => seconds > 0);
  const mean = working.reduce((sum, seconds) => sum + seconds, 0) / working.length;
  return busy.map((seconds) => (seconds > 0 ? mean / seconds : 1));
}

/** Copies programs with the flops, bytes and seconds of computations multiplied by the factor of the executing rank. */
export function balanced(programs: readonly Recorded[], factors: Float64Array): Recorded[] {
  return programs.map((program) => {
    const scaled = (argument: unknown): unknown =>
      argument === undefined
        ? undefined
        : (s: { readonly rank: number }) => {
            const amount: unknown = typeof argument === 'function' ? argument(s) : argument;
            return typeof amount === 'number' ? amount * factors[program.first + s.rank]! : amount;
          };
    const block = ({ statements }: Block): Block => ({ statements: statements.map(statement) });
    const statement = (s: Statement): Statement => {
      if (s.kind === 'compute')
        return { ...s, flops: scaled(s.flops), bytes: scaled(s.bytes), seconds: scaled(s.seconds) };
      if (blocksOf(s).length === 0) return s;
      if ('holds' in s) return { ...s, holds: block(s.holds), otherwise: block(s.otherwise) };
      return 'body' in s ? { ...s, body: block(s.body) } : s;
    };
    return { ...program, body: block(program.body) };
  });
}
