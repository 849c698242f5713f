import type { ProgramModel } from '../../models/program/model.ts';
import { netHash } from '../../net/net-hash.ts';
import { modelNet } from '../predict-model.ts';
import { predictModel } from '../run-model.ts';
import { balanced, balancing } from './balanced.ts';
import type { Scenario } from './grid.ts';
import { outcomeOf } from './outcome.ts';
import type { Predictor } from './predictor.ts';
import { type MachineReader, machineReader, type SharedOptions, scenarioOptions } from './scenario-options.ts';

/** What all scenarios of a model have in common. */
export interface ModelOptions {
  readonly options: SharedOptions;
  readonly replications: number | undefined;
}

/** Predicts a model in scenarios of ranks, machine, network model, placement, collectives and its own parameters. */
export function modelPredictor(model: ProgramModel, { options, replications }: ModelOptions): Predictor {
  const read = machineReader();
  const runs = replications === undefined ? {} : { replications };
  return (scenario) => {
    const own = scenarioOptions(scenario, options, 'model', read);
    if (scenario.ideal !== 'balance') return outcomeOf(predictModel(model, { ...own, ...runs }));
    const factors = balancing(predictModel(model, own).ranks);
    return outcomeOf(predictModel(model, { ...own, ...runs }, (programs) => balanced(programs, factors)));
  };
}

/** Tells models apart: SHA-256 of the net of one in a scenario. */
export function modelHash(
  model: ProgramModel,
  scenario: Scenario,
  options: SharedOptions,
  read: MachineReader = machineReader(),
): string {
  return netHash(modelNet(model, scenarioOptions(scenario, options, 'model', read)).program.net);
}
