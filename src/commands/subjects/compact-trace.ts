import { entryAt, type PagedColumn } from '../../base/columns.ts';
import type { TiTrace } from '../../trace/ti/read.ts';

/** A trace whose columns may be entirely in memory. */
export interface Trace extends Omit<TiTrace, 'code' | 'amount'> {
  readonly code: Int32Array | PagedColumn<Int32Array>;
  readonly amount: Float64Array | PagedColumn<Float64Array>;
}

/** Traces with up to this many positions are renumbered without gaps, which takes little time and saves more. */
const FEW = 1 << 16;

/** Removes the gaps of a short trace: fewer possible positions make the token indices smaller. */
export function shortTrace(trace: TiTrace): Trace {
  return counts(trace).reduce((a, b) => a + b, 0) <= FEW ? compactTrace(trace) : trace;
}

/** Number of positions of each rank, including its end. */
const counts = ({ start, end }: TiTrace): Int32Array => start.map((s, r) => end[r]! - s + 1);

/**
 * The same trace in memory, with each rank's first position directly after the previous rank's end. Closing it also closes
 * the original.
 */
export function compactTrace(trace: TiTrace): Trace {
  const counted = counts(trace);
  const length = counted.reduce((a, b) => a + b, 0);
  const start = new Int32Array(trace.ranks);
  const code = new Int32Array(length);
  const amount = new Float64Array(length);
  let at = 0;
  for (let r = 0; r < trace.ranks; r++) {
    start[r] = at;
    for (let k = 0; k < counted[r]!; k++, at++) {
      code[at] = entryAt(trace.code, trace.start[r]! + k);
      amount[at] = entryAt(trace.amount, trace.start[r]! + k);
    }
  }
  const locate: TiTrace['locate'] = (position) => {
    const rank = start.findLastIndex((first) => first <= position);
    if (rank < 0) throw new RangeError(`position ${position} is not an action of a rank`);
    return trace.locate(trace.start[rank]! + position - start[rank]!);
  };
  return { ...trace, start, end: start.map((s, r) => s + counted[r]! - 1), length, code, amount, locate };
}
