import { NODE_STATES, type NodeState, statePriority } from '../../analysis/efficiency/node-states.ts';
import { type PageRecord, rowAt, type Spans } from './page-record.ts';

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

/** State of a node at an instant; undefined before it joins and after it leaves. */
export function nodeStateAt(record: PageRecord, node: number, time: number): NodeState | undefined {
  const { head, end, spans, stays } = record;
  const of = stays.get(node);
  if (of !== undefined && !of.some(({ joined, left }) => joined <= time && time <= left)) return undefined;
  let state = IDLE;
  head.nodeOf.forEach((n, process) => {
    if (n === node) state = Math.min(state, processStateAt(spans[process]!, time, end.time));
  });
  return NODE_STATES[state]!;
}

/** The next instant after, or before, a time at which a process changes its state; undefined if there is none. */
export function eventAfter({ spans, end }: PageRecord, time: number, direction: 1 | -1): number | undefined {
  let found: number | undefined;
  const offer = (at: number): void => {
    if (direction > 0 ? at > time : at < time)
      if (found === undefined || (direction > 0 ? at < found : at > found)) found = at;
  };
  for (const of of spans) {
    const row = rowAt(of, time);
    for (let k = Math.max(0, row - 1); k <= Math.min(of.start.length - 1, row + 1); k++) {
      offer(of.start[k]!);
      offer(of.end[k]!);
    }
    // Rows of one start lie beside each other.
    for (let k = row; direction < 0 && k >= 0 && of.start[k]! >= time; k--) if (k > 0) offer(of.start[k - 1]!);
  }
  offer(end.time);
  return found;
}
