import { fail, InputError, type Problem, quote, shown } from '../../base/problem.ts';
import type { AxisValue } from '../../report/whatif.ts';
import { parseSegment, type Segment } from './axis-range.ts';

export type { AxisValue } from '../../report/whatif.ts';

/** What is varied, and its values in their order. */
export interface Axis {
  readonly name: string;
  readonly segments: readonly Segment[];
  /** Values of all segments. */
  readonly count: number;
}

/** Names of axes: letters first, then dots and dashes, too, as in `machine.link.latency`. */
const NAME = /^[A-Za-z][\w.-]*$/;

/** The value of an axis at a position from 0 on. O(segments). */
export function valueAt(axis: Axis, position: number): AxisValue {
  let k = position;
  for (const segment of axis.segments) {
    const count = segment.kind === 'list' ? segment.values.length : segment.count;
    if (k < count) return segment.kind === 'list' ? segment.values[k]! : rangeValue(segment, k);
    k -= count;
  }
  throw new RangeError(`axis ${axis.name} has ${axis.count} values, but not at position ${position}`);
}

/** All values of an axis. */
export function valuesOf(axis: Axis): AxisValue[] {
  return Array.from({ length: axis.count }, (_, k) => valueAt(axis, k));
}

/** Whether all values are numbers, each greater than the one before. O(segments + listed values). */
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
  const exact = kind === 'sum' ? from + k * step : from * step ** k;
  // Steps such as 0.1 are no doubles: what they add up to is meant to twelve digits.
  const value = Number.isInteger(exact) ? exact : Number(exact.toPrecision(12));
  return prefix === '' && unit === '' ? value : `${prefix}${value}${unit}`;
}

/**
 * The axes that texts of the command line name, one each:
 * `placement=block,cyclic` a list; `ranks=1..64*2` from 1 by doubling up to 64, `ranks=8..64+8` in steps of 8,
 * `ranks=8..12` in steps of 1; `machine.link.latency=1us..8us*2` with a unit; `machine.speed=x0.5,x1,+10%` changes;
 * `machine='a,b.yaml',c.yaml` with quotes around what has commas, or what is a number and meant as a text. Lists may
 * hold ranges.
 *
 * @throws InputError every problem at once: WHAT001 form, WHAT002 empty, WHAT003 malformed range, WHAT004 endless
 * range, WHAT005 an axis twice
 */
export function parseAxes(texts: readonly string[]): Axis[] {
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
 * The axes of a record of lists, in the order of its members.
 *
 * @throws InputError every problem at once: WHAT001 a name that is none, WHAT002 an empty list, WHAT009 a value that is
 * neither a finite number, a text nor a truth value
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

/** Where a problem of an axis is. */
export function partOf(name: string): string {
  return `axis ${name}`;
}

/** An axis of these segments. */
export function axisOf(name: string, segments: readonly Segment[]): Axis {
  const count = segments.reduce((sum, s) => sum + (s.kind === 'list' ? s.values.length : s.count), 0);
  return { name, segments, count };
}

/** All axes, or all their problems; an axis that comes twice is one. */
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

/** Splits at commas outside of quotes; a quote begins a value and ends it, and is doubled to be meant. */
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
