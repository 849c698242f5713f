import { setMaxListeners } from 'node:events';
import { summary } from '../../analysis/statistics/summary.ts';
import { assertIs, assertOptions, type Demand } from '../../base/options.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { CONFIDENCE, errorOfMean, type FigureError } from '../inputs/document-parts.ts';
import { notesOf } from '../predict/document.ts';
import { type AxisValue, valuesOf } from './axes/axes.ts';
import { grid, type Scenario, type StudyPlan } from './axes/grid.ts';
import { elasticities } from './axes/machine-paths.ts';
import {
  amdahlErrors,
  growthError,
  gustafsonErrors,
  pointErrors,
  type Replicated,
  scalabilityErrors,
} from './law-intervals.ts';
import { COMPARED, comparedName, comparedValue, whyNone, withFigure } from './predictors/compared-figure.ts';
import { precise } from './predictors/precise.ts';
import { limited, type Outcome, type Predictor } from './predictors/predictor.ts';
import { type Predicted, type RunOptions, runScenarios, type ScenarioEnd } from './run-scenarios.ts';
import { fitAmdahl, fitGustafson, fitScalability, runTimeGrowth, scalingPoints } from './scaling-laws.ts';
import { searchAxis } from './search-axis.ts';
import type {
  Difference,
  ElasticityFigures,
  Scaling,
  ScalingKind,
  ScalingPoint,
  ScenarioFigure,
  StudyFigure,
  WhatIfDocument,
  WhatIfScenario,
} from './whatif-result.ts';

/** Results of a study; the other members of a document describe its inputs. */
export type StudyResult = Pick<
  WhatIfDocument,
  'complete' | 'axes' | 'scenarios' | 'scaling' | 'elasticity' | 'found' | 'warnings' | 'notes'
>;

/** Values of the figures of a scenario by replication. */
type Samples = NonNullable<Outcome['samples']>;

/** Types of the members of a plan; their values are checked where they are used. */
const PLAN = {
  axes: 'any',
  ideals: 'a list',
  find: 'an object',
  elasticity: 'a list of strings',
  compared: 'a string',
  runs: 'an object',
  limit: 'any',
  scaling: 'a string',
} as const satisfies { readonly [key in keyof StudyPlan]-?: Demand };

/**
 * Predicts the scenarios of a plan and evaluates them: differences to the baseline, scaling laws if `ranks` is an axis,
 * elasticities, and the smallest value that meets a target.
 *
 * @throws InputError WHAT006 (grid too large), WHAT008 (duplicate value), WHAT011 (invalid search axis or target)
 */
export async function runStudy(plan: StudyPlan, predictor: Predictor, options: RunOptions = {}): Promise<StudyResult> {
  assertOptions('runStudy', plan, PLAN, 'APP060');
  assertIs('runStudy', 'axes', plan.axes, 'a list of objects', 'APP061');
  assertIs('runStudy', 'predictor', predictor, 'a function', 'APP061');
  assertOptions('runStudy', options, { workers: 'any', progress: 'a function', signal: 'an object' }, 'APP060');
  const { axes, find, elasticity = [] } = plan;
  const compared = comparedName(plan.compared === undefined ? undefined : [plan.compared]);
  const confidence = plan.runs?.confidence ?? CONFIDENCE;
  const unknown: Problem[] = [];
  const predict = withFigure(precise(limited(predictor, options.workers ?? 1), plan.runs, unknown, compared), compared);
  // Every running scenario adds a listener.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const searched = find === undefined ? undefined : await searchAxis(plan, find, predict, options);
  const { scenarios, ends } = searched ?? (await wholeGrid(plan, predict, options));
  const samples = ends.map((end) => (end.status === 'predicted' ? (end.outcome.samples ?? {}) : {}));
  const rows = withDifferences(
    scenarios.map((scenario, k) => rowOf(scenario, ends[k]!, confidence)),
    samples,
    confidence,
    compared,
  );
  const measured = await elasticityOf(elasticity, predict, options, confidence, compared);
  return {
    complete:
      (searched?.complete ?? true) &&
      options.signal?.aborted !== true &&
      unknown.length === 0 &&
      rows.every((row) => row.status !== 'cancelled' && row.status !== 'incomplete'),
    axes: axes.map((axis) => ({
      name: axis.name,
      values: axis.name === find?.axis ? triedValues(scenarios, axis.name) : valuesOf(axis),
    })),
    scenarios: rows,
    scaling:
      scaledAxis(axes) === undefined
        ? []
        : withTimes(scalings(rows, samples, scaledAxis(axes)!, plan.scaling, confidence), rows, ends),
    elasticity: measured.found,
    found: searched?.found ?? [],
    warnings: distinct([
      ...ends.flatMap((end) => (end.status === 'predicted' ? (end.outcome.warnings ?? []) : [])),
      ...measured.warnings,
      ...unknown,
    ]),
    ...notesOf(ends.flatMap((end) => (end.status === 'predicted' ? (end.outcome.notes ?? []) : []))),
  };
}

