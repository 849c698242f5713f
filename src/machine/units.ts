/** The units of one kind of quantity, by suffix, and the factor of each. */
export type Units = ReadonlyMap<string, number>;

const POWERS = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

function prefixed(into: Map<string, number>, stem: string, base: number, letters: readonly string[]): void {
  for (const letter of letters) {
    const exponent = POWERS.indexOf(letter) + 1;
    into.set(`${letter}${stem}`, base * 1000 ** exponent);
  }
}

/** Seconds, as in SimGrid: `w d h m s ms us ns ps`; `m` is a minute. */
export const timeUnits: Units = new Map([
  ['s', 1],
  ['ms', 1e-3],
  ['us', 1e-6],
  ['ns', 1e-9],
  ['ps', 1e-12],
  ['m', 60],
  ['h', 3600],
  ['d', 86400],
  ['w', 604800],
]);

/** Bytes per second: `Bps` bytes and `bps` bits (1 Bps = 8 bps), k M G T P E of 1000, Ki Mi Gi Ti Pi Ei of 1024. */
export const bandwidthUnits: Units = makeBandwidthUnits();
function makeBandwidthUnits(): Units {
  const units = new Map<string, number>();
  for (const [unit, one] of [
    ['Bps', 1],
    ['bps', 0.125],
  ] as const) {
    units.set(unit, one);
    prefixed(units, unit, one, POWERS.slice(0, 6));
    for (const [i, letter] of ['K', 'M', 'G', 'T', 'P', 'E'].entries()) {
      units.set(`${letter}i${unit}`, one * 1024 ** (i + 1));
    }
  }
  return units;
}

/** Flop per second: `f` or `flops`, k M G T P E Z Y of 1000, and the spelled-out `gigaflops` and so on. */
export const speedUnits: Units = makeSpeedUnits();
function makeSpeedUnits(): Units {
  const units = new Map([
    ['f', 1],
    ['flops', 1],
  ]);
  prefixed(units, 'f', 1, POWERS);
  const words = ['kilo', 'mega', 'giga', 'tera', 'peta', 'exa', 'zetta', 'yotta'];
  for (const [i, word] of words.entries()) units.set(`${word}flops`, 1000 ** (i + 1));
  return units;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;

/**
 * A number with a unit, in SI; a plain number is in the first unit of the table.
 * No blank may stand between number and unit, as in SimGrid.
 *
 * @returns the value, or a sentence that says what is wrong. Never NaN or infinite.
 */
export function parseQuantity(text: string, units: Units): number | string {
  const digits = NUMBER.exec(text)?.[0];
  if (digits === undefined) return 'it does not start with a number';
  const unit = text.slice(digits.length);
  const factor = unit === '' ? 1 : units.get(unit);
  if (factor === undefined) return `unknown unit ${JSON.stringify(unit)}; known: ${[...units.keys()].join(', ')}`;
  const value = Number(digits) * factor;
  return Number.isFinite(value) ? value : 'it is too large for a double';
}
