import { andMore } from '../../base/listing.ts';
import { formatProblem } from '../../base/problem.ts';
import { TIME_WORDS } from '../../base/time-words.ts';
import { pageOf } from '../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { type Column, table } from '../../report/table.ts';
import { clipped, firstNoteLines, noteLines, printable, prose, wrapped } from '../../report/text.ts';
import {
  alikeFormat,
  alikeShares,
  formatCount,
  formatShare,
  isSeen,
  timeScale,
  withoutRounding,
} from '../../report/units.ts';
import { levelOf } from '../inputs/document-parts.ts';
import { JOB_TIME } from './axes/study-axes.ts';
import { differenceSection } from './difference-section.ts';
import { exactSections, isExact } from './exact-view.ts';
import { COMPARED, comparedOf } from './predictors/compared-figure.ts';
import { scalingPointsOf } from './whatif-csv.ts';
import type { AxisValue, StudyFigure, WhatIfDocument, WhatIfScenario } from './whatif-result.ts';
import { elasticitySection, foundSection, scalingSection, workerSections } from './whatif-sections.ts';

/** Maximum number of columns for nodes of a net; JSON and CSV have all. */
const MAX_NET_COLUMNS = 6;
/** Maximum number of failed scenarios explained. */
const MAX_FAILED = 10;

/**
 * Renders the output of `foretoken whatif`: the number of scenarios and the range of their run times, their common settings,
 * a table of the scenarios, failures with reasons, and the results of scaling fits, elasticities and searches. No line is
 * wider than `width`; without `colour` there are no escape sequences, without `unicode` only ASCII.
 */
export function renderWhatIf(document: WhatIfDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    [...answer(document, style), ...setting(document, style), ...firstNoteLines(document, style)],
    foundSection(document, style),
    ...(isExact(document)
      ? exactSections(document, style)
      : [document.scenarios.length > 0 ? scenarioTable(document, style) : [], differenceSection(document, style)]),
    failures(document, style),
    scalingSection(document, style),
    ...workerSections(document, style),
    elasticitySection(document, style),
    noteLines(document, style),
  ];
  return style.amounts(pageOf(sections));
}

/** Undefined unless the scenario ran to its end. */
const runTimeOf = ({ status, figures }: WhatIfScenario): number | undefined =>
  status === 'done' ? figures?.['runTime']?.value : undefined;

/** The figure by which scenarios are compared; undefined unless the scenario ran to its end. */
const valueIn = ({ status, figures }: WhatIfScenario, name: StudyFigure): number | undefined =>
  status === 'done' ? figures?.[name]?.value : undefined;

/** The values of the first scenario with the lowest figure. */
function leastIn({ scenarios }: WhatIfDocument, name: StudyFigure, lowest: number): string {
  const { values, ideal } = scenarios.find((one) => valueIn(one, name) === lowest)!;
  const parts = Object.entries(values).map(([axis, value]) => `${axis} ${value}`);
  return [...parts, ...(ideal === undefined ? [] : [`ideal-${ideal}`])].join(', ');
}

/** A net has no run time: its time is that simulated, in seconds. */
const ofNet = ({ options }: WhatIfDocument): boolean => options['net'] !== undefined;

function answer(document: WhatIfDocument, style: Style): string[] {
  const { scenarios, complete, options } = document;
  const compared = comparedOf(options);
  const { words, format } = COMPARED[compared];
  const times = scenarios.map((one) => valueIn(one, compared)).filter((time) => time !== undefined);
  const counted = `${formatCount(scenarios.length)} scenario${scenarios.length === 1 ? '' : 's'}`;
  const min = times.reduce((a, b) => Math.min(a, b), Infinity);
  const max = times.reduce((a, b) => Math.max(a, b), 0);
  const word = ofNet(document) ? 'simulated time' : words;
  const inSeconds = alikeFormat(times, 4);
  const shown = ofNet(document) ? (time: number) => `${inSeconds(time)} s` : format;
  const range = min === max ? shown(min) : `${shown(min)} to ${shown(max)}`;
  const ends = (['deadlock', 'incomplete', 'failed', 'cancelled'] as const).flatMap((status) => {
    const count = scenarios.filter((s) => s.status === status).length;
    return count === 0 ? [] : [`${formatCount(count)} ${status}`];
  });
  const lowest = compared === 'runTime' || min === max ? '' : `, least with ${leastIn(document, compared, min)}`;
  const found = times.length === 0 ? `no ${word}` : `${word} ${range}${lowest}`;
  const figures = isExact(document) ? counted : `${counted}: ${found}`;
  const text = [figures, ...ends].join(', ');
  const head = complete ? text : `Incomplete: ${text}`;
  return prose(style.units(head), style.width).map(complete ? style.bold : style.alarm);
}

/** Roles of the input, next to its machine. */
const STUDIED: readonly string[] = ['trace', 'net', 'model'];

