import { TIME_WORDS, type TimeQuantity } from '../../../base/time-words.ts';
import { segments } from '../../../report/bar.ts';
import type { Style } from '../../../report/style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from '../../../report/text.ts';
import { aligned, formatCount, timeScale, withoutRounding } from '../../../report/units.ts';
import type { PredictionDocument, RankFigures } from '../prediction.ts';
import { activeSeconds } from './losses.ts';

/** Up to this many ranks are all listed; of more, only the extremes. */
const ALL = 16;
/** Minimum and maximum length of the bar, which fills the remaining width. */
const SHORTEST = 10;
const LONGEST = 80;

type Cells = { readonly rank: string; readonly host: string; readonly times: string[]; readonly bar: string };

/** A part of each rank's run time, with its index in `Style.states`. */
interface Column {
  readonly name: string;
  readonly short: string;
  readonly state: number;
  readonly of: (rank: RankFigures) => number;
}

/**
 * Time of every rank by state, in one unit for all columns, with a stacked bar of the run time. Of more than 16 ranks, the
 * extremes of every column are listed in rank order, followed by minimum, mean and maximum. Memory has a column if any rank
 * spends time on it. If width is short, the host is dropped first, then the bar, then columns from the right.
 */
export function rankTable(document: PredictionDocument, style: Style): string[] {
  const { ranks, figures } = document;
  const time = figures.runTime.value;
  const scale = timeScale(time);
  const columns = columnsOf(ranks, time);
  const heads = [
    [...columns.map((c) => c.name), 'end'],
    [...columns.map((c) => c.short), 'end'],
  ];
  const figure = (seconds: number | null): string =>
    seconds === null ? style.dash : aligned(seconds / scale.size, time / scale.size);
  const row = (rank: RankFigures): Cells => ({
    rank: String(rank.rank),
    host: printable(rank.host, style.unicode),
    times: [...columns.map((c) => c.of(rank)), rank.endTime].map(figure),
    bar: '',
  });
  const shown = ranks.length <= ALL ? ranks : extremes(ranks, columns);
  const rows = shown.map(row);
  // A mean of classes is not that of their ranks.
  const summary =
    ranks.length < 2 || ranks[0]!.count !== undefined ? [] : summaries(ranks, columns, figure, ranks.length > ALL);
  const all = [...rows, ...summary];
  const rankWidth = widest(['rank', ...all.map((r) => r.rank)]);
  const layout = (names: readonly string[]): number[] =>
    names.map((name, k) => widest([name, ...all.map((r) => r.times[k]!)]));
  const wide = layout(heads[0]!);
  const total = (widths: readonly number[], gap: number): number =>
    rankWidth + widths.reduce((sum, w) => sum + w + gap, 0);
  const isWide = total(wide, 2) + 2 + SHORTEST <= style.width;
  const names = heads[isWide ? 0 : 1]!;
  const widths = isWide ? wide : layout(names);
  const gap = total(widths, 2) <= style.width ? '  ' : ' ';
  while (total(widths, gap.length) > style.width) widths.pop();
  const used = total(widths, gap.length);
  const hosts = Math.min(24, widest(['host', ...rows.map((r) => r.host)]));
  const hasHost = rows.some((r) => r.host !== '') && used + 2 + hosts + 2 + 24 <= style.width;
  const barWidth = Math.min(LONGEST, style.width - used - (hasHost ? hosts + 2 : 0) - 2);
  const hasBar = barWidth >= SHORTEST;
  const line = (cells: Cells, bar: string): string => {
    const host = hasHost ? `  ${padEnd(clipped(cells.host, hosts, style.more), hosts)}` : '';
    const times = widths.map((w, k) => gap + padStart(cells.times[k]!, w)).join('');
    return `${padStart(cells.rank, rankWidth)}${host}${times}${bar === '' ? '' : `  ${bar}`}`.trimEnd();
  };
  const bars = (times: readonly number[]): string => (hasBar ? stacked(times, columns, time, barWidth, style) : '');
  const lines = [style.dim(line({ rank: 'rank', host: 'host', times: [...names], bar: '' }, ''))];
  for (const [k, rank] of shown.entries()) lines.push(line(rows[k]!, bars(columns.map((c) => c.of(rank)))));
  for (const cells of summary) {
    const means = columns.map((c) => mean(ranks.map(c.of)));
    lines.push(style.dim(line(cells, '')) + (cells.rank === 'mean' && hasBar ? `  ${bars(means)}` : ''));
  }
  const head = [`${ranks[0]?.count === undefined ? 'Ranks' : 'First ranks of classes'}, in ${style.units(scale.unit)}`];
  const left = ranks.length - shown.length;
  if (left > 0) head.push(`${formatCount(left)} of ${formatCount(ranks.length)} left out, --json lists all`);
  return [heading(head, style), ...(hasBar ? legend(columns, style) : []), ...lines].map((l) => l.trimEnd());
}

