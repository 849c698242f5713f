import { fail, quote } from '../../../base/problem.ts';
import type { AxisValue } from '../whatif-result.ts';

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`;
const QUANTITY = `(x?)(${NUMBER})( ?[A-Za-z][A-Za-z/]*|%?)`;
const RANGE = new RegExp(String.raw`^${QUANTITY}\.\.${QUANTITY}(?:([*+-])(${NUMBER})( ?[A-Za-z][A-Za-z/]*|%?))?$`);
/** Recognises intended ranges: a number, then two dots. `../cluster.yaml` is not one. */
const MEANT = new RegExp(String.raw`^x?${NUMBER}[^.]*\.\.`);
/** Tolerance for the end of a range, as a share of a step, because decimals are not exact in binary. */
const SLACK = 1e-9;

/** Consecutive values of an axis. Ranges are not expanded, so that the size of a grid is known before it is built. */
export type Segment =
  | { readonly kind: 'list'; readonly values: readonly AxisValue[] }
  /** Values `from + k·step` (sum) or `from·stepᵏ` (product) for 0 ≤ k < `count`; printed between `prefix` and `unit`. */
  | {
      readonly kind: 'sum' | 'product';
      readonly from: number;
      readonly step: number;
      readonly count: number;
      readonly prefix: string;
      readonly unit: string;
    };

/**
 * Parses one item of an axis: a value or a range (`from..to*factor`, `from..to+step`, `from..to-step`, `from..to`).
 *
 * @param part location of the axis in problem reports
 * @throws InputError WHAT003 malformed range, WHAT004 endless or empty range
 */
export function parseSegment(text: string, part: string): Segment {
  if (!MEANT.test(text)) return { kind: 'list', values: [scalar(text)] };
  const malformed = (why: string): never =>
    fail('WHAT003', `${quote(text)} is not a range: ${why}; expected 1..64*2, 8..64+8 or 8..12`, { part });
  const found = RANGE.exec(text);
  if (found === null) return malformed('it is not of the form from..to, from..to*factor or from..to+step');
  const [, prefix = '', low = '', unit = '', endPrefix, high = '', endUnit, operator = '+', by = '1', byUnit = ''] =
    found;
  if (prefix !== endPrefix || unit !== endUnit) return malformed('its ends differ in their units');
  const [from, to] = [Number(low), Number(high)];
  if (operator === '*' ? byUnit !== '' : byUnit !== '' && byUnit !== unit)
    return malformed(`the unit of its ${operator === '*' ? 'factor' : 'step'} does not fit`);
  const kind = operator === '*' ? 'product' : 'sum';
  const step = operator === '-' ? -Number(by) : Number(by);
  if (![from, to, step].every(Number.isFinite)) return malformed('one of its numbers is too large');
  const count = kind === 'sum' ? sumCount(from, to, step, text, part) : productCount(from, to, step, text, part);
  if (!Number.isSafeInteger(count)) fail('WHAT006', `${quote(text)} has more than 2^53 − 1 values`, { part });
  return { kind, from, step, count, prefix, unit };
}

function sumCount(from: number, to: number, step: number, text: string, part: string): number {
  if (step === 0) fail('WHAT004', `${quote(text)} never ends: its step is 0`, { part });
  const steps = (to - from) / step;
  if (steps < 0) fail('WHAT004', `${quote(text)} has no value: its step points away from its end`, { part });
  return Math.floor(steps + SLACK) + 1;
}

function productCount(from: number, to: number, factor: number, text: string, part: string): number {
  if (!(from > 0 && to > 0 && factor > 0))
    fail('WHAT003', `${quote(text)} is not a range: with a factor, all its numbers must be greater than 0`, { part });
  if (factor === 1) fail('WHAT004', `${quote(text)} never ends: its factor is 1`, { part });
  const steps = (Math.log(to) - Math.log(from)) / Math.log(factor);
  if (steps < 0) fail('WHAT004', `${quote(text)} has no value: its factor points away from its end`, { part });
  return Math.floor(steps + SLACK) + 1;
}

function scalar(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return new RegExp(`^${NUMBER}$`).test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
