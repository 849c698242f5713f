import { availableParallelism } from 'node:os';
import { fail, InputError } from '../../base/problem.ts';
import type { ScalingKind, WhatIfDocument } from '../../report/whatif.ts';
import { DEFAULT_SEED } from '../document.ts';
import { PRODUCT } from '../version.ts';
import { type Axis, type AxisValue, axesOf } from './axes.ts';
import { type Ideal, MAX_SCENARIOS, type Scenario } from './grid.ts';
import type { ModelStudy } from './model-study.ts';
import type { Outcome, Predictor } from './predictor.ts';
import { runStudy } from './study.ts';
import { type ThreadPool, threadPool } from './thread-pool.ts';
import type { TraceStudy } from './trace-predictor.ts';

/** What a study asks, of whatever is predicted. */
export interface StudyOptions {
  /** What is varied: lists of values by axis, or axes as `parseAxes` makes them. */
  readonly vary?: Readonly<Record<string, readonly AxisValue[]>> | readonly Axis[];
  /** Idealised variants of every scenario. */
  readonly ideals?: readonly Ideal[];
  /** Searches along an axis for its least value that takes at most `target` seconds. */
  readonly find?: { readonly axis: string; readonly target: number };
  /**
   * How the work of the program depends on `ranks`: `strong`, a constant total (default), or `weak`, a constant amount per
   * rank. Nothing is detected: it decides how speed-up, efficiency and the fitted law are defined.
   */
  readonly scaling?: ScalingKind;
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

const MAX_WORKERS = 1024;

/** The axes of a study, however they were given. */
export function axesIn({ vary = [] }: StudyOptions): readonly Axis[] {
  return Array.isArray(vary) ? vary : axesOf(vary as Readonly<Record<string, readonly AxisValue[]>>);
}

/**
 * Runs a study and writes its document.
 *
 * @param of what a thread makes its predictor of, and the predictor to be asked in this thread, one scenario after the
 * other, where threads cannot make it; one of the two may be left out
 * @param about what the document says of the inputs, and of the options that all scenarios have in common
 * @throws InputError WHAT016 (a number out of range), and all that {@link runStudy} throws
 */
export async function studyDocument(
  of: { readonly spec?: TraceStudy | ModelStudy | undefined; readonly here?: Predictor },
  options: StudyOptions,
  about: Pick<WhatIfDocument, 'inputs' | 'options'>,
): Promise<WhatIfDocument> {
  const {
    ideals,
    find,
    scaling,
    elasticity,
    limit,
    workers = availableParallelism(),
    seed,
    progress,
    signal,
  } = options;
  assertWhole('workers', workers, MAX_WORKERS);
  if (limit !== undefined) assertWhole('limit', limit, MAX_SCENARIOS * 1000);
  const plan = {
    axes: axesIn(options),
    ...(ideals === undefined ? {} : { ideals }),
    ...(limit === undefined ? {} : { limit }),
    ...(find === undefined ? {} : { find }),
    ...(scaling === undefined ? {} : { scaling }),
    ...(elasticity === undefined ? {} : { elasticity }),
  };
  const { predict, pool } = await predictorIn(of, workers);
  try {
    const result = await runStudy(plan, predict, {
      workers: pool === undefined ? 1 : workers,
      ...(progress === undefined ? {} : { progress }),
      ...(signal === undefined ? {} : { signal }),
    });
    const head = { format: 'foretoken', version: 1, kind: 'what-if', product: PRODUCT } as const;
    const told = scaling === undefined ? about : { ...about, options: { ...about.options, scaling } };
    return { ...head, seed: seed ?? DEFAULT_SEED, ...told, ...result };
  } finally {
    await pool?.end();
  }
}

async function predictorIn(
  { spec, here }: Parameters<typeof studyDocument>[0],
  workers: number,
): Promise<{ readonly predict: Predictor; readonly pool?: ThreadPool<Scenario, Outcome> }> {
  if (spec === undefined) return { predict: here! };
  const pool: ThreadPool<Scenario, Outcome> = threadPool(spec, workers);
  if (here === undefined) return { predict: pool.ask, pool };
  try {
    await pool.ready();
    return { predict: pool.ask, pool };
  } catch (error) {
    await pool.end();
    // The thread lacks what this one has.
    if (error instanceof InputError) return { predict: here };
    throw error;
  }
}

function assertWhole(what: string, value: number, most: number): void {
  if (!(Number.isInteger(value) && value >= 1 && value <= most))
    fail('WHAT016', `${what}: expected an integer from 1 to ${most}, got ${value}`, { part: 'whatif' });
}
