import { OverviewMeter } from '../../analysis/efficiency/run-overview.ts';
import type { PagePart } from '../../report/page-parts.ts';
import { counted } from '../../report/units.ts';
import type { LeftOut, RunConsumer } from '../../trace/run/batch.ts';
import { type MemoryRecord, memoryRecord } from '../../trace/run/run-file-writer.ts';
import type { IntervalPath, TableName } from '../../trace/run/run-schema.ts';
import { RunSelection } from '../../trace/run/run-window.ts';

/** Rows of states from which on a page has an overview: it reads and paints shorter records at once. */
const OVERVIEW_ROWS = 100_000;

/** The record of a run that a page shows. */
export interface RecordedRun extends Pick<MemoryRecord, 'pieces' | 'later' | 'rows'> {
  /** The coarse picture of a long run; undefined before the end, and of a short run. */
  readonly overview: Uint8Array | undefined;
  /** The part of the run that the record has; undefined if it has all of it. */
  readonly part: PagePart | undefined;
  /** The rows that the record does not have. */
  readonly omitted: readonly LeftOut[];
  /** Takes the run. */
  readonly consumer: RunConsumer;
}

/**
 * Collects the run of a page.
 *
 * @param processes the only processes that the page shows
 */
export function recordedRun(processes?: readonly number[]): RecordedRun {
  const record = memoryRecord();
  const meter = new OverviewMeter();
  let overview: Uint8Array | undefined;
  const omitted: LeftOut[] = [];
  const goesOn: [number, IntervalPath][] = [];
  const own: RunConsumer = {
    head: (head) => {
      record.head(head);
      meter.head(head);
    },
    name: record.name,
    batch: (batch) => {
      record.batch(batch);
      meter.batch(batch);
    },
    goesOn: (process, path) => goesOn.push([process, path]),
    leftOut: (rows) => omitted.push(rows),
    end: (end) => {
      record.end(end);
      if ((record.rows.states ?? 0) >= OVERVIEW_ROWS) overview = meter.encoded(end.time);
    },
  };
  return {
    pieces: record.pieces,
    later: record.later,
    rows: record.rows,
    omitted,
    get overview() {
      return overview;
    },
    get part() {
      return omitted.length === 0 ? undefined : { goesOn, ...(processes === undefined ? {} : { processes }) };
    },
    consumer: processes === undefined ? own : new RunSelection(own, processes),
  };
}

/** Tables by the names of their rows. */
const ROWS: readonly (readonly [TableName, string])[] = [
  ['states', 'span'],
  ['messages', 'message'],
  ['calls', 'call'],
  ['intervals', 'interval'],
  ['collectives', 'collective operation'],
  ['overlaps', 'asynchronous operation'],
];

/** Sentences on the rows of a run that a page does not have. */
export const omittedTexts = ({ omitted }: Pick<RecordedRun, 'omitted'>): string[] =>
  omitted.map(({ because, rows, cut }) => {
    const left = `${countsOf(rows)} left out`;
    if (because === 'process')
      return `Only some processes are shown (--process): of the others, ${left}. The figures are those of all processes.`;
    return `A part of the run is shown: outside it, ${left}; at its edges, ${countsOf(cut)} cut.`;
  });

/** `40 spans, 7 messages are`. */
function countsOf(rows: LeftOut['rows']): string {
  const counts = ROWS.flatMap(([table, name]) => {
    const count = rows[table] ?? 0;
    return count === 0 ? [] : [{ text: counted(count, name), count }];
  });
  const isOne = counts.length === 1 && counts[0]!.count === 1;
  return `${counts.map(({ text }) => text).join(', ') || 'nothing'} ${counts.length === 0 || isOne ? 'is' : 'are'}`;
}
