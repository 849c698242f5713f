import { existsSync } from 'node:fs';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { given } from '../../base/given.ts';
import { fail, InputError, type Problem, quote } from '../../base/problem.ts';
import { withThreadCosts } from '../../machine/description/machine-parameters.ts';
import { choicesIn } from '../../models/parameters.ts';
import { choicesOfNet } from '../../models/program/compose/net-choices.ts';
import type { Net } from '../../net/net.ts';
import { checkOptions, named } from '../inputs/check-options.ts';
import type { MachineRole } from '../inputs/document-parts.ts';
import { assumedMachine } from '../inputs/document-parts.ts';
import { type ByKind, byKind, type InputOf, type ModelInput } from '../inputs/input.ts';
import { assertExists, assertTraceInput } from '../inputs/input-kinds.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { givenLogGops } from '../inputs/net-file.ts';
import type { InputKind, KindsOf } from '../inputs/option-rows.ts';
import { hostfileOf, type MachineOptions, machineFileOf, machineIn, rulesFileOf } from '../inputs/target.ts';
import { checkThreadOptions } from '../inputs/thread-options.ts';
import { ASSUMED_MACHINE } from '../predict/model/stages.ts';
import { assertJobs, assertSingle } from '../predict/predict.ts';
import { replicationPlan } from '../predict/replications/replications.ts';
import { ASSUMED_THREAD_MACHINE } from '../predict/threads/thread-model-net.ts';
import { hasJobs, type JobInput, jobsOf } from '../subjects/jobs/jobs.ts';
import { scheduleLogGops } from '../subjects/loggops-network.ts';
import { allowedAxes } from './axes/allowed-axis.ts';
import { type Axis, type AxisValue, valueAt, valuesOf } from './axes/axes.ts';
import { assertGivenOnce, checkPlan, type Studied } from './axes/check-plan.ts';
import { assertChoices, choiceAxes } from './axes/choice-axes.ts';
import { assertDistinct, netAxes } from './axes/net-axes.ts';
import { NETWORK_AXES, SCHEDULE_AXES } from './axes/schedule-axes.ts';
import { MACHINE_PREFIX, MODEL_PREFIX, START_PREFIX, THREAD_AXES } from './axes/study-axes.ts';
import { comparedName } from './predictors/compared-figure.ts';
import { figuresAsked } from './predictors/exact-predictor.ts';
import { type ModelOptions, modelPredictor } from './predictors/model-predictor.ts';
import { assertNoThread, studyOf } from './predictors/model-study.ts';
import { type NetStudyOptions, netPredictor } from './predictors/net-predictor.ts';
import { axesIn, studyDocument } from './study-document.ts';
import {
  plainOptions,
  type StudyInput,
  sharedOptions,
  WHATIF_ROWS,
  type WhatIfOptions,
  type WhatIfOptionsOf,
} from './whatif-options.ts';
import type { StudyFigure, StudySettings, WhatIfDocument } from './whatif-result.ts';

export type {
  ModelAxes,
  ModelWhatIfOptions,
  StudyInput,
  ThreadAxes,
  ThreadWhatIfOptions,
  WhatIfOptions,
  WhatIfOptionsOf,
} from './whatif-options.ts';

const TRACE: Studied = {
  what: 'a trace',
  axes: SCHEDULE_AXES,
  lacks: { ranks: ': its number of ranks is recorded, unless --scale weak or strong makes its program on others' },
};
const SCALED_TRACE: Studied = { what: 'a trace', axes: ['ranks', ...SCHEDULE_AXES] };

