import { FIGURES, type ProcessFigure } from '../../analysis/efficiency/interval-figures.ts';
import { NODE_STATES, type NodeState } from '../../analysis/efficiency/node-states.ts';
import { TIME_WORDS } from '../../base/time-words.ts';
import { bar } from '../../report/bar.ts';
import { documentJson } from '../../report/document-json.ts';
import { pageOf } from '../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { type Column, table } from '../../report/table.ts';
import { becauseLines, clipped, firstNoteLines, noteLines, printable, prose } from '../../report/text.ts';
import {
  counted,
  formatBytes,
  formatBytesAlike,
  formatCount,
  formatSeconds,
  formatShare,
  withoutRounding,
} from '../../report/units.ts';
import { clocksText } from './clocks-text.ts';
import { intervalSection, operationSection, operationSpreads, rankingSection } from './interval-view.ts';
import type { ProfileDocument, ProfiledStates, ProfiledTraffic } from './profile-document.ts';
import { MAX_LINES, rest, timeColumn } from './view-parts.ts';

const BAR_WIDTH = 30;
/** Instead of the efficiency, which would be 0 / 0. */
const NO_TIME = 'Nothing to measure: no process spends time';

/** Labels of the characteristics, in the order of the view; parts are indented below their sum. */
const LABELS: Readonly<Record<ProcessFigure, string>> = {
  executionTime: 'execution time',
  productiveTime: 'productive time',
  productiveCpuTime: '  CPU',
  ioTime: '  input/output',
  lostTime: 'lost time',
  insufficientParallelism: '  insufficient parallelism',
  insufficientParallelismSequential: '    sequential',
  insufficientParallelismParallel: '    parallel',
  communication: `  ${TIME_WORDS.communicatingOrWaiting.label}`,
  overhead: `    ${TIME_WORDS.overhead.label}`,
  idle: `  ${TIME_WORDS.idle.label}`,
  synchronization: 'synchronization',
  timeVariation: 'time variation',
  overlap: 'overlap',
  loadImbalance: 'load imbalance',
  cpuTimeSequential: 'CPU time, sequential',
  cpuTimeParallel: 'CPU time, parallel',
  loopIterations: 'loop iterations',
};

/** Words for the states of nodes: communicating and input/output count as waiting there. */
const NODE_WORDS: Readonly<Record<NodeState, string>> = {
  computing: TIME_WORDS.computing.label,
  overhead: TIME_WORDS.overhead.label,
  waiting: TIME_WORDS.transferOrWait.label,
  idle: TIME_WORDS.idle.label,
};

/**
 * The profile as text for a terminal. Headings mark times that are sums over processes.
 *
 * @param only characteristics to show; default: all
 */
export function renderProfile(
  document: ProfileDocument,
  options: ViewOptions,
  only: readonly ProcessFigure[] = FIGURES,
): string {
  const style = styleOf(options);
  const { figures } = document;
  const sections = [
    [
      style.bold(
        figures.totalTime.value === 0
          ? NO_TIME
          : `Efficiency ${formatShare(figures.efficiency.value)}: ${formatSeconds(figures.productiveTime.value)} of ` +
              `${formatSeconds(figures.totalTime.value)} is productive`,
      ),
      clipped(
        printable(
          [
            document.program,
            document.origin,
            ...(document.window === undefined
              ? []
              : [`from ${formatInstant(document.window.from)} to ${formatInstant(document.window.to)}`]),
            counted(figures.processors.value, 'process').replace('processs', 'processes'),
            `execution time ${formatSeconds(figures.executionTime.value)}`,
          ].join(style.dot),
          style.unicode,
        ),
        style.width,
        style.more,
      ),
    ],
    [...firstNoteLines(document, style), ...noteLines(document, style)],
    document.because === undefined ? readingSection(document, style) : becauseLines(document, style),
    characteristics(document, style, only),
    processSection(document, style),
    intervalSection(document, style, only),
    rankingSection(document, style),
    operationSection(document, style, only),
    operationSpreads(document, style, only),
    callSection(document, style),
    waitSection(document, style),
    messageSection(document, style),
    nodeSection(document, style),
    clockSection(document, style),
    comparisonSection(document, style),
  ];
  return style.amounts(pageOf(sections));
}

export function profileJson(document: ProfileDocument): string {
  return documentJson(document, Object.keys(document) as (keyof ProfileDocument)[]);
}

/** The corrections of the clocks of a recorded run. */
function clockSection(document: ProfileDocument, style: Style): string[] {
  const text = clocksText(document);
  if (text === undefined) return [];
  return [style.bold('Clocks, aligned by messages and collective operations'), ...prose(text, style.width)];
}

