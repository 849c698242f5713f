import { TIME_WORDS } from '../../../base/time-words.ts';
import { segments } from '../../../report/bar.ts';
import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { displayWidth } from '../../../report/text.ts';
import { aligned, formatCount, timeScale, withoutRounding } from '../../../report/units.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { WorkerFigures } from '../threads/worker-figures.ts';

/** Up to this many workers are all listed; of more, only the extremes. */
const ALL = 16;
/** Minimum and maximum length of the bar, which fills the remaining width. */
const SHORTEST = 10;
const LONGEST = 60;

/** A part of a worker's run time, with its index in `Style.states`. */
interface Part {
  readonly name: string;
  readonly state: number;
  readonly of: (worker: WorkerFigures) => number;
}

const PARTS: readonly Part[] = [
  { name: TIME_WORDS.computing.label, state: 0, of: (w) => w.computing },
  { name: TIME_WORDS.memory.label, state: 4, of: (w) => w.memory },
  { name: TIME_WORDS.overhead.label, state: 1, of: (w) => w.overhead },
  { name: TIME_WORDS.waiting.label, state: 2, of: (w) => w.waiting },
  { name: TIME_WORDS.idle.label, state: 3, of: (w) => w.idle },
];

/**
 * Time of every worker (scheduler `os`: thread) by state, in one unit, with a stacked bar of the run time. Of more than 16,
 * the extremes of every column are listed, and then minimum, mean and maximum.
 */
export function workerTable({ workers = [], figures, options }: PredictionDocument, style: Style): string[] {
  if (workers.length === 0) return [];
  const time = figures.runTime.value;
  const scale = timeScale(time);
  const parts = PARTS.filter(({ name, of }) => name !== TIME_WORDS.memory.label || workers.some((w) => of(w) > 0));
  const one = options['scheduler'] === 'os' ? 'thread' : 'worker';
  const shown = workers.length <= ALL ? workers : extremes(workers, parts);
  const over = (pick: (values: readonly number[]) => number): number[] => parts.map(({ of }) => pick(workers.map(of)));
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;
  const sums: [string, number[]][] =
    workers.length > ALL
      ? [
          ['min', over(least)],
          ['mean', over(mean)],
          ['max', over(most)],
        ]
      : [['mean', over(mean)]];
  const rows: [string, readonly number[]][] = [
    ...shown.map((w): [string, number[]] => [String(w.worker), parts.map(({ of }) => of(w))]),
    ...(workers.length > 1 ? sums : []),
  ];
  const columns = [
    { head: one, right: true, cells: rows.map(([name]) => name) },
    ...parts.map(({ name }, k) => ({
      head: name,
      right: true,
      cells: rows.map(([, times]) => {
        const seconds = name === 'computing' ? times[k]! : withoutRounding(times[k]!, time);
        return aligned(seconds / scale.size, time / scale.size);
      }),
    })),
  ];
  const lines = table(columns, style);
  const used = lines.reduce((widest, line) => Math.max(widest, displayWidth(line)), 0);
  const room = Math.min(LONGEST, style.width - used - 2);
  const bars = rows.map(([name, times]) => (room < SHORTEST || name === 'min' || name === 'max' ? '' : stacked(times)));
  function stacked(times: readonly number[]): string {
    return segments(
      times.map((seconds) => (time > 0 ? seconds / time : 0)),
      room,
    )
      .map((length, k) => {
        const { glyph, paint } = style.states[parts[k]!.state]!;
        return length === 0 ? '' : paint(glyph.repeat(length));
      })
      .join('');
  }
  const left = workers.length - shown.length;
  const more = left > 0 ? `, ${formatCount(left)} of ${formatCount(workers.length)} left out, --json lists all` : '';
  const legend = parts.map(({ name, state }) => `${style.states[state]!.glyph} ${name}`).join('  ');
  const [head = '', ...body] = lines;
  return [
    heading(one === 'thread' ? 'Threads' : 'Workers', `, in ${style.units(scale.unit)}${more}`, style),
    ...(room < SHORTEST || displayWidth(legend) > style.width ? [] : [legend]),
    head,
    ...body.map((line, k) => (bars[k] === '' ? line : `${line.padEnd(used)}  ${bars[k]}`)),
  ];
}

/** The workers with the smallest and the largest value of every part but idle, in order. */
function extremes(workers: readonly WorkerFigures[], parts: readonly Part[]): WorkerFigures[] {
  const chosen = new Set<WorkerFigures>();
  for (const { of } of parts.slice(0, -1)) {
    const sorted = [...workers].sort((a, b) => of(a) - of(b) || a.worker - b.worker);
    for (const w of [sorted[0]!, sorted[1]!, sorted.at(-2)!, sorted.at(-1)!]) chosen.add(w);
  }
  return [...chosen].sort((a, b) => a.worker - b.worker);
}
