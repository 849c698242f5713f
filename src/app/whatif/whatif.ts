import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { didYouMean, fail, InputError, quote } from '../../base/problem.ts';
import type { WhatIfDocument } from '../../report/whatif.ts';
import { DEFAULT_SEED } from '../document.ts';
import type { MachineOptions } from '../target.ts';
import { PRODUCT } from '../version.ts';
import { type Axis, type AxisValue, axesOf, partOf } from './axes.ts';
import { type Ideal, MOST_SCENARIOS } from './grid.ts';
import { runStudy, type StudyPlan } from './study.ts';
import { studyInputs } from './study-inputs.ts';
import { threadCrew } from './thread-crew.ts';
import { AXIS_OPTIONS, MACHINE_PREFIX } from './trace-axes.ts';

export interface WhatIfOptions extends MachineOptions {
  /** What is varied: lists of values by axis, or axes as `parseAxes` makes them. */
  readonly vary?: Readonly<Record<string, readonly AxisValue[]>> | readonly Axis[];
  /** Idealised variants of every scenario. */
  readonly ideals?: readonly Ideal[];
  /** Searches along an axis for its least value that takes at most `target` seconds. */
  readonly find?: { readonly axis: string; readonly target: number };
  /** Parameters of the machine whose elasticity is asked for, as in `machine.link.latency`. */
  readonly elasticity?: readonly string[];
  /** Most scenarios, default 100,000. */
  readonly limit?: number;
  /** Threads, default one per core. Results do not depend on it. */
  readonly workers?: number;
  /** Default `1`; all scenarios draw the same random numbers. */
  readonly seed?: string;
  readonly progress?: (done: number, scenarios: number) => void;
  /** Calls the study off: what is known by then is returned, with `complete: false`. */
  readonly signal?: AbortSignal;
}

const MOST_WORKERS = 1024;
const TRACE_AXES: readonly string[] = Object.keys(AXIS_OPTIONS);

/**
 * Predicts a trace in every scenario of a grid, over the cores of this machine: axes are `network-model`, `placement`,
 * `machine` (files and names of machines) and parameters of the machine (`machine.link.latency`). A scenario that cannot
 * be is listed with its problems, and the others go on.
 *
 * @param input a trace: a file or a listing; it is read by every scenario, so that it cannot be standard input
 * @throws InputError for anything that is wrong with the plan: WHAT…
 */
export async function whatif(input: string, options: WhatIfOptions): Promise<WhatIfDocument> {
  const {
    vary = [],
    ideals,
    find,
    elasticity,
    limit,
    workers = availableParallelism(),
    seed,
    progress,
    signal,
  } = options;
  const axes = Array.isArray(vary) ? vary : axesOf(vary as Readonly<Record<string, readonly AxisValue[]>>);
  assertWhole('workers', workers, MOST_WORKERS);
  if (limit !== undefined) assertWhole('limit', limit, MOST_SCENARIOS * 1000);
  checkPlan(input, axes, options);
  const shared = sharedOptions(options);
  const plan: StudyPlan = {
    axes,
    ...(ideals === undefined ? {} : { ideals }),
    ...(limit === undefined ? {} : { limit }),
    ...(find === undefined ? {} : { find }),
    ...(elasticity === undefined ? {} : { elasticity }),
  };
  const inputs = studyInputs(input, axes, options);
  const crew = threadCrew({ kind: 'trace', input, options: shared }, workers);
  try {
    const result = await runStudy(plan, crew.predict, {
      workers,
      ...(progress === undefined ? {} : { progress }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { machine, ...others } = shared;
    const named = typeof machine === 'object' ? { machine: machine.name } : {};
    return {
      format: 'foretoken',
      version: 1,
      kind: 'what-if',
      product: PRODUCT,
      seed: seed ?? DEFAULT_SEED,
      complete: result.complete,
      inputs,
      options: { ...plain(others), ...(typeof machine === 'string' ? { machine } : named) },
      axes: result.axes,
      scenarios: result.scenarios,
      scaling: result.scaling,
      elasticity: result.elasticity,
      found: result.found,
      warnings: result.warnings,
    };
  } finally {
    await crew.end();
  }
}

function checkPlan(input: string, axes: readonly Axis[], options: WhatIfOptions): void {
  if (input === '-')
    fail('WHAT014', 'standard input can be read once, and every scenario reads its trace: give a file', {
      file: '<stdin>',
    });
  if (extname(input) === '.json')
    fail('APP004', 'a net holds its machine already: there is nothing to vary', { file: input });
  if (axes.length === 0 && (options.ideals ?? []).length === 0 && (options.elasticity ?? []).length === 0)
    fail('WHAT013', 'nothing to vary: --vary NAME=VALUE,VALUE…, --scenario NAME or --elasticity PARAMETER');
  if (options.machine === undefined && !axes.some((a) => a.name === 'machine'))
    fail('APP002', 'a trace needs a machine: --machine FILE, or --vary machine=FILE,FILE');
  for (const name of options.elasticity ?? [])
    if (!name.startsWith(MACHINE_PREFIX))
      fail('WHAT007', 'only a parameter of the machine has an elasticity, as in machine.link.latency', {
        part: partOf(name),
      });
  const names = axes.map((a) => a.name);
  const unknown = names.filter((name) => !TRACE_AXES.includes(name) && !name.startsWith(MACHINE_PREFIX));
  if (unknown.length > 0)
    throw new InputError(
      unknown.map((name) => ({
        code: 'WHAT007',
        message: `a trace has no axis ${quote(name)}${name === 'ranks' ? ': its ranks are those that were recorded' : ''}.${didYouMean(name, [...TRACE_AXES, `${MACHINE_PREFIX}…`])}`,
        place: { part: partOf(name) },
      })),
    );
}

/** The options that all scenarios have. */
function sharedOptions(options: WhatIfOptions): MachineOptions & { readonly seed?: string } {
  const { machine, hostfile, placement, oversubscribe, ranks, networkModel, seed } = options;
  return {
    ...(machine === undefined ? {} : { machine }),
    ...(hostfile === undefined ? {} : { hostfile }),
    ...(placement === undefined ? {} : { placement }),
    ...(oversubscribe === undefined ? {} : { oversubscribe }),
    ...(ranks === undefined ? {} : { ranks }),
    ...(networkModel === undefined ? {} : { networkModel }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function plain({ seed, oversubscribe, ...options }: ReturnType<typeof sharedOptions>): Record<string, string | number> {
  const entries = Object.entries(options).filter(([, v]) => typeof v === 'string' || typeof v === 'number');
  return {
    ...(Object.fromEntries(entries) as Record<string, string | number>),
    ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
  };
}

function assertWhole(what: string, value: number, most: number): void {
  if (!(Number.isInteger(value) && value >= 1 && value <= most))
    fail('WHAT016', `${what} ${value}: a whole number from 1 to ${most} is expected`, { part: 'whatif' });
}
