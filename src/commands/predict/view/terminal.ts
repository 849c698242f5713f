import { andMore } from '../../../base/listing.ts';
import { TIME_WORDS, type TimeQuantity } from '../../../base/time-words.ts';
import { bar } from '../../../report/bar.ts';
import { heading } from '../../../report/heading.ts';
import { pageOf } from '../../../report/page.ts';
import { sparkline } from '../../../report/sparkline.ts';
import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import {
  becauseLines,
  clipped,
  displayWidth,
  firstNoteLines,
  noteLines,
  padEnd,
  padStart,
  printable,
  prose,
} from '../../../report/text.ts';
import {
  aligned,
  counted,
  firstFew,
  formatAmount,
  formatCount,
  formatSeconds,
  formatShare,
  timeScale,
  withoutRounding,
} from '../../../report/units.ts';
import type { IntervalFigures, NodeLoad, PredictionDocument } from '../prediction.ts';
import { collectiveTable } from './collective-table.ts';
import { deadlockSection } from './deadlock.ts';
import { exactLines } from './exact.ts';
import { explain } from './explain.ts';
import { fragmentLines } from './fragments.ts';
import { jobTable } from './job-table.ts';
import { operationTable } from './operation-table.ts';
import { rankTable } from './rank-table.ts';
import { resourceTable } from './resource-table.ts';
import { setting } from './setting.ts';
import { suggestedPlacementLines } from './suggested-placement.ts';
import { blockedStrandLines, explainThreads, objectTable, regionTable, schedulerLines } from './thread-sections.ts';
import { workerTable } from './worker-table.ts';

export type { ViewOptions as PageOptions } from '../../../report/style.ts';

/**
 * Renders the output of `foretoken predict`: run time, inputs, explanation and bottleneck; time of every rank; utilisation
 * of hosts, memories and links; parallelism over time; for models also intervals, nodes, queues, fragments and operations,
 * if they add information. For a deadlock, the blocked ranks come first. No line is wider than `width`; without `colour`
 * there are no escape sequences, without `unicode` only ASCII.
 */
export function renderPrediction(document: PredictionDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    [
      ...answer(document, style),
      ...setting(document, style),
      ...lumpingLines(document, style),
      ...ending(document, style),
      ...firstNoteLines(document, style),
    ],
    ...(document.deadlock.length > 0
      ? [document.workers === undefined ? deadlockSection(document, style) : blockedStrandLines(document, style)]
      : []),
    becauseLines(document, style),
    [...(document.deadlock.length > 0 ? [] : explanation(document, style)), ...noteLines(document, style)],
    exactLines(document, style),
    jobTable(document, style),
    suggestedPlacementLines(document, style),
    document.ranks.length > 0
      ? rankTable(document, style)
      : document.workers === undefined
        ? firings(document, style)
        : workerTable(document, style),
    placeTable(document, style),
    regionTable(document, style),
    objectTable(document, style),
    intervalTable(document, style),
    resourceTable(document, style),
    nodeTable(document, style),
    queueTable(document, style),
    parallelism(document, style),
    fragmentLines(document, style),
    operationTable(document, style),
    collectiveTable(document, style),
    schedulerLines(document, style),
  ];
  return style.amounts(pageOf(sections));
}

function answer(document: PredictionDocument, style: Style): string[] {
  const { figures, deadlock, complete, because, ranks, workers, places } = document;
  const seconds = figures.runTime.value;
  const isNet = places !== undefined;
  // Such a time is shown in seconds: exactly here, where there is room.
  const isLong = isNet && seconds >= 1000;
  const time = style.units(isLong ? `${seconds} s` : formatSeconds(seconds));
  const exact = `(${seconds} s)`;
  const lines = (text: string, paint: (text: string) => string): string[] => {
    const plain = prose(text, style.width);
    const all = plain.map(paint);
    if (isLong) return all;
    const room = style.width - displayWidth(plain.at(-1)!);
    if (displayWidth(exact) + 1 <= room) all[all.length - 1] += ` ${style.dim(exact)}`;
    else all.push(style.dim(exact));
    return all;
  };
  if (deadlock.length > 0) {
    const who =
      workers === undefined
        ? `${formatCount(deadlock.length)} of ${formatCount(ranks.length)} ranks wait forever`
        : `${counted(deadlock.length, 'strand')} wait${deadlock.length === 1 ? 's' : ''} forever`;
    const after = formatSeconds(seconds) === `${seconds} s` ? time : `${time} ${exact}`;
    return prose(`Deadlock after ${after}: ${who}`, style.width).map(style.alarm);
  }
  if (because !== undefined)
    return prose('Not known: the trace lacks lines of exchanges that took place', style.width).map(style.alarm);
  if (!complete) {
    return lines(
      `Incomplete: ended ${endedBy(document)} after ${time} of run time; figures cover the run so far`,
      style.alarm,
    );
  }
  const ofRun = document.exact === undefined ? '' : ' in this run';
  return lines(`${isNet ? 'Simulated time' : 'Run time'}${ofRun} ${time}`, style.bold);
}

