import { histogram } from '../../../analysis/statistics/histogram.ts';
import { quantile, quantileInterval } from '../../../analysis/statistics/quantile.ts';
import { summary } from '../../../analysis/statistics/summary.ts';
import { andMore } from '../../../base/listing.ts';
import { bar } from '../../../report/bar.ts';
import type { Style } from '../../../report/style.ts';
import { type Column, table } from '../../../report/table.ts';
import { padStart, prose } from '../../../report/text.ts';
import {
  aligned,
  alikeFormat,
  formatCount,
  formatNetSeconds,
  formatSeconds,
  formatShare,
  netTimeScale,
  type Scale,
  timeScale,
} from '../../../report/units.ts';
import { type FigureError, ONE_REPLICATION } from '../../inputs/document-parts.ts';
import type { ReplicatedFirings, ReplicatedMean } from '../replications/replication-figures.ts';

/** Maximum number of histogram classes. */
const MAX_CLASSES = 12;
/** Maximum length of a bar. */
const LONGEST = 50;

/**
 * Summary of the run times (s) of independent replications: mean with its confidence interval, standard deviation,
 * quantiles, and a histogram with equal classes (their number after Sturges: 1 + log₂ n).
 *
 * @param confidence of the interval, default 0.95
 * @param isNet true for simulated times of a net without processes
 */
export function replicationSection(
  seconds: readonly number[],
  style: Style,
  confidence = 0.95,
  isNet = false,
): string[] {
  if (seconds.length === 0) return [];
  const { mean, deviation, half, min, max } = summary(seconds, confidence);
  const sure = formatShare(confidence);
  const shown = isNet ? formatNetSeconds : formatSeconds;
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (share: number): string => {
    const { lower, upper } = quantileInterval(sorted, share, confidence);
    const value = shown(quantile(sorted, share));
    if (lower !== null && upper !== null) return `${value} (${shown(lower)} to ${shown(upper)})`;
    if (lower !== null) return `${value} (at least ${shown(lower)})`;
    return upper === null ? value : `${value} (at most ${shown(upper)})`;
  };
  const facts = [
    seconds.length < 2
      ? `mean ${shown(mean)}, without an interval: ${ONE_REPLICATION}`
      : `mean ${shown(mean)} ${style.unicode ? '±' : '+-'} ${shown(half)} (${sure} interval), standard deviation ${shown(deviation)}`,
    `quantiles 5 %: ${at(0.05)}, 50 %: ${at(0.5)}, 95 %: ${at(0.95)}; minimum ${shown(min)}, maximum ${shown(max)}`,
  ];
  return [
    style.bold(`Replications: ${formatCount(seconds.length)}`),
    ...facts.flatMap((fact) => prose(style.units(fact), style.width)),
    ...(min < max ? ['', ...bars(seconds, max, isNet ? netTimeScale(max) : timeScale(max), style)] : []),
  ];
}

/** Maximum number of transitions listed. */
const MAX_TRANSITIONS = 10;

/** Nets: firings of the transitions whose number differs between replications, the most varied first. */
export function replicatedFirings(all: readonly ReplicatedFirings[], style: Style): string[] {
  const varied = all.filter(({ min, max }) => min < max).sort((a, b) => b.max - b.min - (a.max - a.min));
  if (varied.length === 0) return [];
  const some = varied.slice(0, MAX_TRANSITIONS);
  const format = alikeFormat(some.flatMap(({ mean, halfWidth }) => [mean, halfWidth ?? 0]));
  const numbers = (head: string, of: (one: ReplicatedFirings) => string): Column => ({
    head,
    cells: some.map(of),
    right: true,
  });
  const left = varied.length - some.length;
  return [
    style.bold('Firings per replication'),
    ...table(
      [
        numbers('mean', ({ mean }) => format(mean)),
        numbers(style.unicode ? '±' : '+-', ({ halfWidth }) => format(halfWidth ?? 0)),
        numbers('minimum', ({ min }) => formatCount(min)),
        numbers('maximum', ({ max }) => formatCount(max)),
        { head: 'transition', cells: some.map(({ transition }) => transition) },
      ],
      style,
    ),
    ...(left > 0 ? [`${andMore(left, 'transition', formatCount)}, --json lists all`] : []),
  ];
}

function bars(values: readonly number[], max: number, scale: Scale, style: Style): string[] {
  const bins = histogram(values, MAX_CLASSES);
  const maximum = Math.max(...bins.map(({ count }) => count));
  const border = (at: number): string => aligned(at / scale.size, max / scale.size);
  const width = Math.max(...bins.map(({ from }) => border(from).length), border(max).length);
  const countWidth = formatCount(maximum).length;
  const room = Math.min(LONGEST, style.width - width - countWidth - 6);
  return [
    style.dim(`${padStart(style.units(scale.unit), width)}  from`),
    ...bins.map(({ from, count }) => {
      const { filled } = bar(count / maximum, room, style.unicode);
      return `${padStart(border(from), width)}  ${padStart(formatCount(count), countWidth)}  ${filled === '' ? '' : style.used(filled)}`.trimEnd();
    }),
  ];
}

/** Maximum number of means listed. */
const MAX_MEANS = 12;
/** Means in the order in which they are listed. */
const ORDER: readonly ReplicatedMean['figure'][] = [
  'parallelism',
  'loadBalance',
  'load',
  'utilisation',
  'inProgress',
  'tokens',
  'rate',
];
const HEADS: Readonly<Record<ReplicatedMean['figure'], string>> = {
  parallelism: 'parallelism',
  loadBalance: 'balance',
  load: 'load',
  utilisation: 'utilisation',
  inProgress: 'in progress',
  tokens: 'mean tokens',
  rate: 'firings/s',
};

/** Figures over the time of a run that differ between replications: the program first, then the largest of each kind. */
export function replicatedMeans(all: readonly ReplicatedMean[], style: Style): string[] {
  const varied = all
    .filter((one) => 'lower' in one && one.lower !== one.upper)
    .sort((a, b) => ORDER.indexOf(a.figure) - ORDER.indexOf(b.figure) || b.value - a.value);
  if (varied.length === 0) return [];
  const some = varied.slice(0, MAX_MEANS);
  const { certainty } = some[0] as FigureError;
  const left = varied.length - some.length;
  return [
    style.bold('Means over all replications'),
    ...table(
      [
        { head: 'figure', cells: some.map(({ figure }) => HEADS[figure]) },
        { head: 'of', cells: some.map(({ of, name }) => (name === undefined ? of : `${of} ${name}`)) },
        ...meanColumns(some, style, formatShare(certainty)),
      ],
      style,
    ),
    ...(left > 0 ? [`${andMore(left, 'mean', formatCount)}, --json lists all`] : []),
  ];
}

function meanColumns(some: readonly ReplicatedMean[], style: Style, sure: string): Column[] {
  const rows = some.map((one) => {
    const { value, lower, upper } = one as ReplicatedMean & { readonly lower: number; readonly upper: number };
    const format = alikeFormat([value, lower, upper]);
    return { mean: format(value), interval: `${format(lower)} to ${format(upper)}` };
  });
  return [
    { head: 'mean', right: true, cells: rows.map(({ mean }) => mean) },
    { head: style.units(`${sure} interval`), right: true, cells: rows.map(({ interval }) => interval) },
  ];
}