async function wholeGrid(plan: StudyPlan, predict: Predictor, options: RunOptions): Promise<Predicted> {
  const scenarios = grid(plan.axes, plan);
  const ends = await runScenarios(scenarios, predict, options);
  // Differences are paired by run: the others run as often as the scenario that needs most.
  const most = Math.max(...ends.map(runsIn));
  const fewer =
    plan.runs === undefined ? [] : scenarios.filter((_, k) => runsIn(ends[k]!) > 1 && runsIn(ends[k]!) < most);
  if (fewer.length === 0) return { scenarios, ends };
  const again = await runScenarios(
    fewer.map((scenario) => ({ ...scenario, replications: most })),
    predict,
    options,
  );
  for (const [k, { index }] of fewer.entries()) ends[scenarios.findIndex((s) => s.index === index)] = again[k]!;
  return { scenarios, ends };
}

/** Runs of a scenario; 1 without replications. */
const runsIn = (end: ScenarioEnd): number => (end.status === 'predicted' ? (end.outcome.replications?.length ?? 1) : 1);

function rowOf({ index, values, ideal }: Scenario, end: ScenarioEnd, confidence: number): WhatIfScenario {
  const head = { index, values, ...(ideal === undefined ? {} : { ideal }) };
  if (end.status === 'failed') return { ...head, status: 'failed', problems: end.problems };
  if (end.status === 'cancelled') return { ...head, status: 'cancelled' };
  const { runTime, complete, blocked, figures, replications } = end.outcome;
  // The time of a run that stopped early is not a run time; it would look like a fast run.
  if (blocked > 0 || !complete) return { ...head, status: blocked > 0 ? 'deadlock' : 'incomplete' };
  return {
    ...head,
    status: 'done',
    figures: {
      ...(runTime === undefined
        ? {}
        : { runTime: { value: runTime, unit: 's', ...errorOf(runTime, replications, confidence) } }),
      ...figures,
    },
    ...(replications === undefined ? {} : { replications }),
  };
}

/** The error of a mean run time; none without a second replication. */
function errorOf(
  runTime: number,
  replications: readonly number[] | undefined,
  confidence: number,
): Partial<FigureError> {
  if (replications === undefined || replications.length < 2) return {};
  return errorOfMean(runTime, summary(replications, confidence).half, confidence);
}

/** Run times of the replications of a finished scenario, or its single run time; empty for others. */
function runTimes(row: WhatIfScenario): readonly number[] {
  if (row.status !== 'done') return [];
  const runTime = row.figures?.['runTime'];
  return row.replications ?? (runTime === undefined ? [] : [runTime.value]);
}

