import { ROW, type ThreadProgram } from './program/rows.ts';
import type { RecordedThreads } from './program/statements.ts';
import { statementsOf } from './program/statements.ts';

/** Work of a thread program, over all strands. */
export interface WorkAmounts {
  readonly flops: number;
  /** Seconds of computing and sleeping. */
  readonly seconds: number;
  readonly bytes: number;
  readonly shared: number;
}

/**
 * The work of a thread program. Reductions are left out: their number follows the number of parts, whatever the body does.
 * O(rows).
 */
export function workAmounts({ rows, sites }: ThreadProgram, recorded: readonly RecordedThreads[]): WorkAmounts {
  const reductions = new Set(
    recorded
      .flatMap((one) => [...statementsOf(one)])
      .flatMap((s) => (s.kind === 'parallelFor' && s.reduce !== undefined ? [s.site] : [])),
  );
  const isReduction = Uint8Array.from(sites, (site) => (reductions.has(site) ? 1 : 0));
  let [flops, seconds, bytes, shared] = [0, 0, 0, 0];
  for (let k = 0; k < rows.count; k++) {
    const op = rows.op[k]!;
    if ((op !== ROW.work && op !== ROW.memory && op !== ROW.sleep) || isReduction[rows.site[k]!] === 1) continue;
    flops += rows.flops[k]!;
    seconds += rows.seconds[k]!;
    bytes += rows.bytes[k]!;
    shared += rows.shared[k]!;
  }
  return { flops, seconds, bytes, shared };
}

/** Sums of a program in another order differ by rounding. */
const ROUNDING = 1e-9;

/** True if two programs do the same work, by these amounts. */
export function isSameWork(
  a: readonly WorkAmounts[],
  b: readonly WorkAmounts[],
  names: readonly (keyof WorkAmounts)[] = ['flops', 'seconds', 'bytes', 'shared'],
): boolean {
  const total = (all: readonly WorkAmounts[], name: keyof WorkAmounts): number =>
    all.reduce((sum, amounts) => sum + amounts[name], 0);
  return names.every((name) => {
    const [x, y] = [total(a, name), total(b, name)];
    return Math.abs(x - y) <= ROUNDING * Math.max(x, y);
  });
}