/**
 * Predicts a model or a trace in every scenario of a grid, in worker threads on all cores. Axes are `network-model`,
 * `placement`, `collectives`, `machine` (files or names of built-in machines) and machine parameters
 * (`machine.link.latency`); models also have `ranks` and their parameters (`model.n`), thread models `workers`, `scheduler`,
 * `victim`, `take`, `rounds`, `pool`, `spawn` and their parameters. Axes of nets are `model.MODULE` of compositions, `delay.TRANSITION`, `service.PLACE`,
 * `servers.PLACE` and `tokens.PLACE`, those of schedules, traces and models also `loggops.L` to `loggops.S`. An impossible scenario is listed with its problems; the others are
 * still predicted.
 *
 * Worker threads import the model's module again. If it does not export the model, or is the running script, the scenarios
 * are predicted one after the other in the calling thread.
 *
 * @param input a model or a net, the path of the module that exports it, or the path of a trace or a net. Every scenario
 * reads the trace, so it cannot be standard input
 * @throws InputError for an invalid plan: WHAT… (WHAT005: a parameter is given twice), MACH030, MODEL004, MODEL005
 */
export async function whatif<M extends StudyInput>(input: M, options: WhatIfOptionsOf<M>): Promise<WhatIfDocument> {
  const document = await study(input, options as unknown as WhatIfOptions);
  if (document.options['assumed'] !== 'machine') return document;
  return { ...document, warnings: [assumedMachine(document.options['machine']), ...document.warnings] };
}

/** @param load imports model modules, default `import` */
export async function study(given: unknown, options: WhatIfOptions, load?: Import): Promise<WhatIfDocument> {
  const input = await openInput('whatif', given, load);
  if (!(WHATIF_ROWS.otherPrograms as readonly InputKind[]).includes(input.kind)) assertSingle(input, options);
  checkOptions('whatif', WHATIF_ROWS, input, options);
  const axes = axesIn(options);
  assertNoThread();
  return byKind(STUDIES, input, axes, options);
}

const STUDIES: ByKind<KindsOf<'whatif'>, [readonly Axis[], WhatIfOptions], Promise<WhatIfDocument>> = {
  model: (input, axes, options) => studyModel(input, axes, options),
  'thread model': (input, axes, options) => studyThreads(input, axes, options),
  trace: ({ path }, axes, options) => studyTrace(path, axes, options),
  net: (input, axes, options) => studyNet(input, axes, options),
};

async function studyTrace(input: string, axes: readonly Axis[], options: WhatIfOptions): Promise<WhatIfDocument> {
  if (input === '-')
    fail('WHAT014', 'every scenario reads the trace, but standard input can be read only once: give a file', {
      file: '<stdin>',
    });
  assertExists(input);
  assertTraceInput(input);
  const { scale } = options;
  const jobs = hasJobs(options) ? checkedJobs(input, options) : undefined;
  const studied = jobs !== undefined ? ofJobs(jobs) : scale === undefined ? TRACE : SCALED_TRACE;
  const elasticity = checkPlan(studied, axes, options);
  assertGivenOnce(axes, options, givenLogGops(options.loggops));
  const isScaled = axes.some(({ name }) => name === 'ranks');
  if (options.machine === undefined && !axes.some((a) => a.name === 'machine'))
    fail('APP002', 'a trace needs a machine: --machine FILE, or --vary machine=FILE,FILE');
  const shared = sharedOptions(options);
  return studyDocument(
    { spec: { kind: 'trace', input, options: shared } },
    { ...options, vary: axes, elasticity, ...comparedBy(options), ...(isScaled ? { scaling: scale! } : {}) },
    {
      inputs: studyInputs({ role: 'trace', path: input }, axes, options, jobs),
      options: { ...plainOptions(shared), ...comparedSetting(options) },
    },
  );
}

/** The jobs of a study of several programs. @throws InputError APP063 … APP065 */
function checkedJobs(input: string, options: WhatIfOptions): readonly JobInput[] {
  assertJobs('whatif', options);
  const jobs = jobsOf(input, options);
  for (const { path } of jobs) {
    if (path === '-')
      fail('WHAT014', 'every scenario reads the traces, but standard input can be read only once: give a file', {
        file: '<stdin>',
      });
    assertExists(path);
    assertTraceInput(path);
  }
  return jobs;
}

