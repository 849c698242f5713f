import type { PredictionDocument } from './prediction.ts';
import { sparkline } from './sparkline.ts';
import type { Style } from './style.ts';
import { clipped } from './text.ts';
import { counted, formatCount, formatSeconds } from './units.ts';

/** Number of ranks that compute, load or store at the same time: mean, maximum, and over the run. */
export function parallelism(
  { profile, figures, ranks: all, workers, options }: PredictionDocument,
  style: Style,
): string[] {
  const ranks = workers ?? all;
  const { max, mean } = figures.parallelism;
  if (profile.values.length === 0 || ranks.length === 0) return [];
  const hasMemory = ranks.some((rank) => (rank.memory ?? 0) > 0);
  const round = (value: number): string => (Number.isInteger(value) ? formatCount(value) : value.toPrecision(3));
  const head = `: mean ${round(mean.value)}, maximum ${round(max.value)} of ${counted(ranks.length, workers === undefined ? 'rank' : options['scheduler'] === 'os' ? 'thread' : 'worker')} ${hasMemory ? 'at work' : 'computing'}`;
  const title = 'Parallelism';
  const width = Math.min(style.width, Math.max(40, Math.min(100, profile.values.length)));
  const end = style.units(formatSeconds(figures.runTime.value));
  const top = profile.values.reduce((a, b) => Math.max(a, b), max.value);
  const heading = style.bold(title) + clipped(head, style.width - title.length, style.more);
  if (top === 0) return [heading];
  return [
    heading,
    style.states[0]!.paint(sparkline(profile.values, width, top, style.unicode).trimEnd()).trimEnd(),
    style.dim(`0${end.padStart(width - 1)}`),
  ];
}
