import type { CollectiveParts } from './collective-parts.ts';

/** Wait states, with the names used by Scalasca. */
export const WAIT_STATES = [
  'Late Sender',
  'Late Sender/Wrong Order',
  'Late Receiver',
  'Wait at Barrier',
  'Wait at N×N',
  'Late Broadcast',
  'Early Reduce',
] as const;
export type WaitState = (typeof WAIT_STATES)[number];

/** One occurrence: seconds that a process lost in a wait state, in an interval, from the instant `start` on. */
export type WaitSink = (state: WaitState, process: number, interval: number, seconds: number, start: number) => void;

/** The wait state of a collective operation by its name; undefined if no pattern is known. */
export function collectivePattern(operation: string): WaitState | undefined {
  const name = operation.toLowerCase().replace(/^(p?mpi_)/, '');
  if (/^i?barrier/.test(name)) return 'Wait at Barrier';
  if (/^i?(allreduce|allgather|alltoall|reduce_?scatter|reduction)/.test(name)) return 'Wait at N×N';
  if (/^i?(bcast|broadcast|scatter)/.test(name)) return 'Late Broadcast';
  if (/^i?(reduce|gather)/.test(name)) return 'Early Reduce';
  return undefined;
}

/** A collective operation: its wait state, if it has one; for the wait of an asynchronous operation, its start. */
export interface WaitedOperation {
  readonly pattern: WaitState | undefined;
  /** False for the start of an asynchronous operation, in which no process waits. */
  readonly waits: boolean;
  /** The operation whose starts count: the start of an asynchronous operation, or the operation itself. */
  readonly starts: number;
}

/**
 * Finds wait states of collective operations, from the starts and ends of their executions alone.
 *
 * - Wait at Barrier, Wait at N×N: from a process's start to the last start
 * - Late Broadcast: from a process's start to that of the root
 * - Early Reduce: from the root's start to the first start of another process
 *
 * In the wait of an asynchronous operation, a process waits from the start of its wait; the other starts are those of the
 * operation. An occurrence is at most as long as the operation on its process. O(parts).
 */
export function collectiveWaits(
  parts: CollectiveParts,
  operationOf: (operation: number) => WaitedOperation,
  sink: WaitSink,
): void {
  const starts = parts.starts((operation) => {
    const { pattern, starts: of, waits } = operationOf(operation);
    // In an asynchronous operation, processes leave the start before the root comes.
    if (of !== operation || !waits) return undefined;
    return pattern === 'Early Reduce' ? 'receives' : pattern === 'Late Broadcast' ? 'sends' : undefined;
  });
  const startOf = parts.counterparts((operation) => operationOf(operation).starts);
  parts.each(({ operation, process, start, end, startInterval }, execution) => {
    const { pattern, waits } = operationOf(operation);
    if (pattern === undefined || !waits) return;
    const { root, rootStart, firstOther, lastStart } = starts[startOf[execution]!]!;
    let until = lastStart;
    if (pattern === 'Late Broadcast') until = rootStart;
    else if (pattern === 'Early Reduce') until = process === root ? firstOther : Number.NaN;
    const seconds = Math.min(until, end) - start;
    if (seconds > 0) sink(pattern, process, startInterval, seconds, start);
  });
}
