import type { GrowingColumns } from '../../trace/run/batch.ts';
import type { CallMeter } from './calls.ts';
import type { CollectiveParts } from './collective-parts.ts';
import type { MessageMeter } from './messages.ts';

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

/** One occurrence: seconds that a process lost in a wait state, in an interval. */
export type WaitSink = (state: WaitState, process: number, interval: number, seconds: number) => void;

/** The wait state of a collective operation by its name; undefined if no pattern is known. */
export function collectivePattern(operation: string): WaitState | undefined {
  const name = operation.toLowerCase().replace(/^(p?mpi_)/, '');
  if (/^i?barrier/.test(name)) return 'Wait at Barrier';
  if (/^i?(allreduce|allgather|alltoall|reduce_?scatter|reduction)/.test(name)) return 'Wait at N×N';
  if (/^i?(bcast|broadcast|scatter)/.test(name)) return 'Late Broadcast';
  if (/^i?(reduce|gather)/.test(name)) return 'Early Reduce';
  return undefined;
}

/**
 * Finds wait states of collective operations.
 *
 * - Wait at Barrier, Wait at N×N: from a process's start to the last start
 * - Late Broadcast: from a process's start to that of the root
 * - Early Reduce: from the root's start to the first start of another process
 *
 * An occurrence is at most as long as the operation on its process. If the root is unknown, the time in state waiting
 * counts. O(parts).
 */
export function collectiveWaits(
  parts: CollectiveParts,
  patternOf: (operation: number) => WaitState | undefined,
  sink: WaitSink,
): void {
  const roots = parts.rootStarts();
  parts.each(({ operation, process, start, end, startInterval, synchronization, waiting }, execution) => {
    const pattern = patternOf(operation);
    if (pattern === undefined) return;
    const { root, rootStart, firstOther } = roots[execution]!;
    let seconds = synchronization;
    if (pattern === 'Late Broadcast') seconds = Number.isNaN(rootStart) ? waiting : rootStart - start;
    else if (pattern === 'Early Reduce')
      seconds = Number.isNaN(rootStart) ? waiting : process === root ? firstOther - start : 0;
    seconds = Math.min(seconds, end - start);
    if (seconds > 0) sink(pattern, process, startInterval, seconds);
  });
}

/**
 * Finds wait states of messages. Of the time that a call waits, the part before the start of the message is lost to the
 * partner: in the receiver's call to a Late Sender, in the sender's call to a Late Receiver. A call that completes several
 * messages waits for the last one to start. Late Sender/Wrong Order: another message to the process was sent before and
 * received after the late one.
 *
 * A message starts when it is sent, but not before the receiver's call if the sender waits for that call. O(n log n) time
 * for n calls and messages.
 */
export function messageWaits(calls: CallMeter, messages: MessageMeter, processes: number, sink: WaitSink): void {
  const blocked = new CallIndex(calls.blockedCalls, processes);
  const { times } = messages;
  const destination = times.column('destination');
  const source = times.column('source');
  const sent = times.column('sent');
  const received = times.column('received');
  const order = Int32Array.from({ length: times.count }, (_, k) => k);
  order.sort((a, b) => destination[a]! - destination[b]! || received[a]! - received[b]! || a - b);
  const lateSender = new Float64Array(blocked.count).fill(Number.NEGATIVE_INFINITY);
  const lateReceiver = new Float64Array(blocked.count).fill(Number.NEGATIVE_INFINITY);
  const wrongOrder = new Uint8Array(blocked.count);
  // From the last message back: the earliest send among messages to the process that are received later.
  let earliestLater = Number.POSITIVE_INFINITY;
  for (let at = order.length - 1; at >= 0; at--) {
    const k = order[at]!;
    if (at === order.length - 1 || destination[order[at + 1]!] !== destination[k])
      earliestLater = Number.POSITIVE_INFINITY;
    const receiver = blocked.around(destination[k]!, received[k]!);
    if (receiver >= 0 && sent[k]! > lateSender[receiver]!) {
      lateSender[receiver] = sent[k]!;
      wrongOrder[receiver] = earliestLater < sent[k]! ? 1 : 0;
    }
    const sender = blocked.around(source[k]!, received[k]!);
    if (sender >= 0) {
      const begins = Math.max(sent[k]!, receiver < 0 ? Number.NEGATIVE_INFINITY : blocked.start(receiver));
      lateReceiver[sender] = Math.max(lateReceiver[sender]!, begins);
    }
    earliestLater = Math.min(earliestLater, sent[k]!);
  }
  for (let call = 0; call < blocked.count; call++) {
    const late = blocked.waitedBefore(call, lateSender[call]!);
    if (late > 0)
      sink(
        wrongOrder[call] === 1 ? 'Late Sender/Wrong Order' : 'Late Sender',
        blocked.process(call),
        blocked.interval(call),
        late,
      );
    const more = blocked.waitedBefore(call, lateReceiver[call]!) - Math.max(0, late);
    if (more > 0) sink('Late Receiver', blocked.process(call), blocked.interval(call), more);
  }
}

/** Blocked calls by process, for look-ups by time. */
class CallIndex {
  readonly count: number;
  readonly #columns: GrowingColumns;
  /** Calls of each process in the order of time: indices, and where each process begins. */
  readonly #order: Int32Array;
  readonly #begin: Int32Array;

  constructor(columns: GrowingColumns, processes: number) {
    this.count = columns.count;
    this.#columns = columns;
    const process = columns.column('process');
    this.#begin = new Int32Array(processes + 1);
    for (let k = 0; k < columns.count; k++) this.#begin[process[k]! + 1]!++;
    for (let p = 0; p < processes; p++) this.#begin[p + 1]! += this.#begin[p]!;
    const next = this.#begin.slice();
    this.#order = new Int32Array(columns.count);
    for (let k = 0; k < columns.count; k++) this.#order[next[process[k]!]!++] = k;
  }

  /** The call of a process that an instant lies in, its end included; −1 where none is. O(log calls). */
  around(process: number, time: number): number {
    const end = this.#columns.column('end');
    let low = this.#begin[process]!;
    let high = this.#begin[process + 1]!;
    const limit = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end[this.#order[middle]!]! >= time) high = middle;
      else low = middle + 1;
    }
    if (low === limit) return -1;
    const call = this.#order[low]!;
    return this.start(call) <= time ? call : -1;
  }

  start(call: number): number {
    return this.#columns.column('start')[call]!;
  }

  process(call: number): number {
    return this.#columns.column('process')[call]!;
  }

  interval(call: number): number {
    return this.#columns.column('interval')[call]!;
  }

  /** Seconds that a call waits before an instant. */
  waitedBefore(call: number, time: number): number {
    const from = this.#columns.column('waitFrom')[call]!;
    const waited = this.#columns.column('waited')[call]!;
    return time >= this.#columns.column('waitTo')[call]! ? waited : Math.min(waited, time - from);
  }
}
