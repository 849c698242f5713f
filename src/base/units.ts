import type { Code } from './codes.ts';
import { quote, shown } from './problem.ts';

/** A unit of measurement: `scale × 10^power` SI units. */
export interface Unit {
  readonly scale: number;
  readonly power: number;
}

/** The units of one kind of quantity, keyed by suffix. */
export type Units = ReadonlyMap<string, Unit>;

/** Prefixes: powers of 1000 and powers of 1024. */
const DECIMAL = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** `stem` without a prefix and with the first `count` decimal prefixes; with `binary`, also with the binary ones. */
export function prefixed(stem: string, scale: number, count: number, binary = false): [string, Unit][] {
  const units: [string, Unit][] = [[stem, { scale, power: 0 }]];
  for (const [i, letter] of DECIMAL.slice(0, count).entries()) units.push([letter + stem, { scale, power: 3 * i + 3 }]);
  if (binary)
    for (const [i, letters] of BINARY.slice(0, count).entries())
      units.push([letters + stem, { scale: scale * 1024 ** (i + 1), power: 0 }]);
  return units;
}

/** A decimal number: no hexadecimal, blanks, NaN or infinity. */
const NUMBER = String.raw`(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const START = new RegExp(`^[+-]?${NUMBER}`);

/** Splits a string into a leading number and the rest; undefined if it does not begin with a number. */
export function splitQuantity(text: string): { readonly digits: string; readonly unit: string } | undefined {
  const digits = START.exec(text)?.[0];
  return digits === undefined ? undefined : { digits, unit: text.slice(digits.length) };
}

/** True for a number without a unit, such as `60` or `1e-3`. */
export const isBareNumber = (text: string): boolean => splitQuantity(text)?.unit === '';

/** Converts to SI. Rounds once if the unit is a power of ten: `1.5` of `us` is the double 1.5e-6. */
export function inSi(digits: string, { scale, power }: Unit): number {
  const [mantissa, exponent = '0'] = digits.split(/[eE]/);
  return Number(`${mantissa}e${Number(exponent) + power}`) * scale;
}

/** Magnitudes outside this range are input errors; sums and quotients of such numbers could leave the range of a double. */
const SMALLEST = 1e-100;
const LARGEST = 1e100;

/** Lower end of the valid range: from 0 on, or above 0. */
export type LowerBound = 'zero' | 'positive';

/** Describes why a value in SI units is out of range; undefined if it is valid. */
export function outOfRange(value: number, lowerBound: LowerBound): string | undefined {
  if (value < 0 || (value === 0 && lowerBound === 'positive'))
    return lowerBound === 'zero' ? 'must not be negative' : 'must be greater than 0';
  if (value > LARGEST) return `exceeds ${LARGEST} in SI units`;
  return value !== 0 && value < SMALLEST ? `is below ${SMALLEST} in SI units` : undefined;
}

type Decimal = '' | 'k' | 'M' | 'G' | 'T' | 'P';
type Binary = 'Ki' | 'Mi' | 'Gi' | 'Ti' | 'Pi';
type SizeUnit = `${Decimal | Binary}${'B' | 'b'}`;

/** A time: seconds, or a string of a number and a unit (`s ms us ns ps min h`), as in `'1.5us'`. */
export type Time = number | `${number}${'s' | 'ms' | 'us' | 'ns' | 'ps' | 'min' | 'h'}`;
/** An amount of data: bytes, or a string with a unit of bytes (`B`) or bits (`b`), as in `'64KiB'`. */
export type Size = number | `${number}${SizeUnit}`;
/** A data rate: bytes per second, or a string with a data unit per second, as in `'12.5GB/s'`, `'100Gb/s'`. */
export type Rate = number | `${number}${SizeUnit}/s`;
/** A computing speed: flop/s, or a string with the unit `f` or `flop/s`, as in `'2.4Gf'`. */
export type Speed = number | `${number}${Decimal}${'f' | 'flop/s'}`;

/** The physical dimension of a quantity. */
export type Dimension = 'time' | 'size' | 'rate' | 'speed';

const sizes = [...prefixed('B', 1, 5, true), ...prefixed('b', 0.125, 5, true)];
const UNITS: Readonly<Record<Dimension, Units>> = {
  time: new Map([
    ...(['s', 'ms', 'us', 'ns', 'ps'] as const).map((name, k) => [name, { scale: 1, power: -3 * k }] as const),
    ['min', { scale: 60, power: 0 }],
    ['h', { scale: 3600, power: 0 }],
  ]),
  size: new Map(sizes),
  rate: new Map(sizes.map(([name, unit]) => [`${name}/s`, unit])),
  speed: new Map([...prefixed('f', 1, 5), ...prefixed('flop/s', 1, 5)]),
};
const WORDS: Readonly<Record<Dimension, { readonly what: string; readonly example: string }>> = {
  time: { what: 'a time', example: '"1.5us"' },
  size: { what: 'a data size', example: '"64KiB"' },
  rate: { what: 'a data rate', example: '"12.5GB/s"' },
  speed: { what: 'a computing speed', example: '"2.4Gf"' },
};

/** Why a value is not a valid quantity: UNIT001, UNIT002 or UNIT003. */
export interface QuantityFault {
  readonly code: Code;
  readonly message: string;
}

/**
 * Converts a quantity to SI. Numbers are in SI already; strings are a number and a unit, optionally separated by one space.
 * Prefixes k M G T P are powers of 1000, Ki Mi Gi Ti Pi powers of 1024; `B` is bytes, `b` bits.
 *
 * @returns the value, or the fault: UNIT001 (neither a number nor a number with a unit), UNIT002 (unknown unit, or a unit of
 * another dimension), UNIT003 (out of range)
 */
export function quantity(
  dimension: Dimension,
  value: unknown,
  lowerBound: LowerBound = 'zero',
): number | QuantityFault {
  const { what, example } = WORDS[dimension];
  const expected = `expected ${what} such as ${example}, or a number in ${siUnit(dimension)}`;
  const inRange = (number: number): number | QuantityFault => {
    const wrong = outOfRange(number, lowerBound);
    // Turns −0 into 0.
    return wrong === undefined ? number + 0 : { code: 'UNIT003', message: `${shown(value)}: ${wrong}` };
  };
  if (typeof value === 'number' && Number.isFinite(value)) return inRange(value);
  const split = typeof value === 'string' ? splitQuantity(value) : undefined;
  if (split === undefined) return { code: 'UNIT001', message: `${shown(value)} is not a quantity; ${expected}` };
  const name = split.unit.replace(/^ /, '');
  const unit = UNITS[dimension].get(name);
  if (unit !== undefined && split.digits.startsWith('-'))
    return { code: 'UNIT003', message: `${shown(value)}: must not be negative` };
  if (unit !== undefined) return inRange(inSi(split.digits, unit));
  const prefix = `${quote(value as string)}: `;
  if (name === '') return { code: 'UNIT001', message: `${prefix}missing unit; ${expected}` };
  const other = DIMENSIONS.find((d) => UNITS[d].has(name));
  const message = other === undefined ? `unknown unit ${quote(name)}.${nearest(name, dimension)}` : `${quote(name)} is`;
  const instead = other === undefined ? ` ${expected}` : ` a unit of ${WORDS[other].what}; ${expected}`;
  return { code: 'UNIT002', message: prefix + message + instead };
}

/** Units of bits, minutes and hours are only read. */
const WRITTEN = /^(?:[kMGTP]|[KMGTP]i)?(?:B|B\/s|f)$|^[munp]?s$/;

/**
 * A string with a unit that {@link quantity} reads as exactly this value: the one with the fewest digits, preferably from 1 to
 * 1000 of a unit. The value itself if no such string exists, or only one with many zeros.
 */
export function quantityText(dimension: Dimension, value: number): string | number {
  if (value === 0) return 0;
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  let best: string | number = value;
  let cost = Number.POSITIVE_INFINITY;
  for (const [name, { scale, power }] of UNITS[dimension]) {
    const number = scale === 1 ? Number(`${mantissa}e${Number(exponent) - power}`) : value / scale;
    const text = `${number}${name}`;
    const own = `${number}`.length + (number >= 1 && number < 1000 ? 0 : 100);
    if (own >= cost || !WRITTEN.test(name) || number < 1e-3 || number >= 1e6 || quantity(dimension, text) !== value)
      continue;
    best = text;
    cost = own;
  }
  return best;
}

const DIMENSIONS = Object.keys(UNITS) as Dimension[];

function siUnit(dimension: Dimension): string {
  return { time: 'seconds', size: 'bytes', rate: 'bytes per second', speed: 'flop/s' }[dimension];
}

/** Suggests units that differ only in case, or by `ps` instead of `/s`. `gb/s` may mean bits or bytes, so both are suggested. */
function nearest(name: string, dimension: Dimension): string {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace('µ', 'u')
      .replace(/([^/])ps$/, '$1/s');
  const alike = [...UNITS[dimension].keys()].filter((known) => plain(known) === plain(name));
  return alike.length === 0 ? '' : ` Did you mean ${alike.map((known) => quote(known)).join(' or ')}?`;
}

/** A regular expression, as used in JSON Schema, for all strings that {@link quantity} accepts; ranges are not checked. */
export function quantityPattern(dimension: Dimension): string {
  const units = [...UNITS[dimension].keys()].sort((a, b) => b.length - a.length);
  return `^[+]?${NUMBER} ?(?:${units.join('|')})$`;
}
