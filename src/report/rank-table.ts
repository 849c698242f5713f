import { segments } from './bar.ts';
import type { PredictionDocument, RankFigures } from './prediction.ts';
import type { Style } from './style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from './text.ts';
import { aligned, formatCount, timeScale } from './units.ts';

/** Up to so many ranks are all listed; of more, the extremes. */
const ALL = 16;
/** The bar is as long as there is room for, within these. */
const SHORTEST = 10;
const LONGEST = 80;

type Cells = { readonly rank: string; readonly host: string; readonly times: string[]; readonly bar: string };

/**
 * What every rank does with its time: all columns in one unit, so that they can be compared, and a stacked bar of the
 * run time. More than 16 ranks are given by the extremes of every column, in the order of ranks, with least, mean and
 * largest below. Where there is no room, first the host goes, then the bar, then columns from the right.
 */
export function rankTable(document: PredictionDocument, style: Style): string[] {
  const { ranks, figures } = document;
  const time = figures.runTime.value;
  const scale = timeScale(time);
  const split = ranks.every((rank) => rank.communicating !== null && rank.waiting !== null);
  const states = split ? [0, 1, 2, 3] : [0, 2, 3];
  const heads = split
    ? [
        ['computing', 'communicating', 'waiting', 'idle', 'end'],
        ['comput', 'commun', 'wait', 'idle', 'end'],
      ]
    : [
        ['computing', 'blocked', 'idle', 'end'],
        ['comput', 'block', 'idle', 'end'],
      ];
  const figure = (seconds: number | null): string =>
    seconds === null ? style.dash : aligned(seconds / scale.size, time / scale.size);
  const row = (rank: RankFigures): Cells => ({
    rank: String(rank.rank),
    host: printable(rank.host, style.unicode),
    times: [...parts(rank, time, split), rank.endTime].map(figure),
    bar: '',
  });
  const shown = ranks.length <= ALL ? ranks : extremes(ranks);
  const rows = shown.map(row);
  const summary = ranks.length < 2 ? [] : summaries(ranks, time, split, figure, ranks.length > ALL);
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
  const bars = (of: RankFigures): string =>
    hasBar ? stacked(parts(of, time, split), states, time, barWidth, style) : '';
  const lines = [style.dim(line({ rank: 'rank', host: 'host', times: [...names], bar: '' }, ''))];
  for (const [k, rank] of shown.entries()) lines.push(line(rows[k]!, bars(rank)));
  for (const cells of summary) {
    lines.push(style.dim(line(cells, '')) + (cells.rank === 'mean' && hasBar ? `  ${bars(meanRank(ranks))}` : ''));
  }
  const head = [`Ranks, in ${style.units(scale.unit)}`];
  const left = ranks.length - shown.length;
  if (left > 0) head.push(`${formatCount(left)} of ${formatCount(ranks.length)} left out, --json has all`);
  return [heading(head, style), ...(hasBar ? legend(states, split, style) : []), ...lines].map((l) => l.trimEnd());
}

function heading([title = '', ...more]: string[], style: Style): string {
  const rest = more.length === 0 ? '' : `: ${more.join(', ')}`;
  return (
    style.bold(clipped(title, style.width, style.more)) + clipped(rest, style.width - displayWidth(title), style.more)
  );
}

function legend(states: readonly number[], split: boolean, style: Style): string[] {
  const names = ['computing', 'communicating', split ? 'waiting' : 'blocked', 'idle'];
  const texts = states.map((s) => `${style.states[s]!.glyph} ${names[s]!}`);
  if (displayWidth(texts.join('  ')) > style.width) return [];
  return [states.map((s, k) => style.states[s]!.paint(texts[k]!)).join('  ')];
}

/** The four parts of the run time, or three where a net does not tell communicating from waiting. */
function parts(rank: RankFigures, time: number, split: boolean): number[] {
  if (split) return [rank.computing, rank.communicating!, rank.waiting!, rank.idle];
  return [rank.computing, Math.max(0, time - rank.computing - rank.idle), rank.idle];
}

function stacked(of: readonly number[], states: readonly number[], time: number, width: number, style: Style): string {
  const lengths = segments(
    of.map((part) => (time > 0 ? part / time : 0)),
    width,
  );
  return lengths
    .map((length, k) => {
      const { glyph, paint } = style.states[states[k]!]!;
      return length === 0 ? '' : paint(glyph.repeat(length));
    })
    .join('');
}

function summaries(
  ranks: readonly RankFigures[],
  time: number,
  split: boolean,
  figure: (seconds: number | null) => string,
  abbreviated: boolean,
): Cells[] {
  const columns = ranks.map((rank) => [...parts(rank, time, split), rank.endTime]);
  const count = split ? 5 : 4;
  const over = (name: string, of: (values: readonly number[]) => number): Cells => ({
    rank: name,
    host: '',
    bar: '',
    times: Array.from({ length: count }, (_, k) => {
      const values = columns.map((row) => row[k] ?? null).filter((value) => value !== null);
      return figure(values.length < columns.length ? null : of(values));
    }),
  });
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  return abbreviated ? [over('min', least), over('mean', mean), over('max', most)] : [over('mean', mean)];
}

function meanRank(ranks: readonly RankFigures[]): RankFigures {
  const mean = (of: (rank: RankFigures) => number | null): number =>
    ranks.reduce((sum, rank) => sum + (of(rank) ?? 0), 0) / ranks.length;
  const [computing, communicating, waiting, idle] = [
    mean((r) => r.computing),
    mean((r) => r.communicating),
    mean((r) => r.waiting),
    mean((r) => r.idle),
  ];
  return { rank: -1, host: '', endTime: null, computing, communicating, waiting, idle };
}

/** The two least and the two largest of every column, and the last to end: at most 13 ranks, ascending. */
function extremes(ranks: readonly RankFigures[]): RankFigures[] {
  const chosen = new Set<RankFigures>();
  const columns: ((rank: RankFigures) => number)[] = [
    (r) => r.computing,
    (r) => r.communicating ?? 0,
    (r) => r.waiting ?? -r.computing,
  ];
  for (const column of columns) {
    const sorted = [...ranks].sort((a, b) => column(a) - column(b) || a.rank - b.rank);
    for (const rank of [sorted[0]!, sorted[1]!, sorted.at(-2)!, sorted.at(-1)!]) chosen.add(rank);
  }
  const end = (rank: RankFigures): number => rank.endTime ?? Number.POSITIVE_INFINITY;
  chosen.add(ranks.reduce((a, b) => (end(b) > end(a) ? b : a)));
  return [...chosen].sort((a, b) => a.rank - b.rank);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}
