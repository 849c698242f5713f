import { TIME_WORDS } from '../../base/time-words.ts';
import { documentJson } from '../../report/document-json.ts';
import { pageOf } from '../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { clipped, printable, prose } from '../../report/text.ts';
import { alikeSeconds, counted, formatSeconds, formatShare, withoutRounding } from '../../report/units.ts';
import type { ComparedFigure } from './comparison.ts';
import type { ComparedInterval, ComparedOperation, ProfileComparisonDocument } from './profile-comparison.ts';

/** Maximum number of rows per table; the view states how many are omitted. */
const MAX_ROWS = 64;

export function profileComparisonJson(document: ProfileComparisonDocument): string {
  return documentJson(document, Object.keys(document) as (keyof ProfileComparisonDocument)[]);
}

/** The comparison of two profiles as text for a terminal: the program, its intervals, its collective operations. */
export function renderProfileComparison(document: ProfileComparisonDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    heading(document, style),
    intervalTable(document, 'executionTime', 'Time of intervals', style),
    intervalTable(document, 'lostTime', 'Lost time of intervals, sums over the processes', style),
    operationTable(document, 'communication', style),
    operationTable(document, 'synchronization', style),
  ];
  return style.amounts(pageOf(sections));
}

const figureOf = (of: ComparedInterval | ComparedOperation, name: string): ComparedFigure =>
  (of.figures as readonly ComparedFigure[]).find((figure) => figure.name === name)!;

function heading({ a, b, intervals }: ProfileComparisonDocument, style: Style): string[] {
  const [program] = intervals;
  const time = figureOf(program!, 'executionTime');
  const [x, y] = [time.a ?? 0, time.b ?? 0];
  const by = withoutRounding(y - x, Math.max(x, y));
  const change = time.relative === null || by === 0 ? '' : `, ${formatShare(Math.abs(time.relative))}`;
  const text =
    by === 0
      ? 'B takes as long as A'
      : `B takes ${formatSeconds(Math.abs(by))} ${by > 0 ? 'longer' : 'less'} than A${change}`;
  const cut = [a, b].flatMap(({ complete }, k) => (complete ? [] : [`${'AB'[k]} is incomplete`]));
  const efficiency = figureOf(program!, 'efficiency');
  // That of a run without time would be 0 / 0.
  const share = (value: number | null, seconds: number): string =>
    value === null || seconds === 0 ? style.dash : formatShare(value);
  return [
    style.bold([text, ...cut].join('; ')),
    ...([a, b] as const).map((side, k) =>
      clipped(
        printable(
          [
            `${'AB'[k]}  ${side.input}`,
            side.origin,
            counted(side.processes, 'process').replace('processs', 'processes'),
            `execution time ${formatSeconds(k === 0 ? x : y)}`,
            `efficiency ${k === 0 ? share(efficiency.a, x) : share(efficiency.b, y)}`,
          ].join(style.dot),
          style.unicode,
        ),
        style.width,
        style.more,
      ),
    ),
  ];
}

function rowsOf(title: string, names: readonly string[], figures: readonly ComparedFigure[], style: Style): string[] {
  const shown = figures.slice(0, MAX_ROWS);
  const values = shown.flatMap(({ a, b }) => [a, b]).filter((value) => value !== null);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const exact = (value: number): number => withoutRounding(value, largest);
  const format = alikeSeconds(values.map(exact));
  const cell = (value: number | null): string => (value === null ? style.dash : format(exact(value)));
  const change = ({ a, b, relative }: ComparedFigure): string => {
    if (a === null || b === null) return style.dash;
    if (exact(b - a) === 0) return '0 %';
    return relative === null ? style.dash : `${b > a ? '+' : '-'}${formatShare(Math.abs(relative))}`;
  };
  return [
    style.bold(title),
    ...table(
      [
        { head: '', cells: names.slice(0, MAX_ROWS) },
        { head: 'A', right: true, cells: shown.map(({ a }) => cell(a)) },
        { head: 'B', right: true, cells: shown.map(({ b }) => cell(b)) },
        { head: 'change', right: true, cells: shown.map(change) },
      ],
      style,
    ),
    ...(figures.length > shown.length
      ? prose(`and ${counted(figures.length - shown.length, 'more row')}, --json has all`, style.width)
      : []),
  ];
}

function intervalTable({ intervals }: ProfileComparisonDocument, name: string, title: string, style: Style): string[] {
  return rowsOf(
    title,
    intervals.map(({ interval, level }) =>
      level === 0
        ? 'program'
        : `${'  '.repeat(level - 1)}${level === 1 ? interval : interval.slice(interval.lastIndexOf('/') + 1)}`,
    ),
    intervals.map((one) => figureOf(one, name)),
    style,
  );
}

function operationTable({ operations }: ProfileComparisonDocument, name: string, style: Style): string[] {
  if (operations.length === 0) return [];
  const word = name === 'communication' ? TIME_WORDS.communicatingOrWaiting.label : name;
  return rowsOf(
    `Collective operations: ${word}`,
    operations.map(({ operation, phase }) => (phase === undefined ? operation : `${operation}, ${phase}`)),
    operations.map((one) => figureOf(one, name)),
    style,
  );
}
