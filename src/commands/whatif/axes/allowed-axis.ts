import { ranges } from '../../../base/listing.ts';
import { ownOf } from '../../../base/own.ts';
import { fail, type Problem, quote } from '../../../base/problem.ts';
import { MAX_RANKS, nearestAllowed } from '../../../models/program/allowed-ranks.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import { type Axis, type AxisValue, partOf, valuesOf } from './axes.ts';
import type { Segment } from './axis-range.ts';
import { MODEL_PREFIX } from './study-axes.ts';

/** Maximum number of parameter combinations whose allowed rank counts are checked. */
const MAX_COMBINATIONS = 4096;

/** Axes without the rank counts that a model does not allow, and a note that lists the removed counts. */
export interface AllowedAxes {
  readonly axes: readonly Axis[];
  readonly notes: readonly Problem[];
}

/**
 * Removes rank counts that the model does not allow from ranges (`1..64`); listed counts must be allowed. If parameters of
 * the model are varied as well, a count is allowed if at least one combination of their values allows it.
 *
 * @param given value of `--ranks`, used if there is no axis of ranks
 * @throws InputError MODEL004 (with the nearest allowed counts) for a listed count that is not allowed, or if no count is
 * left
 */
export function allowedAxes(model: ProgramModel, axes: readonly Axis[], given: number | undefined): AllowedAxes {
  const models = variantsOf(model, axes);
  const allows = (ranks: number): boolean => models.some((one) => one.allows(ranks));
  const refused = (ranks: number, part: string): never =>
    fail(
      'MODEL004',
      `model ${quote(model.name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}${nearestAllowed({ allows }, ranks)}`,
      { part },
    );
  const axis = axes.find(({ name }) => name === 'ranks');
  if (axis === undefined) {
    if (given !== undefined && isCount(given) && !allows(given)) refused(given, 'ranks');
    return { axes, notes: [] };
  }
  // Longer ranges exceed the maximum rank count anyway; do not expand them.
  if (axis.count > MAX_RANKS) return { axes, notes: [] };
  const part = partOf(axis.name);
  const skipped: number[] = [];
  const segments = axis.segments.map((segment): Segment => {
    const values = valuesOf({ ...axis, segments: [segment], count: countOf(segment) });
    if (segment.kind === 'list') {
      for (const value of values) if (isCount(value) && !allows(value)) refused(value, part);
      return segment;
    }
    const kept: AxisValue[] = [];
    for (const value of values)
      if (isCount(value) && !allows(value)) skipped.push(value);
      else kept.push(value);
    return { kind: 'list', values: kept };
  });
  if (skipped.length === 0) return { axes, notes: [] };
  const count = segments.reduce((sum, segment) => sum + countOf(segment), 0);
  if (count === 0) refused(skipped[0]!, part);
  const changed = { ...axis, segments: segments.filter((segment) => countOf(segment) > 0), count };
  const numbers = ranges([...new Set(skipped)].sort((a, b) => a - b));
  const message = `model ${quote(model.name)} does not run on ${numbers} ranks: skipped`;
  return {
    axes: axes.map((one) => (one === axis ? changed : one)),
    notes: [{ code: 'WHAT021', message, place: { part } }],
  };
}

/** The model with each combination of its varied parameters, at most {@link MAX_COMBINATIONS}. */
function variantsOf(model: ProgramModel, axes: readonly Axis[]): ProgramModel[] {
  let variants = [model];
  for (const axis of axes) {
    if (!axis.name.startsWith(MODEL_PREFIX)) continue;
    const name = axis.name.slice(MODEL_PREFIX.length);
    const fitting = valuesOf(axis).filter((value) => typeof value === typeof ownOf(model.params, name));
    if (fitting.length === 0) continue;
    variants = variants
      .flatMap((one) => fitting.map((value) => one.with({ [name]: value } as never)))
      .slice(0, MAX_COMBINATIONS);
  }
  return variants;
}

/** True for valid rank counts; other values are reported by their scenarios. */
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_RANKS;

function countOf(segment: Segment): number {
  return segment.kind === 'list' ? segment.values.length : segment.count;
}
