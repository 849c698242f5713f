import { NODE_STATES, type NodeState, type StateSpan, statePriority } from '../../analysis/efficiency/node-states.ts';
import { formatSeconds } from '../../report/units.ts';
import { RUN_STATES } from '../../trace/run/run-schema.ts';
import { type PageRecord, rowAt, type SpanFacts, type Spans } from './page-record.ts';

const IDLE = NODE_STATES.length - 1;

/** Index into NODE_STATES of a process at an instant. Of the end of the run it is the state just before. O(log rows). */
export function processStateAt(spans: Spans, time: number, end: number): number {
  let row = rowAt(spans, time);
  // Rows of no length are not states of a time.
  while (row >= 0 && spans.start[row] === spans.end[row]) row--;
  if (row < 0) return IDLE;
  const isIn = time < spans.end[row]! || (time === end && spans.end[row] === end);
  if (isIn && !(time === end && spans.start[row] === end)) return statePriority(spans.state[row]!);
  return IDLE;
}

/**
 * State of a node at an instant; undefined before it joins and after it leaves, and if it is not known.
 *
 * @param partial spans of the node from a profile, if there are any, for a node that does not have all its processes in the record
 */
export function nodeStateAt(
  record: PageRecord,
  node: number,
  time: number,
  partial?: { readonly measured: readonly StateSpan[] | undefined },
): NodeState | undefined {
  const { head, end, spans, stays } = record;
  const of = stays.get(node);
  if (of !== undefined && !of.some(({ joined, left }) => joined <= time && time <= left)) return undefined;
  if (partial !== undefined)
    return partial.measured?.find(({ from, to }) => from <= time && (time < to || time === end.time))?.state;
  let state = IDLE;
  head.nodeOf.forEach((n, process) => {
    if (n === node) state = Math.min(state, processStateAt(spans[process]!, time, end.time));
  });
  return NODE_STATES[state]!;
}

/** The next instant after, or before, a time at which a process changes its state, or undefined. O(processes × log rows). */
export function eventAfter({ spans, end }: PageRecord, time: number, direction: 1 | -1): number | undefined {
  let found: number | undefined;
  const offer = (at: number | undefined): void => {
    if (at === undefined || !(direction > 0 ? at > time : at < time)) return;
    if (found === undefined || (direction > 0 ? at < found : at > found)) found = at;
  };
  for (const { start, end: ends } of spans)
    for (const instants of [start, ends])
      offer(instants[direction > 0 ? countBelow(instants, time, true) : countBelow(instants, time, false) - 1]);
  offer(end.time);
  return found;
}

/** Number of instants, which are in order, below a time; with `orAt` also those at it. */
function countBelow(instants: Float64Array, time: number, orAt: boolean): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = instants[middle]!;
    if (at < time || (orAt && at === time)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Why a process is in a state, in words. */
export function reasonOf({ state, collective, peer, process, start, end }: SpanFacts, record: PageRecord): string {
  if (state === RUN_STATES[0] || state === 'memory') return 'it computes';
  if (state === 'overhead') return 'it is in the message system, or in a scheduler';
  if (state === 'idle') return 'it has nothing to do, or sleeps';
  if (state === 'io') return 'input or output is under way';
  if (collective !== undefined) return `the collective operation ${collective} is not completed by all its processes`;
  if (state === 'communicating')
    return peer === undefined ? 'a transfer is under way' : `a transfer with process ${peer} is under way`;
  const { messages } = record;
  const [source, destination, sent] = ['source', 'destination', 'sent'].map((name) => messages.column(name));
  for (let k = 0; k < messages.count; k++) {
    // The transfer that ends the wait begins when the later partner is there.
    if (!(sent![k]! > start && sent![k] === end)) continue;
    const [from, to] = [source![k]!, destination![k]!];
    const partner = to === process ? from : from === process ? to : undefined;
    if (partner === undefined || (peer !== undefined && peer !== partner)) continue;
    return `process ${partner} ${to === process ? 'sends' : 'receives'} only at ${formatSeconds(end)}`;
  }
  return peer === undefined ? 'its partner is not there yet' : `process ${peer} is not there yet`;
}
