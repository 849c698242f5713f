import { entryAt, type PagedColumn } from '../../base/paged.ts';
import type { TiTrace } from '../../trace/ti/read.ts';

/** A trace whose columns may be in memory as a whole. */
export interface Trace extends Omit<TiTrace, 'code' | 'amount'> {
  readonly code: Int32Array | PagedColumn<Int32Array>;
  readonly amount: Float64Array | PagedColumn<Float64Array>;
}

/** Positions of a trace up to this many are renumbered: it takes no time, and saves more. */
const FEW = 1 << 16;

/** A trace that is short without gaps: the fewer positions there could be, the smaller is what tokens are found by. */
export function shortTrace(trace: TiTrace): Trace {
  return counts(trace).reduce((a, b) => a + b, 0) <= FEW ? compactTrace(trace) : trace;
}

/** Positions of each rank, with its end. */
const counts = ({ start, end }: TiTrace): Int32Array => start.map((s, r) => end[r]! - s + 1);

/** The same trace in memory, each rank's first position right after the last rank's end. To be closed instead of it. */
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
    if (rank < 0) throw new RangeError(`position ${position} is no action of a rank`);
    return trace.locate(trace.start[rank]! + position - start[rank]!);
  };
  return { ...trace, start, end: start.map((s, r) => s + counted[r]! - 1), length, code, amount, locate };
}
