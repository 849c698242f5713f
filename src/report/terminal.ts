import { deadlockSection } from './deadlock.ts';
import { explain } from './explain.ts';
import { fragmentLines } from './fragments.ts';
import { intervalTable } from './interval-table.ts';
import { nodeTable } from './node-table.ts';
import { noteLines } from './note-lines.ts';
import { operationTable } from './operation-table.ts';
import { parallelism } from './parallelism.ts';
import type { PredictionDocument } from './prediction.ts';
import { queueTable } from './queue-table.ts';
import { rankTable } from './rank-table.ts';
import { resourceTable } from './resource-table.ts';
import { setting } from './setting.ts';
import { type Style, styleOf, type ViewOptions } from './style.ts';
import { clipped, displayWidth, padEnd, printable, prose } from './text.ts';
import { blockedStrandLines, explainThreads, objectTable, regionTable, schedulerLines } from './thread-sections.ts';
import { counted, formatCount, formatSeconds } from './units.ts';
import { workerTable } from './worker-table.ts';

export type { ViewOptions as PageOptions } from './style.ts';

/**
 * Renders the output of `foretoken predict`: run time, inputs, explanation and bottleneck; time of every rank; utilisation
 * of hosts, memories and links; parallelism over time; for models also intervals, nodes, queues, fragments and operations,
 * if they add information. For a deadlock, the blocked ranks come first. No line is wider than `width`; without `colour`
 * there are no escape sequences, without `unicode` only ASCII.
 */
export function renderPrediction(document: PredictionDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    [...answer(document, style), ...setting(document, style), ...ending(document, style)],
    ...(document.deadlock.length > 0
      ? [document.workers === undefined ? deadlockSection(document, style) : blockedStrandLines(document, style)]
      : []),
    [...(document.deadlock.length > 0 ? [] : explanation(document, style)), ...noteLines(document, style)],
    document.ranks.length > 0
      ? rankTable(document, style)
      : document.workers === undefined
        ? firings(document, style)
        : workerTable(document, style),
    regionTable(document, style),
    objectTable(document, style),
    intervalTable(document, style),
    resourceTable(document, style),
    nodeTable(document, style),
    queueTable(document, style),
    parallelism(document, style),
    fragmentLines(document, style),
    operationTable(document, style),
    schedulerLines(document, style),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'));
  return `${text.join('\n\n')}\n`;
}

/** Maximum number of places listed with the tokens left in them. */
const MAX_PLACES = 12;

function answer({ figures, deadlock, complete, ranks, workers }: PredictionDocument, style: Style): string[] {
  const seconds = figures.runTime.value;
  const time = style.units(formatSeconds(seconds));
  const exact = `(${seconds} s)`;
  const lines = (text: string, paint: (text: string) => string): string[] => {
    const plain = prose(text, style.width);
    const all = plain.map(paint);
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
  if (!complete)
    return lines(`Incomplete: ended by request after ${time} of run time; figures cover the run so far`, style.alarm);
  return lines(`Run time ${time}`, style.bold);
}

/** Why a net's run ended, and the tokens left: an end may be a deadlock. For models, only that the run was stopped early. */
function ending({ ended, marking }: PredictionDocument, style: Style): string[] {
  if (ended === undefined || (marking === undefined && ['quiescent', 'cancelled'].includes(ended))) return [];
  const why = {
    quiescent: 'No further step is possible',
    time: 'Ended at the requested time',
    steps: 'Ended after the requested number of steps',
    condition: 'Ended by a stop condition',
    cancelled: 'Ended by request',
  }[ended];
  if (marking === undefined) return [why];
  const all = Object.entries(marking);
  const some = all.slice(0, MAX_PLACES).map(([place, n]) => `${printable(place, style.unicode)} ${formatCount(n)}`);
  const more = all.length > some.length ? ` and ${counted(all.length - some.length, 'place')} more` : '';
  return prose(`${why}; tokens left: ${some.length === 0 ? 'none' : some.join(', ')}${more}`, style.width);
}

function explanation(document: PredictionDocument, style: Style): string[] {
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
  const left = all.length > 10 ? [`and ${formatCount(all.length - 10)} more transitions, --json lists all`] : [];
  return [style.bold('Firings'), ...lines, ...left];
}