/** Adds differences to the baseline: the first finished scenario, an idealised one only if no other finished. */
function withDifferences(
  rows: readonly WhatIfScenario[],
  samples: readonly Samples[],
  confidence: number,
  compared: StudyFigure,
): WhatIfScenario[] {
  const done = rows.filter((row) => row.status === 'done');
  const baseline = done.find((row) => row.ideal === undefined) ?? done[0];
  if (baseline === undefined) return [...rows];
  const own = samples[rows.indexOf(baseline)]!;
  const valuesOf = (row: WhatIfScenario, k: number): readonly number[] =>
    compared === 'runTime' || row.status !== 'done'
      ? runTimes(row)
      : (samples[k]![compared] ?? [row.figures![compared]!.value]);
  const first = valuesOf(baseline, rows.indexOf(baseline));
  const { unit } = COMPARED[compared];
  return rows.map((row, k) => {
    const difference = row === baseline ? undefined : pairedDifference(first, valuesOf(row, k), confidence, unit);
    if (difference === undefined) return row;
    const differences = figureDifferences(own, samples[k]!, row.figures ?? {}, confidence);
    return { ...row, difference, ...(Object.keys(differences).length === 0 ? {} : { differences }) };
  });
}

/** Paired differences of all figures that both scenarios have in several replications. */
function figureDifferences(
  baseline: Samples,
  other: Samples,
  figures: NonNullable<WhatIfScenario['figures']>,
  confidence: number,
): Record<string, ScenarioFigure> {
  return Object.fromEntries(
    Object.entries(other).flatMap(([name, values]) => {
      const found = baseline[name] === undefined ? undefined : pairedDifference(baseline[name], values, confidence);
      if (found === undefined || !('lower' in found)) return [];
      const { value, lower, upper, certainty } = found as Difference & FigureError;
      return [[name, { value, unit: figures[name]!.unit, lower, upper, certainty }]];
    }),
  );
}

/** The axis that scales the program. A thread model has no ranks. */
const scaledAxis = (axes: StudyPlan['axes']): 'ranks' | 'workers' | undefined =>
  (['ranks', 'workers'] as const).find((name) => axes.some((axis) => axis.name === name));

/** Scaling results for each combination of the other axes with at least two values of the axis. */
function scalings(
  rows: readonly WhatIfScenario[],
  samples: readonly Samples[],
  axis: 'ranks' | 'workers',
  kind: ScalingKind = 'strong',
  confidence: number = CONFIDENCE,
): Scaling[] {
  const series = new Map<string, { readonly head: Omit<Scaling, 'points'>; readonly measured: Replicated[] }>();
  for (const [k, row] of rows.entries()) {
    const { [axis]: ranks, ...values } = row.values;
    const [runTime] = row.status === 'done' ? [row.figures?.['runTime']?.value] : [];
    const parallelism = row.figures?.['parallelism']?.value;
    if (typeof ranks !== 'number' || runTime === undefined) continue;
    const key = JSON.stringify([values, row.ideal]);
    const head = {
      values,
      ...(axis === 'ranks' ? {} : { axis }),
      ...(row.ideal === undefined ? {} : { ideal: row.ideal }),
    };
    const one = series.get(key) ?? { head, measured: [] as Replicated[] };
    series.set(key, one);
    one.measured.push({
      ranks,
      runTime,
      ...(parallelism === undefined ? {} : { parallelism }),
      seconds: runTimes(row),
      parallel: samples[k]!['parallelism'],
    });
  }
  return [...series.values()]
    .filter(({ measured }) => measured.length > 1)
    .map(({ head, measured }): Scaling => {
      const points = pointErrors(measured, scalingPoints(measured, kind), confidence);
      if (kind === 'weak') {
        const [gustafson, growth] = [fitGustafson(measured), runTimeGrowth(measured)];
        const error = growthError(measured, confidence);
        return {
          ...head,
          kind,
          points,
          ...(gustafson === undefined ? {} : { gustafson: gustafsonErrors(measured, gustafson, confidence) }),
          ...(growth === undefined ? {} : { growth }),
          ...(growth === undefined || error === undefined ? {} : { growthError: error }),
        };
      }
      const [amdahl, scalability] = [fitAmdahl(measured), fitScalability(measured)];
      return {
        ...head,
        points,
        ...(amdahl === undefined ? {} : { amdahl: amdahlErrors(measured, amdahl, confidence) }),
        ...(scalability === undefined ? {} : { scalability: scalabilityErrors(measured, scalability, confidence) }),
      };
    });
}