function heading([title = '', ...more]: string[], style: Style): string {
  const rest = more.length === 0 ? '' : `: ${more.join(', ')}`;
  return (
    style.bold(clipped(title, style.width, style.more)) + clipped(rest, style.width - displayWidth(title), style.more)
  );
}

function legend(columns: readonly Column[], style: Style): string[] {
  const texts = columns.map(({ name, state }) => `${style.states[state]!.glyph} ${name}`);
  if (displayWidth(texts.join('  ')) > style.width) return [];
  return [columns.map(({ state }, k) => style.states[state]!.paint(texts[k]!)).join('  ')];
}

/** The parts that add up to the run time. Communicating and waiting are one column if the net does not distinguish them. */
function columnsOf(ranks: readonly RankFigures[], time: number): readonly Column[] {
  const split = ranks.every((rank) => rank.communicating !== null && rank.waiting !== null);
  const hasMemory = ranks.some((rank) => (rank.memory ?? 0) > 0);
  const others = (rank: RankFigures): number => Math.max(0, time - activeSeconds(rank) - rank.idle);
  const columns: readonly Column[] = [
    columnOf('computing', 0, (r) => r.computing),
    ...(hasMemory ? [columnOf('memory', 4, (r) => r.memory ?? 0)] : []),
    ...(split
      ? [columnOf('communicating', 1, (r) => r.communicating!), columnOf('waiting', 2, (r) => r.waiting!)]
      : [columnOf('communicatingOrWaiting', 2, others)]),
    columnOf('idle', 3, (r) => r.idle),
  ];
  // All but the time of work are differences of times.
  return columns.map((column) =>
    column.name === 'computing' ? column : { ...column, of: (rank) => withoutRounding(column.of(rank), time) },
  );
}

function columnOf(word: TimeQuantity, state: number, of: Column['of']): Column {
  const { label, short } = TIME_WORDS[word];
  return { name: label, short, state, of };
}

function stacked(of: readonly number[], columns: readonly Column[], time: number, width: number, style: Style): string {
  const lengths = segments(
    of.map((part) => (time > 0 ? part / time : 0)),
    width,
  );
  return lengths
    .map((length, k) => {
      const { glyph, paint } = style.states[columns[k]!.state]!;
      return length === 0 ? '' : paint(glyph.repeat(length));
    })
    .join('');
}

function summaries(
  ranks: readonly RankFigures[],
  columns: readonly Column[],
  figure: (seconds: number | null) => string,
  abbreviated: boolean,
): Cells[] {
  const all = [...columns.map((c) => c.of), (r: RankFigures) => r.endTime];
  const over = (name: string, of: (values: readonly number[]) => number): Cells => ({
    rank: name,
    host: '',
    bar: '',
    times: all.map((column) => {
      const values = ranks.map(column).filter((value) => value !== null);
      return figure(values.length < ranks.length ? null : of(values));
    }),
  });
  const min = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
  const max = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
  return abbreviated ? [over('min', min), over('mean', mean), over('max', max)] : [over('mean', mean)];
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** The two smallest and two largest values of every column except `idle`, and the last rank to end, in rank order. */
function extremes(ranks: readonly RankFigures[], columns: readonly Column[]): RankFigures[] {
  const chosen = new Set<RankFigures>();
  for (const { of } of columns.slice(0, -1)) {
    const sorted = [...ranks].sort((a, b) => of(a) - of(b) || a.rank - b.rank);
    for (const rank of [sorted[0]!, sorted[1]!, sorted.at(-2)!, sorted.at(-1)!]) chosen.add(rank);
  }
  const end = (rank: RankFigures): number => rank.endTime ?? Number.POSITIVE_INFINITY;
  chosen.add(ranks.reduce((a, b) => (end(b) > end(a) ? b : a)));
  return [...chosen].sort((a, b) => a.rank - b.rank);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, displayWidth(text)), 0);
}
