import { finiteDocument } from '../../base/finite-figures.ts';
import { fail, InputError } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import { usualThreads } from '../../base/workers/start-thread.ts';
import type { WorkerPool } from '../../base/workers/worker-pool.ts';
import { DEFAULT_SEED } from '../predict/document.ts';
import { workPool } from '../workers/work-pool.ts';
import { type Axis, type AxisValue, axesOf } from './axes/axes.ts';
import { MAX_SCENARIOS, type Scenario, type StudyPlan } from './axes/grid.ts';
import type { ModelStudy } from './predictors/model-study.ts';
import type { NetStudy } from './predictors/net-predictor.ts';
import type { Outcome, Predictor } from './predictors/predictor.ts';
import type { TraceStudy } from './scenario-options.ts';
import { runStudy } from './study.ts';
import type { StudyOptions } from './whatif-options.ts';
import type { WhatIfDocument } from './whatif-result.ts';

const MAX_WORKERS = 1024;

/** Axes of a study, converted from either form of `vary`. */
export function axesIn({ vary = [] }: StudyOptions): readonly Axis[] {
  return Array.isArray(vary) ? vary : axesOf(vary as Readonly<Record<string, readonly AxisValue[]>>);
}

/**
 * Runs a study and returns its document.
 *
 * @param of `spec`: data from which worker threads make their predictor; `here`: predictor for sequential use in this
 * thread if worker threads cannot make one. One of the two may be omitted
 * @param about inputs and shared options, for the document
 * @throws InputError WHAT016 (number out of range), and problems of {@link runStudy}
 */
export async function studyDocument(
  of: { readonly spec?: TraceStudy | NetStudy | ModelStudy | undefined; readonly here?: Predictor },
  options: StudyOptions & Pick<StudyPlan, 'runs' | 'compared'>,
  about: Pick<WhatIfDocument, 'inputs' | 'options'>,
): Promise<WhatIfDocument> {
  const {
    ideals,
    find,
    scaling,
    elasticity,
    compared,
    limit,
    runs,
    workers = usualThreads(),
    seed,
    progress,
    signal,
  } = options;
  assertInteger('workers', workers, MAX_WORKERS);
  if (limit !== undefined) assertInteger('limit', limit, MAX_SCENARIOS * 1000);
  const plan = {
    axes: axesIn(options),
    ...(ideals === undefined ? {} : { ideals }),
    ...(limit === undefined ? {} : { limit }),
    ...(find === undefined ? {} : { find }),
    ...(scaling === undefined ? {} : { scaling }),
    ...(elasticity === undefined ? {} : { elasticity }),
    ...(compared === undefined ? {} : { compared }),
    ...(runs === undefined ? {} : { runs }),
  };
  const { predict, pool } = await predictorIn(of, workers);
  try {
    const result = await runStudy(plan, predict, {
      workers: pool === undefined ? 1 : workers,
      ...(progress === undefined ? {} : { progress }),
      ...(signal === undefined ? {} : { signal }),
    });
    const head = { format: 'foretoken', version: 1, kind: 'what-if', product: PRODUCT } as const;
    const described = scaling === undefined ? about : { ...about, options: { ...about.options, scaling } };
    return finiteDocument({ ...head, seed: seed ?? DEFAULT_SEED, ...described, ...result });
  } finally {
    await pool?.end();
  }
}

async function predictorIn(
  { spec, here }: Parameters<typeof studyDocument>[0],
  workers: number,
): Promise<{ readonly predict: Predictor; readonly pool?: WorkerPool<Scenario, Outcome> }> {
  if (spec === undefined) return { predict: here! };
  const pool: WorkerPool<Scenario, Outcome> = workPool(spec, workers);
  const predict = (scenario: Scenario): Promise<Outcome> => pool.ask(scenario);
  if (here === undefined) return { predict, pool };
  try {
    await pool.ready();
    return { predict, pool };
  } catch (error) {
    await pool.end();
    // The worker thread cannot make the predictor.
    if (error instanceof InputError) return { predict: here };
    throw error;
  }
}

function assertInteger(what: string, value: number, max: number): void {
  if (!(Number.isInteger(value) && value >= 1 && value <= max))
    fail('WHAT016', `${what}: expected an integer from 1 to ${max}, got ${value}`, { part: 'whatif' });
}
