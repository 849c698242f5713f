import { quantile } from '../../../analysis/statistics/quantile.ts';
import { summary } from '../../../analysis/statistics/summary.ts';
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
import type { ReplicatedFirings } from '../prediction.ts';

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
  const facts = [
    seconds.length < 2
      ? `mean ${shown(mean)}`
      : `mean ${shown(mean)} ${style.unicode ? '±' : '+-'} ${shown(half)} (${sure} interval), standard deviation ${shown(deviation)}`,
    `quantiles 5 %: ${shown(quantile(seconds, 0.05))}, 50 %: ${shown(quantile(seconds, 0.5))}, 95 %: ${shown(quantile(seconds, 0.95))}; minimum ${shown(min)}, maximum ${shown(max)}`,
  ];
  return [
    style.bold(`Replications: ${formatCount(seconds.length)}`),
    ...facts.flatMap((fact) => prose(style.units(fact), style.width)),
    ...(min < max ? ['', ...histogram(seconds, min, max, isNet ? netTimeScale(max) : timeScale(max), style)] : []),
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
    ...(left > 0 ? [`and ${formatCount(left)} more transitions, --json lists all`] : []),
  ];
}

function histogram(values: readonly number[], min: number, max: number, scale: Scale, style: Style): string[] {
  const classes = Math.min(MAX_CLASSES, 1 + Math.ceil(Math.log2(values.length)));
  const counts = new Array<number>(classes).fill(0);
  for (const value of values) counts[Math.min(classes - 1, Math.floor(((value - min) / (max - min)) * classes))]! += 1;
  const maximum = Math.max(...counts);
  const border = (k: number): string => aligned((min + ((max - min) * k) / classes) / scale.size, max / scale.size);
  const width = Math.max(...counts.map((_, k) => border(k).length), border(classes).length);
  const countWidth = formatCount(maximum).length;
  const room = Math.min(LONGEST, style.width - width - countWidth - 6);
  return [
    style.dim(`${padStart(style.units(scale.unit), width)}  from`),
    ...counts.map((count, k) => {
      const { filled } = bar(count / maximum, room, style.unicode);
      return `${padStart(border(k), width)}  ${padStart(formatCount(count), countWidth)}  ${filled === '' ? '' : style.used(filled)}`.trimEnd();
    }),
  ];
}
