import { timeScale } from '../../report/units.ts';
import type { Range } from '../record/page-record.ts';

/** A mark of an axis of time. */
export interface Tick {
  readonly time: number;
  readonly label: string;
}

/** Digits of a label after the point; shorter times have an exponent. */
const MAX_DECIMALS = 9;
/** Marks that an axis has at most, whatever its numbers. */
const MAX_TICKS = 100;
/** Parts of a range that is far from zero, as of a record with the time of day, from which labels count from its begin. */
const FAR = 1e5;

/**
 * Marks at multiples of a round step. Far from zero, the first one has the whole time, and the others the difference to it:
 * `1700000000 s`, `+100 us`, `+200 us`.
 *
 * @param most about how many there is room for
 */
export function ticksOf({ from, to }: Range, most: number): Tick[] {
  const length = to - from;
  const largest = Math.max(Math.abs(from), Math.abs(to));
  // Steps below the distance of neighbouring numbers do not lead anywhere.
  const step = niceStep(Math.max(length / Math.max(2, most), largest * Number.EPSILON));
  if (!(length > 0) || !(step > 0) || !Number.isFinite(length)) return [];
  const isFar = largest > FAR * length;
  const origin = isFar ? Math.max(from, Math.ceil(from / step) * step) : 0;
  const first = isFar ? 0 : Math.ceil(from / step);
  const { size, unit } = timeScale(isFar ? length : largest);
  const decimals = Math.max(0, -Math.floor(Math.log10(step / size)));
  const text = (value: number): string =>
    decimals > MAX_DECIMALS ? String(Number(value.toPrecision(12))) : value.toFixed(decimals);
  const ticks: Tick[] = [];
  for (let k = first; ticks.length < MAX_TICKS; k++) {
    const time = origin + k * step;
    if (time > to) break;
    const added = `${text((k * step) / size)} ${unit}`;
    ticks.push({ time, label: !isFar ? added : k === 0 ? `${Number(time.toPrecision(15))} s` : `+${added}` });
  }
  return ticks;
}

/**
 * Labels of evenly spaced marks, with as many digits as their distance needs: `108.75`, `109.00`, not `108.8`, `109`. Marks of other
 * axes, as of logarithms, have four digits.
 */
export function tickLabels(values: readonly number[]): string[] {
  const [first = 0, second = first] = values;
  const step = Math.abs(second - first);
  const even = step > 0 && values.every((value, k) => k === 0 || isWhole((value - first) / step));
  const shows = (text: (value: number) => string): boolean =>
    values.every((value) => Math.abs(Number(text(value)) - value) < TOLERANCE * step);
  // Numbers from 10^21 on have no fixed notation, and small distances far from zero no short one.
  const fixed = Array.from({ length: MAX_DECIMALS + 1 }, (_, k) => (value: number) => value.toFixed(k));
  const floating = Array.from({ length: 14 }, (_, k) => (value: number) => String(Number(value.toPrecision(4 + k))));
  const text = even ? [...fixed, ...floating].find(shows) : floating[0];
  return values.map(text ?? String);
}

/** Part of the distance of two marks by which a label may differ from its mark. */
const TOLERANCE = 1e-6;

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < TOLERANCE;

/** 1, 2 or 5 times a power of ten, not below a length. */
function niceStep(length: number): number {
  if (!(length > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(length));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= length) ?? 10);
}
