import { ABSENT, type Column, type TableName } from '../run-schema.ts';

/**
 * Limit of the absolute value of recorded times, in seconds (317 years): seconds since 1970 are below it, milli-, micro- and
 * nanoseconds since 1970 above it. Simulated times may be larger.
 */
export const MAX_SECONDS = 1e10;
/** Recorded runs that take longer, in seconds (116 days), are probably in another unit. */
export const LONG_RUN = 1e7;
/** Largest number of bytes, iterations or elements: integers above it are not exact. */
const MAX_AMOUNT: number = Number.MAX_SAFE_INTEGER;

/** The error message for a recorded instant out of range; undefined for the others. */
export function secondsFault(seconds: number): string | undefined {
  if (Math.abs(seconds) <= MAX_SECONDS) return undefined;
  // Units in which the instant is within range.
  const units = UNITS.filter(([, perSecond]) => Math.abs(seconds) / perSecond <= MAX_SECONDS);
  const hint = units.map(([unit, perSecond]) => `in ${unit}, divide them by ${perSecond}`).join('; ');
  return `expected seconds from -1e10 to 1e10, got ${seconds}${hint === '' ? '' : `. If times are ${hint}`}`;
}

/** Usual units of recorders. Clocks that count from 1970 or from the start of a computer distinguish them. */
const UNITS = [
  ['milliseconds', 1e3],
  ['microseconds', 1e6],
  ['nanoseconds', 1e9],
] as const;

/** The warning for a recorded run of improbable length; undefined for the others. */
export function longRunWarning(seconds: number): string | undefined {
  return seconds > LONG_RUN
    ? `the run takes ${seconds} s, more than 116 days: expected seconds; times in nanoseconds must be divided by 1e9`
    : undefined;
}

/**
 * The error message for a cell that is present and of its type, but out of range; undefined for the others.
 *
 * @param processes number of processes of the run
 * @param isRecorded whether times are limited
 */
export function rangeFault(
  table: TableName,
  { name, type }: Column,
  value: number,
  processes: number,
  isRecorded: boolean,
): string | undefined {
  if (type === 'seconds') {
    if (!Number.isFinite(value)) return `expected seconds, got ${value}`;
    if (table === 'calls' && (name === 'system' || name === 'blocked') && value < 0)
      return `expected seconds from 0, got ${value}`;
    return isRecorded ? secondsFault(value) : undefined;
  }
  if (type === 'amount') {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) return `expected a number from 0, got ${value}`;
    // Amounts of resources are flops and bytes over the whole run.
    return table !== 'resources' && value > MAX_AMOUNT ? `expected a number up to 2^53 - 1, got ${value}` : undefined;
  }
  if (name === 'copies' && !(value >= 1 && value <= processes))
    return `expected a number of processes from 1 to ${processes}, got ${value}`;
  if (table === 'collectives' && name === 'processes' && !(value >= 1 && value <= processes))
    return `expected a number of processes from 1 to ${processes}, got ${value}`;
  return undefined;
}

/** True if a cell is absent. */
export const isAbsent = (value: number, isDouble: boolean): boolean =>
  isDouble ? Number.isNaN(value) : value === ABSENT;
