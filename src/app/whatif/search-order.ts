import { fail, shown } from '../../base/problem.ts';
import { type Dimension, quantity } from '../../base/units.ts';
import { readChange } from '../../machine/change.ts';
import { type Axis, type AxisValue, axisOf, partOf, valuesOf } from './axes.ts';
import { MODEL_PREFIX } from './study-axes.ts';

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
export function searchOrder(axis: Axis): Axis {
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
