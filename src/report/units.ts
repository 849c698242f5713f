import { listing } from '../base/listing.ts';
/** A display unit: values are divided by `size`. */
export interface Scale {
  readonly size: number;
  readonly unit: string;
}

/** Terminals need not have µ: there, `Style.units` writes it. Browsers have it. */
const MICROSECONDS = 'document' in globalThis ? 'µs' : 'us';

const TIMES: readonly Scale[] = [
  { size: 86400, unit: 'd' },
  { size: 3600, unit: 'h' },
  { size: 60, unit: 'min' },
  { size: 1, unit: 's' },
  { size: 1e-3, unit: 'ms' },
  { size: 1e-6, unit: MICROSECONDS },
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

/** As {@link timeScale} for the time of a net, which need not be that of a program: no unit is longer than a second. */
export function netTimeScale(seconds: number): Scale {
  const scale = timeScale(seconds);
  return scale.size > 1 ? { size: 1, unit: 's' } : scale;
}

/** As {@link formatSeconds} for the time of a net. */
export function formatNetSeconds(seconds: number): string {
  const { size, unit } = netTimeScale(seconds);
  return `${significant(seconds / size)} ${unit}`;
}

/** `8.157 ms`: four significant digits in a suitable unit; 0 is `0 s`. */
export function formatSeconds(seconds: number): string {
  const { size, unit } = timeScale(seconds);
  return `${significant(seconds / size)} ${unit}`;
}

/** Share of a run time below which a sum or difference of times is rounding noise. */
const ROUNDING = 1e-12;

/**
 * 0 for a time that rounding has left: below 10⁻¹² of the run time. For views of sums and differences of times; JSON has them
 * unchanged.
 */
export function withoutRounding(seconds: number, runTime: number): number {
  return Math.abs(seconds) < ROUNDING * Math.abs(runTime) ? 0 : seconds;
}

/** True if the interval of a difference excludes 0, and not by rounding of figures of this size alone. */
export function isSeen({ lower, upper }: { readonly lower: number; readonly upper: number }, size: number): boolean {
  return withoutRounding(lower, size) > 0 || withoutRounding(upper, size) < 0;
}

/**
 * Formats a number with as many decimals as give `max` four significant digits, so that columns align. Only 0 is `0`: a number
 * that needs more decimals is `<0.001`.
 */
export function aligned(value: number, max: number): string {
  if (value === 0) return '0';
  const text = decimal(value, max);
  if (/[1-9]/.test(text)) return text;
  const least = text.replace(/^-/, '').replace(/0$/, '1');
  return value < 0 ? `>-${least}` : `<${least}`;
}

function decimal(value: number, max: number): string {
  if (Math.abs(value) >= 1e6) return significant(value);
  const whole = max < 1 ? 1 : Math.floor(Math.log10(max)) + 1;
  return value.toFixed(Math.min(6, Math.max(0, 4 - whole)));
}

/** Maximum decimals and digits of a number in a column; where they do not suffice, only small numbers get more decimals. */
const MAX_DECIMALS = 3;
const MAX_DIGITS = 6;

/**
 * The format of a column of numbers: each has three significant digits or more, the largest `digits`, and all have the same
 * number of decimals if the smallest number allows it. Only 0 is `0`.
 */
export function alikeFormat(values: readonly number[], digits = 3): (value: number) => string {
  const most = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const least = values.reduce((a, b) => (b === 0 ? a : Math.min(a, Math.abs(b))), most);
  const place = (value: number): number => Math.floor(Math.log10(value));
  const decimals = Math.max(0, digits - 1 - place(most), 2 - place(least));
  const isAlike = decimals <= MAX_DECIMALS && Math.max(1, place(most) + 1) + decimals <= MAX_DIGITS;
  return (value) => {
    if (value === 0) return '0';
    if (isAlike) return value.toFixed(decimals);
    const text = decimal(value, most);
    return text.replace('.', '').replace(/^-?0*/, '').length < 3 ? value.toPrecision(3) : text;
  };
}

/** The format of a column of times, as in {@link alikeFormat}: all in the unit of the largest. */
export function alikeSeconds(times: readonly number[]): (seconds: number) => string {
  const { size, unit } = timeScale(times.reduce((most, time) => Math.max(most, Math.abs(time)), 0));
  const format = alikeFormat(
    times.map((time) => time / size),
    4,
  );
  return (seconds) => `${format(seconds / size)} ${unit}`;
}

/** The format of a column of shares as percentages, as in {@link alikeFormat}. */
export function alikeShares(shares: readonly number[]): (share: number) => string {
  if (shares.some((share) => !(Math.abs(share) < LARGE_SHARE))) return formatShare;
  const format = alikeFormat(shares.map((share) => 100 * share));
  return (share) => `${format(100 * share)} %`;
}

/** `1.25 GB`, `1.25 k/s`, in powers of 1000. `unit` follows the prefix: `B`, `B/s`, `flop`, `flop/s`, `1/s`. */
export function formatAmount(value: number, unit: string): string {
  const [size, prefix] = POWERS.find(([p]) => Math.abs(value) >= p * 0.9995) ?? [1, ''];
  return `${significant(value / size, 3)} ${prefix}${unit.replace(/^1(?=\/)/, '')}`;
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

/** `1 rank`, `12,345 ranks`, `2 processes`. */
export function counted(count: number, what: string, several = `${what}s`): string {
  return `${formatCount(count)} ${count === 1 ? what : several}`;
}

function significant(value: number, digits = 4): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? 'infinite' : String(value);
  const text = value.toPrecision(digits);
  return text.includes('e') ? String(Number(text)) : text;
}

/** `up 2, down 1, and 3 more places`: the first entries of a list, and how many the others are. */
export const firstFew = (all: readonly string[], what = ''): string =>
  listing(all, { what, format: formatCount }) || 'none';

/** Names of figures that are shares and are printed in per cent. */
const SHARES =
  /^(?:efficiency|loadBalance|balance|utilisation|share|probability|relative|certainty|confidence|precision|shareBySize|none|one|latency|bandwidth)$|Share$|Probability$/i;

/** Name of a figure from a pointer to its value, to a mean, or to an end of its interval. */
export const figureName = (pointer: string): string =>
  pointer.split('/').findLast((step) => !/^(?:value|lower|upper|mean|min|max)$/.test(step)) ?? '';

/** `0.141243`, `1000`, `125,000,000`. */
const plainNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) >= 10_000 ? formatCount(value) : String(Number(value.toPrecision(6)));

/** A number in the words of its unit: `8.157 ms`, `12.5 MB`, `3`. @param name last step of its pointer that is not `value` */
export function figureText(value: number | null | undefined, unit: string, name = ''): string {
  if (value === null || value === undefined || Number.isNaN(value)) return 'not known';
  if (unit === 's') return formatSeconds(value);
  if (unit === '1') return SHARES.test(name) ? formatShare(value) : plainNumber(value);
  // Sums of times of ranks or workers.
  if (unit.endsWith(' s')) return `${formatSeconds(value)} (${unit.slice(0, -2)}s)`;
  if (unit === 's²') return `${significant(value)} s²`;
  return formatAmount(value, unit);
}
