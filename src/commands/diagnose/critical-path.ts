import type { KnownLoss } from '../../analysis/diagnosis/known-losses.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import type { LedgerPart } from '../../models/threads/ledger-parts.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import { afterSuccess, ROW } from '../../models/threads/program/rows.ts';
import { secondsOfRows, workSpan } from '../../models/threads/work-span.ts';

/** The longest path of a program, and how many of its longest strands it takes at least. Seconds. */
export interface Chain {
  readonly span: number;
  readonly longest: number;
  readonly strands: number;
}

/**
 * The longest path of work through a program, and the longest strand: of a main strand, what it executes within a group, such as the first
 * part of a loop. O(rows).
 */
export function chainOf({ program, machine }: Pick<ThreadNet, 'program' | 'machine'>): Chain {
  const { rows, strands, pools } = program;
  const seconds = secondsOfRows(program, machine);
  let longest = 0;
  for (let s = pools; s < strands.count; s++) {
    let own = 0;
    for (let k = strands.start[s]!; rows.op[k] !== ROW.end; k = afterSuccess(rows, k)) own += seconds[k]!;
    longest = Math.max(longest, own);
  }
  const hasGroups = rows.op.includes(ROW.open);
  for (let s = 0; s < pools; s++) {
    let [open, own] = [hasGroups ? 0 : 1, 0];
    for (let k = strands.start[s]!; rows.op[k] !== ROW.end; k = afterSuccess(rows, k)) {
      if (rows.op[k] === ROW.open) open++;
      else if (rows.op[k] === ROW.sync) open--;
      own = open > 0 ? own + seconds[k]! : 0;
      longest = Math.max(longest, own);
    }
  }
  return { span: workSpan(program, machine).span, longest, strands: strands.count - pools };
}

/** A path of this share of the region's time determines it. */
const DOMINATES = 0.5;
/** With this number of strands one after the other, no smaller grain shortens a path. */
const MANY = 4;

/** Idle workers of a region in which tasks run one after the other, because each makes the next one or depends on it. */
export function chainLoss(
  part: LedgerPart | undefined,
  { span, longest, strands }: Chain,
  { activities, workers, workerSeconds }: RegionFigures,
): KnownLoss[] {
  // Groups that are joined one after the other are forks of the main strand.
  if (part === undefined || part.forks !== 1 || longest === 0) return [];
  if (span < DOMINATES * (workerSeconds / workers) || span < MANY * longest) return [];
  return [
    {
      cause: 'critical-path',
      seconds: activities.idle,
      base: workerSeconds,
      count: strands,
      isInactive: true,
      explains: { idle: activities.idle },
    },
  ];
}