/** Cause of the end of an incomplete run, in words: a limit is named, whoever set it. */
function endedBy(document: PredictionDocument): string {
  if (document.ended === 'condition') return 'by a stop condition';
  if (document.ended !== 'steps') return 'by request';
  return isStepLimit(document)
    ? 'at the step limit'
    : `at the limit of ${counted(Number(document.options['maxSteps']), 'step')}`;
}

/** How many ranks of a lumped run were simulated, or why all. */
function lumpingLines({ lumping }: PredictionDocument, style: Style): string[] {
  if (lumping === undefined) return [];
  const { ranks, simulated, factor, reason } = lumping;
  const text =
    reason === undefined
      ? `Lumped: ${formatCount(simulated)} of ${formatCount(ranks)} ranks simulated, one for ${formatCount(Math.round(factor))} that behave alike; without intervals, operations and fragments`
      : `Not lumped: ${reason}`;
  return prose(printable(text, style.unicode), style.width);
}

/** True if a run ended at the default limit of steps. */
const isStepLimit = ({ ended, options }: PredictionDocument): boolean =>
  ended === 'steps' && options['maxSteps'] === undefined;

/** Why a net's run ended, and the tokens left: an end may be a deadlock. For models, only that the run was stopped early. */
function ending(document: PredictionDocument, style: Style): string[] {
  const { ended, marking } = document;
  if (ended === undefined || (marking === undefined && ['quiescent', 'cancelled'].includes(ended))) return [];
  const why = {
    quiescent: 'No further step is possible',
    time: 'Ended at the requested time',
    steps: isStepLimit(document) ? 'Ended at the step limit' : 'Ended after the requested number of steps',
    condition: 'Ended by a stop condition',
    cancelled: 'Ended by request',
  }[ended];
  if (marking === undefined) return [why];
  const all = Object.entries(marking).map(([place, n]) => `${printable(place, style.unicode)} ${formatCount(n)}`);
  return prose(`${why}; tokens left: ${firstFew(all, 'place')}`, style.width);
}

function explanation(document: PredictionDocument, style: Style): string[] {
  // Sentences count ranks; of many lumped ranks, only one of each class is listed.
  if (document.because !== undefined || document.ranks[0]?.count !== undefined) return [];
  const words = document.workers === undefined ? explain(document) : explainThreads(document);
  if (words === undefined) return [];
  const paragraph = (title: string, text: string): string[] =>
    prose(printable(style.units(text), style.unicode), style.width - 7).map(
      (line, k) => (k === 0 ? style.bold(padEnd(title, 7)) : ' '.repeat(7)) + line,
    );
  return [...paragraph('Why', words.why), ...paragraph('Limit', words.limit)];
}

/** Nets without processes: number of firings per transition, the busiest first. */
function firings({ firings: counts }: PredictionDocument, style: Style): string[] {
  const all = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  if (all.length === 0) return [];
  const shown = all.slice(0, 10).map(([name, count]) => `${formatCount(count)}  ${printable(name, style.unicode)}`);
  const indent = Math.max(...all.slice(0, 10).map(([, count]) => formatCount(count).length));
  const lines = shown.map((line) => {
    const [count = ''] = line.split(' ', 1);
    return clipped(' '.repeat(indent - count.length) + line, style.width, style.more);
  });
  const left = all.length > 10 ? [`${andMore(all.length - 10, 'transition', formatCount)}, --json lists all`] : [];
  return [style.bold('Firings'), ...lines, ...left];
}

/** Maximum number of places and of transitions listed with their figures. */
const MAX_NODES_OF_NET = 8;