/** Adds what workers do to the points of thread models. */
function withTimes(
  scaling: readonly Scaling[],
  rows: readonly WhatIfScenario[],
  ends: readonly ScenarioEnd[],
): Scaling[] {
  const key = (values: object, ideal: string | undefined): string =>
    JSON.stringify([Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)), ideal]);
  const found = new Map(
    ends.flatMap((end, k) => {
      const times = end.status === 'predicted' ? end.outcome.times : undefined;
      return times === undefined ? [] : [[key(rows[k]!.values, rows[k]!.ideal), times] as const];
    }),
  );
  return scaling.map((series) => {
    const { axis, values, ideal, points } = series;
    if (axis === undefined) return series;
    const timesAt = (workers: number): ScalingPoint['times'] => found.get(key({ ...values, [axis]: workers }, ideal));
    return {
      ...series,
      points: points.map((point) => {
        const times = timesAt(point.ranks);
        return times === undefined ? point : { ...point, times };
      }),
    };
  });
}

interface Elasticities {
  readonly found: readonly ElasticityFigures[];
  /** WHAT019: reasons for null elasticities. */
  readonly warnings: readonly Problem[];
}

async function elasticityOf(
  parameters: readonly string[],
  predict: Predictor,
  { signal }: RunOptions,
  confidence: number,
  compared: StudyFigure,
): Promise<Elasticities> {
  const reasons = new Map<string, string>();
  const found = await elasticities(
    parameters,
    async (parameter, factor) => {
      const scenario = { index: 0, values: { [parameter]: `x${factor}` } };
      const [end] = await runScenarios([scenario], predict, signal === undefined ? {} : { signal });
      const reason = whyNone(end!);
      if (end?.status === 'predicted' && reason === undefined) {
        const measured = comparedValue(end.outcome, compared);
        if (measured !== undefined) return measured;
      }
      reasons.set(parameter, `with ${factor > 1 ? '1 % more' : '1 % less'} ${reason}`);
      return undefined;
    },
    confidence,
  );
  const warnings = found
    .filter((one) => one.elasticity === null)
    .map(({ parameter }): Problem => {
      const why =
        reasons.get(parameter) ?? (compared === 'runTime' ? 'the program takes no time' : `its ${compared} is 0`);
      return { code: 'WHAT019', message: `the elasticity of ${parameter} is unknown: ${why}` };
    });
  return { found, warnings };
}

function triedValues(scenarios: readonly Scenario[], axis: string): AxisValue[] {
  return [...new Set(scenarios.map((s) => s.values[axis]!))];
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((p) => [formatProblem(p), p])).values()];
}

/**
 * Mean difference of run times to a baseline, in seconds. Replications are paired: replication k draws the same random
 * numbers in both, so common variation cancels out. The interval is that of the mean of the paired differences (paired t;
 * Law, _Simulation Modeling and Analysis_, §10.2.1).
 *
 * @param confidence confidence level of the interval, default 0.95
 * @param unit unit of the values, default seconds
 * @returns `undefined` without run times; `low` and `high` are null with a single replication; `low`, `high` and `relative`
 * are null if they are not finite, `relative` also for a baseline of 0
 */
export function pairedDifference(
  baseline: readonly number[],
  other: readonly number[],
  confidence: number = CONFIDENCE,
  unit: 's' | 'J' = 's',
): Difference | undefined {
  const count = Math.min(baseline.length, other.length);
  if (count === 0) return undefined;
  const { mean, half } = summary(
    Array.from({ length: count }, (_, k) => other[k]! - baseline[k]!),
    confidence,
  );
  const base = baseline.slice(0, count).reduce((sum, x) => sum + x, 0) / count;
  const relative = base > 0 && Number.isFinite(mean / base) ? mean / base : null;
  const figure = { value: mean, unit } as const;
  if (count === 1) return { ...figure, mean, low: null, high: null, relative };
  const error = errorOfMean(mean, half, confidence);
  return { ...figure, ...error, mean, low: error.lower, high: error.upper, relative };
}
