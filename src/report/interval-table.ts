import { heading } from './heading.ts';
import type { IntervalFigures, PredictionDocument } from './prediction.ts';
import type { Style } from './style.ts';
import { table } from './table.ts';
import { aligned, formatCount, formatSeconds, formatShare, timeScale } from './units.ts';

/** Maximum number of intervals listed. */
const MAX_ROWS = 5;
/** Below this width, column heads are abbreviated. */
const NARROW = 80;
/** Work counts as negligible if even the heaviest rank spends less than this share of the run time on it. */
const NOTABLE = 0.0005;

/**
 * Time of the ranks in each named part of a model, the longest first: seconds as means over all ranks, in one unit. A single
 * interval is left out, because the table of ranks shows nearly the same.
 */
export function intervalTable({ intervals = [], ranks, figures }: PredictionDocument, style: Style): string[] {
  const used = intervals.filter((interval) => seconds(interval) > 0);
  if (used.length < 2 || ranks.length === 0) return [];
  const shown = [...used].sort((a, b) => seconds(b) - seconds(a)).slice(0, MAX_ROWS);
  const max = figures.runTime.value;
  const scale = timeScale(max);
  const figure = (of: (interval: IntervalFigures) => number): string[] =>
    shown.map((interval) => aligned(of(interval) / ranks.length / scale.size, max / scale.size));
  const texts = (of: (interval: IntervalFigures) => string): string[] =>
    shown.map((interval) => (hasWork(interval, max) ? of(interval) : ''));
  const hasMemory = shown.some(({ memory }) => memory > 0);
  const narrow = style.width < NARROW;
  const left = used.length - shown.length;
  const lines = table(
    [
      { head: 'interval', cells: shown.map(({ name }) => name) },
      { head: narrow ? 'comput' : 'computing', right: true, cells: figure((i) => i.computing) },
      ...(hasMemory ? [{ head: 'memory', right: true, cells: figure((i) => i.memory) }] : []),
      { head: narrow ? 'commun' : 'communicating', right: true, cells: figure((i) => i.communicating) },
      { head: narrow ? 'wait' : 'waiting', right: true, cells: figure((i) => i.waiting) },
      { head: 'balance', right: true, dispensable: 1, cells: texts((i) => formatShare(i.loadBalance)) },
      { head: 'heaviest', dispensable: 2, cells: texts((i) => style.units(heaviest(i))) },
    ],
    style,
  );
  const more = left > 0 ? `; ${formatCount(left)} of ${formatCount(used.length)} left out, --json lists all` : '';
  return [heading('Intervals', `, mean of the ranks in ${style.units(scale.unit)}${more}`, style), ...lines];
}

function seconds({ computing, memory, communicating, waiting, idle }: IntervalFigures): number {
  return computing + memory + communicating + waiting + idle;
}

/** For negligible work, its distribution over the ranks is not shown. */
function hasWork({ heaviest }: IntervalFigures, runTime: number): boolean {
  return heaviest.seconds >= NOTABLE * runTime && heaviest.seconds > 0;
}

function heaviest({ heaviest: { rank, seconds } }: IntervalFigures): string {
  return `rank ${rank}, ${formatSeconds(seconds)}`;
}