/** Settings common to all scenarios. */
function setting({ inputs, options, axes }: WhatIfDocument, style: Style): string[] {
  const varied = new Set(axes.map((a) => a.name));
  const files = inputs.filter((i) => STUDIED.includes(i.role)).map((i) => i.path);
  const pieces = [
    ...files,
    ...Object.entries(options)
      .filter(([key]) => !varied.has(key) && !varied.has(dashed(key)))
      .map(([key, value]) => (key === 'machine' ? String(value) : `${dashed(key)} ${value}`)),
  ];
  const text = pieces.map((piece) => printable(piece, style.unicode));
  return text.length === 0 ? [] : wrapped(text.join(style.dot), style.width, style.dot);
}

const dashed = (key: string): string => key.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

function scenarioTable(document: WhatIfDocument, style: Style): string[] {
  const { axes, scenarios } = document;
  const compared = comparedOf(document.options);
  const max = scenarios.reduce((a, s) => Math.max(a, runTimeOf(s) ?? 0), 0);
  const scale = ofNet(document) ? { size: 1, unit: 's' } : timeScale(max);
  const seconds = (values: readonly number[]): ((value: number) => string) => {
    const format = alikeFormat(
      values.map((value) => value / scale.size),
      4,
    );
    return (value) => format(value / scale.size);
  };
  const times = scenarios.map(runTimeOf);
  const time = seconds(times.filter((value) => value !== undefined));
  const exactly = (value: number): number => value;
  // These are differences of times, summed over all ranks.
  const difference = (value: number, scenario: WhatIfScenario): number =>
    withoutRounding(value, runTimeOf(scenario) ?? 0);
  const figure = (
    name: string,
    head: string,
    dispensable: number,
    formatOf: Format,
    cleaned: (value: number, scenario: WhatIfScenario) => number = exactly,
  ): Column[] =>
    scenarios.some((s) => s.figures?.[name] !== undefined)
      ? [
          {
            head,
            right: true,
            dispensable,
            cells: cellsOf(
              scenarios.map((s) => {
                const value = s.figures?.[name]?.value;
                return value === undefined || value === null ? value : cleaned(value, s);
              }),
              formatOf,
              style,
            ),
          },
        ]
      : [];
  const nodes = netFigures(scenarios);
  const columns: Column[] = [
    ...axes.map(
      ({ name, values }): Column => ({
        head: name,
        right: values.every((v) => typeof v === 'number'),
        cells: scenarios.map((s) => shownValue(s.values[name], style)),
      }),
    ),
    ...(scenarios.some((s) => s.ideal !== undefined)
      ? [{ head: 'scenario', cells: scenarios.map((s) => (s.ideal === undefined ? style.dash : `ideal-${s.ideal}`)) }]
      : []),
    {
      head: ofNet(document) ? 'simulated time' : 'run time',
      right: true,
      cells: times.map((value) => (value === undefined ? style.dash : time(value))),
    },
    ...figure('energy', 'energy, J', compared === 'energy' ? 0 : 3, alikeDigits),
    ...(nodes.length > 0 && isConstant(scenarios.map(runTimeOf))
      ? []
      : [
          {
            head: compared === 'runTime' ? 'change' : `change of ${COMPARED[compared].words}`,
            right: true,
            cells: changes(scenarios, style),
            dispensable: 1,
          },
          ...intervals(scenarios, compared, compared === 'runTime' ? time : COMPARED[compared].format, style),
        ]),
    ...scalingColumns(document, style),
    ...figure('parallelism', 'parallelism', 5, alikeDigits),
    ...figure('loadBalance', 'balance', 4, alikeShares),
    ...figure('computing', TIME_WORDS.computing.label, 6, seconds),
    ...figure('overhead', TIME_WORDS.overhead.label, 8, seconds, difference),
    ...figure('communicating', TIME_WORDS.communicating.label, 8, seconds, difference),
    ...figure('waiting', TIME_WORDS.waiting.label, 7, seconds, difference),
    ...jobFigures(scenarios)
      .slice(0, MAX_JOBS)
      .flatMap((name, k) => figure(name, `job ${name.slice(JOB_TIME.length)}`, 2 + k / MAX_JOBS, seconds)),
    ...nodes
      .slice(0, MAX_NET_COLUMNS)
      .flatMap((name, k) => figure(name, name, 10 + k, name.startsWith('utilisation ') ? alikeShares : alikeDigits)),
    ...(scenarios.some((s) => s.status !== 'done')
      ? [{ head: 'end', cells: scenarios.map((s) => (s.status === 'done' ? '' : s.status)) }]
      : []),
  ];
  const title = `Scenarios, times in ${style.units(scale.unit)}`;
  const left = [...jobFigures(scenarios).slice(MAX_JOBS), ...netFigures(scenarios).slice(MAX_NET_COLUMNS)].length;
  return [
    style.bold(clipped(title, style.width, style.more)),
    ...table(columns, style),
    ...(left === 0 ? [] : [`${andMore(left, 'figure', formatCount)}, --json lists all`]),
  ];
}

/** True for runs of a net that all end at the same time limit. */
const isConstant = (times: readonly (number | undefined)[]): boolean =>
  new Set(times.filter((time) => time !== undefined)).size < 2;

/** Maximum number of jobs whose run times have a column. */
const MAX_JOBS = 6;

