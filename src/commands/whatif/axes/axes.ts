import { assertIs } from '../../../base/options.ts';
import { fail, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import type { AxisValue } from '../whatif-result.ts';
import { parseSegment, type Segment } from './axis-range.ts';

export type { AxisValue } from '../whatif-result.ts';

/** A varied quantity with its values in order. */
export interface Axis {
  /** Name of the varied quantity, such as `ranks` or `network.latency`. */
  readonly name: string;
  /** The values of the axis, as lists and ranges in the given order. */
  readonly segments: readonly Segment[];
  /** Number of values in all segments. */
  readonly count: number;
}

/** Names of axes: a letter, then letters, digits, `_`, `.` and `-`, as in `machine.link.latency`; or a node of a net or a job with any name. */
const NAME = /^[A-Za-z][\w.-]*$|^(?:delay|service|servers|tokens|transitions|start)\../;

/** Value of an axis at a position, counted from 0. O(segments). */
export function valueAt(axis: Axis, position: number): AxisValue {
  let k = position;
  for (const segment of axis.segments) {
    const count = segment.kind === 'list' ? segment.values.length : segment.count;
    if (k < count) return segment.kind === 'list' ? segment.values[k]! : rangeValue(segment, k);
    k -= count;
  }
  throw new RangeError(`axis ${axis.name} has ${axis.count} values, but not at position ${position}`);
}

export function valuesOf(axis: Axis): AxisValue[] {
  return Array.from({ length: axis.count }, (_, k) => valueAt(axis, k));
}

/** True if all values are numbers in strictly ascending order. O(segments + listed values). */
export function isAscending({ segments }: Axis): boolean {
  let last = Number.NEGATIVE_INFINITY;
  for (const segment of segments) {
    if (segment.kind !== 'list') {
      const rises = segment.kind === 'sum' ? segment.step > 0 : segment.step > 1;
      if (segment.prefix !== '' || segment.unit !== '' || segment.from <= last) return false;
      if (!rises && segment.count > 1) return false;
      last = Number(rangeValue(segment, segment.count - 1));
      continue;
    }
    for (const value of segment.values) {
      if (typeof value !== 'number' || value <= last) return false;
      last = value;
    }
  }
  return true;
}

function rangeValue({ kind, from, step, prefix, unit }: Exclude<Segment, { kind: 'list' }>, k: number): AxisValue {
  // Two factors: one power may exceed the range of numbers where the product does not.
  const half = Math.floor(k / 2);
  const exact = kind === 'sum' ? from + k * step : from * step ** half * step ** (k - half);
  // Decimal steps such as 0.1 are not exact in binary: round to twelve digits.
  const value = Number.isInteger(exact) ? exact : Number(exact.toPrecision(12));
  return prefix === '' && unit === '' ? value : `${prefix}${value}${unit}`;
}

/**
 * Parses axes as given on the command line, one per string:
 *
 * - `placement=block,cyclic`: a list; its items may be ranges
 * - `ranks=1..64*2`: doubles from 1 up to 64; `ranks=8..64+8`: steps of 8; `ranks=8..12`: steps of 1
 * - `machine.link.latency=1us..8us*2`: values with a unit
 * - `machine.speed=x0.5,x1,+10%`: relative changes
 * - `machine='a,b.yaml',c.yaml`: quotes around values that contain commas, or around numbers meant as strings
 *
 * @throws InputError with all problems: WHAT001 not of the form NAME=VALUES, WHAT002 empty axis or value, WHAT003 malformed
 * range, WHAT004 endless or empty range, WHAT005 duplicate axis
 */
export function parseAxes(texts: readonly string[]): Axis[] {
  assertIs('parseAxes', 'axes', texts, 'a list of strings', 'APP061');
  return collect(texts, (text) => {
    const at = text.indexOf('=');
    const name = at < 0 ? text : text.slice(0, at).trim();
    if (at < 0 || !NAME.test(name))
      fail('WHAT001', `expected NAME=VALUE,VALUE… such as ranks=1..64*2, got ${quote(text)}`, { part: '--vary' });
    const items = split(text.slice(at + 1), name);
    const segments = items.map(({ text, quoted }): Segment => {
      if (quoted) return { kind: 'list', values: [text] };
      if (text === '') fail('WHAT002', items.length === 1 ? 'no values' : 'a value is empty', { part: partOf(name) });
      return parseSegment(text, partOf(name));
    });
    return axisOf(name, segments);
  });
}

/**
 * Converts a record of value lists to axes, in the order of its members.
 *
 * @throws InputError with all problems: WHAT001 invalid name, WHAT002 empty list, WHAT009 a value that is not a finite
 * number, string or boolean
 */
export function axesOf(vary: Readonly<Record<string, readonly AxisValue[]>>): Axis[] {
  return collect(Object.entries(vary), ([name, values]) => {
    const part = partOf(name);
    if (!NAME.test(name)) fail('WHAT001', `expected an axis name such as machine.link.latency, got ${quote(name)}`);
    if (!Array.isArray(values)) fail('WHAT009', `expected a list of values, got ${shown(values)}`, { part });
    if (values.length === 0) fail('WHAT002', 'no values', { part });
    for (const value of values)
      if (!(typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)))
        fail('WHAT009', `expected a finite number, a string or a boolean, got ${shown(value)}`, { part });
    return axisOf(name, [{ kind: 'list', values }]);
  });
}

/** Location of an axis in problem reports. */
export function partOf(name: string): string {
  return `axis ${name}`;
}

/** Makes an axis of segments and counts its values. */
export function axisOf(name: string, segments: readonly Segment[]): Axis {
  const count = segments.reduce((sum, s) => sum + (s.kind === 'list' ? s.values.length : s.count), 0);
  return { name, segments, count };
}

/** Collects the axes, or throws all their problems together, including duplicate names (WHAT005). */
function collect<T>(items: readonly T[], axis: (item: T) => Axis): Axis[] {
  const axes: Axis[] = [];
  const problems: Problem[] = [];
  for (const item of items) {
    try {
      const one = axis(item);
      if (axes.some((a) => a.name === one.name))
        fail('WHAT005', 'given twice: join its values with commas', { part: partOf(one.name) });
      axes.push(one);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return axes;
}

/** Splits at commas outside quotes. Quotes enclose a whole value; a doubled quote inside it means one quote character. */
function split(text: string, name: string): { readonly text: string; readonly quoted: boolean }[] {
  const items: { text: string; quoted: boolean }[] = [];
  for (let at = 0; ; ) {
    const found = /^\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([^,]*?))\s*(?:,|$)/.exec(text.slice(at));
    if (found === null || (found[3] !== undefined && /^["']/.test(found[3])))
      fail('WHAT002', `the quotes of ${quote(text.slice(at))} do not match`, { part: partOf(name) });
    const [whole, double, single, plain] = found;
    const quoted = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'");
    items.push(quoted === undefined ? { text: plain!, quoted: false } : { text: quoted, quoted: true });
    at += whole.length;
    if (!whole.endsWith(',') || at > text.length) return items;
  }
}
