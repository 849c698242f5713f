import { ownOf } from '../../base/own.ts';
import { TIME_WORDS, type TimeWord } from '../../base/time-words.ts';
import { documentJson } from '../../report/document-json.ts';
import { pageOf } from '../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { clipped, firstNoteLines, noteLines, printable, prose } from '../../report/text.ts';
import {
  formatAmount,
  formatCount,
  formatNetSeconds,
  formatSeconds,
  formatShare,
  withoutRounding,
} from '../../report/units.ts';
import type { ComparedFigure, ComparisonDocument } from './comparison.ts';

/** Maximum number of ranks and of resources listed. */
const MAX_ROWS = 8;
/** Smaller relative differences come from summing in another order. */
const ROUNDING = 1e-12;
const NAMES: Readonly<Record<string, string>> = {
  runTime: 'run time',
  parallelism: 'parallelism, mean',
  mostParallelism: 'parallelism, most',
  loadBalance: 'load balance',
  actions: 'actions',
};
/** All keys in file order; the type ensures that none is missing. */
const order: Readonly<Record<keyof ComparisonDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  a: true,
  b: true,
  figures: true,
  ranks: true,
  resources: true,
  notes: true,
};

/** The document as JSON text, one line per member and per list element. */
export function comparisonJson(document: ComparisonDocument): string {
  return documentJson(document, Object.keys(order) as (keyof ComparisonDocument)[]);
}

/**
 * Renders the output of `foretoken compare`: which prediction is faster and by how much, the two inputs, all figures next to
 * each other, and the ranks and resources that changed most. No line is wider than `width`.
 */
export function renderComparison(document: ComparisonDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    [...answer(document, style), ...sides(document, style), ...firstNoteLines(document, style)],
    figures(document, style),
    ranks(document, style),
    resources(document, style),
    noteLines(document, style),
  ];
  return style.amounts(pageOf(sections));
}

/** Nets without processes have a simulated time and no run time. */
const ofNets = ({ a, b, ranks, figures }: ComparisonDocument): boolean =>
  [a, b].every(({ options }) => options['net'] !== undefined) &&
  ranks.length === 0 &&
  figures.every((f) => f.name === 'runTime' || f.name === 'ranks' || isMean(f));

/** Means over the run of a net without processes. */
const isMean = ({ name }: ComparedFigure): boolean => /^(tokens|rate) /.test(name);

/** The means that differ, those with the largest relative change first. */
function changedMeans({ figures }: ComparisonDocument): ComparedFigure[] {
  const size = ({ a, b, relative }: ComparedFigure): number =>
    a === b ? 0 : relative === null ? Number.POSITIVE_INFINITY : Math.abs(relative);
  return figures.filter((f) => isMean(f) && size(f) > ROUNDING).sort((x, y) => size(y) - size(x) || 0);
}

/** How many means differ: runs of nets often end at a given time, which then says nothing. */
function meansText(document: ComparisonDocument): string {
  const all = document.figures.filter(isMean).length;
  if (all === 0) return '';
  const differ = changedMeans(document).length;
  return differ === 0
    ? ', and all means of places and transitions are equal'
    : `, but ${differ} of ${all} means of places and transitions differ`;
}

/** A difference of times without rounding noise, which is relative to the run times of both sides. */
const cleaned = ({ figures }: ComparisonDocument, difference: number): number => {
  const { a, b } = figures.find(({ name }) => name === 'runTime')!;
  return withoutRounding(difference, Math.max(Math.abs(a ?? 0), Math.abs(b ?? 0)));
};

function answer(document: ComparisonDocument, style: Style): string[] {
  const { figures, a, b } = document;
  const { difference, relative } = figures.find((f) => f.name === 'runTime')!;
  const reservations = (['a', 'b'] as const).flatMap((name) => {
    const side = { a, b }[name];
    const upper = name.toUpperCase();
    if (side.deadlocked > 0) return [`${upper} deadlocks`];
    return side.complete ? [] : [`${upper} is incomplete`];
  });
  const by = difference === null ? 0 : cleaned(document, difference);
  const share = relative === null ? '' : `, ${formatShare(Math.abs(relative))}`;
  const text =
    by === 0
      ? `B takes as long as A${meansText(document)}`
      : `B takes ${(ofNets(document) ? formatNetSeconds : formatSeconds)(Math.abs(by))} ${by > 0 ? 'longer' : 'less'} than A${share}`;
  const line = style.units([text, ...reservations].join('; '));
  return prose(line, style.width).map(reservations.length > 0 ? style.alarm : style.bold);
}

/** The two inputs, with the options in which they differ. */
function sides({ a, b }: ComparisonDocument, style: Style): string[] {
  const line = (name: string, side: typeof a, other: typeof a): string => {
    const own = Object.entries(side.options)
      .filter(([key, value]) => ownOf({ ...other.options }, key) !== value)
      .map(([key, value]) => `${key} ${value}`);
    const machine = side.inputs['machine']?.path;
    const pieces = [side.input, ...(machine === undefined ? [] : [machine]), ...own];
    return clipped(`${name}  ${printable(pieces.join(style.dot), style.unicode)}`, style.width, style.more);
  };
  return [line('A', a, b), line('B', b, a)];
}

