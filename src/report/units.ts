/** A display unit: values are divided by `size`. */
export interface Scale {
  readonly size: number;
  readonly unit: string;
}

const TIMES: readonly Scale[] = [
  { size: 86400, unit: 'd' },
  { size: 3600, unit: 'h' },
  { size: 60, unit: 'min' },
  { size: 1, unit: 's' },
  { size: 1e-3, unit: 'ms' },
  { size: 1e-6, unit: 'us' },
  { size: 1e-9, unit: 'ns' },
];
/** Thresholds (s) from which a larger unit is used; seconds are used up to 1,000. */
const FROM: Readonly<Record<string, number>> = { d: 2 * 86400, h: 2 * 3600, min: 1000 };
const POWERS: readonly [number, string][] = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** The most readable unit for a time: ns, us, ms, s up to 1,000 s, then min, h, d. */
export function timeScale(seconds: number): Scale {
  const value = Math.abs(seconds);
  if (value === 0 || !Number.isFinite(value)) return { size: 1, unit: 's' };
  // The factor 0.99995 makes times that would print as 1000 use the next larger unit.
  // Below a picosecond, as rounding errors leave it, the exponent says more than a prefix.
  const found = TIMES.find(({ size, unit }) => value >= (FROM[unit] ?? size * 0.99995));
  return found ?? { size: value < 1e-12 ? 1 : 1e-9, unit: value < 1e-12 ? 's' : 'ns' };
}

/** `8.157 ms`: four significant digits in a suitable unit; 0 is `0 s`. */
export function formatSeconds(seconds: number): string {
  const { size, unit } = timeScale(seconds);
  return `${significant(seconds / size)} ${unit}`;
}

/** Formats a number with as many decimals as give `most` four significant digits, so that columns align; 0 is `0`. */
export function aligned(value: number, max: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1e6) return significant(value);
  const whole = max < 1 ? 1 : Math.floor(Math.log10(max)) + 1;
  return value.toFixed(Math.min(6, Math.max(0, 4 - whole)));
}

/** As {@link aligned}, but no number has less than three significant digits: small ones get more decimals. */
export function alignedPrecisely(value: number, max: number): string {
  // What rounding leaves is nothing.
  if (Math.abs(value) < 1e-12 * max) return '0';
  const text = aligned(value, max);
  if (value === 0 || Math.abs(Number(text) - value) <= 0.005 * Math.abs(value)) return text;
  return value.toPrecision(3);
}

/** `1.25 GB`, in powers of 1000. `unit` follows the prefix: `B`, `B/s`, `flop`, `flop/s`. */
export function formatAmount(value: number, unit: string): string {
  const [size, prefix] = POWERS.find(([p]) => Math.abs(value) >= p * 0.9995) ?? [1, ''];
  return `${significant(value / size, 3)} ${prefix}${unit}`;
}

/** A size in bytes; whole multiples of 1024 use binary prefixes: `64 KiB`, `1.5 kB`. */
export function formatBytes(bytes: number): string {
  if (Number.isInteger(bytes) && bytes > 0 && bytes % 1024 === 0 && bytes % 1000 !== 0) {
    for (const [size, unit] of [
      [2 ** 30, 'GiB'],
      [2 ** 20, 'MiB'],
      [1024, 'KiB'],
    ] as const) {
      if (bytes % size === 0) return `${bytes / size} ${unit}`;
    }
  }
  return formatAmount(bytes, 'B');
}

/** Sizes of one column in bytes, all with the unit of the largest one. */
export function formatBytesAlike(sizes: readonly number[]): string[] {
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const isBinary = sizes.every((bytes) => bytes === 0 || /iB$/.test(formatBytes(bytes)));
  const [, unit = 'B'] = (isBinary ? formatBytes(most) : formatAmount(most, 'B')).split(' ');
  const power = ['B', 'k', 'M', 'G', 'T', 'P', 'E'].indexOf(unit[0]!.replace('K', 'k'));
  const size = (isBinary ? 1024 : 1000) ** Math.max(0, power);
  return sizes.map((bytes) => (bytes === 0 ? '0' : `${size === 1 ? bytes : significant(bytes / size, 3)} ${unit}`));
}

/** From this share on, percentages are written with an exponent. */
const LARGE_SHARE = 1e4;

/** `57 %`; one decimal below 10 %; non-zero values below 0.05 % are `<0.1 %`; from 1,000,000 % on `1.03e+310 %`. */
export function formatShare(share: number): string {
  if (Math.abs(share) >= LARGE_SHARE && Number.isFinite(share)) {
    const [digits, exponent] = share.toExponential(2).split('e');
    return `${digits}e+${Number(exponent) + 2} %`;
  }
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (Math.abs(percent) < 0.05) return '<0.1 %';
  return `${Math.abs(percent) < 9.95 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

/** `12,345`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 rank`, `12,345 ranks`. */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

function significant(value: number, digits = 4): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? 'infinite' : String(value);
  const text = value.toPrecision(digits);
  return text.includes('e') ? String(Number(text)) : text;
}
