import { OverviewMeter } from '../../analysis/efficiency/run-overview.ts';
import { type MemoryRecord, memoryRecord } from '../../trace/run/run-file-writer.ts';

/** Rows of states from which on a page has an overview: it reads and paints shorter records at once. */
const OVERVIEW_ROWS = 100_000;

/** The record of a run that a page shows. */
export interface RecordedRun extends MemoryRecord {
  /** The coarse picture of a long run; undefined before the end, and of a short run. */
  readonly overview: Uint8Array | undefined;
}

/** Collects the run of a page. */
export function recordedRun(): RecordedRun {
  const record = memoryRecord();
  const meter = new OverviewMeter();
  let overview: Uint8Array | undefined;
  return {
    pieces: record.pieces,
    later: record.later,
    rows: record.rows,
    get overview() {
      return overview;
    },
    head: (head) => {
      record.head(head);
      meter.head(head);
    },
    name: record.name,
    batch: (batch) => {
      record.batch(batch);
      meter.batch(batch);
    },
    end: (end) => {
      record.end(end);
      if ((record.rows.states ?? 0) >= OVERVIEW_ROWS) overview = meter.encoded(end.time);
    },
  };
}
