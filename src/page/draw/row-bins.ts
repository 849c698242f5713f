import { NODE_STATES, statePriority } from '../../analysis/efficiency/node-states.ts';
import { rowAt, type Spans } from '../record/page-record.ts';

/** Number of states that a timeline tells apart. */
export const STATES = NODE_STATES.length;

/** Spans per entry of the sums below: a bin that covers many spans reads sums of whole groups instead. */
const GROUP = 64;

/** Seconds by state before every group of spans, so that the time by state between two instants takes O(log spans). */
export interface SpanSums {
  readonly groups: Float64Array;
}

/** O(spans). */
export function sumsOf({ start, end, state }: Spans): SpanSums {
  const groups = new Float64Array((Math.floor(start.length / GROUP) + 1) * STATES);
  const totals = new Float64Array(STATES);
  for (let k = 0; k < start.length; k++) {
    if (k % GROUP === 0) groups.set(totals, (k / GROUP) * STATES);
    totals[statePriority(state[k]!)]! += end[k]! - start[k]!;
  }
  if (start.length % GROUP === 0) groups.set(totals, groups.length - STATES);
  return { groups };
}

/**
 * Share of each pixel column of a row by state, as `columns × STATES` numbers that add up to 1 in a column; time without a span
 * is idle. Spans of any number may lie in a column: each contributes its time. O(columns × log spans + GROUP).
 */
export function binRow(spans: Spans, sums: SpanSums, from: number, to: number, columns: number): Float32Array {
  const { start, end, state } = spans;
  const bins = new Float32Array(columns * STATES);
  const width = (to - from) / columns;
  let row = Math.max(0, rowAt(spans, from));
  // A row before may end inside, because rows of no length share a start with it.
  while (row > 0 && end[row - 1]! > from) row--;
  for (let column = 0; column < columns; column++) {
    const left = from + column * width;
    const right = column === columns - 1 ? to : from + (column + 1) * width;
    const at = column * STATES;
    while (row < start.length && end[row]! <= left) {
      row = row + GROUP < start.length && end[row + GROUP]! <= left ? row + GROUP : row + 1;
    }
    let busy = 0;
    let k = row;
    while (k < start.length && start[k]! < right) {
      const next = (Math.floor(k / GROUP) + 1) * GROUP;
      if (k % GROUP === 0 && start[k]! >= left && next < start.length && end[next - 1]! <= right) {
        // A whole group lies inside.
        const group = (k / GROUP) * STATES;
        for (let s = 0; s < STATES; s++) {
          const seconds = sums.groups[group + STATES + s]! - sums.groups[group + s]!;
          bins[at + s]! += seconds;
          busy += seconds;
        }
        k = next;
        continue;
      }
      const seconds = Math.min(end[k]!, right) - Math.max(start[k]!, left);
      if (seconds > 0) {
        bins[at + statePriority(state[k]!)]! += seconds;
        busy += seconds;
      }
      k++;
    }
    if (k > row) row = Math.max(row, k - 1);
    const span = right - left;
    bins[at + STATES - 1]! += Math.max(0, span - busy);
    for (let s = 0; s < STATES; s++) bins[at + s]! /= span;
  }
  return bins;
}