function readingSection({ findings }: ProfileDocument, style: Style): string[] {
  return findings.flatMap(({ question, answer }) =>
    prose(printable(`${question} ${answer.charAt(0).toUpperCase()}${answer.slice(1)}`, style.unicode), style.width),
  );
}

function characteristics(document: ProfileDocument, style: Style, only: readonly ProcessFigure[]): string[] {
  const { figures, spread } = document;
  const isZero = (name: ProcessFigure): boolean =>
    name === 'loopIterations'
      ? figures[name].value === 0
      : withoutRounding(figures[name].value, figures.executionTime.value) === 0;
  const isCut = only.length < FIGURES.length;
  const shown = FIGURES.filter(
    (name) => only.includes(name) && (isCut || !isZero(name) || ['lostTime', 'communication', 'idle'].includes(name)),
  );
  const column = (of: (name: ProcessFigure) => number): string[] => {
    const times = timeColumn(document, shown.filter((name) => name !== 'loopIterations').map(of));
    return shown.map((name) => (name === 'loopIterations' ? formatCount(Math.round(of(name))) : times.shift()!));
  };
  const on = (process: number): string => (process < 0 ? style.dash : String(process));
  const columns: Column[] = [
    { head: 'characteristic', cells: shown.map((name) => LABELS[name]) },
    {
      head: 'sum',
      right: true,
      cells: column((name) =>
        name === 'executionTime' ? spread[name].mean * figures.processors.value : figures[name].value,
      ),
    },
    { head: 'minimum', right: true, cells: column((name) => spread[name].min) },
    { head: 'on', right: true, cells: shown.map((name) => on(spread[name].minProcess)) },
    { head: 'maximum', right: true, cells: column((name) => spread[name].max) },
    { head: 'on', right: true, cells: shown.map((name) => on(spread[name].maxProcess)) },
    { head: 'mean', right: true, cells: column((name) => spread[name].mean), dispensable: 1 },
  ];
  return [style.bold('Characteristics'), ...table(columns, style)];
}

/** The processes that option `process` asks for. */
function processSection(document: ProfileDocument, style: Style): string[] {
  const { processes = [], options } = document;
  if (options['processes'] === undefined || processes.length === 0) return [];
  const shown = processes.slice(0, MAX_LINES);
  const seconds = (name: ProcessFigure): string[] =>
    timeColumn(
      document,
      shown.map((p) => p.figures[name].value),
    );
  return [
    style.bold('Processes'),
    ...table(
      [
        { head: 'process', right: true, cells: shown.map((p) => String(p.process)) },
        { head: 'node', cells: shown.map((p) => p.node), dispensable: 2 },
        { head: 'time', right: true, cells: seconds('executionTime') },
        { head: 'productive', right: true, cells: seconds('productiveTime') },
        { head: 'lost', right: true, cells: seconds('lostTime') },
        { head: 'insufficient', right: true, cells: seconds('insufficientParallelism'), dispensable: 1 },
        { head: TIME_WORDS.communicatingOrWaiting.short, right: true, cells: seconds('communication') },
        { head: 'synchronization', right: true, cells: seconds('synchronization'), dispensable: 1 },
        { head: TIME_WORDS.idle.label, right: true, cells: seconds('idle') },
      ],
      style,
    ),
    ...rest(processes.length - shown.length, 'process'),
  ];
}

function callSection(document: ProfileDocument, style: Style): string[] {
  const { calls } = document;
  if (calls.length === 0) return [];
  const shown = calls.slice(0, MAX_LINES);
  const seconds = (of: (call: (typeof calls)[number]) => number): string[] => timeColumn(document, shown.map(of));
  return [
    style.bold('Time by call'),
    ...table(
      [
        { head: 'call', cells: shown.map((c) => c.call) },
        { head: 'count', right: true, cells: shown.map((c) => formatCount(c.count)) },
        { head: 'bytes', right: true, cells: formatBytesAlike(shown.map((c) => c.bytes)), dispensable: 1 },
        { head: 'time', right: true, cells: seconds((c) => c.seconds) },
        { head: TIME_WORDS.transferOrWait.label, right: true, cells: seconds((c) => c.blocked) },
        { head: 'messages', right: true, cells: seconds((c) => c.messageSeconds), dispensable: 2 },
      ],
      style,
    ),
    ...rest(calls.length - shown.length, 'call'),
  ];
}

function waitSection(document: ProfileDocument, style: Style): string[] {
  const { waits } = document;
  if (waits.length === 0) return [];
  const where = (w: (typeof waits)[number]): string => {
    const longest = w.intervals.reduce((a, b) => (b.seconds > a.seconds ? b : a));
    return longest.interval === '' ? 'outside intervals' : longest.interval;
  };
  return [
    style.bold('Wait states'),
    ...table(
      [
        { head: 'state', cells: waits.map((w) => w.state) },
        { head: 'count', right: true, cells: waits.map((w) => formatCount(w.count)) },
        {
          head: 'lost',
          right: true,
          cells: timeColumn(
            document,
            waits.map((w) => w.seconds),
          ),
        },
        { head: 'mostly in', cells: waits.map(where), dispensable: 1 },
      ],
      style,
    ),
  ];
}

