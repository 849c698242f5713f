import { resolve } from 'node:path';
import { fail, InputError, quote } from '../../../base/problem.ts';
import { inputOf, type ModelInput } from '../../inputs/input.ts';
import { type Import, loadModel, loadModels } from '../../inputs/load-model.ts';
import { leftRunning } from '../../inputs/model-guard.ts';
import type { Scenario } from '../axes/grid.ts';
import { type ModelOptions, modelHash, modelPredictor } from './model-predictor.ts';
import type { Predictor } from './predictor.ts';

/** A model that worker threads import, and the options shared by all scenarios. */
export interface ModelStudy extends ModelOptions {
  readonly kind: 'model';
  readonly file: string;
  /**
   * Set if the caller passed a model object: its name and parameters, to find it in its module, and the hash of its net in
   * a scenario, to verify that the imported model is the same.
   */
  readonly again?: {
    readonly name: string;
    readonly params: ModelInput['model']['params'];
    readonly scenario: Scenario;
    readonly hash: string;
  };
}

/** Global flag of threads that import models for studies; prevents endless recursion if a module starts a study itself. */
const IN_THREAD: unique symbol = Symbol.for('foretoken.study-thread') as never;

/** @throws InputError WHAT017 in a thread that imports a model for a study */
export function assertNoThread(): void {
  if ((globalThis as { [IN_THREAD]?: boolean })[IN_THREAD] === true)
    fail('WHAT017', 'the module of the model starts a study when it is imported: export the model from another module');
}

/** Predictor of a model in a worker thread, which imports the model's module again. */
export async function importedPredictor(study: ModelStudy, load?: Import): Promise<Predictor> {
  (globalThis as { [IN_THREAD]?: boolean })[IN_THREAD] = true;
  const predict = modelPredictor(await importedModel(study, load), study);
  return async (scenario) => {
    const outcome = await predict(scenario);
    const left = leftRunning(study.file);
    return left.length === 0 ? outcome : { ...outcome, warnings: [...(outcome.warnings ?? []), ...left] };
  };
}

/** @throws InputError WHAT017 if the module does not export the model */
async function importedModel({ file, again, options }: ModelStudy, load?: Import): Promise<ModelInput> {
  if (again === undefined) return loadModel(file, load);
  const { name, params, scenario, hash } = again;
  for (const { model } of await loadModels(file, load)) {
    if (model.name !== name || Object.keys(params).join() !== Object.keys(model.params).join()) continue;
    const found = inputOf(model.with(params as never), file) as ModelInput;
    if (modelHash(found, scenario, options) === hash) return found;
  }
  return fail('WHAT017', `does not export the studied model ${quote(name)}`, { file });
}

/**
 * Data with which worker threads import a model object. `undefined` if they cannot: its module is unknown or is the running
 * script, or the options contain functions.
 */
export function studyOf(input: ModelInput, scenario: Scenario, common: ModelOptions): ModelStudy | undefined {
  const { file, name, params } = input.model;
  const { machine, placement } = common.options;
  const [, script] = process.argv;
  if (file === undefined || (script !== undefined && resolve(script) === resolve(file))) return undefined;
  if (typeof placement === 'function' || (typeof machine === 'object' && 'route' in machine)) return undefined;
  try {
    const hash = modelHash(input, scenario, common.options);
    return { kind: 'model', file, ...common, again: { name, params, scenario, hash } };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