/** Nets without processes: mean tokens of places, and use of servers and of lasting transitions, the largest first. */
function placeTable({ places = [], transitions = [], figures }: PredictionDocument, style: Style): string[] {
  if (figures.runTime.value === 0) return [];
  const some = <T>(all: readonly T[], of: (one: T) => number): readonly T[] =>
    all.filter((one) => of(one) > 0).sort((a, b) => of(b) - of(a));
  const [allHeld, allLasting] = [some(places, (p) => p.mean ?? 0), some(transitions, (t) => t.inProgress ?? 0)];
  const [held, lasting] = [allHeld.slice(0, MAX_NODES_OF_NET), allLasting.slice(0, MAX_NODES_OF_NET)];
  const left = [
    andMore(allHeld.length - held.length, 'place', formatCount),
    andMore(allLasting.length - lasting.length, 'transition', formatCount),
  ].filter((text) => text !== '');
  const share = (value: number | null | undefined): string => (typeof value === 'number' ? formatShare(value) : '');
  const rows = [
    ...held.map((p) => ({ name: p.name, mean: p.mean!, most: formatCount(p.most), used: share(p.utilisation) })),
    ...lasting.map((t) => ({ name: t.name, mean: t.inProgress!, most: '', used: share(t.utilisation) })),
  ];
  if (rows.length === 0) return [];
  return [
    heading('Places and lasting transitions', ': tokens, or firings in progress, on average over time', style),
    ...table(
      [
        { head: 'name', cells: rows.map(({ name }) => name) },
        { head: 'mean', right: true, cells: rows.map(({ mean }) => length(mean)) },
        { head: 'most', right: true, dispensable: 1, cells: rows.map(({ most }) => most) },
        { head: 'used', right: true, cells: rows.map(({ used }) => used) },
      ],
      style,
    ),
    ...(left.length === 0 ? [] : [`${left.join(', ')}, --json lists all`]),
  ];
}

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
function intervalTable({ intervals = [], ranks, figures }: PredictionDocument, style: Style): string[] {
  const used = intervals.filter((interval) => seconds(interval) > 0);
  if (used.length < 2 || ranks.length === 0) return [];
  const shown = [...used].sort((a, b) => seconds(b) - seconds(a)).slice(0, MAX_ROWS);
  const max = figures.runTime.value;
  const scale = timeScale(max);
  const figure = (of: (interval: IntervalFigures) => number): string[] =>
    shown.map((interval) => aligned(of(interval) / ranks.length / scale.size, max / scale.size));
  const difference = (of: (interval: IntervalFigures) => number): string[] =>
    figure((interval) => withoutRounding(of(interval), max));
  const texts = (of: (interval: IntervalFigures) => string): string[] =>
    shown.map((interval) => (hasWork(interval, max) ? of(interval) : ''));
  const hasMemory = shown.some(({ memory }) => memory > 0);
  const word = (name: TimeQuantity): string => TIME_WORDS[name][style.width < NARROW ? 'short' : 'label'];
  const left = used.length - shown.length;
  const lines = table(
    [
      { head: 'interval', cells: shown.map(({ name }) => name) },
      { head: word('computing'), right: true, cells: figure((i) => i.computing) },
      ...(hasMemory ? [{ head: word('memory'), right: true, cells: figure((i) => i.memory) }] : []),
      { head: word('communicating'), right: true, cells: difference((i) => i.communicating) },
      { head: word('waiting'), right: true, cells: difference((i) => i.waiting) },
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

/** Number of ranks that compute, load or store at the same time: mean, maximum, and over the run. */
function parallelism({ profile, figures, ranks: all, workers, options }: PredictionDocument, style: Style): string[] {
  const ranks = workers ?? all;
  if (profile === undefined || figures.parallelism === undefined) return [];
  const { max, mean } = figures.parallelism;
  if (profile.values.length === 0 || ranks.length === 0) return [];
  const hasMemory = ranks.some((rank) => (rank.memory ?? 0) > 0);
  const round = (value: number): string => (Number.isInteger(value) ? formatCount(value) : value.toPrecision(3));
  const threads = all.reduce((sum, { threads = 1, count = 1 }) => sum + threads * count, 0);
  const [count, unit] =
    workers !== undefined
      ? [workers.length, options['scheduler'] === 'os' ? 'thread' : 'worker']
      : [threads, all.some((rank) => (rank.threads ?? 1) > 1) ? 'thread' : 'rank'];
  const head = `: mean ${round(mean.value)}, maximum ${round(max.value)} of ${counted(count, unit)} ${hasMemory ? 'at work' : 'computing'}`;
  const title = 'Parallelism in this run';
  const width = Math.min(style.width, Math.max(40, Math.min(100, profile.values.length)));
  const end = style.units(formatSeconds(figures.runTime.value));
  const top = profile.values.reduce((a, b) => Math.max(a, b), max.value);
  const heading = style.bold(title) + clipped(head, style.width - title.length, style.more);
  if (top === 0) return [heading];
  return [
    heading,
    style.states[0]!.paint(sparkline(profile.values, width, top, style.unicode).trimEnd()).trimEnd(),
    style.dim(`0${end.padStart(width - 1)}`),
  ];
}

/** Maximum number of nodes listed. */
const MAX_NODES = 4;
/** From this balance on, nodes count as equal. */
const EQUAL = 0.995;

/**
 * Load of the heaviest nodes: the mean number of their ranks at work. Left out if each node has one rank, since the table of
 * ranks shows it, or if all have the same load.
 */
function nodeTable({ nodes = [] }: PredictionDocument, style: Style): string[] {
  if (nodes.length < 2 || nodes.every(({ ranks }) => ranks < 2)) return [];
  const sorted = [...nodes].sort((a, b) => b.load - a.load);
  const max = sorted[0]!.load;
  const mean = sorted.reduce((sum, { load }) => sum + load, 0) / sorted.length;
  // Nodes without a computing rank do not count, as for ranks without computing.
  const balance = max === 0 ? 1 : sorted.reduce((sum, n) => sum + n.load, 0) / loaded(sorted) / max;
  if (max === 0 || mean / max >= EQUAL) return [];
  // The lightest node is always shown: it has spare capacity.
  const shown = sorted.length <= MAX_NODES ? sorted : [...sorted.slice(0, MAX_NODES - 1), sorted.at(-1)!];
  const names = shown.map(({ host }) => printable(host, style.unicode));
  const texts = shown.map(({ load, ranks }) => `${rounded(load)} of ${counted(ranks, 'rank')}`);
  const textWidth = Math.max(...texts.map(displayWidth));
  const nameWidth = Math.min(Math.max(...names.map(displayWidth)), Math.floor(style.width / 3));
  const barWidth = Math.min(40, style.width - nameWidth - textWidth - 4);
  const lines = shown.map(({ load, ranks }, k) => {
    const name = padEnd(clipped(names[k]!, nameWidth, style.more), nameWidth);
    if (barWidth < 1) return clipped(`${name}  ${texts[k]!}`, style.width, style.more);
    const { filled, rest } = bar(ranks > 0 ? load / ranks : 0, barWidth, style.unicode);
    return `${name}  ${style.used(filled)}${style.dim(rest)}  ${padStart(texts[k]!, textWidth)}`;
  });
  const which =
    shown.length < sorted.length ? `; the heaviest and the lightest of ${formatCount(sorted.length)} nodes` : '';
  return [
    heading('Load of nodes', `: mean ${rounded(mean)}, balance ${formatShare(balance)}${which}`, style),
    ...lines,
  ];
}

function loaded(nodes: readonly NodeLoad[]): number {
  return nodes.filter(({ load }) => load > 0).length;
}

function rounded(load: number): string {
  return load === 0 ? '0' : load >= 1000 ? formatCount(Math.round(load)) : load.toPrecision(3);
}

/** Maximum number of queues listed, and their minimum mean length. */
const MAX_QUEUES = 5;
const NOTABLE_QUEUE = 0.01;

/**
 * Queues at shared resources, the longest first: mean and maximum length, throughput, and response time by Little's law.
 * Queues that are nearly always empty are left out. After a deadlock all are, because entities that never leave have no
 * response time.
 */
function queueTable({ queues = [], deadlock, figures }: PredictionDocument, style: Style): string[] {
  if (deadlock.length > 0 || figures.runTime.value === 0) return [];
  const used = queues.filter(({ mean, arrivals }) => arrivals > 0 && mean >= NOTABLE_QUEUE);
  if (used.length === 0) return [];
  const shown = used.sort((a, b) => b.mean - a.mean).slice(0, MAX_QUEUES);
  return [
    heading('Queues', ": their length, and the time in them by Little's law", style),
    ...table(
      [
        { head: 'queue', cells: shown.map(({ name }) => shortName(name)) },
        { head: 'mean', right: true, cells: shown.map(({ mean }) => length(mean)) },
        { head: 'most', right: true, dispensable: 2, cells: shown.map(({ most }) => formatCount(most)) },
        { head: 'throughput', right: true, dispensable: 1, cells: shown.map((q) => formatAmount(q.throughput, '/s')) },
        {
          head: 'response',
          right: true,
          cells: shown.map((q) => (q.response === null ? style.dash : style.units(formatSeconds(q.response)))),
        },
      ],
      style,
    ),
  ];
}

/** Abbreviates names of message queues, which are whole sentences in the document, to leave room for figures. */
function shortName(name: string): string {
  return name
    .replace('messages sent and not matched', 'sends not matched')
    .replace('receives posted and not matched', 'receives not matched')
    .replace(/, (to|of) ranks with wildcards$/, ' (any)');
}

function length(mean: number): string {
  return mean >= 1000 ? formatCount(Math.round(mean)) : mean.toPrecision(3);
}
