import { InputError, type Problem, shown } from '../../../base/problem.ts';
import type { ReplicationPlan } from '../../predict/replications/replications.ts';
import type { ScalingKind, StudyFigure } from '../whatif-result.ts';
import { type Axis, type AxisValue, partOf, valuesOf } from './axes.ts';

/** Idealisation of a scenario: a network without cost, or computation balanced over the ranks. */
export type Ideal = 'network' | 'balance';

/** Idealisations by their command-line names. */
export const IDEALS: Readonly<Record<string, Ideal>> = { 'ideal-network': 'network', 'ideal-balance': 'balance' };

/** One point of a grid; plain data, so it can be sent to a worker thread. */
export interface Scenario {
  /** Position in the order of the grid, from 0. */
  readonly index: number;
  /** Value of every axis, in the order of the axes. */
  readonly values: Readonly<Record<string, AxisValue>>;
  /** An idealisation: infinitely fast network, or balanced work. */
  readonly ideal?: Ideal;
  /** Number of runs, if the study adds runs until it has a precision. Default: that of the study. */
  readonly replications?: number;
}

/** Default limit for the number of scenarios. */
export const MAX_SCENARIOS = 100_000;

/** Exact number of scenarios of a grid, without building it. */
export function gridSize(axes: readonly Axis[], ideals: readonly Ideal[] = []): bigint {
  return axes.reduce((product, axis) => product * BigInt(axis.count), BigInt(1 + ideals.length));
}

/**
 * Builds the scenarios of a grid: all combinations of values, the last axis fastest. Each combination is followed by its
 * idealised variants. The size is checked against `limit` first.
 *
 * @throws InputError WHAT006 (more scenarios than `limit`), WHAT008 (duplicate value on an axis)
 */
export function grid(
  axes: readonly Axis[],
  { ideals = [], limit = MAX_SCENARIOS }: { readonly ideals?: readonly Ideal[]; readonly limit?: number } = {},
): Scenario[] {
  const size = gridSize(axes, ideals);
  if (size > BigInt(limit)) {
    const factors = axes.map((a) => `${a.name} ${a.count}`);
    if (ideals.length > 0) factors.push(`scenarios ${1 + ideals.length}`);
    const message = `the grid has ${size} scenarios (${factors.join(' × ')}), more than the limit of ${limit}`;
    throw new InputError([{ code: 'WHAT006', message }]);
  }
  const columns = axes.map((axis) => ({ name: axis.name, values: valuesOf(axis) }));
  assertDistinct(columns);
  let points: Record<string, AxisValue>[] = [{}];
  for (const { name, values } of columns)
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  const variants = [undefined, ...ideals];
  return points.flatMap((values, point) =>
    variants.map((ideal, k) => {
      const index = point * variants.length + k;
      return ideal === undefined ? { index, values } : { index, values, ideal };
    }),
  );
}

function assertDistinct(columns: readonly { readonly name: string; readonly values: readonly AxisValue[] }[]): void {
  const problems: Problem[] = [];
  for (const { name, values } of columns) {
    const seen = new Set<AxisValue>();
    for (const value of values) {
      if (seen.has(value))
        problems.push({ code: 'WHAT008', message: `${shown(value)} is given twice`, place: { part: partOf(name) } });
      seen.add(value);
    }
  }
  if (problems.length > 0) throw new InputError(problems.slice(0, 20));
}

/** Plan of a what-if study. */
export interface StudyPlan {
  /** The axes, in the given order. */
  readonly axes: readonly Axis[];
  /** Idealised variants of every scenario. */
  readonly ideals?: readonly Ideal[];
  /** Maximum number of scenarios, default 100,000. */
  readonly limit?: number;
  /** Dependence of the work on `ranks`, default `strong`; selects the definitions of speed-up, efficiency and fitted law. */
  readonly scaling?: ScalingKind;
  /** The figure of differences, of the search and of elasticities; default the run time. */
  readonly compared?: StudyFigure;
  /** Searches this axis for its smallest value with a run time of at most `target` seconds (energy: joules), instead of trying all values. */
  readonly find?: { readonly axis: string; readonly target: number };
  /** Parameters whose elasticities are computed: axes that accept relative changes such as `x1.01`. */
  readonly elasticity?: readonly string[];
  /**
   * How often each scenario runs, if the predictor draws random numbers and takes the number of runs from the scenario: until the mean run
   * time of every scenario is known to the precision. All scenarios of a grid then have equally many runs, for paired differences.
   */
  readonly runs?: ReplicationPlan;
}