function messageSection({ messages, nodes, figures }: ProfileDocument, style: Style): string[] {
  const { pairs, pairsCount, sizes, withinNodes, betweenNodes } = messages;
  if (pairsCount === 0) return [];
  const traffic = ({ messages: count, bytes: volume }: ProfiledTraffic): string =>
    `${counted(count, 'message')}, ${formatBytes(volume)}`;
  const largest = [...pairs].sort((a, b) => b.bytes - a.bytes).slice(0, 4);
  const bytes = formatBytesAlike(largest.map((p) => p.bytes));
  const max = sizes.reduce((a, b) => Math.max(a, b.messages), 0);
  return [
    style.bold(`Messages between ${counted(pairsCount, 'pair')} of processes`),
    // Where each process has a node, all messages are between nodes.
    ...(nodes.length < figures.processors.value
      ? prose(`Within nodes ${traffic(withinNodes)}; between nodes ${traffic(betweenNodes)}.`, style.width)
      : []),
    ...largest.map((p, k) =>
      clipped(
        `${p.source}${style.arrow}${p.destination}: ${counted(p.messages, 'message')}, ${bytes[k]}`,
        style.width,
        style.more,
      ),
    ),
    ...sizes.map((s) => {
      const { filled } = bar(s.messages / max, BAR_WIDTH, style.unicode);
      const label = s.from === 0 ? 'empty' : `from ${formatBytes(s.from)}`;
      return clipped(
        `${label.padEnd(14)} ${formatCount(s.messages).padStart(10)}  ${style.used(filled)}`,
        style.width,
        style.more,
      );
    }),
  ];
}

function nodeSection({ nodes, options }: ProfileDocument, style: Style): string[] {
  const shown = nodes.slice(0, MAX_LINES);
  const first = nodes.reduce((least, { joined }) => Math.min(least, joined), Number.POSITIVE_INFINITY);
  const last = nodes.reduce((most, { left }) => Math.max(most, left), Number.NEGATIVE_INFINITY);
  const comeAndGo = nodes.some(({ joined, left, stays }) => joined > first || left < last || stays !== undefined);
  const share = (states: ProfiledStates, state: (typeof NODE_STATES)[number]): string => {
    const total = NODE_STATES.reduce((sum, s) => sum + states.seconds[s], 0);
    return total > 0 ? formatShare(states.seconds[state] / total) : style.dash;
  };
  const instants = (node: (typeof nodes)[number], name: 'joined' | 'left'): string =>
    (node.stays ?? [node]).map((stay) => formatInstant(stay[name])).join(', ');
  const columns: Column[] = [
    { head: 'node', cells: shown.map((n) => n.node) },
    ...(comeAndGo
      ? [
          { head: 'joined', right: true, cells: shown.map((n) => instants(n, 'joined')) },
          { head: 'left', right: true, cells: shown.map((n) => instants(n, 'left')) },
        ]
      : []),
    ...NODE_STATES.map((state) => ({ head: NODE_WORDS[state], right: true, cells: shown.map((n) => share(n, state)) })),
    ...(options['at'] === undefined
      ? []
      : [
          {
            head: `at ${formatSeconds(Number(options['at']))}`,
            cells: shown.map((n) => (n.at === undefined ? style.dash : NODE_WORDS[n.at])),
          },
        ]),
  ];
  return [style.bold('Nodes'), ...table(columns, style), ...rest(nodes.length - shown.length, 'node')];
}

function comparisonSection({ comparison }: ProfileDocument, style: Style): string[] {
  if (comparison === undefined) return [];
  const line = (label: string, c: NonNullable<typeof comparison.oneProcessor>): string =>
    clipped(
      `${label}: measured ${formatSeconds(c.measured.value)}, forecast ${formatSeconds(c.forecast.value)} ` +
        `(${c.difference.value >= 0 ? '+' : '-'}${formatShare(Math.abs(c.difference.value))})`,
      style.width,
      style.more,
    );
  return [
    style.bold('Forecast of the productive time against measured runs'),
    ...(comparison.oneProcessor === undefined ? [] : [line('one processor', comparison.oneProcessor)]),
    ...(comparison.sequential === undefined ? [] : [line('sequential program', comparison.sequential)]),
  ];
}

const formatInstant = (seconds: number): string => `${seconds < 0 ? '-' : ''}${formatSeconds(Math.abs(seconds))}`;
