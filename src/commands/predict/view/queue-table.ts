import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { formatAmount, formatCount, formatSeconds } from '../../../report/units.ts';
import type { PredictionDocument } from '../prediction.ts';

/** Maximum number of queues listed, and their minimum mean length. */
const MAX_ROWS = 5;
const NOTABLE = 0.01;

/**
 * Queues at shared resources, the longest first: mean and maximum length, throughput, and response time by Little's law.
 * Queues that are nearly always empty are left out. After a deadlock all are, because entities that never leave have no
 * response time.
 */
export function queueTable({ queues = [], deadlock, figures }: PredictionDocument, style: Style): string[] {
  if (deadlock.length > 0 || figures.runTime.value === 0) return [];
  const used = queues.filter(({ mean, arrivals }) => arrivals > 0 && mean >= NOTABLE);
  if (used.length === 0) return [];
  const shown = used.sort((a, b) => b.mean - a.mean).slice(0, MAX_ROWS);
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