const ofJobs = (jobs: readonly JobInput[]): Studied => ({
  what: 'a study of several programs',
  axes: jobs.map(({ name }) => START_PREFIX + name),
  lacks: { ranks: ': the numbers of ranks are recorded' },
});

async function studyNet(
  { readValid, path, module }: InputOf<'net'>,
  axes: readonly Axis[],
  options: WhatIfOptions,
): Promise<WhatIfDocument> {
  const loggops = scheduleLogGops(options, path);
  const read = readValid(loggops);
  const { net, schedule } = read;
  const onMachine = options.machine !== undefined;
  const ofSchedule = schedule === undefined ? [] : [...SCHEDULE_AXES, ...(onMachine ? NETWORK_AXES : [])];
  const studied: Studied = {
    what: `net ${quote(net.name)}`,
    axes: [...choiceAxes(net), ...ofSchedule, ...netAxes(net)],
    options: [],
    hasMachine: false,
    lacks:
      schedule === undefined || onMachine
        ? {}
        : Object.fromEntries(NETWORK_AXES.map((axis) => [axis, ': give the machine, --machine FILE'])),
  };
  checkPlan(studied, axes, options);
  assertGivenOnce(axes, options, givenLogGops(options.loggops));
  assertDistinct(axes);
  assertChoices(axes, (module) => choicesOfNet(net)?.models.get(module));
  const runs = runsOf(options);
  const shared: NetStudyOptions = {
    ...given(options as NetStudyOptions, [
      'until',
      'maxSteps',
      'seed',
      'replications',
      'figures',
      'rewards',
      'maxStates',
    ]),
    ...(runs === undefined ? {} : { confidence: runs.confidence }),
    ...(loggops === undefined ? {} : { loggops }),
    ...given(options as NetStudyOptions, ['machine']),
  };
  const exact = checkExact(net, options);
  const isFile = path !== undefined && module === undefined;
  const document = await studyDocument(
    isFile ? { spec: { kind: 'net', file: path, options: shared } } : { here: netPredictor(read, path, shared) },
    { ...options, vary: axes, ...(runs === undefined ? {} : { runs }) },
    {
      inputs: studyInputs({ role: isFile ? 'net' : 'model', path }, axes, options),
      options: { net: net.name, ...given(shared, ['until', 'maxSteps', 'loggops']), ...runSettings(options), ...exact },
    },
  );
  const remarks = read.warnings.map(
    (message): Problem => ({
      code: 'APP047',
      message,
      ...(path === undefined ? {} : { place: { file: path } }),
    }),
  );
  return { ...document, warnings: [...remarks, ...document.warnings] };
}

/** Settings of long-run figures. @throws InputError WHAT022 unknown figure, or an option that does not apply; EXPL001 a limit out of range */
function checkExact(net: Net, options: WhatIfOptions): WhatIfDocument['options'] {
  const { figures, rewards = {} } = options;
  if (figures === undefined && options.rewards === undefined) {
    if (options.maxStates !== undefined)
      fail(
        'WHAT022',
        `option ${optionName('maxStates')} applies to figures of the long run only: runs store no states`,
      );
    return {};
  }
  for (const name of ['until', 'maxSteps', 'seed', 'replications', 'precision', 'confidence', 'find'] as const)
    if (options[name] !== undefined)
      fail(
        'WHAT022',
        `option ${optionName(name)} does not apply to figures of the long run: they come from the Markov chain`,
      );
  checkLimits(given(options, ['maxStates']));
  const names = figuresAsked(net, options).map(({ name }) => name);
  const settings = Object.entries(rewards).map(([name, text]) => `${name} = ${text}`);
  return {
    figures: names.join(', '),
    ...(settings.length === 0 ? {} : { rewards: settings.join('; ') }),
    ...given(options, ['maxStates']),
  };
}

const optionName = (name: keyof WhatIfOptions): string => named('whatif', name);

