import type { Collective } from '../../../trace/collective.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { cycleOf } from './wait-cycle.ts';

/** A source line of a model that calls a collective, and the ranks blocked there. */
export interface StuckCall {
  /** The name of the collective. */
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  readonly ranks: readonly number[];
}

const COLLECTIVES: Readonly<Record<Collective['kind'], true>> = {
  barrier: true,
  bcast: true,
  reduce: true,
  allreduce: true,
  scan: true,
  exscan: true,
  gather: true,
  scatter: true,
  allgather: true,
  alltoall: true,
  gatherv: true,
  scatterv: true,
  allgatherv: true,
  alltoallv: true,
  reducescatter: true,
};

/**
 * Mismatched collective calls: some ranks of a group call one collective while others call another, or they call them in
 * different orders. Even if all calls match, a rank in one collective can wait for a rank in an earlier one; but then
 * something else blocks the latter. Hence calls are reported only if ranks in collectives form a cycle, or no rank is
 * blocked in anything else. Undefined otherwise, and if all are at the same call.
 */
export function misfit(deadlock: readonly BlockedRank[]): StuckCall[] | undefined {
  const inside = deadlock.filter((blocked) => Object.hasOwn(COLLECTIVES, nameOf(blocked)));
  const cycle = new Set(cycleOf(inside));
  const part = inside.length === deadlock.length ? inside : inside.filter(({ rank }) => cycle.has(rank));
  const lines = new Set(part.map(keyOf));
  if (lines.size < 2) return undefined;
  const calls = new Map<string, { operation: string; file: string; line: number; ranks: number[] }>();
  for (const blocked of inside) {
    const key = keyOf(blocked);
    if (!lines.has(key)) continue;
    const { file, line, rank } = blocked;
    const call = calls.get(key) ?? { operation: nameOf(blocked), file, line, ranks: [] };
    call.ranks.push(rank);
    calls.set(key, call);
  }
  return [...calls.values()].map((call) => ({ ...call, ranks: call.ranks.sort((a, b) => a - b) }));
}

/** The operation without its interval: `allreduce` of `allreduce in check`. */
function nameOf({ operation }: BlockedRank): string {
  return operation.split(' ', 1)[0]!;
}

function keyOf(blocked: BlockedRank): string {
  return JSON.stringify([nameOf(blocked), blocked.file, blocked.line]);
}