function figures(document: ComparisonDocument, style: Style): string[] {
  const isNet = ofNets(document);
  const means = changedMeans(document);
  const all = [
    ...document.figures.filter((f) => !isMean(f) && (!isNet || f.name !== 'ranks')),
    ...means.slice(0, MAX_ROWS),
  ];
  const title = means.length > MAX_ROWS ? `Figures: ${MAX_ROWS} of ${means.length} means that differ` : 'Figures';
  // The times of ranks and workers but that of computing are differences.
  const isDifference = ({ unit, name }: ComparedFigure): boolean => unit.endsWith(' s') && name !== 'computing';
  const exact = (value: number | null, figure: ComparedFigure): number | null =>
    value !== null && isDifference(figure) ? cleaned(document, value) : value;
  const shown = (given: number | null, figure: ComparedFigure): string => {
    const { unit, name } = figure;
    const value = exact(given, figure);
    if (value === null) return style.dash;
    if (unit === 'J') return style.units(formatAmount(value, unit));
    if (unit !== '1' && unit !== '1/s') return style.units((isNet ? formatNetSeconds : formatSeconds)(value));
    if (name === 'loadBalance') return formatShare(value);
    return Number.isInteger(value) ? formatCount(value) : value.toPrecision(3);
  };
  const change = (f: ComparedFigure): number | null => {
    const [a, b] = [exact(f.a, f), exact(f.b, f)];
    if (a === 0 && f.a !== 0) return b === 0 ? 0 : null;
    return f.relative;
  };
  return [
    style.bold(isNet ? title : clipped(sumsOf(all), style.width, style.more)),
    ...table(
      [
        {
          head: '',
          cells: all.map((f) =>
            isNet && f.name === 'runTime'
              ? 'simulated time'
              : isMean(f)
                ? printable(f.name + (f.unit === '1' ? '' : ', 1/s'), style.unicode)
                : (ownOf(NAMES, f.name) ?? wordOf(f.name)),
          ),
        },
        { head: 'A', right: true, cells: all.map((f) => shown(f.a, f)) },
        { head: 'B', right: true, cells: all.map((f) => shown(f.b, f)) },
        { head: 'change', right: true, cells: all.map((f) => signedShare(change(f), style)) },
      ],
      style,
    ),
  ];
}

/** The word for a part of the time; other figures keep their names. */
const wordOf = (name: string): string => (ownOf(TIME_WORDS, name) as TimeWord | undefined)?.label ?? name;

const sumsOf = (all: readonly ComparedFigure[]): string =>
  all.some(({ unit }) => unit === 'worker s')
    ? 'Figures; worker times are sums over all workers'
    : 'Figures; rank times are sums over all ranks';

function ranks(document: ComparisonDocument, style: Style): string[] {
  const changed = document.ranks.filter((r) => cleaned(document, r.change) !== 0);
  if (changed.length === 0) return [];
  const shown = changed.slice(0, MAX_ROWS);
  const time = (value: number | null): string => (value === null ? style.dash : style.units(formatSeconds(value)));
  return [
    heading('Ranks that changed most', shown.length, changed.length, style),
    ...table(
      [
        { head: 'rank', right: true, cells: shown.map((r) => String(r.rank)) },
        { head: 'end in A', right: true, cells: shown.map((r) => time(r.endTime.a)) },
        { head: 'end in B', right: true, cells: shown.map((r) => time(r.endTime.b)) },
        {
          head: 'most changed',
          cells: shown.map((r) => `${r.change > 0 ? '+' : '-'}${time(Math.abs(r.change))} ${wordOf(r.state)}`),
        },
      ],
      style,
    ),
  ];
}

function resources({ resources: all }: ComparisonDocument, style: Style): string[] {
  const changed = all.filter((r) => Math.abs(r.change) >= 0.0005);
  if (changed.length === 0) return [];
  const shown = changed.slice(0, MAX_ROWS);
  const share = (value: number | null): string => (value === null ? style.dash : formatShare(value));
  return [
    heading('Hosts and links whose use changed most', shown.length, changed.length, style),
    ...table(
      [
        { head: '', cells: shown.map((r) => `${r.kind} ${r.name}`) },
        { head: 'A', right: true, cells: shown.map((r) => share(r.a)) },
        { head: 'B', right: true, cells: shown.map((r) => share(r.b)) },
      ],
      style,
    ),
  ];
}

function heading(title: string, shown: number, all: number, style: Style): string {
  const text = shown === all ? title : `${title}: ${shown} of ${formatCount(all)}`;
  return style.bold(clipped(text, style.width, style.more));
}

function signedShare(relative: number | null, style: Style): string {
  if (relative === null) return style.dash;
  if (Math.abs(relative) < ROUNDING) return '0 %';
  const share = formatShare(Math.abs(relative));
  return share.startsWith('<') ? share : `${relative > 0 ? '+' : '-'}${share}`;
}