async function studyModel(
  input: InputOf<'model'>,
  asked: readonly Axis[],
  given: WhatIfOptions,
): Promise<WhatIfDocument> {
  const { model } = input;
  const assumed = given.machine === undefined && !asked.some((a) => a.name === 'machine');
  const options = assumed ? { ...given, machine: ASSUMED_MACHINE } : given;
  const { set = {}, replications, workers } = options;
  const runs = runsOf(options);
  const studied: Studied = {
    what: `model ${quote(model.name)}`,
    axes: ['ranks', ...Object.keys(model.params).map((name) => MODEL_PREFIX + name), ...SCHEDULE_AXES],
  };
  const elasticity = checkPlan(studied, asked, options);
  assertGivenOnce(asked, given, givenLogGops(given.loggops));
  assertChoices(asked, (module) => choicesIn(model, module));
  const { axes, notes } = allowedAxes(model.with(set as never), asked, options.ranks);
  const common = { options: sharedOptions(options), replications, confidence: runs?.confidence };
  const of = predictorOf(input, axes, common, workers === 1);
  const document = await studyDocument(
    of,
    { ...options, vary: axes, elasticity, ...comparedBy(options), ...(runs === undefined ? {} : { runs }) },
    {
      inputs: studyInputs({ role: 'model', path: existingFile(input) }, axes, options),
      options: {
        model: model.name,
        ...plainOptions(common.options),
        ...comparedSetting(options),
        ...runSettings(options),
        ...(assumed ? { assumed: 'machine' } : {}),
      },
    },
  );
  return { ...document, warnings: [...notes, ...document.warnings] };
}

/** The figure by which scenarios of a program are compared. @throws InputError WHAT022 unknown figure */
const comparedBy = ({ figures }: WhatIfOptions): { readonly compared: StudyFigure } => ({
  compared: comparedName(figures),
});

function comparedSetting({ figures }: WhatIfOptions): Pick<StudySettings, 'figures'> {
  const name = comparedName(figures);
  return name === 'runTime' ? {} : { figures: name };
}

/** A study of a thread model: `workers` are those of its pool. */
async function studyThreads(
  input: InputOf<'thread model'>,
  axes: readonly Axis[],
  given: WhatIfOptions,
): Promise<WhatIfDocument> {
  const { model } = input;
  checkThreadOptions(given);
  const assumed = given.machine === undefined && !axes.some((a) => a.name === 'machine');
  const { workers, ...options } = assumed ? { ...given, machine: ASSUMED_THREAD_MACHINE } : given;
  const { replications } = options;
  const runs = runsOf(options);
  if ((options.ideals ?? []).length > 0)
    fail('WHAT012', `model ${quote(model.name)} has threads: its network and its balance cannot be idealised`);
  const studied: Studied = {
    what: `model ${quote(model.name)}`,
    axes: [...Object.keys(THREAD_AXES), ...Object.keys(model.params).map((name) => MODEL_PREFIX + name)],
    options: ['machine'],
    lacks: { ranks: ': it has threads and no ranks' },
  };
  const elasticity = threadElasticity(checkPlan(studied, axes, withCosts(options)), options.elasticity ?? []);
  assertGivenOnce(axes, given);
  assertChoices(axes, (module) => choicesIn(model, module));
  const shared = { ...sharedOptions(options), ...(workers === undefined ? {} : { workers }) };
  const common = { options: shared, replications, confidence: runs?.confidence };
  return studyDocument(
    predictorOf(input, axes, common, false),
    { ...options, vary: axes, elasticity, ...(runs === undefined ? {} : { runs }) },
    {
      inputs: studyInputs({ role: 'model', path: existingFile(input) }, axes, options),
      options: {
        model: model.name,
        ...plainOptions(common.options),
        ...runSettings(options),
        ...(assumed ? { assumed: 'machine' } : {}),
      },
    },
  );
}

