import { setMaxListeners } from 'node:events';
import { formatProblem, type Problem } from '../../base/problem.ts';
import type { ElasticityFigures, Scaling, WhatIfDocument, WhatIfScenario } from '../../report/whatif.ts';
import { type AxisValue, valuesOf } from './axes.ts';
import { pairedDifference } from './differences.ts';
import { elasticities } from './elasticity.ts';
import { grid, type Scenario } from './grid.ts';
import { limited, type Predictor } from './predictor.ts';
import { type Predicted, type RunOptions, runScenarios, type ScenarioEnd } from './run-scenarios.ts';
import { fitAmdahl, fitScalability, type Measured, scalingPoints } from './scaling-laws.ts';
import { searchAxis } from './search-axis.ts';
import type { StudyPlan } from './study-plan.ts';

/** What a study finds; the rest of a document is about its inputs. */
export type StudyResult = Pick<
  WhatIfDocument,
  'complete' | 'axes' | 'scenarios' | 'scaling' | 'elasticity' | 'found' | 'warnings'
>;

/**
 * Predicts the scenarios of a plan and says what they show: differences to the first, scaling laws where `ranks` is an
 * axis, elasticities, the least value that meets a target.
 *
 * @throws InputError WHAT006 (too large a grid), WHAT008 (a value twice), WHAT011 (nothing to search along)
 */
export async function runStudy(plan: StudyPlan, predictor: Predictor, options: RunOptions = {}): Promise<StudyResult> {
  const { axes, find, elasticity = [] } = plan;
  const predict = limited(predictor, options.workers ?? 1);
  // Everything that is under way listens.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const searched = find === undefined ? undefined : await searchAxis(plan, find, predict, options);
  const { scenarios, ends } = searched ?? (await wholeGrid(plan, predict, options));
  const rows = withDifferences(scenarios.map((scenario, k) => rowOf(scenario, ends[k]!)));
  const measured = await elasticityOf(elasticity, predict, options);
  return {
    complete:
      (searched?.complete ?? true) &&
      options.signal?.aborted !== true &&
      rows.every((row) => row.status !== 'cancelled' && row.status !== 'incomplete'),
    axes: axes.map((axis) => ({
      name: axis.name,
      values: axis.name === find?.axis ? triedValues(scenarios, axis.name) : valuesOf(axis),
    })),
    scenarios: rows,
    scaling: axes.some((axis) => axis.name === 'ranks') ? scalings(rows) : [],
    elasticity: measured,
    found: searched?.found ?? [],
    warnings: distinct(ends.flatMap((end) => (end.status === 'predicted' ? (end.outcome.warnings ?? []) : []))),
  };
}

async function wholeGrid(plan: StudyPlan, predict: Predictor, options: RunOptions): Promise<Predicted> {
  const scenarios = grid(plan.axes, plan);
  return { scenarios, ends: await runScenarios(scenarios, predict, options) };
}

function rowOf({ index, values, ideal }: Scenario, end: ScenarioEnd): WhatIfScenario {
  const head = { index, values, ...(ideal === undefined ? {} : { ideal }) };
  if (end.status === 'failed') return { ...head, status: 'failed', problems: end.problems };
  if (end.status === 'cancelled') return { ...head, status: 'cancelled' };
  const { runTime, complete, blocked, figures, replications } = end.outcome;
  return {
    ...head,
    status: blocked > 0 ? 'deadlock' : complete ? 'done' : 'incomplete',
    figures: { runTime: { value: runTime, unit: 's' }, ...figures },
    ...(replications === undefined ? {} : { replications }),
  };
}

/** Run times of the replications of a scenario that came to its end, or its one run time. */
function runTimes(row: WhatIfScenario): readonly number[] {
  if (row.status !== 'done') return [];
  return row.replications ?? [row.figures!['runTime']!.value];
}

function withDifferences(rows: readonly WhatIfScenario[]): WhatIfScenario[] {
  const baseline = rows[0] === undefined ? [] : runTimes(rows[0]);
  return rows.map((row, k) => {
    const difference = k === 0 ? undefined : pairedDifference(baseline, runTimes(row));
    return difference === undefined ? row : { ...row, difference };
  });
}

/** One for each combination of the values of the axes other than ranks, where there are two numbers of ranks or more. */
function scalings(rows: readonly WhatIfScenario[]): Scaling[] {
  const series = new Map<string, { readonly head: Omit<Scaling, 'points'>; readonly measured: Measured[] }>();
  for (const row of rows) {
    const { ranks, ...values } = row.values;
    const [runTime] = row.status === 'done' ? [row.figures!['runTime']!.value] : [];
    if (typeof ranks !== 'number' || runTime === undefined) continue;
    const key = JSON.stringify([values, row.ideal]);
    const head = { values, ...(row.ideal === undefined ? {} : { ideal: row.ideal }) };
    const one = series.get(key) ?? { head, measured: [] as Measured[] };
    series.set(key, one);
    one.measured.push({ ranks, runTime });
  }
  return [...series.values()]
    .filter(({ measured }) => measured.length > 1)
    .map(({ head, measured }): Scaling => {
      const [amdahl, scalability] = [fitAmdahl(measured), fitScalability(measured)];
      return {
        ...head,
        points: scalingPoints(measured),
        ...(amdahl === undefined ? {} : { amdahl }),
        ...(scalability === undefined ? {} : { scalability }),
      };
    });
}

async function elasticityOf(
  parameters: readonly string[],
  predict: Predictor,
  { signal }: RunOptions,
): Promise<ElasticityFigures[]> {
  return elasticities(parameters, async (parameter, factor) => {
    const scenario = { index: 0, values: { [parameter]: `x${factor}` } };
    const [end] = await runScenarios([scenario], predict, signal === undefined ? {} : { signal });
    return end?.status === 'predicted' && end.outcome.blocked === 0 && end.outcome.complete ? end.outcome : undefined;
  });
}

function triedValues(scenarios: readonly Scenario[], axis: string): AxisValue[] {
  return [...new Set(scenarios.map((s) => s.values[axis]!))];
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((p) => [formatProblem(p), p])).values()];
}
