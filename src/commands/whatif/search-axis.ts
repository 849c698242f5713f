import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import { type Dimension, quantity } from '../../base/units.ts';
import { readChange } from '../../machine/change.ts';
import { type Axis, type AxisValue, axisOf, isAscending, partOf, valueAt, valuesOf } from './axes/axes.ts';
import { grid, MAX_SCENARIOS, type Scenario, type StudyPlan } from './axes/grid.ts';
import { MODEL_PREFIX } from './axes/study-axes.ts';
import { type Found, findMinimum, type Judged } from './find.ts';
import { COMPARED, figureOf } from './predictors/compared-figure.ts';
import type { Predictor } from './predictors/predictor.ts';
import { type Predicted, type RunOptions, runScenarios, type ScenarioEnd } from './run-scenarios.ts';
import type { FoundValue, StudyFigure } from './whatif-result.ts';

/** Scenarios tried by a search, and its results. */
export interface Searched extends Predicted {
  readonly found: readonly FoundValue[];
  readonly complete: boolean;
}

/** Problem code for more ranks than cores. */
const TOO_MANY_RANKS = 'MACH021';

/** A scenario tried by a search, and its result. */
interface Tried {
  readonly scenario: Omit<Scenario, 'index'>;
  readonly end: ScenarioEnd;
}

/**
 * Searches along one axis of a plan, once for each combination of the other axes; see {@link findMinimum}. Returns the tried
 * scenarios in the order of the grid.
 *
 * @throws InputError WHAT006 (the grid of the other axes is too large), WHAT011 (the axis is not varied, its values cannot
 * be ordered by size, or the target is not a time)
 */
export async function searchAxis(
  plan: StudyPlan,
  { axis: name, target }: NonNullable<StudyPlan['find']>,
  predict: Predictor,
  { progress, signal }: RunOptions,
): Promise<Searched> {
  const { compared = 'runTime' } = plan;
  const given = plan.axes.find((a) => a.name === name);
  if (given === undefined) {
    const known = plan.axes.map((a) => a.name);
    return fail('WHAT011', `${quote(name)} is not varied, so it cannot be searched.${didYouMean(name, known)}`);
  }
  if (!(target >= 0 && target < Infinity))
    fail('WHAT011', `target: expected ${COMPARED[compared].expected}, got ${target}`, { part: partOf(name) });
  const axis = searchOrder(given);
  const groups = grid(
    plan.axes.filter((a) => a !== given),
    plan,
  );
  // If a rank count exceeds the cores of the machine, every larger one fails, too.
  const capped = name === 'ranks' && isAscending(axis);
  const judge = (tried: Tried): Judged => {
    if (tried.end.status === 'cancelled') return 'cancelled';
    const { end } = tried;
    if (capped && end.status === 'failed' && end.problems.some((p) => p.code === TOO_MANY_RANKS))
      return 'none from here';
    return figureOf(end, compared);
  };
  const expected = groups.length * (2 * Math.ceil(Math.log2(axis.count + 1)) + 1);
  let done = 0;
  const found = await Promise.all(
    groups.map(({ values, ideal }) =>
      findMinimum(
        axis.count,
        target,
        async (position): Promise<Tried> => {
          const scenario = {
            values: { ...values, [name]: valueAt(axis, position) },
            ...(ideal === undefined ? {} : { ideal }),
          };
          const [end] = await runScenarios(
            [{ index: 0, ...scenario }],
            predict,
            signal === undefined ? {} : { signal },
          );
          progress?.(++done, Math.max(done, expected));
          return { scenario, end: end! };
        },
        judge,
        plan.limit ?? MAX_SCENARIOS,
      ),
    ),
  );
  const tried = found.flatMap((one) => one.tried.map((t) => t.measured));
  return {
    scenarios: tried.map(({ scenario }, index) => ({ index, ...scenario })),
    ends: tried.map(({ end }) => end),
    found: groups.map((group, k) => foundValue(group, found[k]!, axis, target, compared)),
    complete: tried.every(({ end }) => end.status !== 'cancelled'),
  };
}

function foundValue(
  { values, ideal }: Scenario,
  found: Found<Tried>,
  { name: axis, count }: Axis,
  target: number,
  compared: StudyFigure,
): FoundValue {
  const at = found.tried.find((t) => t.position === found.position)?.measured;
  const runTime = at === undefined ? undefined : figureOf(at.end, 'runTime');
  const least = at === undefined || compared === 'runTime' ? undefined : figureOf(at.end, compared);
  return {
    values,
    ...(ideal === undefined ? {} : { ideal }),
    axis,
    target,
    met: found.met,
    decided: found.decided,
    tried: found.tried.length,
    of: count,
    ...(at === undefined ? {} : { value: at.scenario.values[axis]! }),
    ...(runTime === undefined ? {} : { runTime }),
    ...(least === undefined ? {} : { [compared]: least }),
    verified: found.verified,
  };
}

/** Sort key of a value: a number in SI units of its dimension, or the factor of a relative change. */
interface Size {
  readonly kind: Dimension | 'number' | 'change';
  readonly size: number;
}

const DIMENSIONS: readonly Dimension[] = ['time', 'size', 'rate', 'speed'];

/**
 * Orders an axis for a search. Its values must be numbers, numbers with units of one dimension (`500us,1ms`), or relative
 * changes (`x0.5,x1,+10%`). Ascending and descending values keep their order; others are sorted in ascending order.
 *
 * @throws InputError WHAT011 for values that are not quantities, or not comparable
 */
function searchOrder(axis: Axis): Axis {
  const [first] = axis.segments;
  if (axis.segments.length === 1 && first!.kind !== 'list') return axis;
  const values = valuesOf(axis);
  const numbers = axis.name === 'ranks' || axis.name.startsWith(MODEL_PREFIX);
  const sizes = values.map((value) => sizeOf(value, axis.name, numbers));
  const kinds = [...new Set(sizes.map((s) => s.kind))].filter((kind) => kind !== 'number');
  const other = sizes.findIndex((s) => s.kind !== sizes[0]!.kind);
  if (kinds.length > 1 || (kinds[0] === 'change' && other >= 0))
    fail(
      'WHAT011',
      `${shown(values[0])} and ${shown(values[other])} cannot be compared: expected values of one dimension, or changes`,
      {
        part: partOf(axis.name),
      },
    );
  const rises = (by: 1 | -1): boolean => sizes.every(({ size }, k) => k === 0 || by * (size - sizes[k - 1]!.size) >= 0);
  if (rises(1) || rises(-1)) return axis;
  const order = [...values.keys()].sort((a, b) => sizes[a]!.size - sizes[b]!.size || a - b);
  return axisOf(axis.name, [{ kind: 'list', values: order.map((k) => values[k]!) }]);
}

/** @throws InputError WHAT011 for a value that is not a quantity */
function sizeOf(value: AxisValue, axis: string, numbers: boolean): Size {
  if (typeof value === 'number') return { kind: 'number', size: value };
  if (typeof value === 'string' && !numbers) {
    const change = readChange({ dimension: 'count', unit: '1' }, value);
    if ('times' in change) return { kind: 'change', size: change.times / change.over };
    for (const dimension of DIMENSIONS) {
      const size = quantity(dimension, value);
      if (typeof size === 'number') return { kind: dimension, size };
    }
  }
  const expected = numbers ? 'a number' : 'a number, also with a unit (2us), or a change (x0.5, +10%)';
  return fail('WHAT011', `cannot be searched: expected ${expected}, got ${shown(value)}`, {
    part: partOf(axis),
  });
}
