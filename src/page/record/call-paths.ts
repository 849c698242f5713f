import { CallMeter } from '../../analysis/efficiency/calls.ts';
import { IntervalTree, intervalName } from '../../analysis/efficiency/interval-tree.ts';
import type { Batch, RunConsumer } from '../../trace/run/batch.ts';
import { RunWindow } from '../../trace/run/run-window.ts';
import type { PageRecord, Range } from './page-record.ts';

/** Sums over the calls of one name in one interval, by process. */
export interface CallPath {
  readonly call: string;
  /** Path of the interval; empty outside all intervals. */
  readonly interval: string;
  readonly processes: ReadonlyMap<number, CallPathSums>;
}

/** Number of calls, bytes, and seconds in them and blocked in them. */
export interface CallPathSums {
  count: number;
  bytes: number;
  seconds: number;
  blocked: number;
}

/**
 * Calls by interval and by process at once: a profile document has the two apart, because its size would grow with their product.
 * O(rows of the states).
 *
 * @param range part of the run; undefined: the whole run
 */
export function callPaths(record: PageRecord, range: Range | undefined): CallPath[] {
  const found = new Map<string, CallPath & { readonly processes: Map<number, CallPathSums> }>();
  const tree = new IntervalTree(record.head.program);
  const meter = new CallMeter(record.head.processes, ({ process, name, interval, bytes, seconds, blocked }) => {
    const key = `${name} ${interval}`;
    let path = found.get(key);
    if (path === undefined) {
      path = { call: record.names[name]!, interval: intervalName(tree.nodes[interval]!), processes: new Map() };
      found.set(key, path);
    }
    const sums = path.processes.get(process) ?? { count: 0, bytes: 0, seconds: 0, blocked: 0 };
    sums.count++;
    sums.bytes += bytes;
    sums.seconds += seconds;
    sums.blocked += blocked;
    path.processes.set(process, sums);
  });
  const consumer: RunConsumer = {
    head: () => {},
    name: () => {},
    batch: (batch: Batch) => {
      if (batch.table !== 'states') return;
      meter.batch(
        batch,
        batch.paths.map((path) => tree.enter(path).index),
      );
    },
    end: () => meter.finish(),
  };
  record.replay(
    range === undefined ? consumer : new RunWindow(consumer, { ...range, isLast: range.to === record.end.time }),
  );
  return [...found.values()];
}