/** Names of the run times of the jobs of several programs. */
function jobFigures(scenarios: readonly WhatIfScenario[]): string[] {
  const names = new Set(scenarios.flatMap(({ figures = {} }) => Object.keys(figures)));
  return [...names].filter((name) => name.startsWith(JOB_TIME));
}

/** Names of the figures of a net's nodes that differ between scenarios: utilisations first, then tokens, then rates. */
function netFigures(scenarios: readonly WhatIfScenario[]): string[] {
  const kinds = ['utilisation ', 'tokens ', 'rate '];
  const first = scenarios.find(({ figures }) => figures !== undefined)?.figures ?? {};
  return kinds
    .flatMap((kind) => Object.keys(first).filter((name) => name.startsWith(kind)))
    .filter((name) => scenarios.some(({ figures }) => figures?.[name]?.value !== first[name]!.value));
}

/** Changes relative to the baseline. Every completed scenario but the baseline has a difference. */
function changes(scenarios: readonly WhatIfScenario[], style: Style): string[] {
  const relative = scenarios.map(({ difference }) => {
    const share = difference?.relative ?? undefined;
    return share === undefined ? undefined : withoutRounding(share, 1);
  });
  const share = alikeShares(relative.filter((value) => value !== undefined));
  return scenarios.map(({ status, difference }, k) => {
    if (status === 'done' && difference === undefined) return 'baseline';
    const value = relative[k];
    if (value === undefined) return style.dash;
    const text = share(Math.abs(value));
    return value === 0 ? text : `${value > 0 ? '+' : '-'}${text}`;
  });
}

/** The interval of the difference, if there are replications. */
function intervals(
  scenarios: readonly WhatIfScenario[],
  compared: StudyFigure,
  format: (s: number) => string,
  style: Style,
): Column[] {
  if (!scenarios.some((s) => (s.difference?.low ?? null) !== null)) return [];
  const cells = scenarios.map((scenario) => {
    const { difference } = scenario;
    if (difference === undefined || difference.low === null || difference.high === null) return style.dash;
    const size = valueIn(scenario, compared) ?? 0;
    const signed = (value: number): string =>
      `${value < 0 ? '-' : '+'}${format(Math.abs(withoutRounding(value, size)))}`;
    const interval = `${signed(difference.low)} to ${signed(difference.high)}`;
    return isSeen({ lower: difference.low, upper: difference.high }, size) ? interval : `none seen: ${interval}`;
  });
  const level = levelOf(scenarios.map(({ difference }) => difference));
  return [{ head: style.units(`difference, ${formatShare(level)}`), right: true, dispensable: 2, cells }];
}

/** Chooses the format of a column by its values. */
type Format = (values: readonly number[]) => (value: number) => string;

function cellsOf(values: readonly (number | null | undefined)[], formatOf: Format, style: Style): string[] {
  const format = formatOf(values.filter((value) => typeof value === 'number'));
  return values.map((value) => (typeof value === 'number' ? format(value) : style.dash));
}

/** Numbers with three significant digits; from 1,000 on, whole numbers. */
const alikeDigits: Format = (values) => {
  const format = alikeFormat(values);
  return (value) => (value >= 999.5 ? formatCount(Math.round(value)) : format(value));
};

/** Speed-up and efficiency, each within its series of ranks. */
function scalingColumns({ scaling, scenarios }: WhatIfDocument, style: Style): Column[] {
  if (scaling.length === 0) return [];
  const cells = scenarios.map(scalingPointsOf(scaling));
  const weak = scaling.some(({ kind }) => kind === 'weak');
  return [
    {
      head: weak ? 'scaled speed-up' : 'speed-up',
      right: true,
      dispensable: 3,
      cells: cellsOf(
        cells.map((p) => p?.speedUp),
        alikeDigits,
        style,
      ),
    },
    {
      head: 'efficiency',
      right: true,
      dispensable: 2,
      cells: cellsOf(
        cells.map((p) => p?.efficiency),
        alikeShares,
        style,
      ),
    },
  ];
}

/** Formats the value of an axis. */
function shownValue(value: AxisValue | undefined, style: Style): string {
  return value === undefined ? style.dash : String(value);
}

function failures({ scenarios }: WhatIfDocument, style: Style): string[] {
  const failed = scenarios.filter((s) => s.problems !== undefined);
  if (failed.length === 0) return [];
  const lines = failed.slice(0, MAX_FAILED).flatMap(({ values, ideal, problems = [] }) => {
    const who = [...Object.entries(values).map(([k, v]) => `${k}=${v}`), ...(ideal ? [`ideal-${ideal}`] : [])].join(
      ' ',
    );
    const [first] = problems;
    const more = problems.length > 1 ? ` (${andMore(problems.length - 1)})` : '';
    const text = `${who}: ${first === undefined ? 'failed' : formatProblem(first)}${more}`;
    return prose(printable(text, style.unicode), style.width - 4).map((line, k) => (k === 0 ? '  ' : '    ') + line);
  });
  const left = failed.length - MAX_FAILED;
  return [
    style.alarm('Failed'),
    ...lines,
    ...(left > 0 ? [`  ${andMore(left, '', formatCount)}, --json lists all`] : []),
  ];
}
