import { OPERATION_FIGURES, type OperationFigure } from '../../analysis/efficiency/efficiency.ts';
import type { ProcessFigure } from '../../analysis/efficiency/interval-figures.ts';
import { listing } from '../../base/listing.ts';
import { TIME_WORDS } from '../../base/time-words.ts';
import type { Style } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { printable, prose } from '../../report/text.ts';
import { formatCount, formatSeconds, formatShare, withoutRounding } from '../../report/units.ts';
import type { FigureSpread, ProfileDocument, ProfiledInterval } from './profile-document.ts';
import { MAX_LINES, rest, timeColumn } from './view-parts.ts';

/** Figures of intervals with their heads; those that a narrow terminal can do without are marked. */
const INTERVAL_COLUMNS: readonly (readonly [name: ProcessFigure, head: string, dispensable: boolean])[] = [
  ['lostTime', 'lost', false],
  ['insufficientParallelism', 'insufficient', true],
  ['communication', TIME_WORDS.communicatingOrWaiting.short, false],
  ['synchronization', 'synchronization', true],
  ['idle', TIME_WORDS.idle.label, true],
];

export function intervalSection(document: ProfileDocument, style: Style, only: readonly ProcessFigure[]): string[] {
  const { intervals } = document;
  const rows: ProfiledInterval[] = [];
  const collect = (interval: ProfiledInterval): void => {
    rows.push(interval);
    interval.children.forEach(collect);
  };
  intervals.forEach(collect);
  if (rows.length === 0) return [];
  const shown = rows.slice(0, 4 * MAX_LINES);
  const seconds = (of: (i: ProfiledInterval) => number): string[] => timeColumn(document, shown.map(of));
  // That of an interval without time would be 0 / 0.
  const efficiency = ({ figures }: ProfiledInterval): string =>
    figures.totalTime.value === 0 ? style.dash : formatShare(figures.efficiency.value);
  return [
    style.bold('Intervals'),
    ...table(
      [
        { head: 'interval', cells: shown.map((i) => '  '.repeat(i.level - 1) + i.name) },
        ...(shown.some((i) => i.line !== undefined)
          ? [
              {
                head: 'line',
                cells: shown.map((i) => (i.line === undefined ? style.dash : `${i.file}:${i.line}`)),
                dispensable: 2,
              },
            ]
          : []),
        { head: 'kind', cells: shown.map((i) => i.kind), dispensable: 2 },
        { head: 'executions', right: true, cells: shown.map((i) => formatCount(i.executions)), dispensable: 3 },
        { head: 'time', right: true, cells: seconds((i) => i.figures.executionTime.value) },
        { head: 'efficiency', right: true, cells: shown.map(efficiency) },
        ...INTERVAL_COLUMNS.filter(([name]) => only.includes(name)).map(([name, head, dispensable]) => ({
          head,
          right: true,
          cells: seconds((i) => i.figures[name].value),
          ...(dispensable ? { dispensable: 1 } : {}),
        })),
      ],
      style,
    ),
    ...rest(rows.length - shown.length, 'interval'),
  ];
}

/** The outermost intervals by lost time. One interval needs no ranking. */
export function rankingSection({ ranking, options }: ProfileDocument, style: Style): string[] {
  const lossy = ranking.filter(({ share }) => share >= 0.0005);
  if (ranking.length < 2 || lossy.length === 0 || options['interval'] !== undefined) return [];
  const list = lossy.map(({ interval, lostTime }) => `${interval} ${formatSeconds(lostTime)}`);
  return prose(
    printable(
      `Outermost intervals by lost time: ${listing(list, { max: 4, what: 'interval', format: formatCount })}.`,
      style.unicode,
    ),
    style.width,
  );
}

/** Words for the figures of operations. */
const OPERATION_WORDS: Readonly<Record<OperationFigure, string>> = {
  communication: TIME_WORDS.communicatingOrWaiting.short,
  synchronization: 'synchronization',
  timeVariation: 'variation',
  overlap: 'overlap',
};

/** Minimum, maximum and mean of the figures of operations over the processes that execute them. */
export function operationSpreads(document: ProfileDocument, style: Style, only: readonly ProcessFigure[]): string[] {
  const { figures } = document;
  const rows = document.operations.flatMap(({ kind, phase, spread }) =>
    OPERATION_FIGURES.filter(
      (figure) => only.includes(figure) && withoutRounding(spread[figure].max, figures.executionTime.value) !== 0,
    ).map((figure) => ({
      operation: phase === undefined ? kind : `${kind}, ${phase}`,
      word: OPERATION_WORDS[figure],
      of: spread[figure],
    })),
  );
  if (rows.length === 0) return [];
  const shown = rows.slice(0, 2 * MAX_LINES);
  const column = (of: (spread: FigureSpread) => number): string[] =>
    timeColumn(
      document,
      shown.map((row) => of(row.of)),
    );
  return [
    style.bold('Collective operations by process'),
    ...table(
      [
        {
          head: 'operation',
          cells: shown.map((row, k) => (row.operation === shown[k - 1]?.operation ? '' : row.operation)),
        },
        { head: 'characteristic', cells: shown.map((row) => row.word) },
        { head: 'minimum', right: true, cells: column(({ min }) => min) },
        { head: 'on', right: true, cells: shown.map((row) => String(row.of.minProcess)) },
        { head: 'maximum', right: true, cells: column(({ max }) => max) },
        { head: 'on', right: true, cells: shown.map((row) => String(row.of.maxProcess)) },
        { head: 'mean', right: true, cells: column(({ mean }) => mean), dispensable: 1 },
      ],
      style,
    ),
    ...rest(rows.length - shown.length, 'row'),
  ];
}

export function operationSection(document: ProfileDocument, style: Style, only: readonly ProcessFigure[]): string[] {
  const { operations } = document;
  if (operations.length === 0) return [];
  const seconds = (key: OperationFigure): string[] =>
    timeColumn(
      document,
      operations.map((o) => o[key]),
    );
  return [
    style.bold('Collective operations'),
    ...table(
      [
        { head: 'operation', cells: operations.map((o) => (o.phase === undefined ? o.kind : `${o.kind}, ${o.phase}`)) },
        { head: 'count', right: true, cells: operations.map((o) => formatCount(o.count)) },
        ...OPERATION_FIGURES.filter((figure) => only.includes(figure)).map((figure) => ({
          head: OPERATION_WORDS[figure],
          right: true,
          cells: seconds(figure),
          ...(figure === 'overlap' ? { dispensable: 1 } : {}),
        })),
      ],
      style,
    ),
  ];
}
