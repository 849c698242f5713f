import { inSi, prefixed, splitQuantity, type Units } from '../base/units.ts';

/** SimGrid's units of time: `w d h m s ms us ns ps`; `m` is a minute. */
export const timeUnits: Units = new Map([
  ...(['s', 'ms', 'us', 'ns', 'ps'] as const).map((name, k) => [name, { scale: 1, power: -3 * k }] as const),
  ['m', { scale: 60, power: 0 }],
  ['h', { scale: 3600, power: 0 }],
  ['d', { scale: 86400, power: 0 }],
  ['w', { scale: 604800, power: 0 }],
]);

/**
 * Bytes per second: `Bps` for bytes, `bps` for bits (1 Bps = 8 bps); prefixes k M G T P E (powers of 1000), Ki Mi Gi Ti
 * Pi Ei (1024).
 */
export const bandwidthUnits: Units = new Map([...prefixed('Bps', 1, 6, true), ...prefixed('bps', 0.125, 6, true)]);

/** Flop per second: `f` or `flops`; prefixes k M G T P E Z Y (powers of 1000), or spelled out: `gigaflops` and so on. */
export const speedUnits: Units = new Map([
  ['f', { scale: 1, power: 0 }],
  ['flops', { scale: 1, power: 0 }],
  ...prefixed('f', 1, 8),
  ...['kilo', 'mega', 'giga', 'tera', 'peta', 'exa', 'zetta', 'yotta'].map(
    (word, k) => [`${word}flops`, { scale: 1, power: 3 * k + 3 }] as const,
  ),
]);

/**
 * Parses a number with a unit and converts it to SI; a plain number is in SI. As in SimGrid, no blank may separate
 * number and unit.
 *
 * @returns the value, which is never NaN or infinite, or an error message
 */
export function parseQuantity(text: string, units: Units): number | string {
  const split = splitQuantity(text);
  if (split === undefined) return 'it does not begin with a number';
  const unit = split.unit === '' ? { scale: 1, power: 0 } : units.get(split.unit);
  if (unit === undefined) return `unknown unit ${JSON.stringify(split.unit)}; known: ${[...units.keys()].join(', ')}`;
  const value = inSi(split.digits, unit);
  return Number.isFinite(value) ? value : 'it is too large for a double';
}
