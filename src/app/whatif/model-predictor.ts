import { fail, type Problem, quote } from '../../base/problem.ts';
import type { ProgramModel } from '../../models/program/model.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { netHash } from '../../net/net-hash.ts';
import type { AnyModel } from '../any-model.ts';
import { type ModelNet, modelNet } from '../predict/predict-model.ts';
import { isRandom, predictBuilt, predictModel } from '../predict/run-model.ts';
import { predictBuiltThreads } from '../threads/predict-threads.ts';
import { drawsRandomly, threadModelNet } from '../threads/thread-model-net.ts';
import { balanced, balancing } from './balanced.ts';
import type { Scenario } from './grid.ts';
import { outcomeOf } from './outcome.ts';
import type { Outcome, Predictor } from './predictor.ts';
import { type MachineReader, machineReader, type SharedOptions, scenarioOptions } from './scenario-options.ts';

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
    const predicted = (built: ModelNet): Outcome => {
      const outcome = outcomeOf(predictBuilt(built, { ...own, ...runs }));
      if ((replications ?? 1) > 1 || !isRandom(built)) return outcome;
      return { ...outcome, warnings: [...(outcome.warnings ?? []), drawnOnce(model)] };
    };
    if (scenario.ideal !== 'balance') return predicted(modelNet(model, own));
    const factors = balancing(predictModel(model, own).ranks);
    return predicted(modelNet(model, own, (programs) => balanced(programs, factors)));
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
  return netHash(modelNet(model, scenarioOptions(scenario, options, 'model', read)).program.net);
}