/**
 * How often the scenarios run; undefined: once.
 *
 * @throws InputError APP025 a number out of range
 */
const runsOf = (options: WhatIfOptions): ReturnType<typeof replicationPlan> =>
  replicationPlan(given(options, ['replications', 'precision', 'confidence']));

const runSettings = (options: WhatIfOptions): Pick<StudySettings, 'replications' | 'precision' | 'confidence'> =>
  given(options, ['replications', 'precision', 'confidence']);

/** The options with all costs of thread operations in the machine, so that they have elasticities. */
function withCosts(options: WhatIfOptions): WhatIfOptions {
  if ((options.elasticity ?? []).length === 0 || options.machine === undefined) return options;
  const machine = machineIn(options);
  return 'route' in machine ? options : { ...options, machine: withThreadCosts(machine) };
}

/** Elasticities of parameters that were named, and of those that threads depend on. */
function threadElasticity(all: readonly string[], named: readonly string[]): readonly string[] {
  const ofThreads = /^(?:groups\.[^.]+\.)?(?:speed|memory|memoryPerCore)$|^threads\./;
  return all.filter((name) => named.includes(name) || ofThreads.test(name.slice(MACHINE_PREFIX.length)));
}

/** The module of a model, as given or as its model says. */
const existingFile = ({ path, file }: ModelInput): string | undefined =>
  path ?? (file !== undefined && existsSync(file) ? file : undefined);

/** How the scenarios of a model are predicted: by threads that import its module, or here. */
function predictorOf(
  input: ModelInput,
  axes: readonly Axis[],
  common: ModelOptions,
  alone: boolean,
): Parameters<typeof studyDocument>[0] {
  if (input.path !== undefined) return { spec: { kind: 'model', file: input.path, ...common } };
  const first = { index: 0, values: Object.fromEntries(axes.map((axis) => [axis.name, valueAt(axis, 0)])) };
  return { here: modelPredictor(input, common), spec: alone ? undefined : studyOf(input, first, common) };
}

/** All files that scenarios read. Varied machines and hostfiles that cannot be read are reported by their scenarios. */
function studyInputs(
  input: { readonly role: 'trace' | 'net' | 'model'; readonly path: string | undefined },
  axes: readonly Axis[],
  options: MachineOptions,
  jobs: readonly JobInput[] = [],
): WhatIfDocument['inputs'] {
  const inputs: WhatIfDocument['inputs'][number][] = [];
  const add = (role: WhatIfDocument['inputs'][number]['role'], path: string | undefined): void => {
    const { file } = inputFiles({ file: path });
    if (file !== undefined && !inputs.some((i) => i.role === role && i.path === file.path))
      inputs.push({ role, ...file });
  };
  const tolerant = (role: MachineRole, path: () => string | undefined): void => {
    try {
      add(role, path());
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  };
  add(input.role, input.path);
  for (const { path, hostfile } of jobs) {
    add(input.role, path);
    add('hostfile', hostfile);
  }
  const varied = (name: string): AxisValue[] => axes.filter((a) => a.name === name).flatMap(valuesOf);
  const machines = varied('machine');
  if (machines.length === 0) add('machine', machineFileOf(options));
  for (const machine of machines) tolerant('machine', () => machineFileOf({ machine: String(machine) }));
  const placements = varied('placement');
  if (placements.length === 0) add('hostfile', hostfileOf(options));
  for (const placement of placements) tolerant('hostfile', () => hostfileOf({ placement: String(placement) }));
  // Rules that a varied machine names are read if nothing else says which.
  const choices = varied('collectives').map(String);
  const given = options.collectives === undefined ? choices : [options.collectives, ...choices];
  for (const collectives of given) tolerant('collectives', () => rulesFileOf({ collectives }));
  if (given.length === 0)
    for (const machine of machines.length === 0 ? [options.machine] : machines.map(String))
      tolerant('collectives', () => rulesFileOf(machine === undefined ? {} : { machine }));
  return inputs;
}
