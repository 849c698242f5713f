import { fail, type Problem, quote } from '../../../base/problem.ts';
import type { ProgramModel } from '../../../models/program/model.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import { type Block, blocksOf, type Statement } from '../../../models/program/record/statement.ts';
import { isThreadModel, type ThreadModel } from '../../../models/threads/program/threads.ts';
import { netHash } from '../../../net/net-hash.ts';
import type { AnyModel } from '../../inputs/any-model.ts';
import { isRandom, predictBuilt, predictModel, withModelTies } from '../../predict/model/predict-model.ts';
import { type MappedModel, mapModel } from '../../predict/model/stages.ts';
import type { RankFigures } from '../../predict/prediction.ts';
import { predictBuiltThreads } from '../../predict/threads/predict-threads.ts';
import { drawsRandomly, threadModelNet } from '../../predict/threads/thread-model-net.ts';
import type { Scenario } from '../axes/grid.ts';
import { type MachineReader, machineReader, scenarioOptions } from '../scenario-options.ts';
import type { SharedOptions } from '../whatif-options.ts';
import { type Outcome, outcomeOf, type Predictor } from './predictor.ts';

/** Options shared by all scenarios of a model. */
export interface ModelOptions {
  readonly options: SharedOptions;
  readonly replications: number | undefined;
}

/** Returns a predictor for the scenarios of a model. */
export function modelPredictor(model: AnyModel, common: ModelOptions): Predictor {
  return isThreadModel(model) ? threadPredictor(model, common) : rankPredictor(model, common);
}

/** Scenarios of workers, scheduler, machine and model parameters. */
function threadPredictor(model: ThreadModel, { options, replications }: ModelOptions): Predictor {
  const read = machineReader();
  const runs = replications === undefined ? {} : { replications };
  return (scenario) => {
    if (scenario.ideal !== undefined) fail('WHAT012', `model ${quote(model.name)} has threads: it cannot be idealised`);
    const own = scenarioOptions(scenario, options, 'thread model', read);
    const built = threadModelNet(model, own);
    const outcome = outcomeOf(predictBuiltThreads(built, { ...own, ...runs }));
    if ((replications ?? 1) > 1 || !drawsRandomly(built)) return outcome;
    return { ...outcome, warnings: [...(outcome.warnings ?? []), drawnOnce(model)] };
  };
}

/** Scenarios of ranks, machine, network model, placement, collectives and model parameters. */
function rankPredictor(model: ProgramModel, { options, replications }: ModelOptions): Predictor {
  const read = machineReader();
  const runs = replications === undefined ? {} : { replications };
  return (scenario) => {
    const own = scenarioOptions(scenario, options, 'model', read);
    const predicted = (built: MappedModel): Outcome => {
      const document = predictBuilt(built, { ...own, ...runs });
      // One warning that ties decide figures is enough; it needs more runs.
      const outcome = outcomeOf(scenario.index === 0 ? withModelTies(built, own, document) : document);
      if ((replications ?? 1) > 1 || !isRandom(built)) return outcome;
      return { ...outcome, warnings: [...(outcome.warnings ?? []), drawnOnce(model)] };
    };
    if (scenario.ideal !== 'balance') return predicted(mapModel(model, own));
    const factors = balancing(predictModel(model, own, false).ranks);
    return predicted(mapModel(model, own, (programs) => balanced(programs, factors)));
  };
}

/** Warning WHAT018: a single run of a stochastic model does not show the effect of a change. */
const drawnOnce = (model: AnyModel): Problem => ({
  code: 'WHAT018',
  message: `model ${quote(model.name)} draws random numbers: the figures of one run are one sample; --replications 30 gives means with intervals`,
});

/** Identifies a model: SHA-256 of its net in a scenario. */
export function modelHash(
  model: AnyModel,
  scenario: Scenario,
  options: SharedOptions,
  read: MachineReader = machineReader(),
): string {
  if (isThreadModel(model))
    return netHash(threadModelNet(model, scenarioOptions(scenario, options, 'thread model', read)).net.net);
  return netHash(mapModel(model, scenarioOptions(scenario, options, 'model', read)).program.net);
}

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
