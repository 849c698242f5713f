import { TIME_WORDS, type TimeQuantity } from '../../../base/time-words.ts';
import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { aligned, formatCount, timeScale } from '../../../report/units.ts';
import type { JobFigures, PredictionDocument } from '../prediction.ts';

/** Maximum number of jobs listed. */
const MAX_JOBS = 32;
/** Below this width, column heads are abbreviated. */
const NARROW = 80;

/**
 * Several programs at once: when each job starts and ends, and how its ranks spend their time, as means over its ranks. Times of
 * all columns have one unit.
 */
export function jobTable({ jobs = [], figures }: PredictionDocument, style: Style): string[] {
  if (jobs.length === 0) return [];
  const shown = jobs.slice(0, MAX_JOBS);
  const max = figures.runTime.value;
  const scale = timeScale(max);
  const times = (of: (job: JobFigures) => number | null): string[] =>
    shown.map((job) => {
      const seconds = of(job);
      return seconds === null ? style.dash : aligned(seconds / scale.size, max / scale.size);
    });
  const word = (name: TimeQuantity): string => TIME_WORDS[name][style.width < NARROW ? 'short' : 'label'];
  const lines = table(
    [
      { head: 'job', cells: shown.map(({ name }) => name) },
      { head: 'start', right: true, cells: times((job) => job.start) },
      { head: 'end', right: true, cells: times((job) => job.end) },
      { head: 'run time', right: true, cells: times((job) => job.runTime) },
      { head: word('computing'), right: true, dispensable: 2, cells: times((job) => job.computing / job.ranks) },
      {
        head: word('communicating'),
        right: true,
        dispensable: 2,
        cells: times((job) => job.communicating / job.ranks),
      },
      { head: word('waiting'), right: true, cells: times((job) => job.waiting / job.ranks) },
      { head: 'ranks', right: true, dispensable: 1, cells: shown.map(({ ranks }) => formatCount(ranks)) },
      { head: 'from rank', right: true, dispensable: 1, cells: shown.map(({ firstRank }) => String(firstRank)) },
    ],
    style,
  );
  const left = jobs.length - shown.length;
  const more = left > 0 ? `; ${formatCount(left)} of ${formatCount(jobs.length)} left out, --json lists all` : '';
  return [heading('Jobs', `, in ${style.units(scale.unit)}, means of their ranks${more}`, style), ...lines];
}
