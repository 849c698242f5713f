import { existsSync } from 'node:fs';
import { fail, quote } from '../../base/problem.ts';
import { isModel, type ProgramModel } from '../../models/program/model.ts';
import type { WhatIfDocument } from '../../report/whatif.ts';
import { assertExists, assertTraceInput } from '../input-kinds.ts';
import { type Import, loadModel } from '../load-model.ts';
import { isModelFile } from '../model-endings.ts';
import { isNetFile } from '../net-file.ts';
import { ASSUMED_MACHINE } from '../predict/predict-model.ts';
import { replicationPlan } from '../predict/replications.ts';
import { allowedAxes } from './allowed-axis.ts';
import { type Axis, valueAt } from './axes.ts';
import { checkPlan, type Studied } from './check-plan.ts';
import { modelPredictor } from './model-predictor.ts';
import { assertNoThread, studyOf } from './model-study.ts';
import { MODEL_PREFIX } from './study-axes.ts';
import { axesIn, studyDocument } from './study-document.ts';
import { studyInputs } from './study-inputs.ts';
import { type ModelWhatIfOptions, plainOptions, sharedOptions, type WhatIfOptions } from './whatif-options.ts';

export type { ModelAxes, ModelWhatIfOptions, WhatIfOptions } from './whatif-options.ts';

const TRACE: Studied = { what: 'a trace', axes: [], lacks: { ranks: ': its number of ranks is recorded' } };

/**
 * Predicts a model or a trace in every scenario of a grid, in worker threads on all cores. Axes are `network-model`,
 * `placement`, `collectives`, `machine` (files or names of built-in machines) and machine parameters
 * (`machine.link.latency`); models also have `ranks` and their parameters (`model.n`). An impossible scenario is listed
 * with its problems; the others are still predicted.
 *
 * Worker threads import the model's module again. If it does not export the model, or is the running script, the scenarios
 * are predicted one after the other in the calling thread.
 *
 * @param input a model, the path of the module that exports it, or the path of a trace (file or listing). Every scenario
 * reads the trace, so it cannot be standard input
 * @throws InputError for an invalid plan: WHAT…, MACH030, MODEL004, MODEL005
 */
export async function whatif<P, V>(model: ProgramModel<P, V>, options: ModelWhatIfOptions<P>): Promise<WhatIfDocument>;
/** Predicts the model of a module, or a trace, in every scenario; see the overload for models. */
export async function whatif(input: string, options: WhatIfOptions): Promise<WhatIfDocument>;
export async function whatif(input: unknown, options: unknown): Promise<WhatIfDocument> {
  return study(input as string | ProgramModel, options as WhatIfOptions);
}

/** @param load imports model modules, default `import` */
export async function study(
  input: string | ProgramModel,
  options: WhatIfOptions,
  load?: Import,
): Promise<WhatIfDocument> {
  const axes = axesIn(options);
  assertNoThread();
  if (isModel(input)) return studyModel(input, undefined, axes, options);
  if (isModelFile(input)) return studyModel(await loadModel(input, load), input, axes, options);
  return studyTrace(input, axes, options);
}

async function studyTrace(input: string, axes: readonly Axis[], options: WhatIfOptions): Promise<WhatIfDocument> {
  if (input === '-')
    fail('WHAT014', 'every scenario reads the trace, but standard input can be read only once: give a file', {
      file: '<stdin>',
    });
  if (isNetFile(input)) fail('APP004', 'a net contains its machine: there is nothing to vary', { file: input });
  assertExists(input);
  assertTraceInput(input);
  for (const key of ['set', 'replications'] as const)
    if (options[key] !== undefined)
      fail('APP004', `a trace is recorded: option ${key} does not apply`, { file: input });
  const elasticity = checkPlan(TRACE, axes, options);
  if (options.machine === undefined && !axes.some((a) => a.name === 'machine'))
    fail('APP002', 'a trace needs a machine: --machine FILE, or --vary machine=FILE,FILE');
  const shared = sharedOptions(options);
  return studyDocument(
    { spec: { kind: 'trace', input, options: shared } },
    { ...options, vary: axes, elasticity },
    { inputs: studyInputs({ role: 'trace', path: input }, axes, options), options: plainOptions(shared) },
  );
}

async function studyModel(
  model: ProgramModel,
  path: string | undefined,
  asked: readonly Axis[],
  given: WhatIfOptions,
): Promise<WhatIfDocument> {
  const assumed = given.machine === undefined && !asked.some((a) => a.name === 'machine');
  const options = assumed ? { ...given, machine: ASSUMED_MACHINE } : given;
  const { set = {}, replications, workers } = options;
  const studied: Studied = {
    what: `model ${quote(model.name)}`,
    axes: ['ranks', ...Object.keys(model.params).map((name) => MODEL_PREFIX + name)],
  };
  const elasticity = checkPlan(studied, asked, options);
  const { axes, notes } = allowedAxes(model.with(set as never), asked, options.ranks);
  replicationPlan(replications === undefined ? {} : { replications });
  const common = { options: sharedOptions(options), replications };
  const first = { index: 0, values: Object.fromEntries(axes.map((axis) => [axis.name, valueAt(axis, 0)])) };
  const here = modelPredictor(model, common);
  const of =
    path !== undefined
      ? { spec: { kind: 'model', file: path, ...common } as const }
      : { here, spec: workers === 1 ? undefined : studyOf(model, first, common) };
  const file = path ?? (model.file !== undefined && existsSync(model.file) ? model.file : undefined);
  const document = await studyDocument(
    of,
    { ...options, vary: axes, elasticity },
    {
      inputs: studyInputs({ role: 'model', path: file }, axes, options),
      options: {
        model: model.name,
        ...plainOptions(common.options),
        ...(replications === undefined ? {} : { replications }),
        ...(assumed ? { assumed: 'machine' } : {}),
      },
    },
  );
  return { ...document, warnings: [...notes, ...document.warnings] };
}
